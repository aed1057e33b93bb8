"""
The constants of NCCL's own tuning table.

Source: NVIDIA/nccl, src/graph/tuning.cc and topo.h at 5067397.
"""

from core.hardware import Architecture, Family, Link
from core.units import GB, US

PROTOCOLS = ("LL", "LL128", "Simple")

Microseconds = dict[str, dict[str, float]]

BASE_US: Microseconds = {
    "ring": {"LL": 6.6, "LL128": 14.0, "Simple": 8.4},
    "tree": {"LL": 6.8, "LL128": 14.0, "Simple": 8.4},
}
"""Start of an operation, by algorithm and protocol."""

STEP_US: dict[str, Microseconds] = {
    "nvlink": {
        "ring": {"LL": 0.6, "LL128": 1.9, "Simple": 3.4},
        "tree": {"LL": 0.6, "LL128": 1.25, "Simple": 4.0},
    },
    "pcie": {
        "ring": {"LL": 1.0, "LL128": 2.5, "Simple": 5.7},
        "tree": {"LL": 1.0, "LL128": 1.9, "Simple": 4.0},
    },
    "network": {
        "ring": {"LL": 2.7, "LL128": 4.0, "Simple": 14.0},
        "tree": {"LL": 5.0, "LL128": 8.5, "Simple": 14.0},
    },
}
"""Latency of a step, by the path it takes."""

LL_SHARE, LL128_SHARE = 0.5, 0.92
"""Of the wire's rate: LL sends a flag with every four bytes, LL128 one with every 120."""

_VOLTA, _AMPERE, _HOPPER = (39.0, 39.0, 20.4), (87.7, 22.5, 19.0), (141.0, 45.0, 35.0)
_LL_MOST_GB = {
    Architecture.PASCAL: _VOLTA,
    Architecture.VOLTA: _VOLTA,
    Architecture.TURING: _VOLTA,
    Architecture.AMPERE: _AMPERE,
    Architecture.ADA: _AMPERE,
    Architecture.HOPPER: _HOPPER,
}
_LL_MOST_SINCE_BLACKWELL_GB = (282.0, 90.0, 70.0)
FEW_NODES = 4

NVLS_EFFICIENCY = {Architecture.HOPPER: 0.85, Architecture.BLACKWELL: 0.74}
NVLS_LATENCY_S = 25 * US

LINK_BYTES_PER_S = {
    Architecture.PASCAL: 18 * GB,
    Architecture.VOLTA: 20 * GB,
    Architecture.TURING: 20 * GB,
    Architecture.AMPERE: 20 * GB,
    Architecture.ADA: 20 * GB,
    Architecture.HOPPER: 20.6 * GB,
    Architecture.BLACKWELL: 40.1 * GB,
}
"""What NCCL counts on one NVLink, one way; times the links it reproduces measured ring plateaus."""


def nccl_link_bytes_per_s(architecture: Architecture, link: Link | None) -> float | None:
    """
    What NCCL counts on one NVLink of a GPU, one way; None on other links.

    By the GPU's compute capability, as NCCL does; one after the last it names counts as that one.
    """
    if link is None or link.family is not Family.NVLINK:
        return None
    if link.nccl_bytes_per_s is not None:
        return link.nccl_bytes_per_s
    later = architecture.vendor == "NVIDIA" and architecture.year > Architecture.BLACKWELL.year
    return LINK_BYTES_PER_S.get(Architecture.BLACKWELL if later else architecture)


def ll_most_bytes_per_s(architecture: Architecture, nodes: int = 1) -> float:
    """The most that LL moves on this generation, one way per GPU: inside a node, on two or three, on more."""
    row = _LL_MOST_GB.get(architecture, _LL_MOST_SINCE_BLACKWELL_GB)
    return row[0 if nodes == 1 else 1 if nodes < FEW_NODES else 2] * GB
