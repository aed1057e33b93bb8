"""The worked cases of tensor parallelism, each through the calculator's own overrides."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.tensor_parallel import Scenario, answer, required_bytes_per_s, valid_degrees
from core.catalog import gpu, model, precision, system
from core.checks import InputError
from core.collectives import pricing as collective
from core.collectives.rates import Rates
from core.provenance import Origin
from core.units import GB, US
from tests.core.golden import CASES

GOLDEN = {case.id: case for case in CASES}


def spec(one_way_gb, latency_us, per="step"):
    """Datasheet formulas at a given rate and latency."""
    return Rates(Origin.SPEC, latency_s=latency_us * US, bytes_per_s=one_way_gb * GB, latency_per=per)


def layered(**changes):
    """A 70B-like step on eight GPUs, 80 layers of width 8192."""
    base = Scenario(
        model=model("llama-3.1-70b"),
        system=system("dgx-h100"),
        tokens=32,
        context=0,
        tp=8,
        weights=precision("fp8"),
        mfu=1.0,
        hbm_efficiency=1.0,
        params_per_layer=875e6,
        peak_flop_per_s=1979e12,
        hbm_bytes_per_s=3350 * GB,
        algorithm="ring",
        rates=spec(450, 1, "operation"),
    )
    return replace(base, **changes)


def test_the_published_convention_is_reproduced():
    """Both directions as the rate and no latency give the sources' microseconds."""
    case = GOLDEN["B01"]
    pairs = zip(
        case.inputs["bidir_GBps"], case.expected["us_per_ar"], case.expected["us_80_layers"], strict=True
    )
    for rate, item, all_layers in pairs:
        result = answer(layered(tokens=1, rates=spec(rate, 0)))
        assert result.per_step.message_s / US == pytest.approx(item, rel=case.rel_tol)
        assert result.per_step.comm_s / US == pytest.approx(all_layers, rel=case.rel_tol)
        assert result.per_layer.comm_s / US == pytest.approx(2 * item, rel=case.rel_tol)


def test_the_physical_convention():
    """Unidirectional and a latency a step: latency is 99 % of a token's all-reduce."""
    case = GOLDEN["B02"]
    rows = zip(case.inputs["uni_GBps"], case.inputs["alpha_us"], case.expected["us_per_ar"], strict=True)
    for rate, latency, expected in rows:
        result = answer(layered(tokens=1, rates=spec(rate, latency)))
        assert result.per_step.message_s / US == pytest.approx(expected, rel=case.rel_tol)


def test_one_gpu_says_nothing():
    """TP1 communicates nothing and is as fast as itself."""
    result = answer(layered(tp=1))
    assert result.per_layer.comm_s == 0
    assert result.per_layer.share == 0
    assert result.per_layer.speedup == 1.0


def test_compute_floor_of_a_layer():
    """FLOPs and bytes of a layer on one GPU and on eight; memory decides."""
    case = GOLDEN["B05"]
    for place, degree in enumerate(case.inputs["N"]):
        layer = answer(layered(tp=degree)).per_layer
        assert layer.flop_s / US == pytest.approx(case.expected["flops_us"][place], rel=case.rel_tol)
        assert layer.hbm_s / US == pytest.approx(case.expected["hbm_us"][place], rel=case.rel_tol)
        assert layer.bound == case.expected["bound"]
        assert layer.compute_s == max(layer.flop_s, layer.hbm_s)


def test_overhead_of_nvlink_and_pcie():
    """Share of a layer and speed-up with 450 GB/s and 1 us, and with 64 GB/s and 3 us."""
    case = GOLDEN["B06"]
    for name, rates in (("nvlink", spec(450, 1, "operation")), ("pcie", spec(64, 3, "operation"))):
        by_parameters = answer(layered(rates=rates)).per_layer
        by_seconds = answer(layered(rates=rates, compute_s=case.inputs["compute_us"] * US)).per_layer
        for layer in (by_parameters, by_seconds):
            assert layer.comm_s / US == pytest.approx(case.expected[f"{name}_comm_us"], rel=case.rel_tol)
            assert layer.share == pytest.approx(case.expected[f"{name}_overhead"], rel=case.rel_tol)
            assert layer.speedup == pytest.approx(case.expected[f"{name}_speedup"], rel=case.rel_tol)


