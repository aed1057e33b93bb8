"""Answers to the worked cases of gradients, bubbles and money."""

from core.calculators.cost.exposed import loss, payback_months
from core.calculators.gradient_sync import Scenario as GradientSync
from core.calculators.gradient_sync import answer as gradient_sync
from core.calculators.gradient_sync import efficiencies, exposed_by_fraction
from core.calculators.gradient_sync.compare import payload_s
from core.calculators.training import bubble
from core.collectives.formulas import ALGORITHMS, busbw_bytes_per_s, busbw_factor
from core.collectives.rates import Rates
from core.hardware import Hop, System
from core.provenance import Origin
from core.systems import CustomSystem, DomainSpec, NetworkSpec, custom_system
from core.units import GB, US
from tests.core.golden_parts import Case, machine, ring, seconds


def c01(inputs: Case) -> Case:
    answer = ring(inputs["params"], inputs["uni_GBps"], inputs["alpha_us"], inputs["gbytes"], inputs["N"])
    return {
        "t_s": answer.time_s,
        "wire_GB": answer.wire_bytes / GB,
        "algbw": answer.algbw_bytes_per_s / GB,
        "busbw": answer.busbw_bytes_per_s / GB,
    }


def c02(inputs: Case) -> Case:
    rates = {"pcie5_s": 64, "nvl4_s": 450, "nvl5_s": 900}
    params, size = inputs["params"], inputs["gbytes"]
    return {name: ring(params, gbps, 0.0, size, inputs["N"]).time_s for name, gbps in rates.items()}


def c03(inputs: Case) -> Case:
    rates = {"pcie5_s": 64, "nvl4_s": 450, "nvl5_s": 900}
    return {name: payload_s(machine(gbps), inputs["bytes"]) for name, gbps in rates.items()}


def c04(inputs: Case) -> Case:
    answer = ring(inputs["bytes"] / 2, 450, 1, ranks=inputs["N"])
    factor = float(busbw_factor("all_reduce", inputs["N"]))
    return {"t_s": answer.time_s, "busbw": answer.busbw_bytes_per_s, "factor": factor}


def c05(inputs: Case) -> Case:
    answer = ring(inputs["bytes"], inputs["uni_GBps"], inputs["alpha_us"], 1, inputs["N"])
    return {"t_us": answer.time_s / US}


def _cluster(inputs: Case) -> System:
    return custom_system(
        CustomSystem(
            "h100-sxm",
            DomainSpec(inputs["local"], bytes_per_s=inputs["b1"] * GB, latency_s=inputs["a1_us"] * US),
            NetworkSpec(
                nics_per_domain=inputs["local"],
                nic_bytes_per_s=inputs["b2"] * GB,
                latency_s=inputs["a2_us"] * US,
            ),
            domains=inputs["nodes"],
        )
    )


def c07(inputs: Case) -> Case:
    inner, outer = (Hop(inputs[f"a{level}_us"] * US, inputs[f"b{level}"] * GB) for level in (1, 2))
    local, nodes, size = inputs["local"], inputs["nodes"], inputs["bytes"]
    spec = Rates(Origin.SPEC)
    job = GradientSync(_cluster(inputs), size / 2, rates=spec, algorithm="two-level")
    across = ALGORITHMS["all_reduce", "ring"].function(size / local, nodes, outer)
    tree = ALGORITHMS["all_reduce", "two-level"].function(size, local, nodes, inner, outer, across="tree")
    return {
        "ring_total_s": gradient_sync(job).time_s,
        "intra_rs_s": seconds("reduce_scatter", "ring", size, local, inner),
        "inter_ring_s": float(across.total_s),
        "inter_latency_s": float(across.latency_s),
        "tree_total_s": float(tree.total_s),
    }


def c08(inputs: Case) -> Case:
    flat = custom_system(
        CustomSystem(
            "h100-sxm",
            1,
            NetworkSpec(
                nics_per_domain=1, nic_bytes_per_s=inputs["uni_GBps"] * GB, latency_s=inputs["alpha_us"] * US
            ),
            domains=inputs["N"],
        )
    )
    job = GradientSync(flat, inputs["bytes"] / 2, rates=Rates(Origin.SPEC), algorithm="ring")
    answer = gradient_sync(job)
    nodes = {"nodes": 2048, "local": 8, "b1": 450, "a1_us": 1, "b2": 50, "a2_us": 5}
    levels = GradientSync(
        _cluster(nodes), inputs["bytes"] / 2, rates=Rates(Origin.SPEC), algorithm="two-level"
    )
    return {
        "t_s": answer.time_s,
        "latency_s": answer.latency_s,
        "speedup_of_hierarchical": answer.time_s / gradient_sync(levels).time_s,
    }


def c10(inputs: Case) -> Case:
    size, ranks = inputs["bytes"], inputs["N"]
    hop = Hop(0.0, inputs["uni_GBps"] * GB)
    ring, nvls = (
        float(busbw_bytes_per_s("all_reduce", ranks, size, seconds("all_reduce", name, size, ranks, hop)))
        / GB
        for name in ("ring", "nvls")
    )
    return {
        "ring_busbw": ring,
        "nvls_ideal_busbw": nvls,
        "ratio": nvls / ring,
        "eff_to_match_473": 473.1 / nvls,
        "eff_ring_365_6": 365.6 / ring,
    }


def c12(inputs: Case) -> Case:
    return {"bubble": [bubble(*case) for case in inputs["cases"]]}


def c13(inputs: Case) -> Case:
    gpus, price = inputs["gpus"], inputs["usd_per_gpu_h"]
    one_percent, five_percent = loss(0.01, gpus, price), loss(0.05, gpus, price)
    return {
        "idle_gpus_1pct": one_percent.idle_gpus,
        "usd_per_day_1pct": one_percent.usd_per_day,
        "usd_per_month30_5pct": five_percent.usd_per_month,
        "payback_months_10M": payback_months(10e6, five_percent),
    }


def c14(inputs: Case) -> Case:
    comm_s, share = inputs["comm_s"], inputs["overlappable"]
    return {"exposed_s": [exposed_by_fraction(comm_s, late, share) for late in inputs["backward_s"]]}


def c15(inputs: Case) -> Case:
    rows = [
        efficiencies(*row) for row in zip(inputs["compute"], inputs["comm"], inputs["other"], strict=True)
    ]
    return {
        "c_over_c_plus_comm": [row["compute_over_compute_and_comm"] for row in rows],
        "compute_share": [row["compute_share"] for row in rows],
        "no_comm_speedup": [row["no_comm_speedup"] for row in rows],
    }


def c16(inputs: Case) -> Case:
    rates = [float(busbw_bytes_per_s("all_reduce", inputs["N"], *row[:2])) / GB for row in inputs["rows"]]
    return {"busbw": rates}
