"""Libraries that exchange tokens of mixture-of-experts layers: constants fitted on published measurements."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from core.catalog.calibrations.moe_alltoall import LOW_LATENCY, NORMAL
from core.hardware import Family
from core.provenance import Source

DEEPEP_MEASURED = Source(
    "aic-deepep",
    "AIConfigurator, DeepEP normal and low-latency kernels on one node, H100 to GB300",
    "github.com/ai-dynamo/aiconfigurator @095f58a (Apache-2.0)",
    "2026",
)
DEEPEP_LEGACY = Source(
    "deepep-legacy",
    "DeepEP, performance of V1 after 2025-06",
    "deepseek-ai/DeepEP docs/legacy.md: H800 and 400 Gb/s, normal EP32 and EP64, low latency EP16 to EP64",
    "2025",
)
DEEPEP_README = Source(
    "deepep-readme",
    "DeepEP, performance tables of V1 and V2",
    "deepseek-ai/DeepEP README @592296c, @dd758ca",
    "2026",
)
HYBRIDEP = Source(
    "hybridep", "HybridEP, performance", "deepseek-ai/DeepEP @07eea0c Hybrid-EP_Implementation.md", "2026"
)
UCCL = Source("uccl-ep", "UCCL-EP, performance", "uccl-project/uccl @da914a2 ep/README.md", "2026")

FP8_BYTES = 1 + 4 / 128
"""A value of FP8 with its share of a scale for each 128."""
NVFP4_BYTES = 0.5 + 1 / 16
STAGED_SHARE = 0.45
"""Share of the memory's bandwidth at which received tokens are copied out of a library's own buffers."""
HANDOVER = 5.0
"""How sharply handling, NVLink and NICs hand over to each other; large takes the longest."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """
    Throughput kernels: start, then the longest of handling on some SMs, NVLink and the NICs.

    Attributes:
        start_s, value_s: A call takes start_s + hidden x value_s before any token.
        token_s, copy_s: Of one SM, for a token and for each copy of it.
        sm_bytes_per_s: What one SM copies.
        scan_s: Of one SM, for each token and peer with scales (FP8).
        scale_up_share: Of the link's rate.
        nic_share: Of the NIC's rate that copies leaving the domain reach.
        pass_share: The same of all copies, the domain's own among them, which take the same way.
        wait_s: The least across domains, where counts go through the host.
        sms: By default.
        low, high: Band around the time (10th and 90th percentile).
    """

    start_s: float
    value_s: float
    token_s: float
    copy_s: float
    sm_bytes_per_s: float
    scale_up_share: float
    nic_share: float = 0.9
    pass_share: float = math.inf
    scan_s: float = 0.0
    wait_s: float = 0.0
    sms: int = 24
    low: float = 0.88
    high: float = 1.14


@dataclass(frozen=True, slots=True)
class LowLatency:
    """
    Kernels of decode: a start, then the longer of NVLink and the SMs that walk the tokens.

    Attributes:
        start_s, doubling_s: A call takes start_s + doubling_s x log2(GPUs of the domain).
        expert_s: For each expert of the layer.
        token_s, value_s: Of one SM for a token: token_s + hidden x value_s; SMs are at most ``experts``.
        scale_up_share: Of the link's rate.
        across_start_s, nic_share: Over NICs, where a copy travels for every expert.
        nvlink_inside: Copies for the node itself take NVLink instead.
        message_s: For each token and expert over a network without adaptive ordering (EFA).
    """

    start_s: float
    doubling_s: float
    expert_s: float
    token_s: float
    value_s: float
    scale_up_share: float
    message_s: float
    across_start_s: float = LOW_LATENCY.start_s
    nic_share: float = LOW_LATENCY.share
    nvlink_inside: bool = False
    low: float = 0.90
    high: float = 1.12


HOPPER, BLACKWELL = "hopper", "blackwell"
MOST_SMS_OF_A_CALL = 128
"""Low-latency kernels give each expert an SM, up to about all of a GPU."""


def _deepep(bulk: Bulk) -> Bulk:
    """Throughput kernels of DeepEP V1, whose shares of the NIC are one on every GPU."""
    return replace(bulk, nic_share=NORMAL.share, pass_share=NORMAL.share, wait_s=NORMAL.wait_s)


_DEEPEP = {
    ("dispatch", HOPPER): _deepep(Bulk(25.7e-6, 2.18e-10, 394e-9, 54.5e-9, 27.3e9, 0.702)),
    ("combine", HOPPER): _deepep(Bulk(23.9e-6, 3.22e-9, 891e-9, 0.0, 27.6e9, 0.698, low=0.85, high=1.18)),
    ("dispatch", BLACKWELL): _deepep(Bulk(32.3e-6, 4.73e-10, 425e-9, 107e-9, 29.8e9, 0.70)),
    ("combine", BLACKWELL): _deepep(Bulk(29.6e-6, 2.90e-9, 937e-9, 0.0, 26.5e9, 0.70, low=0.86, high=1.17)),
}
_UCCL_PASS = {"dispatch": 1.06, "combine": 1.00}
_V2 = Bulk(20e-6, 0.0, 0.0, 0.0, 31e9, 0.72, 0.90, low=0.75, high=1.45)
_HYBRIDEP = {
    "dispatch": Bulk(20e-6, 0.0, 0.0, 0.0, 56.8e9, 0.759, 0.805, scan_s=57.5e-9, sms=16),
    "combine": Bulk(20e-6, 0.0, 0.0, 13.8e-9, 46.0e9, 0.698, 0.84, sms=16),
}
BULK = MappingProxyType(
    {
        "deepep": _DEEPEP,
        "deepep-v2": dict.fromkeys(_DEEPEP, _V2),
        "hybridep": {key: _HYBRIDEP[key[0]] for key in _DEEPEP},
        "uccl-ep": {
            key: replace(kernel, nic_share=0.85, pass_share=_UCCL_PASS[key[0]], low=0.75, high=1.35)
            for key, kernel in _DEEPEP.items()
        },
    }
)
"""By library, then operation and generation. The start of V2 and HybridEP is assumed."""

_LOW_LATENCY = {
    ("dispatch", HOPPER): LowLatency(8.08e-6, 0.0, 13.5e-9, 1.39e-6, 0.182e-9, 0.574, 1.05e-6),
    ("combine", HOPPER): LowLatency(9.72e-6, 0.0, 6.03e-9, 0.0, 0.141e-9, 0.501, 1.0e-6),
    ("dispatch", BLACKWELL): LowLatency(0.96e-6, 4.36e-6, 25.7e-9, 2.10e-6, 0.120e-9, 0.540, 1.05e-6),
    ("combine", BLACKWELL): LowLatency(1.57e-6, 4.56e-6, 17.5e-9, 0.0, 0.0997e-9, 0.663, 1.0e-6),
}
_UCCL_MESSAGE_S = {"dispatch": 0.53e-6, "combine": 0.75e-6}
LOW_LATENCY_KERNELS = MappingProxyType(
    {
        "deepep-low-latency": _LOW_LATENCY,
        "uccl-ep-low-latency": {
            key: replace(kernel, message_s=_UCCL_MESSAGE_S[key[0]], low=0.75, high=1.30)
            for key, kernel in _LOW_LATENCY.items()
        },
    }
)
CHANGED: Mapping[str, Mapping[tuple[str, str], Bulk | LowLatency]] = MappingProxyType(
    {
        "deepep": {
            key: replace(kernel, nic_share=0.875, pass_share=math.inf) for key, kernel in _DEEPEP.items()
        },
        "deepep-low-latency": {
            key: replace(kernel, across_start_s=40e-6, nic_share=0.96, nvlink_inside=True)
            for key, kernel in _LOW_LATENCY.items()
        },
    }
)
"""Kernels of DeepEP V1 since 1.1, where they are others: 58 and 51 GB/s at EP32 and EP64, where 44 and 46 were
printed before (EP16 was printed as before, 43, and is answered as what its NICs carry), and 118, 155 and 173 us at
EP16 to EP64, where it had been 173 to 186."""
SOURCES_OF = MappingProxyType(
    {
        "deepep": (DEEPEP_MEASURED, DEEPEP_README, DEEPEP_LEGACY),
        "deepep-low-latency": (DEEPEP_MEASURED, DEEPEP_README, DEEPEP_LEGACY),
        "deepep-v2": (DEEPEP_README,),
        "hybridep": (HYBRIDEP,),
        "uccl-ep": (UCCL, DEEPEP_MEASURED),
        "uccl-ep-low-latency": (UCCL, DEEPEP_MEASURED),
    }
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Where a library was timed: generation, network between domains (None: inside one), most GPUs."""

    generation: str
    network: Family | None
    most_ranks: int


_ONE_NODE = (Measured(HOPPER, None, 8), Measured(BLACKWELL, None, 8))
MEASURED = MappingProxyType(
    {
        "deepep": (*_ONE_NODE, Measured(HOPPER, Family.INFINIBAND, 64)),
        "deepep-low-latency": (*_ONE_NODE, Measured(HOPPER, Family.INFINIBAND, 256)),
        "deepep-v2": (Measured(BLACKWELL, None, 8), Measured(HOPPER, Family.INFINIBAND, 32)),
        "hybridep": (Measured(BLACKWELL, None, 36), Measured(HOPPER, Family.INFINIBAND, 64)),
        "uccl-ep": (*_ONE_NODE, Measured(HOPPER, Family.EFA, 32), Measured(BLACKWELL, Family.EFA, 32)),
        "uccl-ep-low-latency": (Measured(HOPPER, Family.EFA, 32), Measured(BLACKWELL, Family.EFA, 32)),
    }
)
