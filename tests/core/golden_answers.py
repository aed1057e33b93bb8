"""One function for each worked case: its inputs through the functions of the product, in the case's units."""

from typing import Any

import pytest

from core import catalog
from core.bandwidth_hierarchy.levels import transfer_time_s
from core.catalog.links_pcie import pcie_bytes_per_s
from core.checks import InputError
from core.collectives import ALGORITHMS, COLLECTIVES, busbw_bytes_per_s, busbw_factor
from core.collectives.nccl_protocols import LINK_BYTES_PER_S, ring_envelope
from core.gradient_sync import Scenario as GradientSync
from core.gradient_sync import answer as gradient_sync
from core.gradient_sync import efficiencies, exposed_by_fraction
from core.gradient_sync.compare import payload_s
from core.hardware import Hop, System
from core.money import loss, payback_months
from core.nvl72 import Scenario as Capacity
from core.nvl72 import boundary, capacity, fabric_figures, minimum_gpus, ports, weight_bytes
from core.provenance import Origin
from core.rates import Rates
from core.systems import configure, custom_system, outer_hop
from core.tensor_parallel import Scenario as TensorParallel
from core.tensor_parallel import answer as tensor_parallel
from core.tensor_parallel import required_bytes_per_s, valid_degrees
from core.training import bubble
from core.transformer import kv_bytes, kv_bytes_per_token, slots
from core.units import GB, GIB, GIGABIT_BYTES, MS, TB, TERA, US
from core.workload import Precision

Case = dict[str, Any]
H100 = catalog.system("dgx-h100")
LLAMA_70B = catalog.model("llama-3.1-70b")
FP8, BF16 = catalog.precision("fp8"), catalog.precision("bf16")
RAW_FP4 = Precision("fp4", "FP4", 4)


def _time(collective: str, name: str, *arguments: Any) -> float:
    return float(ALGORITHMS[collective, name].function(*arguments).total_s)


def _wire(gbps: float, alpha_us: float = 0.0, per: str = "step") -> Rates:
    return Rates(Origin.SPEC, latency_s=alpha_us * US, latency_per=per, bytes_per_s=gbps * GB)


def _ring(params: float, gbps: float, alpha_us: float = 0.0, grad_bytes: float = 2, ranks: int = 8) -> Any:
    wire = _wire(gbps, alpha_us)
    return gradient_sync(
        GradientSync(params, H100, ranks, grad_bytes=grad_bytes, rates=wire, algorithm="ring")
    )


def _machine(one_way_gbps: float) -> System:
    return custom_system("h100-sxm", domain_gpus=8, scale_up_bytes_per_s=one_way_gbps * GB)


# Bandwidth


def a01(given: Case) -> Case:
    rows = given["levels_GBps"]
    system = H100
    memory, nvlink = system.gpu.memory_rate.bytes_per_s, system.scale_up.bytes_per_s
    pcie, ib = (catalog.link(name).rate.bytes_per_s for name in ("pcie5-x16", "ib-ndr"))
    assert [rate / GB for rate in (memory, nvlink, pcie, ib)] == list(rows.values())
    return {
        "hbm_over_nvlink": memory / nvlink,
        "nvlink_over_pcie": nvlink / pcie,
        "pcie_over_ib": pcie / ib,
        "nvlink_over_ib": nvlink / ib,
    }


def copy(given: Case) -> Case:
    return {"t_us": transfer_time_s(given["bytes"], given["alpha_us"] * US, given["GBps"] * GB) / US}


def a05(given: Case) -> Case:
    pcie = catalog.link("pcie5-x16")
    rates = {
        "pcie5_nominal": pcie.rate.bytes_per_s,
        "pcie5_eff": pcie.effective_bytes_per_s,
        "nvl3": catalog.system("dgx-a100").scale_up.bytes_per_s,
        "nvl4": H100.scale_up.bytes_per_s,
        "ndr": catalog.link("ib-ndr").rate.bytes_per_s,
    }
    return {name: transfer_time_s(given["bytes"], 0.0, rate) for name, rate in rates.items()}


def a07(_given: Case) -> Case:
    found = {}
    for generation in range(3, 8):
        whole = catalog.link(f"pcie{generation}-x16").effective_bytes_per_s
        assert whole == pcie_bytes_per_s(generation, 16)
        for lanes in (16, 8):
            found[f"gen{generation}_x{lanes}"] = pcie_bytes_per_s(generation, lanes) / GB
    return found


