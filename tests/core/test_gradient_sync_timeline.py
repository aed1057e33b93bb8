"""Exposed communication when gradients are reduced bucket by bucket."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.gradient_sync.efficiency import efficiencies
from core.calculators.gradient_sync.timeline import (
    exposed_by_fraction,
    gather_ahead,
    gather_and_reduce,
    reduce_behind,
    split_buckets,
)
from core.checks import InputError
from core.parallel.stragglers import wait_s

SECONDS = st.floats(0, 100)
BUCKETS = st.lists(st.tuples(st.floats(1, 1e9), st.floats(0, 10), st.floats(0, 10)), min_size=1, max_size=40)


@given(st.floats(1, 1e12), st.floats(1e8, 1e12))
def test_buckets_add_up_and_only_the_last_is_short(size, bucket):
    """Nothing is lost or sent twice."""
    sizes = split_buckets(size, bucket)

    assert np.sum(sizes) == pytest.approx(size)
    assert np.all(sizes[:-1] == pytest.approx(min(bucket, size)))
    assert 0 <= sizes[-1] <= min(bucket, size) * (1 + 1e-9)


def test_no_bytes_make_no_buckets():
    """A model without parameters has no timeline."""
    assert split_buckets(0, 25e6).size == 0
    assert reduce_behind("x", 1.0, np.zeros(0), np.zeros(0)).exposed_s == 0


def test_absurdly_small_buckets_are_refused():
    """A bucket of one byte for a large model would never finish computing."""
    with pytest.raises(InputError, match="bucket_bytes"):
        split_buckets(1e12, 1)


@given(SECONDS, BUCKETS)
def test_exposed_time_is_never_more_than_the_communication(compute_s, buckets):
    """Each schedule keeps compute or the link busy, so no more is exposed than is sent."""
    sizes, gathers, reduces = (np.array(column) for column in zip(*buckets, strict=True))
    for line in (
        reduce_behind("r", compute_s, sizes, reduces),
        gather_ahead("g", compute_s, sizes, gathers),
        gather_and_reduce(("g", "r"), compute_s, sizes, gathers, reduces),
    ):
        assert 0 <= line.exposed_s <= line.comm_s * (1 + 1e-9) + 1e-9
        assert line.end_s >= compute_s * (1 - 1e-9)
        assert line.end_s >= line.comm_s * (1 - 1e-9)


@given(SECONDS, BUCKETS)
def test_a_bucket_is_sent_when_it_is_ready_and_the_link_is_free(compute_s, buckets):
    """No bucket starts before it exists or before the one ahead of it has left."""
    sizes, _, times = (np.array(column) for column in zip(*buckets, strict=True))

    track = reduce_behind("r", compute_s, sizes, times).tracks[0]

    assert np.all(track.start_s >= track.ready_s - 1e-9)
    assert np.all(track.start_s[1:] >= track.end_s[:-1] - 1e-9)


@given(SECONDS, BUCKETS)
def test_the_last_bucket_is_always_exposed(compute_s, buckets):
    """Its gradients exist only when backward is over."""
    sizes, _, times = (np.array(column) for column in zip(*buckets, strict=True))

    assert reduce_behind("r", compute_s, sizes, times).exposed_s >= times[-1] * (1 - 1e-9) - 1e-9


def test_a_long_backward_overlaps_with_all_but_the_last_bucket():
    """Ten equal buckets of 10 ms behind one second of backward: 10 ms are exposed."""
    line = reduce_behind("r", 1.0, np.ones(10), np.full(10, 0.01))

    assert line.exposed_s == pytest.approx(0.01)


def test_a_slow_link_starts_with_the_first_bucket():
    """Ten buckets of 0.2 s behind one second: the first is ready at 0.1 s, the last ends at 2.1 s."""
    line = reduce_behind("r", 1.0, np.ones(10), np.full(10, 0.2))

    assert line.end_s == pytest.approx(2.1)


def test_sharded_backward_is_late_by_the_first_gather_and_the_last_scatter():
    """With a fast link, the first all-gather and the last reduce-scatter remain exposed."""
    line = gather_and_reduce(("g", "r"), 1.0, np.ones(10), np.full(10, 0.01), np.full(10, 0.02))

    assert line.exposed_s == pytest.approx(0.03)


@given(SECONDS, SECONDS, st.floats(0, 1), st.floats(0, 1))
def test_more_overlap_never_exposes_more(comm_s, backward_s, low, high):
    """The exposed time falls with the share that may overlap and never below zero."""
    low, high = sorted((low, high))

    assert 0 <= exposed_by_fraction(comm_s, backward_s, high) <= exposed_by_fraction(comm_s, backward_s, low)


def test_three_definitions_of_efficiency_disagree():
    """The same step is 88 %, 85 % or 88 % efficient: say which."""
    shares = efficiencies(0.85, 0.12, 0.03)

    assert shares == pytest.approx(
        {"compute_over_compute_and_comm": 0.85 / 0.97, "compute_share": 0.85, "no_comm_speedup": 0.88}
    )
    assert efficiencies(0, 0, 1) is None


def test_more_ranks_wait_longer_for_the_slowest():
    """Half of the steps wait 1.4 deviations with 8 ranks and 3.9 with 16,384; one rank waits for nobody."""
    assert wait_s(1.0, 0.01, 1) == 0
    assert wait_s(1.0, 0.01, 8) == pytest.approx(0.01 * 1.383, rel=0.01)
    assert wait_s(1.0, 0.01, 16384) == pytest.approx(0.01 * 3.92, rel=0.02)
    assert wait_s(1.0, 0.01, 8, 0.99) > wait_s(1.0, 0.01, 8, 0.5)
