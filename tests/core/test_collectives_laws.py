"""Laws that every algorithm of the registry obeys, whoever adds the next one."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collectives.formulas import ALGORITHMS, Cost, busbw_bytes_per_s, busbw_factor
from core.hardware import Hop

EVERY = tuple(ALGORITHMS.values())
ONE = tuple(item for item in EVERY if item.levels == 1)
TWO = tuple(item for item in EVERY if item.levels == 2)
PARTS = ("launch_s", "latency_s", "transfer_s", "reduction_s")

amounts = st.floats(1, 1e13)
rates = st.floats(1e6, 1e13)
latencies = st.floats(0, 1e-2)
hops = st.builds(Hop, latencies, rates)
ranks = st.integers(1, 5000)
domains = st.integers(1, 3000)
times_more = st.floats(1, 1e3)


def run(item, size_bytes, local_ranks, n, inner, outer) -> Cost:
    """Any algorithm on its own number of levels."""
    if item.levels == 1:
        return item.function(size_bytes, local_ranks, inner)
    return item.function(size_bytes, local_ranks, n, inner, outer)


def seconds(item, size_bytes, local_ranks, n, inner, outer) -> float:
    """All parts together."""
    return float(run(item, size_bytes, local_ranks, n, inner, outer).total_s)


def at_most(a: float, b: float) -> bool:
    """No more than ``b``, but for rounding."""
    return a <= b * (1 + 1e-9)


@given(size=amounts, more=times_more, local=ranks, n=domains, inner=hops, outer=hops)
def test_more_bytes_never_take_less_time(size, more, local, n, inner, outer):
    """A larger message is never faster on the same machine."""
    for item in EVERY:
        now = seconds(item, size, local, n, inner, outer)
        assert at_most(now, seconds(item, size * more, local, n, inner, outer)), item


@given(size=amounts, more=times_more, local=ranks, n=domains, inner=hops, outer=hops)
def test_slower_wires_never_take_less_time(size, more, local, n, inner, outer):
    """Taking bandwidth away from either wire never speeds anything up."""
    slow_inner = Hop(inner.latency_s, inner.bytes_per_s / more)
    slow_outer = Hop(outer.latency_s, outer.bytes_per_s / more)
    for item in EVERY:
        now = seconds(item, size, local, n, inner, outer)
        assert at_most(now, seconds(item, size, local, n, slow_inner, outer)), item
        assert at_most(now, seconds(item, size, local, n, inner, slow_outer)), item


@given(size=amounts, extra=latencies, local=ranks, n=domains, inner=hops, outer=hops)
def test_longer_steps_never_take_less_time(size, extra, local, n, inner, outer):
    """Adding latency to either wire never speeds anything up."""
    late_inner = Hop(inner.latency_s + extra, inner.bytes_per_s)
    late_outer = Hop(outer.latency_s + extra, outer.bytes_per_s)
    for item in EVERY:
        now = seconds(item, size, local, n, inner, outer)
        assert at_most(now, seconds(item, size, local, n, late_inner, outer)), item
        assert at_most(now, seconds(item, size, local, n, inner, late_outer)), item


@given(size=amounts, local=ranks, n=domains, inner=hops, outer=hops)
def test_nothing_to_say_or_nobody_to_say_it_to_is_free(size, local, n, inner, outer):
    """Zero bytes and a single rank take zero seconds, latency included; anything else takes some."""
    for item in EVERY:
        assert seconds(item, 0, local, n, inner, outer) == 0, item
        assert seconds(item, size, 1, 1, inner, outer) == 0, item
        assert seconds(item, size, local + 1, n, inner, outer) > 0, item


@given(
    sizes=st.lists(st.floats(0, 1e13), min_size=1, max_size=5), local=ranks, n=domains, inner=hops, outer=hops
)
def test_an_array_of_sizes_is_each_size_alone(sizes, local, n, inner, outer):
    """Vectorised and scalar answers are the same numbers, part by part."""
    for item in EVERY:
        together = run(item, np.array(sizes), local, n, inner, outer)
        for index, size in enumerate(sizes):
            alone = run(item, size, local, n, inner, outer)
            assert [getattr(together, part)[index] for part in PARTS] == [
                getattr(alone, part) for part in PARTS
            ], item


@given(size=amounts, several=st.lists(ranks, min_size=1, max_size=5), hop=hops)
def test_an_array_of_ranks_is_each_number_alone(size, several, hop):
    """One level takes arrays of ranks as well."""
    for item in ONE:
        together = item.function(size, np.array(several), hop).total_s
        assert list(together) == [float(item.function(size, n, hop).total_s) for n in several], item


@given(size=amounts, n=st.integers(2, 5000), hop=hops)
def test_the_transfer_is_the_registered_bytes_over_the_wire(size, n, hop):
    """The wire factor that answers report is the one that the function charges."""
    for item in ONE:
        transfer_s = float(item.function(size, n, hop).transfer_s)
        assert transfer_s == pytest.approx(item.wire_factor(n) * size / hop.bytes_per_s, rel=1e-12), item


@given(size=amounts, local=ranks, n=domains, rate=rates)
def test_two_levels_move_their_bytes_one_after_the_other_or_at_once(size, local, n, rate):
    """With one rate everywhere the transfer lies between all bytes in turn and both levels at once."""
    hop = Hop(0, rate)
    for item in TWO:
        transfer_s = float(item.function(size, local, n, hop, hop).transfer_s)
        in_turn_s = item.wire_factor(local, n) * size / rate if local * n > 1 else 0.0
        assert at_most(transfer_s, in_turn_s), item
        assert at_most(in_turn_s / 2, transfer_s), item


def test_every_algorithm_says_what_it_does():
    """Each entry has a formula for T, a source that can be opened and a derivation to read."""
    for item in EVERY:
        assert item.formula_latex.startswith("T = ")
        assert item.formula_latex.count("{") == item.formula_latex.count("}")
        assert item.source.where
        assert len(item.function.__doc__ or "") > 40, item


def test_every_algorithm_is_derived_in_the_document():
    """Whoever meets an algorithm's name on a page or in the shell finds its formula by that name."""
    page = (Path(__file__).parents[2] / "docs" / "MODEL-COLLECTIVES.md").read_text("utf-8").lower()

    assert {item.word for item in EVERY if item.word not in page} == set()
    assert not re.search(r"\bf\d+\b", page)