def a08(given: Case) -> Case:
    raws = given["raw_per_link_GBps_per_dir"]
    found = {}
    for key, name in (("h100", "nvlink4"), ("gb200", "nvlink5")):
        link = catalog.link(name)
        assert link.links == given["links"]
        assert link.raw_bytes_per_s == pytest.approx(raws[key] * link.links * GB)
        found[f"{key}_raw"] = link.raw_bytes_per_s / GB
        found[f"{key}_net"] = link.raw_bytes_per_s * given["code_ratio"] / GB
        assert link.effective_bytes_per_s == pytest.approx(found[f"{key}_net"] * GB)
    return found


def a09(given: Case) -> Case:
    halves = [alpha_us * US * gbps * GB for alpha_us, gbps in given["cases"]]
    for half, (alpha_us, gbps) in zip(halves, given["cases"], strict=True):
        assert transfer_time_s(half, alpha_us * US, gbps * GB) == pytest.approx(2 * alpha_us * US)
    return {"bytes": halves}


def a10(_given: Case) -> Case:
    names = ("dgx-1-v100", "dgx-a100", "dgx-h100", "dgx-b200", "dgx-b300")
    systems = [configure(catalog.system(name), domains=2) for name in names]
    systems.append(configure(catalog.system("dgx-a100"), domains=2, network="efa-400"))
    return {"GBps_per_dir": [outer_hop(item, 8).bytes_per_s / GB for item in systems]}


def a12(_given: Case) -> Case:
    return {
        "ndr_400Gbps_in_GBps": catalog.link("ib-ndr").rate.bytes_per_s / GB,
        "efa_340Gbps_in_GBps": 340 * GIGABIT_BYTES / GB,
        "pcie5_x16_GTps_to_Gbps_raw": catalog.link("pcie5-x16").raw_bytes_per_s / GIGABIT_BYTES,
        "x_GBps_to_GiBps_450": 450 * GB / GIB,
        "xdr_GBps": catalog.link("ib-xdr").rate.bytes_per_s / GB,
    }


# Tensor parallelism


def _step(tp: int = 8, **options: Any) -> Any:
    return tensor_parallel(TensorParallel(model=LLAMA_70B, system=H100, tp=tp, algorithm="ring", **options))


def b01(given: Case) -> Case:
    published = Rates(Origin.PUBLISHED)
    found = [
        tensor_parallel(
            TensorParallel(LLAMA_70B, _machine(both_ways / 2), tokens=given["tokens"], rates=published)
        )
        for both_ways in given["bidir_GBps"]
    ]
    return {
        "us_per_ar": [item.per_layer.message_s / US for item in found],
        "us_80_layers": [item.per_step.comm_s / US for item in found],
    }


def b02(given: Case) -> Case:
    pairs = zip(given["uni_GBps"], given["alpha_us"], strict=True)
    found = [_step(tokens=given["tokens"], rates=_wire(gbps, alpha_us)) for gbps, alpha_us in pairs]
    return {"us_per_ar": [item.per_layer.message_s / US for item in found]}


def b03(given: Case) -> Case:
    found = _step(tp=given["N"], tokens=given["tokens"], rates=Rates(Origin.SPEC))
    return {
        "comm_us": found.per_step.comm_s / US,
        "overhead": found.per_step.share,
        "speedup": found.per_step.speedup,
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
    found = [_floor(tp, given, rates=Rates(Origin.SPEC)) for tp in given["N"]]
    (bound,) = {item.bound for item in found}
    return {
        "flops_us": [item.flop_s / US for item in found],
        "hbm_us": [item.hbm_s / US for item in found],
        "bound": bound,
    }


SOURCE_LAYER = {"params_per_layer": 875e6, "batch": 32, "peak_TFLOPs": 1979, "hbm_GBps": 3350}


def b06(given: Case) -> Case:
    found = {}
    for name, gbps, alpha_us in (("nvlink", 450, 1), ("pcie", 64, 3)):
        layer = _floor(8, SOURCE_LAYER, rates=_wire(gbps, alpha_us, "operation"))
        assert layer.compute_s == pytest.approx(given["compute_us"] * US)
        found[f"{name}_comm_us"] = layer.comm_s / US
        found[f"{name}_overhead"] = layer.share
        found[f"{name}_speedup"] = layer.speedup
    return found


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
        _time(name, "ring", given["bytes"], given["N"], hop) / US
        for name in ("all_reduce", "reduce_scatter", "all_gather")
    )
    return {"ar_us": whole, "rs_plus_ag_us": sum(halves)}


