"""Answers to the worked cases of capacity."""

from typing import Any

import pytest

from core import catalog
from core.calculators.capacity import Scenario as Capacity
from core.calculators.capacity import boundary, capacity, fabric_figures, minimum_gpus, ports, weight_bytes
from core.checks import InputError
from core.units import GB, GIB, MS, TB
from core.workload.transformer import kv_bytes, kv_bytes_per_token, slots
from tests.core.golden_parts import BF16, FP8, LLAMA_70B, RAW_FP4, Case

RACK = catalog.system("gb200-nvl72")


def d01(inputs: Case) -> Case:
    questions = [
        Capacity(RACK, params=0, gpus=inputs["gpus"], hbm_bytes=size * GB) for size in inputs["hbm_GB"]
    ]
    return {"total_GB": [capacity(item).total_bytes / GB for item in questions]}


def d02(inputs: Case) -> Case:
    fabric = fabric_figures(inputs["gpus"], inputs["bidir_GBps"] / 2 * GB, 8 * TB)
    switch = ports(inputs["gpus"], RACK.gpu.scale_up_links or 0, 18)
    return {
        "aggregate_TBps": fabric.aggregate_both_ways_bytes_per_s / TB,
        "bisection_bidir_TBps": fabric.bisection_both_ways_bytes_per_s / TB,
        "bisection_per_dir_TBps": fabric.bisection_one_way_bytes_per_s / TB,
        "ports": switch.total,
        "chips": switch.total / switch.per_chip,
        "ports_per_chip": switch.per_chip,
    }


def d04(inputs: Case) -> Case:
    formats = {}
    for name in ("fp4_raw", "mxfp4", "nvfp4", "fp8", "bf16"):
        size = weight_bytes(inputs["params"], RAW_FP4 if name == "fp4_raw" else catalog.precision(name))
        formats[name] = {
            "GB": size / GB,
            "min_gpus": [minimum_gpus(size, memory * GB) for memory in (192, 186, 180, 80)],
            "per_gpu_72": size / GB / 72,
        }
    return formats


def d06(_given: Case) -> Case:
    ids = {
        "llama3_8b": "llama-3.1-8b",
        "llama3_70b": "llama-3.1-70b",
        "llama31_405b": "llama-3.1-405b",
        "qwen3_235b": "qwen3-235b-a22b",
        "mixtral_8x22b": "mixtral-8x22b",
    }
    return {
        name: [kv_bytes_per_token(catalog.model(key), size) for size in (2, 1)] for name, key in ids.items()
    }


def d07(_given: Case) -> Case:
    sequence_bytes = float(kv_bytes(LLAMA_70B, 131072, 2))
    return {
        "per_seq_GB": sequence_bytes / GB,
        "total_GB": 64 * sequence_bytes / GB,
        "per_seq_GiB": sequence_bytes / GIB,
    }


def d09(inputs: Case) -> Case:
    model = catalog.model("gpt-oss-120b")
    layers = inputs["full_layers"] + inputs["swa_layers"]
    shape = (model.layers, model.window_layers, model.window, model.kv_heads, model.head_dim)
    assert shape == (layers, inputs["swa_layers"], inputs["window"], inputs["kv"], inputs["d"])
    return {
        "bytes": float(kv_bytes(model, 131072, 2)),
        "naive": 131072 * kv_bytes_per_token(model, 2),
        "short_ctx_64": float(kv_bytes(model, 64, 2)),
    }


def d10(inputs: Case) -> Case:
    models = {}
    for name, experts in inputs["experts"].items():
        laid = slots(experts, 72)
        models[name] = {
            "slots": laid.per_gpu,
            "total": laid.total,
            "redundant": laid.redundant,
            "mean": laid.mean,
        }
    return models


def d12(inputs: Case) -> Case:
    answer = capacity(Capacity(RACK, params=1.8e12, active_params=280e9, weights=RAW_FP4, gpus=72))
    assert answer.fabric.hbm_bytes_per_s == pytest.approx(inputs["hbm_TBps"] * TB)
    return {
        "dense_900GB_ms": answer.dense_floor_s / MS,
        "dense_tok_s": 1 / answer.dense_floor_s,
        "moe_280B_fp4_ms": answer.decode_floor_s / MS,
        "ideal_tok_s_moe": answer.decode_floor_tokens_per_s,
    }


def d13(inputs: Case) -> Case:
    figures = {}
    for name, system, gpus, memory in (("h100", "dgx-h100", 8, 80), ("b200", "dgx-b200", 4, 180)):
        laid = capacity(
            Capacity(
                catalog.system(system),
                catalog.model("llama-3.1-405b"),
                params=inputs["params"],
                weights=FP8,
                kv=BF16,
                gpus=gpus,
                tp=gpus,
                hbm_bytes=memory * GB,
                usable=0.9,
            )
        )
        assert laid.kv_bytes_per_token == inputs["kv_B"]
        figures[f"{name}_weight_GB"] = laid.weights_bytes_per_gpu / GB
        figures[f"{name}_kv_GB_total"] = laid.free_bytes / GB
        figures[f"{name}_kv_tokens"] = laid.kv_tokens
    return figures


def d15(inputs: Case) -> Case:
    traffic = boundary(inputs["hidden"], inputs["topk"])
    return {"boundary_B": traffic.boundary_bytes, "a2a_B": traffic.exchange_bytes, "ratio": traffic.ratio}


def d18(_given: Case) -> Case:
    def refused(**options: Any) -> str:
        with pytest.raises(InputError) as caught:
            Capacity(RACK, **{"params": 1e12, **options})
        assert isinstance(caught.value, ValueError)
        return "ValueError"

    return {
        "gpus_0": refused(gpus=0),
        "params_0_weights_GB": capacity(Capacity(RACK, params=0)).weights_bytes / GB,
        "hbm_negative": refused(hbm_bytes=-1.0),
        "gpus_73": refused(gpus=73) + " or warning (exceeds domain 72)",
    }