@given(size=amounts, n=st.integers(2, 5000), rate=rates)
def test_a_ring_without_latency_runs_at_the_wire(size, n, rate):
    """The busbw of a ring is the unidirectional rate of its wire: that is what the factor is for."""
    for collective in ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"):
        time_s = ALGORITHMS[collective, "ring"].function(size, n, Hop(0, rate)).total_s
        assert float(busbw_bytes_per_s(collective, n, size, time_s)) == pytest.approx(rate, rel=1e-9)


@given(size=amounts, n=st.integers(2, 5000), hop=hops)
def test_only_adding_switches_beat_the_wire_and_never_twofold(size, n, hop):
    """On one level busbw stays at the wire; in-switch all-reduce gains 2(n-1)/(n+1), which is below 2."""
    for item in ONE:
        gain = 2 * (n - 1) / (n + 1) if (item.name, item.collective) == ("nvls", "all_reduce") else 1.0
        time_s = item.function(size, n, hop).total_s
        busbw = float(busbw_bytes_per_s(item.collective, n, size, time_s))
        assert at_most(busbw, gain * hop.bytes_per_s), item
        assert gain < 2


def least_leaving(item, local: int, n: int) -> float:
    """Bytes per byte of size that the NICs of one domain must carry per direction, for an algorithm that may not cheat."""
    if item.collective == "all_reduce":
        return 2 * (n - 1) / n if item.shown == "ring" or item.name.startswith("two-level") else 1.0
    if item.collective in ("all_gather", "reduce_scatter"):
        return (n - 1) / n
    if item.collective == "all_to_all":
        return local * (n - 1) / n
    return float(local) if item.collective == "send_recv" else 1.0


