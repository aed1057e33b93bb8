"""The worked cases of collectives, busbw and plain copies, each through the functions that answer them."""

import math

import numpy as np
import pytest

from core.calculators.bandwidth_hierarchy.levels import transfer_time_s
from core.collectives.formulas import ALGORITHMS, algbw_bytes_per_s, busbw_bytes_per_s, busbw_factor
from core.collectives.formulas.nccl_protocols import ring_envelope
from core.hardware import Hop
from core.units import GB, GIB, US
from tests.core.golden import CASES
from tests.core.golden_bandwidth import counted

GOLDEN = {case.id: case for case in CASES}


def worked(case_id):
    """Inputs, expected figures and tolerance of one case."""
    case = GOLDEN[case_id]
    return case.inputs, case.expected, case.rel_tol


def seconds(collective, name, *arguments, **options):
    """The whole time of one algorithm."""
    return float(ALGORITHMS[collective, name].function(*arguments, **options).total_s)


def test_a_byte_takes_the_latency_and_nothing_takes_none():
    """A03, A04: one byte costs the floor, zero bytes cost zero, on a copy and on a send."""
    for case_id in ("A03", "A04"):
        inputs, expected, tolerance = worked(case_id)
        hop = Hop(inputs["alpha_us"] * US, inputs["GBps"] * GB)
        copied = transfer_time_s(inputs["bytes"], hop.latency_s, hop.bytes_per_s)
        sent = seconds("send_recv", "direct", inputs["bytes"], 2, hop)
        assert copied == pytest.approx(expected["t_us"] * US, rel=tolerance)
        assert sent == pytest.approx(expected["t_us"] * US, rel=tolerance)


def test_half_size_is_latency_times_rate():
    """A09: at a B bytes half of the time is latency."""
    inputs, expected, tolerance = worked("A09")
    for (alpha_us, rate), half in zip(inputs["cases"], expected["bytes"], strict=True):
        hop = Hop(alpha_us * US, rate * GB)
        assert hop.latency_s * hop.bytes_per_s == pytest.approx(half, rel=tolerance)
        assert seconds("send_recv", "direct", half, 2, hop) == pytest.approx(2 * hop.latency_s, rel=tolerance)


def test_sequence_parallelism_costs_an_all_reduce():
    """B12: reduce-scatter plus all-gather is the ring all-reduce, to the last digit."""
    inputs, expected, tolerance = worked("B12")
    hop = Hop(inputs["alpha_us"] * US, inputs["uni_GBps"] * GB)
    whole = seconds("all_reduce", "ring", inputs["bytes"], inputs["N"], hop)
    halves = [
        seconds(half, "ring", inputs["bytes"], inputs["N"], hop) for half in ("reduce_scatter", "all_gather")
    ]
    assert whole == pytest.approx(expected["ar_us"] * US, rel=tolerance)
    assert sum(halves) == pytest.approx(expected["rs_plus_ag_us"] * US, rel=tolerance)


def test_a_decode_message_is_all_latency():
    """B13: 16 KiB over eight GPUs by ring, tree and switch; the bytes alone are 0.06 us."""
    inputs, expected, tolerance = worked("B13")
    amount = inputs["bytes"]
    step = Hop(1 * US, 450 * GB)
    assert seconds("all_reduce", "ring", amount, 8, step) == pytest.approx(
        expected["ring_us"] * US, rel=tolerance
    )
    assert seconds("all_reduce", "tree", amount, 8, step) == pytest.approx(
        expected["tree_us"] * US, rel=tolerance
    )
    switch = seconds("all_reduce", "nvls", amount, 8, Hop(3 * US, 450 * GB))
    assert switch == pytest.approx(expected["nvls_us"] * US, rel=tolerance)
    bytes_only = seconds("all_reduce", "ring", amount, 8, Hop(0, 450 * GB))
    assert bytes_only == pytest.approx(expected["ring_bw_only_us"] * US, rel=tolerance)


def test_gradients_of_70b_over_one_node():
    """C01: 140 GB over eight GPUs of NVLink 4: 0.544 s, 245 GB on each wire, busbw the wire's rate."""
    inputs, expected, tolerance = worked("C01")
    amount = inputs["params"] * inputs["gbytes"]
    hop = Hop(inputs["alpha_us"] * US, inputs["uni_GBps"] * GB)
    time_s = seconds("all_reduce", "ring", amount, inputs["N"], hop)
    wire = ALGORITHMS["all_reduce", "ring"].wire_factor(inputs["N"]) * amount
    assert time_s == pytest.approx(expected["t_s"], rel=tolerance)
    assert wire / GB == pytest.approx(expected["wire_GB"], rel=tolerance)
    assert float(algbw_bytes_per_s(amount, time_s)) / GB == pytest.approx(expected["algbw"], rel=tolerance)
    busbw = busbw_bytes_per_s("all_reduce", inputs["N"], amount, time_s)
    assert float(busbw) / GB == pytest.approx(expected["busbw"], rel=tolerance)


def test_a_single_rank_has_no_bus():
    """C04: with one rank nothing takes time, the factor is zero and busbw is undefined."""
    inputs, expected, _ = worked("C04")
    time_s = seconds("all_reduce", "ring", inputs["bytes"], inputs["N"], Hop(1 * US, 450 * GB))
    assert time_s == expected["t_s"]
    assert float(busbw_factor("all_reduce", inputs["N"])) == expected["factor"]
    assert math.isnan(float(busbw_bytes_per_s("all_reduce", inputs["N"], inputs["bytes"], time_s)))