def test_required_rate_of_the_opening_claim():
    """17 MB a layer, 80 layers, 48 steps a second: payload, and what two rings put on the wire."""
    case = GOLDEN["B08"]
    result = required_bytes_per_s(17e6, 80, 48, ranks=8)
    assert result.payload_bytes_per_s / GB == pytest.approx(case.expected["payload_GBps"], rel=case.rel_tol)
    assert result.wire_bytes_per_s / GB == pytest.approx(
        case.expected["with_2_ar_and_ring_GBps"], rel=case.rel_tol
    )
    h100 = gpu("h100-sxm").scale_up
    assert result.payload_bytes_per_s / (2 * h100.bytes_per_s) == pytest.approx(
        case.expected["frac_of_900"], rel=case.rel_tol
    )
    assert result.wire_bytes_per_s / h100.bytes_per_s == pytest.approx(
        case.expected["frac_of_450_physical"], rel=case.rel_tol
    )


def test_72_ways_divide_no_common_head_count():
    """64, 96 and 128 heads refuse TP72, and the refusal lists what fits."""
    case = GOLDEN["B11"]
    for heads, largest in zip(case.inputs["q_heads"], case.expected["largest_valid_tp_le_72"], strict=True):
        degrees = valid_degrees(heads, 72)
        assert 72 not in degrees
        assert degrees[-1] == largest
    with pytest.raises(InputError, match=r"1, 2, 4, 8, 16, 32, 64$"):
        Scenario(model=model("llama-3.1-70b"), system=system("gb200-nvl72"), tp=72)


def test_sequence_parallelism_has_the_same_volume():
    """A reduce-scatter and an all-gather for each all-reduce cost the same on a ring."""
    case = GOLDEN["B12"]
    plain = layered(tokens=1024, rates=spec(450, 1))
    both = [answer(replace(plain, sequence_parallel=flag)) for flag in (False, True)]
    assert both[0].per_step.message_s / US == pytest.approx(case.expected["ar_us"], rel=case.rel_tol)
    assert both[1].per_layer.comm_s / US == pytest.approx(
        2 * case.expected["rs_plus_ag_us"], rel=case.rel_tol
    )


def test_a_small_message_never_falls_below_its_floor():
    """16 KiB on eight GPUs by ring and tree at 1 us a step."""
    case = GOLDEN["B13"]
    for name in ("ring", "tree"):
        scenario = collective.Scenario(
            system=system("dgx-h100"),
            collective="all_reduce",
            ranks=8,
            size_bytes=case.inputs["bytes"],
            algorithm=name,
            rates=spec(450, 1),
        )
        assert collective.answer(scenario).time_s / US == pytest.approx(
            case.expected[f"{name}_us"], rel=case.rel_tol
        )
        step = answer(layered(tokens=1, algorithm=name, rates=spec(450, 1))).per_step
        assert step.message_s / US == pytest.approx(case.expected[f"{name}_us"], rel=case.rel_tol)


def test_overlap_hides_its_fraction():
    """None, half and all of the communication hidden."""
    case = GOLDEN["B14"]
    shares = [answer(layered(overlap=part)).per_layer.share for part in case.inputs["overlap"]]
    assert shares == pytest.approx(case.expected["overhead"], rel=case.rel_tol)


def test_roofline_follows_its_formula_with_a_cache():
    """F8 by hand: 64 sequences at 4,096 tokens on TP8, memory at 80 %, peak at 50 %."""
    scenario = Scenario(
        model=model("llama-3.1-70b"),
        system=system("dgx-h100"),
        tokens=64,
        context=4096,
        tp=8,
        weights=precision("fp8"),
        mfu=0.5,
        hbm_efficiency=0.8,
    )
    layers = (2 * 8192 * 8192 + 2 * 8192 * 1024 + 3 * 8192 * 28672 + 2 * 8192) * 80 + 8192
    cache = 64 * 4096 * 2 * 80 * 1 * 128 * 2
    hbm = (layers / 8 + cache) / (3350e9 * 0.8)
    flop = (2 * layers * 64 + 64 * 4096 * 80 * 4 * 64 * 128) / 8 / (1978.9e12 * 0.5)
    result = answer(scenario).per_step
    assert result.hbm_s == pytest.approx(hbm, rel=1e-9)
    assert result.flop_s == pytest.approx(flop, rel=1e-9)
    assert result.compute_s - result.head_s == pytest.approx(max(hbm, flop), rel=1e-9)
    assert np.isclose(result.kv_s, cache / (3350e9 * 0.8))
