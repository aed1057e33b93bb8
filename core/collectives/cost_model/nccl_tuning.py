"""NCCL's own cost model with its published constants (NVIDIA/nccl 5067397c26, src/graph/tuning.cc).

time = latency + bytes / bandwidth for every algorithm and protocol, the smallest wins. Twelve channels
inside a domain at the search speeds 20 / 30 / 60 GB/s of A100 / H100 / B200.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.collectives.cost_model.line import Floats
    from core.collectives.cost_model.setting import Resolved

US = 1e-6
GB = 1e9
PROTOCOLS = ("LL", "LL128", "Simple")
BASE_US = {
    "ring": {"LL": 6.6, "LL128": 14.0, "Simple": 8.4},
    "tree": {"LL": 6.8, "LL128": 14.0, "Simple": 8.4},
}
INSIDE_US = {
    "nvlink": {
        "ring": {"LL": 0.6, "LL128": 1.9, "Simple": 3.4},
        "tree": {"LL": 0.6, "LL128": 1.25, "Simple": 4.0},
    },
    "pcie": {
        "ring": {"LL": 1.0, "LL128": 2.5, "Simple": 5.7},
        "tree": {"LL": 1.0, "LL128": 1.9, "Simple": 4.0},
    },
}
NETWORK_US = {
    "ring": {"LL": 2.7, "LL128": 4.0, "Simple": 14.0},
    "tree": {"LL": 5.0, "LL128": 8.5, "Simple": 14.0},
}
LL_MOST_GB = {"volta": (39, 39, 20.4), "ampere": (87.7, 22.5, 19), "hopper": (141, 45, 35)}
LL_MOST_BLACKWELL = (282, 90, 70)
SEARCH_SHARE = {"volta": 0.8, "ampere": 0.8, "hopper": 0.8, "blackwell": 0.8}
NVLS_EFFICIENCY = {"hopper": 0.85, "blackwell": 0.74}
CHANNELS = 12


def nccl_constants(asked: Resolved, sizes: Floats) -> Floats:
    """The time NCCL's tuner would expect: min over ring, tree and NVLS, with each protocol."""
    found = [_ring(asked, sizes, protocol) for protocol in PROTOCOLS]
    if asked.setting.collective == "all_reduce":
        if asked.domains > 1:
            found += [_tree(asked, sizes, protocol) for protocol in PROTOCOLS]
        if asked.domains == 1 and asked.ranks >= 8 and asked.generation in NVLS_EFFICIENCY:
            found.append(_nvls(asked, sizes))
    best: Floats = np.min(found, axis=0)
    return best


def _bus_rate(asked: Resolved) -> float:
    inside = asked.link_bytes_per_s * SEARCH_SHARE.get(asked.generation, 0.8)
    return inside if asked.domains == 1 else min(inside, asked.domain_nic_bytes_per_s)


def _capped(asked: Resolved, protocol: str) -> float:
    rate = _bus_rate(asked)
    row = 0 if asked.domains == 1 else (1 if asked.domains < 4 else 2)
    if protocol == "LL":
        return min(LL_MOST_GB.get(asked.generation, LL_MOST_BLACKWELL)[row] * GB, 0.5 * rate)
    return 0.92 * rate if protocol == "LL128" else rate


def _inside(asked: Resolved, algorithm: str, protocol: str) -> float:
    return INSIDE_US["pcie" if asked.family == "pcie" else "nvlink"][algorithm][protocol]


def _ring(asked: Resolved, sizes: Floats, protocol: str) -> Floats:
    n, domains = asked.ranks, asked.domains
    reduce_all = asked.setting.collective == "all_reduce"
    steps = {"all_reduce": 2 * (n - 1), "all_gather": n - 1, "reduce_scatter": n - 1}
    count = steps.get(asked.setting.collective, n)
    crossing = 0 if domains == 1 else (2 * (domains - 1) if reduce_all else domains - 1)
    latency = BASE_US["ring"][protocol] + (count - crossing) * _inside(asked, "ring", protocol)
    latency += crossing * NETWORK_US["ring"][protocol]
    return latency * US + sizes * count / n / _capped(asked, protocol)


def _tree(asked: Resolved, sizes: Floats, protocol: str) -> Floats:
    depth = math.log2(asked.domains)
    latency = BASE_US["tree"][protocol] + 2 * (
        (asked.gpus - 1) * _inside(asked, "tree", protocol) + depth * NETWORK_US["tree"][protocol]
    )
    return latency * US + sizes / (0.5 * _capped(asked, protocol))


def _nvls(asked: Resolved, sizes: Floats) -> Floats:
    efficiency = NVLS_EFFICIENCY[asked.generation]
    rate = _bus_rate(asked) * efficiency * (CHANNELS - 1) / CHANNELS * 2
    n = asked.ranks
    return 25 * US + sizes * 2 * (n - 1) / n / rate