def b13(given: Case) -> Case:
    step, operation, free = Hop(1 * US, 450 * GB), Hop(3 * US, 450 * GB), Hop(0.0, 450 * GB)
    return {
        "ring_us": _time("all_reduce", "ring", given["bytes"], 8, step) / US,
        "tree_us": _time("all_reduce", "tree", given["bytes"], 8, step) / US,
        "nvls_us": _time("all_reduce", "nvls", given["bytes"], 8, operation) / US,
        "ring_bw_only_us": _time("all_reduce", "ring", given["bytes"], 8, free) / US,
    }


def b14(given: Case) -> Case:
    rates = _wire(450, 1, "operation")
    found = [_floor(8, SOURCE_LAYER, rates=rates, overlap=share) for share in given["overlap"]]
    assert found[0].comm_s == pytest.approx(given["comm_us"] * US)
    return {"overhead": [item.share for item in found]}


# Gradients


def c01(given: Case) -> Case:
    found = _ring(given["params"], given["uni_GBps"], given["alpha_us"], given["gbytes"], given["N"])
    return {
        "t_s": found.time_s,
        "wire_GB": found.wire_bytes / GB,
        "algbw": found.algbw_bytes_per_s / GB,
        "busbw": found.busbw_bytes_per_s / GB,
    }


def c02(given: Case) -> Case:
    rates = {"pcie5_s": 64, "nvl4_s": 450, "nvl5_s": 900}
    params, size = given["params"], given["gbytes"]
    return {name: _ring(params, gbps, 0.0, size, given["N"]).time_s for name, gbps in rates.items()}


def c03(given: Case) -> Case:
    rates = {"pcie5_s": 64, "nvl4_s": 450, "nvl5_s": 900}
    return {name: payload_s(_machine(gbps), given["bytes"]) for name, gbps in rates.items()}


def c04(given: Case) -> Case:
    found = _ring(given["bytes"] / 2, 450, 1, ranks=given["N"])
    factor = float(busbw_factor("all_reduce", given["N"]))
    return {"t_s": found.time_s, "busbw": found.busbw_bytes_per_s, "factor": factor}


def c05(given: Case) -> Case:
    found = _ring(given["bytes"], given["uni_GBps"], given["alpha_us"], 1, given["N"])
    return {"t_us": found.time_s / US}


def _cluster(given: Case) -> System:
    return custom_system(
        "h100-sxm",
        domain_gpus=given["local"],
        scale_up_bytes_per_s=given["b1"] * GB,
        latency_s=given["a1_us"] * US,
        nics_per_domain=given["local"],
        nic_bytes_per_s=given["b2"] * GB,
        network_latency_s=given["a2_us"] * US,
        domains=given["nodes"],
    )


def c07(given: Case) -> Case:
    inner, outer = (Hop(given[f"a{level}_us"] * US, given[f"b{level}"] * GB) for level in (1, 2))
    local, nodes, size = given["local"], given["nodes"], given["bytes"]
    spec = Rates(Origin.SPEC)
    job = GradientSync(size / 2, _cluster(given), rates=spec, algorithm="two-level")
    across = ALGORITHMS["all_reduce", "ring"].function(size / local, nodes, outer)
    tree = ALGORITHMS["all_reduce", "two-level"].function(size, local, nodes, inner, outer, across="tree")
    return {
        "ring_total_s": gradient_sync(job).time_s,
        "intra_rs_s": _time("reduce_scatter", "ring", size, local, inner),
        "inter_ring_s": float(across.total_s),
        "inter_latency_s": float(across.latency_s),
        "tree_total_s": float(tree.total_s),
    }


