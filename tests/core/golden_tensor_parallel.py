"""Answers to the worked cases of tensor parallelism."""

from typing import Any

import pytest

from core.calculators.tensor_parallel import Scenario as TensorParallel
from core.calculators.tensor_parallel import answer as tensor_parallel
from core.calculators.tensor_parallel import required_bytes_per_s, valid_degrees
from core.collectives.rates import Rates
from core.hardware import Hop
from core.provenance import Origin
from core.units import GB, TERA, US
from tests.core.golden_parts import FP8, H100, LLAMA_70B, Case, machine, seconds, wire


def _step(tp: int = 8, **options: Any) -> Any:
    return tensor_parallel(TensorParallel(model=LLAMA_70B, system=H100, tp=tp, algorithm="ring", **options))


def b01(given: Case) -> Case:
    published = Rates(Origin.PUBLISHED)
    answers = [
        tensor_parallel(
            TensorParallel(machine(both_ways / 2), LLAMA_70B, tokens=given["tokens"], rates=published)
        )
        for both_ways in given["bidir_GBps"]
    ]
    return {
        "us_per_ar": [item.per_layer.message_s / US for item in answers],
        "us_80_layers": [item.per_step.comm_s / US for item in answers],
    }


def b02(given: Case) -> Case:
    pairs = zip(given["uni_GBps"], given["alpha_us"], strict=True)
    answers = [_step(tokens=given["tokens"], rates=wire(gbps, alpha_us)) for gbps, alpha_us in pairs]
    return {"us_per_ar": [item.per_layer.message_s / US for item in answers]}


def b03(given: Case) -> Case:
    answer = _step(tp=given["N"], tokens=given["tokens"], rates=Rates(Origin.SPEC))
    return {
        "comm_us": answer.per_step.comm_s / US,
        "overhead": answer.per_step.share,
        "speedup": answer.per_step.speedup,
    }


def _floor(tp: int, given: Case, **options: Any) -> Any:
    return _step(
        tp=tp,
        tokens=given["batch"],
        weights=FP8,
        params_per_layer=given["params_per_layer"],
        peak_flop_per_s=given["peak_TFLOPs"] * TERA,
        hbm_bytes_per_s=given["hbm_GBps"] * GB,
        mfu=1.0,
        hbm_efficiency=1.0,
        **options,
    ).per_layer


def b05(given: Case) -> Case:
    answers = [_floor(tp, given, rates=Rates(Origin.SPEC)) for tp in given["N"]]
    (bound,) = {item.bound for item in answers}
    return {
        "flops_us": [item.flop_s / US for item in answers],
        "hbm_us": [item.hbm_s / US for item in answers],
        "bound": bound,
    }


SOURCE_LAYER = {"params_per_layer": 875e6, "batch": 32, "peak_TFLOPs": 1979, "hbm_GBps": 3350}


def b06(given: Case) -> Case:
    figures = {}
    for name, gbps, alpha_us in (("nvlink", 450, 1), ("pcie", 64, 3)):
        layer = _floor(8, SOURCE_LAYER, rates=wire(gbps, alpha_us, "operation"))
        assert layer.compute_s == pytest.approx(given["compute_us"] * US)
        figures[f"{name}_comm_us"] = layer.comm_s / US
        figures[f"{name}_overhead"] = layer.share
        figures[f"{name}_speedup"] = layer.speedup
    return figures


def b08(given: Case) -> Case:
    rate = required_bytes_per_s(given["bytes"], given["layers"], given["steps_per_s"], ranks=8)
    return {
        "payload_GBps": rate.payload_bytes_per_s / GB,
        "with_2_ar_and_ring_GBps": rate.wire_bytes_per_s / GB,
        "frac_of_900": rate.payload_bytes_per_s / (2 * H100.scale_up.bytes_per_s),
        "frac_of_450_physical": rate.wire_bytes_per_s / H100.scale_up.bytes_per_s,
    }


def b11(given: Case) -> Case:
    degrees = [valid_degrees(heads, given["tp"]) for heads in given["q_heads"]]
    return {
        "valid": [given["tp"] in fitting for fitting in degrees],
        "largest_valid_tp_le_72": [max(fitting) for fitting in degrees],
    }


def b12(given: Case) -> Case:
    hop = Hop(given["alpha_us"] * US, given["uni_GBps"] * GB)
    whole, *halves = (
        seconds(name, "ring", given["bytes"], given["N"], hop) / US
        for name in ("all_reduce", "reduce_scatter", "all_gather")
    )
    return {"ar_us": whole, "rs_plus_ag_us": sum(halves)}


def b13(given: Case) -> Case:
    step, operation, free = Hop(1 * US, 450 * GB), Hop(3 * US, 450 * GB), Hop(0.0, 450 * GB)
    return {
        "ring_us": seconds("all_reduce", "ring", given["bytes"], 8, step) / US,
        "tree_us": seconds("all_reduce", "tree", given["bytes"], 8, step) / US,
        "nvls_us": seconds("all_reduce", "nvls", given["bytes"], 8, operation) / US,
        "ring_bw_only_us": seconds("all_reduce", "ring", given["bytes"], 8, free) / US,
    }


def b14(given: Case) -> Case:
    rates = wire(450, 1, "operation")
    answers = [_floor(8, SOURCE_LAYER, rates=rates, overlap=share) for share in given["overlap"]]
    assert answers[0].comm_s == pytest.approx(given["comm_us"] * US)
    return {"overhead": [item.share for item in answers]}