@given(size=amounts, local=ranks, n=st.integers(2, 3000), inner=hops, outer=hops)
def test_what_must_leave_a_domain_goes_through_its_nics(size, local, n, inner, outer):
    """However clever, a domain's NICs must carry the bytes that no other domain can know."""
    for item in TWO:
        least_s = least_leaving(item, local, n) * size / (local * outer.bytes_per_s)
        assert at_most(least_s, seconds(item, size, local, n, inner, outer)), item


@given(size=amounts, local=ranks, n=domains, inner=hops, outer=hops)
def test_overlapping_the_levels_never_loses(size, local, n, inner, outer):
    """Pipelined two-level takes at most the sequential time and at least half of it."""
    for collective in ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"):
        in_turn = seconds(ALGORITHMS[collective, "two-level"], size, local, n, inner, outer)
        at_once = seconds(ALGORITHMS[collective, "two-level-pipelined"], size, local, n, inner, outer)
        assert at_most(at_once, in_turn)
        assert at_most(in_turn / 2, at_once)


INSIDE = {"tree": "tree", "ring": "ring", "direct": "direct", "nvlstree": "nvls", "nvls-sharp": "nvls"}
ACROSS = {"tree": "tree", "ring": "ring", "direct": "direct", "nvlstree": "tree", "two-level-tree": "tree"}


@given(size=amounts, local=ranks, inner=hops, outer=hops)
def test_one_domain_is_one_level(size, local, inner, outer):
    """Two levels over a single domain cost what one level costs: the network is not there."""
    for item in TWO:
        alone = ALGORITHMS[item.collective, INSIDE.get(item.word, "ring")]
        expected = seconds(alone, size, local, 1, inner, outer)
        assert math.isclose(seconds(item, size, local, 1, inner, outer), expected, rel_tol=1e-9), item


@given(size=amounts, n=domains, inner=hops, outer=hops)
def test_one_gpu_a_domain_is_the_network_alone(size, n, inner, outer):
    """With one GPU in each domain only the network counts."""
    for item in TWO:
        if "sharp" in item.name:
            continue
        alone = ALGORITHMS[item.collective, ACROSS.get(item.word, "ring")]
        expected = seconds(alone, size, n, 1, outer, outer)
        assert math.isclose(seconds(item, size, 1, n, inner, outer), expected, rel_tol=1e-9), item


@given(size=amounts, local=st.integers(2, 64), n=st.integers(2, 3000), hop=hops, slower=times_more)
def test_two_levels_beat_one_rail_where_the_network_is_slower(size, local, n, hop, slower):
    """A flat ring over a single rail loses to two levels once a NIC is no faster than the links inside."""
    outer = Hop(hop.latency_s, hop.bytes_per_s / slower)
    one_rail = ALGORITHMS["all_reduce", "railed-ring"].function(size, local, n, hop, outer, rails=1)
    for name in ("two-level-pipelined", "two-level"):
        both = ALGORITHMS["all_reduce", name].function(size, local, n, hop, outer)
        assert at_most(float(both.total_s), float(one_rail.total_s)), name


@given(n=st.integers(3, 5000), hop=st.builds(Hop, st.floats(1e-9, 1e-2), rates))
def test_one_shot_and_two_shot_meet_where_the_formula_says(n, hop):
    """They cross at M = a B n / ((n-1)(n-2)): below it one step wins, above it fewer bytes."""
    size = hop.latency_s * hop.bytes_per_s * n / ((n - 1) * (n - 2))
    one, two = (ALGORITHMS["all_reduce", name].function for name in ("one-shot", "two-shot"))
    assert float(one(size, n, hop).total_s) == pytest.approx(float(two(size, n, hop).total_s), rel=1e-9)
    assert one(size / 2, n, hop).total_s < two(size / 2, n, hop).total_s
    assert one(size * 2, n, hop).total_s > two(size * 2, n, hop).total_s


@given(n=ranks)
def test_the_shared_bus_factor_is_the_one_of_the_probe(n):
    """Both definitions of busbw in the house agree wherever it means something."""
    from core.measurement.bus_factor import bus_factor

    for collective in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "gather"):
        plain = bus_factor(collective, n)
        if plain is not None:
            assert float(busbw_factor(collective, n)) == pytest.approx(plain, rel=1e-12)