def c08(given: Case) -> Case:
    flat = custom_system(
        "h100-sxm",
        domain_gpus=1,
        nics_per_domain=1,
        nic_bytes_per_s=given["uni_GBps"] * GB,
        network_latency_s=given["alpha_us"] * US,
        domains=given["N"],
    )
    job = GradientSync(given["bytes"] / 2, flat, rates=Rates(Origin.SPEC), algorithm="ring")
    found = gradient_sync(job)
    nodes = {"nodes": 2048, "local": 8, "b1": 450, "a1_us": 1, "b2": 50, "a2_us": 5}
    levels = GradientSync(
        given["bytes"] / 2, _cluster(nodes), rates=Rates(Origin.SPEC), algorithm="two-level"
    )
    return {
        "t_s": found.time_s,
        "latency_s": found.latency_s,
        "speedup_of_hierarchical": found.time_s / gradient_sync(levels).time_s,
    }


def c10(given: Case) -> Case:
    size, ranks = given["bytes"], given["N"]
    hop = Hop(0.0, given["uni_GBps"] * GB)
    ring, nvls = (
        float(busbw_bytes_per_s("all_reduce", ranks, size, _time("all_reduce", name, size, ranks, hop))) / GB
        for name in ("ring", "nvls")
    )
    return {
        "ring_busbw": ring,
        "nvls_ideal_busbw": nvls,
        "ratio": nvls / ring,
        "eff_to_match_473": 473.1 / nvls,
        "eff_ring_365_6": 365.6 / ring,
    }


def c12(given: Case) -> Case:
    return {"bubble": [bubble(*case) for case in given["cases"]]}


def c13(given: Case) -> Case:
    gpus, price = given["gpus"], given["usd_per_gpu_h"]
    one, five = loss(0.01, gpus, price), loss(0.05, gpus, price)
    return {
        "idle_gpus_1pct": one.idle_gpus,
        "usd_per_day_1pct": one.usd_per_day,
        "usd_per_month30_5pct": five.usd_per_month,
        "payback_months_10M": payback_months(10e6, five),
    }


def c14(given: Case) -> Case:
    comm_s, share = given["comm_s"], given["overlappable"]
    return {"exposed_s": [exposed_by_fraction(comm_s, late, share) for late in given["backward_s"]]}


def c15(given: Case) -> Case:
    rows = [efficiencies(*row) for row in zip(given["compute"], given["comm"], given["other"], strict=True)]
    return {
        "c_over_c_plus_comm": [row["compute_over_compute_and_comm"] for row in rows],
        "compute_share": [row["compute_share"] for row in rows],
        "no_comm_speedup": [row["no_comm_speedup"] for row in rows],
    }


def c16(given: Case) -> Case:
    rates = [float(busbw_bytes_per_s("all_reduce", given["N"], *row[:2])) / GB for row in given["rows"]]
    return {"busbw": rates}


# Capacity

RACK = catalog.system("gb200-nvl72")


def d01(given: Case) -> Case:
    asked = [Capacity(RACK, params=0, gpus=given["gpus"], hbm_bytes=size * GB) for size in given["hbm_GB"]]
    return {"total_GB": [capacity(item).total_bytes / GB for item in asked]}


def d02(given: Case) -> Case:
    found = fabric_figures(given["gpus"], given["bidir_GBps"] / 2 * GB, 8 * TB)
    total, per_chip = ports(given["gpus"], RACK.gpu.scale_up_links or 0, 18)
    return {
        "aggregate_TBps": found.aggregate_both_ways_bytes_per_s / TB,
        "bisection_bidir_TBps": found.bisection_both_ways_bytes_per_s / TB,
        "bisection_per_dir_TBps": found.bisection_one_way_bytes_per_s / TB,
        "ports": total,
        "chips": total / per_chip,
        "ports_per_chip": per_chip,
    }


def d04(given: Case) -> Case:
    found = {}
    for name in ("fp4_raw", "mxfp4", "nvfp4", "fp8", "bf16"):
        size = weight_bytes(given["params"], RAW_FP4 if name == "fp4_raw" else catalog.precision(name))
        found[name] = {
            "GB": size / GB,
            "min_gpus": [minimum_gpus(size, memory * GB) for memory in (192, 186, 180, 80)],
            "per_gpu_72": size / GB / 72,
        }
    return found


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
    one = float(kv_bytes(LLAMA_70B, 131072, 2))
    return {"per_seq_GB": one / GB, "total_GB": 64 * one / GB, "per_seq_GiB": one / GIB}


