"""Two runs compared: what differs is found, noise is not, and other questions are never compared."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checks import InputError
from core.measurement import GpuCount, Machine, Run, Sample
from core.measurement.comparison import REPEAT_NOISE, Change, compare_runs
from core.measurement.speedup import Speedup

SIZES = [2**k for k in range(10, 31)]


def run_of(factor=1.0, *, noise=0.0, seed=0, placement="out-of-place", **options):
    """A sweep of an all-reduce over 8 GPUs, so many times slower, with so much noise."""
    shaken = np.exp(np.random.default_rng(seed).normal(0, noise, len(SIZES)))
    samples = tuple(
        Sample("all_reduce", size, factor * shake * (2e-5 + size / 250e9), placement)
        for size, shake in zip(SIZES, shaken, strict=True)
    )
    machine = Machine((GpuCount("NVIDIA H100", 8),), ("node1",), nccl="2.20.3")
    return replace(Run("a.log", "nccl-tests-text", "all_reduce", 8, machine, samples), **options)


def test_the_same_run_twice_differs_nowhere():
    """A run against itself is the same at every size, with a ratio of one."""
    comparison = compare_runs(run_of(), run_of())

    assert {change.change for change in comparison.changes} == {Change.SAME}
    assert comparison.speedup.large == comparison.speedup.small == 1
    assert comparison.settings == ()


def test_a_fifth_slower_is_seen_at_every_size():
    """A fifth more time is far outside the noise of two quiet runs."""
    comparison = compare_runs(run_of(noise=0.01), run_of(1.2, noise=0.01, seed=1))

    assert comparison.count(Change.SLOWER) >= len(SIZES) - 1
    assert comparison.speedup.large == pytest.approx(1 / 1.2, rel=0.03)


def test_swapping_the_runs_turns_faster_into_slower():
    """The comparison has no favourite."""
    ahead = compare_runs(run_of(), run_of(1.3))
    back = compare_runs(run_of(1.3), run_of())

    assert ahead.count(Change.SLOWER) == back.count(Change.FASTER) == len(SIZES)
    assert ahead.changes[3].ratio == pytest.approx(1 / back.changes[3].ratio)


@given(st.integers(0, 10_000), st.floats(0.002, 0.3))
def test_swapping_noisy_runs_mirrors_every_size(seed, noise):
    """However noisy, the second against the first says the opposite of the first against the second."""
    change, two = run_of(noise=noise, seed=seed), run_of(noise=noise, seed=seed + 1)
    opposite = {Change.FASTER: Change.SLOWER, Change.SLOWER: Change.FASTER, Change.SAME: Change.SAME}

    for there, back in zip(compare_runs(change, two).changes, compare_runs(two, change).changes, strict=True):
        assert there.ratio * back.ratio == pytest.approx(1)
        assert there.noise == pytest.approx(back.noise)
        assert back.change is opposite[there.change]


def test_noise_alone_is_the_same_on_average():
    """Over many pairs of noisy runs about one size in twenty is called a change."""
    counts = [
        compare_runs(run_of(noise=0.05, seed=2 * k), run_of(noise=0.05, seed=2 * k + 1)).count(Change.SAME)
        for k in range(200)
    ]

    assert 0.88 < np.mean(counts) / len(SIZES) <= 1


def test_spread_that_a_run_states_widens_its_noise():
    """Where the repeats of a size lay far apart a tenth is no difference there."""
    restless = run_of()
    wide = tuple(
        replace(change, low_s=0.7 * change.time_s, high_s=1.5 * change.time_s) for change in restless.samples
    )
    comparison = compare_runs(replace(restless, samples=wide), run_of(1.1))

    assert comparison.count(Change.SAME) == len(SIZES)
    assert compare_runs(run_of(), run_of(1.1)).count(Change.SLOWER) == len(SIZES)


def test_repeats_of_a_size_are_one_row_by_their_median():
    """The same size three times is one comparison, with the noise of its repeats."""
    once = run_of()
    thrice = tuple(replace(one, time_s=f * one.time_s) for one in once.samples for f in (0.8, 1.0, 1.25))
    comparison = compare_runs(once, replace(once, samples=thrice))

    assert len(comparison.changes) == len(SIZES)
    assert all(one.ratio == pytest.approx(1) for one in comparison.changes)
    assert all(one.noise > 5 * REPEAT_NOISE for one in comparison.changes)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"collective": "all_gather"}, "collective: all_reduce against all_gather"),
        ({"ranks": 16}, "ranks: 8 against 16"),
        ({"machine": Machine(hosts=("a", "b"))}, "hosts: 1 against 2"),
        ({"dtype": "float"}, "data type"),
    ],
)
def test_another_question_is_never_compared(change, word):
    """Other operations, ranks, hosts or data types are refused in one line that names them."""
    with pytest.raises(InputError, match=word) as caught:
        compare_runs(run_of(dtype="half"), replace(run_of(dtype="half"), **change))
    assert "\n" not in str(caught.value)


def test_placements_are_never_mixed():
    """In-place times stand against in-place times only."""
    with pytest.raises(InputError, match="share no operation, placement and size"):
        compare_runs(run_of(), run_of(placement="in-place"))
    both = run_of()
    both = replace(both, samples=both.samples + run_of(2.0, placement="in-place").samples)
    comparison = compare_runs(both, both)

    assert len(comparison.changes) == 2 * len(SIZES)
    assert comparison.count(Change.SAME) == 2 * len(SIZES)


def test_wrong_results_are_left_out_and_counted():
    """A sample with wrong values is no time; neither are sizes of one run alone."""
    first = run_of()
    broken = (replace(first.samples[0], wrong=5), *first.samples[1:-2])
    comparison = compare_runs(first, replace(first, samples=broken))

    assert len(comparison.changes) == len(SIZES) - 3
    assert comparison.left_out == (
        "1 samples with wrong results or without bytes or time",
        "3 samples that only one of the runs has",
    )


def test_what_is_not_the_same_is_named():
    """Software, GPUs and settings that differ are listed beside the numbers."""
    newer = Machine((GpuCount("NVIDIA H200", 8),), ("node1",), nccl="2.22.3", env={"NCCL_ALGO": "Ring"})
    comparison = compare_runs(run_of(), run_of(machine=newer))

    assert tuple((change.setting, change.first, change.second) for change in comparison.settings) == (
        ("gpus", "8 x NVIDIA H100", "8 x NVIDIA H200"),
        ("nccl", "2.20.3", "2.22.3"),
        ("NCCL_ALGO", "not set", "Ring"),
    )


def test_a_change_of_large_messages_only_is_told_apart():
    """A fix of the wire shows at large sizes and leaves small ones the same."""
    first = run_of()
    fixed = tuple(replace(s, time_s=s.time_s * (0.5 if s.size_bytes >= 2**25 else 1)) for s in first.samples)
    comparison = compare_runs(first, replace(first, samples=fixed))

    assert (comparison.speedup.small, comparison.speedup.large) == (1, 2)
    assert comparison.count(Change.FASTER) == sum(size >= 2**25 for size in SIZES)


def test_faster_has_one_measure():
    """Twice as fast below 64 KiB, eight times above 32 MiB: the sentence tells both ends, the scope the median."""
    first = run_of()
    factors = [2 if size <= 64 * 1024 else 8 if size >= 32 * 2**20 else 4 for size in SIZES]
    samples = tuple(
        replace(sample, time_s=sample.time_s / factor)
        for sample, factor in zip(first.samples, factors, strict=True)
    )
    second = replace(first, samples=samples)
    ahead, back = compare_runs(first, second).speedup, compare_runs(second, first).speedup

    assert (ahead.small, ahead.median, ahead.large) == pytest.approx((2, 4, 8))
    assert (ahead.least, ahead.most, ahead.count) == (pytest.approx(2), pytest.approx(8), len(SIZES))
    assert ahead.sentence("a.log", "b.log") == (
        "b.log is 8 times as fast as a.log for messages of 32 MiB and more, 2 times as fast up to 64 KiB"
    )
    assert ahead.scope == "Median of all 21 common samples: 4 times as fast (2 to 8)."
    behind = Speedup.of([4096, 2**30, 2**33], [1.1, 2.0, 10.0])
    assert behind.scope == "Median of all 3 common samples: 2 times as long (1.1 to 10)."
    assert back.sentence("b.log", "a.log") == (
        "a.log takes 8 times as long as b.log for messages of 32 MiB and more, 2 times as long up to 64 KiB"
    )


def test_runs_without_large_sizes_say_nothing_of_them():
    """What neither run measured is in no sentence, and equal is a word."""
    small = replace(run_of(), samples=run_of().samples[:6])
    speedup = compare_runs(small, small).speedup

    assert speedup.sentence("a", "b") == "b is as fast as a"
    assert speedup.scope == "6 common samples, all equal."


def test_a_change_of_all_sizes_alike_is_one_number():
    """A fifth more time at every size is said once, without telling small from large messages."""
    assert compare_runs(run_of(), run_of(1.2)).speedup.sentence("a", "b") == "b takes 1.2 times as long as a"