def test_one_byte_pays_fourteen_steps():
    """C05: a ring of eight has a floor of 14 us."""
    inputs, expected, tolerance = worked("C05")
    hop = Hop(inputs["alpha_us"] * US, inputs["uni_GBps"] * GB)
    time_s = seconds("all_reduce", "ring", inputs["bytes"], inputs["N"], hop)
    assert time_s == pytest.approx(expected["t_us"] * US, rel=tolerance)


def test_two_levels_over_16384_gpus():
    """C07: 810 GB over 2048 x 8: reduce-scatter, ring or tree across, all-gather."""
    inputs, expected, tolerance = worked("C07")
    inner = Hop(inputs["a1_us"] * US, inputs["b1"] * GB)
    outer = Hop(inputs["a2_us"] * US, inputs["b2"] * GB)
    shape = (inputs["bytes"], inputs["local"], inputs["nodes"], inner, outer)
    assert seconds("all_reduce", "two-level", *shape) == pytest.approx(
        expected["ring_total_s"], rel=tolerance
    )
    tree = seconds("all_reduce", "two-level", *shape, across="tree")
    assert tree == pytest.approx(expected["tree_total_s"], rel=tolerance)
    inside = seconds("reduce_scatter", "ring", inputs["bytes"], inputs["local"], inner)
    assert inside == pytest.approx(expected["intra_rs_s"], rel=tolerance)
    across = ALGORITHMS["all_reduce", "ring"].function(
        inputs["bytes"] / inputs["local"], inputs["nodes"], outer
    )
    assert float(across.total_s) == pytest.approx(expected["inter_ring_s"], rel=tolerance)
    assert float(across.latency_s) == pytest.approx(expected["inter_latency_s"], rel=tolerance)


def test_a_flat_ring_over_one_rail_is_four_and_a_half_times_slower():
    """C08: the same bytes in one ring over a single rail, as one level and as a railed ring."""
    inputs, expected, tolerance = worked("C08")
    hop = Hop(inputs["alpha_us"] * US, inputs["uni_GBps"] * GB)
    flat = ALGORITHMS["all_reduce", "ring"].function(inputs["bytes"], inputs["N"], hop)
    assert float(flat.total_s) == pytest.approx(expected["t_s"], rel=tolerance)
    assert float(flat.latency_s) == pytest.approx(expected["latency_s"], rel=tolerance)
    inside = Hop(hop.latency_s, 450 * GB)
    railed = seconds("all_reduce", "railed-ring", inputs["bytes"], 8, inputs["N"] // 8, inside, hop, rails=1)
    assert railed == pytest.approx(expected["t_s"], rel=tolerance)
    both = GOLDEN["C07"].expected["ring_total_s"]
    assert float(flat.total_s) / both == pytest.approx(expected["speedup_of_hierarchical"], rel=tolerance)


def test_what_a_switch_that_adds_can_gain():
    """C10: 8 GiB over eight GPUs: 700 GB/s busbw on a 450 GB/s wire, and the efficiency that measurements imply."""
    inputs, expected, tolerance = worked("C10")
    hop = Hop(0, inputs["uni_GBps"] * GB)

    def busbw(name, **options):
        time_s = seconds("all_reduce", name, inputs["bytes"], inputs["N"], hop, **options)
        return float(busbw_bytes_per_s("all_reduce", inputs["N"], inputs["bytes"], time_s)) / GB

    assert inputs["bytes"] == 8 * GIB
    assert busbw("ring") == pytest.approx(expected["ring_busbw"], rel=tolerance)
    assert busbw("nvls") == pytest.approx(expected["nvls_ideal_busbw"], rel=tolerance)
    assert busbw("nvls") / busbw("ring") == pytest.approx(expected["ratio"], rel=tolerance)
    assert busbw("nvls", efficiency=expected["eff_to_match_473"]) == pytest.approx(473.1, rel=1e-9)
    assert 365.6 / busbw("ring") == pytest.approx(expected["eff_ring_365_6"], rel=tolerance)


def test_busbw_factors():
    """X01: the factor of every collective for 1, 2, 3, 8 and 72 ranks, as one array."""
    inputs, expected, tolerance = worked("X01")
    for collective, factors in expected.items():
        assert list(busbw_factor(collective, inputs["n"])) == pytest.approx(factors, rel=tolerance)


def test_the_envelope_of_nccls_protocols():
    """X02: LL, LL128 and Simple by NCCL's own constants on eight H100."""
    inputs, expected, tolerance = worked("X02")
    sizes = np.array(inputs["sizes"])
    found = ring_envelope("all_reduce", sizes, 8, inputs["B_GBps"] * GB)
    assert list(found.cost.total_s / US) == pytest.approx(expected["t_us"], rel=tolerance)
    assert list(found.protocol) == expected["proto"]
    busbw = busbw_bytes_per_s("all_reduce", 8, sizes, found.cost.total_s) / GB
    assert list(busbw) == pytest.approx(expected["busbw"], rel=tolerance)


def test_what_nccl_counts_on_a_link():
    """X03: links times NCCL's rate of one link; measured rings reach 94 to 99 % of it."""
    given, expected, tolerance = worked("X03")
    for name, links in given["links"].items():
        assert counted(name) == given["per_link"][name]
        assert counted(name) * links == pytest.approx(expected[name], rel=tolerance)
    assert 0.94 < expected["measured"]["A100"] / expected["A100"] < 1.0