def d09(given: Case) -> Case:
    model = catalog.model("gpt-oss-120b")
    layers = given["full_layers"] + given["swa_layers"]
    shape = (model.layers, model.window_layers, model.window, model.kv_heads, model.head_dim)
    assert shape == (layers, given["swa_layers"], given["window"], given["kv"], given["d"])
    return {
        "bytes": float(kv_bytes(model, 131072, 2)),
        "naive": 131072 * kv_bytes_per_token(model, 2),
        "short_ctx_64": float(kv_bytes(model, 64, 2)),
    }


def d10(given: Case) -> Case:
    found = {}
    for name, experts in given["experts"].items():
        laid = slots(experts, 72)
        found[name] = {
            "slots": laid.per_gpu,
            "total": laid.total,
            "redundant": laid.redundant,
            "mean": laid.mean,
        }
    return found


def d12(given: Case) -> Case:
    found = capacity(Capacity(RACK, params=1.8e12, active_params=280e9, fmt=RAW_FP4, gpus=72))
    assert found.fabric.hbm_bytes_per_s == pytest.approx(given["hbm_TBps"] * TB)
    return {
        "dense_900GB_ms": found.dense_floor_s / MS,
        "dense_tok_s": 1 / found.dense_floor_s,
        "moe_280B_fp4_ms": found.decode_floor_s / MS,
        "ideal_tok_s_moe": found.decode_floor_tokens_per_s,
    }


def d13(given: Case) -> Case:
    found = {}
    for name, system, gpus, memory in (("h100", "dgx-h100", 8, 80), ("b200", "dgx-b200", 4, 180)):
        laid = capacity(
            Capacity(
                catalog.system(system),
                catalog.model("llama-3.1-405b"),
                params=given["params"],
                fmt=FP8,
                kv=BF16,
                gpus=gpus,
                tp=gpus,
                hbm_bytes=memory * GB,
                usable=0.9,
            )
        )
        assert laid.kv_bytes_per_token == given["kv_B"]
        found[f"{name}_weight_GB"] = laid.weights_bytes_per_gpu / GB
        found[f"{name}_kv_GB_total"] = laid.free_bytes / GB
        found[f"{name}_kv_tokens"] = laid.kv_tokens
    return found


def d15(given: Case) -> Case:
    found = boundary(given["hidden"], given["topk"])
    return {"boundary_B": found.boundary_bytes, "a2a_B": found.exchange_bytes, "ratio": found.ratio}


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


# busbw


def x01(given: Case) -> Case:
    return {name: [float(busbw_factor(name, ranks)) for ranks in given["n"]] for name in COLLECTIVES}


def x02(given: Case) -> Case:
    found = ring_envelope("all_reduce", given["sizes"], 8, given["B_GBps"] * GB)
    times = found.cost.total_s
    return {
        "t_us": (times / US).tolist(),
        "proto": found.protocol.tolist(),
        "busbw": (busbw_bytes_per_s("all_reduce", 8, given["sizes"], times) / GB).tolist(),
    }


PLATEAUS = {"A100": 234.9, "H200": 367.6, "B200": 682.2}
"""Measured busbw of large rings, GB/s: ml-engineering, network/README.md at 744d01e."""


def x03(given: Case) -> Case:
    assert {name: rate / GB for name, rate in LINK_BYTES_PER_S.items()} == given["per_link"]
    found: Case = {name: LINK_BYTES_PER_S[name] * count / GB for name, count in given["links"].items()}
    for name, measured in PLATEAUS.items():
        assert found["H100" if name == "H200" else name] == pytest.approx(measured, rel=0.06)
    return found | {"measured": PLATEAUS}


ANSWERS = {
    "A01": a01, "A03": copy, "A04": copy, "A05": a05, "A07": a07, "A08": a08, "A09": a09, "A10": a10,
    "A12": a12, "B01": b01, "B02": b02, "B03": b03, "B05": b05, "B06": b06, "B08": b08, "B11": b11,
    "B12": b12, "B13": b13, "B14": b14, "C01": c01, "C02": c02, "C03": c03, "C04": c04, "C05": c05,
    "C07": c07, "C08": c08, "C10": c10, "C12": c12, "C13": c13, "C14": c14, "C15": c15, "C16": c16,
    "D01": d01, "D02": d02, "D04": d04, "D06": d06, "D07": d07, "D09": d09, "D10": d10, "D12": d12,
    "D13": d13, "D15": d15, "D18": d18, "X01": x01, "X02": x02, "X03": x03,
}  # fmt: skip
