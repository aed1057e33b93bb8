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


def b01(inputs: Case) -> Case:
    published = Rates(Origin.PUBLISHED)
    answers = [
        tensor_parallel(
            TensorParallel(machine(both_ways / 2), LLAMA_70B, tokens=inputs["tokens"], rates=published)
        )
        for both_ways in inputs["bidir_GBps"]
    ]
    return {
        "us_per_ar": [item.per_layer.message_s / US for item in answers],
        "us_80_layers": [item.per_step.comm_s / US for item in answers],
    }


def b02(inputs: Case) -> Case:
    pairs = zip(inputs["uni_GBps"], inputs["alpha_us"], strict=True)
    answers = [_step(tokens=inputs["tokens"], rates=wire(gbps, alpha_us)) for gbps, alpha_us in pairs]
    return {"us_per_ar": [item.per_layer.message_s / US for item in answers]}


def b03(inputs: Case) -> Case:
    answer = _step(tp=inputs["N"], tokens=inputs["tokens"], rates=Rates(Origin.SPEC))
    return {
        "comm_us": answer.per_step.comm_s / US,
        "overhead": answer.per_step.share,
        "speedup": answer.per_step.speedup,
    }


def _floor(tp: int, inputs: Case, **options: Any) -> Any:
    return _step(
        tp=tp,
        tokens=inputs["batch"],
        weights=FP8,
        params_per_layer=inputs["params_per_layer"],
        peak_flop_per_s=inputs["peak_TFLOPs"] * TERA,
        hbm_bytes_per_s=inputs["hbm_GBps"] * GB,
        mfu=1.0,
        hbm_efficiency=1.0,
        **options,
    ).per_layer


def b05(inputs: Case) -> Case:
    answers = [_floor(tp, inputs, rates=Rates(Origin.SPEC)) for tp in inputs["N"]]
    (bound,) = {item.bound for item in answers}
    return {
        "flops_us": [item.flop_s / US for item in answers],
        "hbm_us": [item.hbm_s / US for item in answers],
        "bound": bound,
    }


SOURCE_LAYER = {"params_per_layer": 875e6, "batch": 32, "peak_TFLOPs": 1979, "hbm_GBps": 3350}


def b06(inputs: Case) -> Case:
    figures = {}
    for name, gbps, alpha_us in (("nvlink", 450, 1), ("pcie", 64, 3)):
        layer = _floor(8, SOURCE_LAYER, rates=wire(gbps, alpha_us, "operation"))
        assert layer.compute_s == pytest.approx(inputs["compute_us"] * US)
        figures[f"{name}_comm_us"] = layer.comm_s / US
        figures[f"{name}_overhead"] = layer.share
        figures[f"{name}_speedup"] = layer.speedup
    return figures


def b08(inputs: Case) -> Case:
    rate = required_bytes_per_s(inputs["bytes"], inputs["layers"], inputs["steps_per_s"], ranks=8)
    return {
        "payload_GBps": rate.payload_bytes_per_s / GB,
        "with_2_ar_and_ring_GBps": rate.wire_bytes_per_s / GB,
        "frac_of_900": rate.payload_bytes_per_s / (2 * H100.scale_up.bytes_per_s),
        "frac_of_450_physical": rate.wire_bytes_per_s / H100.scale_up.bytes_per_s,
    }


def b11(inputs: Case) -> Case:
    degrees = [valid_degrees(heads, inputs["tp"]) for heads in inputs["q_heads"]]
    return {
        "valid": [inputs["tp"] in fitting for fitting in degrees],
        "largest_valid_tp_le_72": [max(fitting) for fitting in degrees],
    }


def b12(inputs: Case) -> Case:
    hop = Hop(inputs["alpha_us"] * US, inputs["uni_GBps"] * GB)
    whole, *halves = (
        seconds(name, "ring", inputs["bytes"], inputs["N"], hop) / US
        for name in ("all_reduce", "reduce_scatter", "all_gather")
    )
    return {"ar_us": whole, "rs_plus_ag_us": sum(halves)}


def b13(inputs: Case) -> Case:
    step, operation, free = Hop(1 * US, 450 * GB), Hop(3 * US, 450 * GB), Hop(0.0, 450 * GB)
    return {
        "ring_us": seconds("all_reduce", "ring", inputs["bytes"], 8, step) / US,
        "tree_us": seconds("all_reduce", "tree", inputs["bytes"], 8, step) / US,
        "nvls_us": seconds("all_reduce", "nvls", inputs["bytes"], 8, operation) / US,
        "ring_bw_only_us": seconds("all_reduce", "ring", inputs["bytes"], 8, free) / US,
    }


def b14(inputs: Case) -> Case:
    rates = wire(450, 1, "operation")
    answers = [_floor(8, SOURCE_LAYER, rates=rates, overlap=share) for share in inputs["overlap"]]
    assert answers[0].comm_s == pytest.approx(inputs["comm_us"] * US)
    return {"overhead": [item.share for item in answers]}
