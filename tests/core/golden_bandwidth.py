"""Answers to the worked cases of plain bandwidth and of bus bandwidth."""

import pytest

from core import catalog
from core.calculators.bandwidth_hierarchy.levels import transfer_time_s
from core.catalog.links.pcie import pcie_bytes_per_s
from core.catalog.nccl_tuning import nccl_link_bytes_per_s
from core.collectives.formulas import COLLECTIVES, busbw_bytes_per_s, busbw_factor
from core.collectives.formulas.nccl_protocols import ring_envelope
from core.systems import configure, outer_hop
from core.units import GB, GIB, GIGABIT_BYTES, US
from tests.core.golden_parts import H100, Case


def a01(inputs: Case) -> Case:
    rows = inputs["levels_GBps"]
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


def copy(inputs: Case) -> Case:
    return {"t_us": transfer_time_s(inputs["bytes"], inputs["alpha_us"] * US, inputs["GBps"] * GB) / US}


def a05(inputs: Case) -> Case:
    pcie = catalog.link("pcie5-x16")
    rates = {
        "pcie5_nominal": pcie.rate.bytes_per_s,
        "pcie5_eff": pcie.effective_bytes_per_s,
        "nvl3": catalog.system("dgx-a100").scale_up.bytes_per_s,
        "nvl4": H100.scale_up.bytes_per_s,
        "ndr": catalog.link("ib-ndr").rate.bytes_per_s,
    }
    return {name: transfer_time_s(inputs["bytes"], 0.0, rate) for name, rate in rates.items()}


def a07(_given: Case) -> Case:
    rates = {}
    for generation in range(3, 8):
        whole = catalog.link(f"pcie{generation}-x16").effective_bytes_per_s
        assert whole == pcie_bytes_per_s(generation, 16)
        for lanes in (16, 8):
            rates[f"gen{generation}_x{lanes}"] = pcie_bytes_per_s(generation, lanes) / GB
    return rates


def a08(inputs: Case) -> Case:
    raws = inputs["raw_per_link_GBps_per_dir"]
    rates = {}
    for key, name in (("h100", "nvlink4"), ("gb200", "nvlink5")):
        link = catalog.link(name)
        assert link.links == inputs["links"]
        assert link.raw_bytes_per_s == pytest.approx(raws[key] * link.links * GB)
        rates[f"{key}_raw"] = link.raw_bytes_per_s / GB
        rates[f"{key}_net"] = link.raw_bytes_per_s * inputs["code_ratio"] / GB
        assert link.effective_bytes_per_s == pytest.approx(rates[f"{key}_net"] * GB)
    return rates


def a09(inputs: Case) -> Case:
    halves = [alpha_us * US * gbps * GB for alpha_us, gbps in inputs["cases"]]
    for half, (alpha_us, gbps) in zip(halves, inputs["cases"], strict=True):
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


def x01(inputs: Case) -> Case:
    return {name: [float(busbw_factor(name, ranks)) for ranks in inputs["n"]] for name in COLLECTIVES}


def x02(inputs: Case) -> Case:
    envelope = ring_envelope("all_reduce", inputs["sizes"], 8, inputs["B_GBps"] * GB)
    times = envelope.cost.total_s
    return {
        "t_us": (times / US).tolist(),
        "proto": envelope.protocol.tolist(),
        "busbw": (busbw_bytes_per_s("all_reduce", 8, inputs["sizes"], times) / GB).tolist(),
    }


PLATEAUS = {"A100": 234.9, "H200": 367.6, "B200": 682.2}
"""Measured busbw of large rings, GB/s: ml-engineering, network/README.md at 744d01e."""


CARDS = {
    "P100": "p100-sxm",
    "V100": "v100-sxm",
    "A100": "a100-sxm-80gb",
    "H100": "h100-sxm",
    "B200": "b200-sxm",
    "GA102": "rtx-3090",
}


def counted(name: str) -> float:
    """What NCCL counts on one NVLink of that card, GB/s."""
    card = catalog.GPUS[CARDS[name]]
    rate = nccl_link_bytes_per_s(card.architecture, catalog.LINKS[card.scale_up_link or ""])
    assert rate is not None
    return rate / GB


def x03(given: Case) -> Case:
    assert {name: counted(name) for name in CARDS} == given["per_link"]
    rates: Case = {name: counted(name) * count for name, count in given["links"].items()}
    for name, measured in PLATEAUS.items():
        assert rates["H100" if name == "H200" else name] == pytest.approx(measured, rel=0.06)
    return rates | {"measured": PLATEAUS}
