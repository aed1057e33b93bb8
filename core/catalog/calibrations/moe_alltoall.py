"""MoE dispatch and combine inside a GB200 NVL72 rack: constants fitted on published measurements.

One-sided: fitted on groups of 2 to 16 GPUs (two publications of the same engine), so that 32 tests it.
Two-sided: on 2 to 32, so that 64 tests it; but one constant, the floor of a combine in groups of more
than 32, is set on 64. Hidden 7168, top-8 of 256 experts, balanced routing, 1 to
65,536 tokens a GPU.
"""

import math
from dataclasses import dataclass

from core.hardware import Architecture, Family
from core.provenance import Source
from core.units import GB

AICONFIGURATOR = Source(
    "aic-moe-alltoall-gb200",
    "AIConfigurator, GB200 MoE all-to-all table",
    "github.com/ai-dynamo/aiconfigurator (Apache-2.0)",
    "2026",
)
TENSORRT_LLM_BLOG_18 = Source(
    "trtllm-blog18",
    "One-sided all-to-all over NVLink for MoE communication",
    "NVIDIA/TensorRT-LLM docs/source/blogs/tech_blog/blog18",
    "2026",
)
MEASURED_ARCHITECTURE, MEASURED_FAMILY = Architecture.BLACKWELL, Family.NVLINK
"""What the kernels were timed on: the generation of GPU, and the family of its scale-up link."""
MEASURED_BYTES_PER_S = 900 * GB
"""The rate of that link, of a GPU and one way."""

MANY, MANY_HANDOVER = 32, 8.0
"""GPUs of a group that one round serves, and how sharply a second round's floor takes over."""

FITTED_EP = {"one-sided": (2, 4, 8, 16), "two-sided": (2, 4, 8, 16, 32)}


@dataclass(frozen=True, slots=True)
class Kernel:
    """
    time^blend = floor^blend + work^blend, work^meet = (tokens x token_s)^meet + (bytes / rate)^meet.

    Attributes:
        start_s, doubling_s: The floor is start_s + doubling_s x log2(EP), EP at most ``reach``.
        bytes_per_s: Rate of the bytes that leave a GPU, one way, divided by 1 + EP / ``halving``.
        token_s: Handling one token on its own GPU, however few bytes leave it.
        blend: How sharply floor and work meet; 1 adds them.
        meet: How sharply handling and wire meet; large takes the longer.
        reach: Peers that a token of the fit can have (top-8), where the floor stops growing there.
        many_s: The least of a call in groups of more than ``MANY``, whose kernels need another round.
        halving: Group at which shares of many peers halve the rate; infinite where it keeps up.
        low, high: Band around the time, from the residuals (5th and 95th percentile).
    """

    start_s: float
    doubling_s: float
    bytes_per_s: float
    token_s: float
    blend: float
    meet: float
    reach: float = math.inf
    halving: float = math.inf
    many_s: float = 0.0
    low: float = 0.87
    high: float = 1.15


KERNELS = {
    ("one-sided", "dispatch"): Kernel(12.30e-6, 1.684e-6, 645.4e9, 10.63e-9, 1.099, 6.491),
    ("one-sided", "combine"): Kernel(12.51e-6, 4.145e-6, 643.1e9, 18.71e-9, 1.311, 8.0),
    ("two-sided", "dispatch"): Kernel(8.79e-6, 1.294e-6, 629.0e9, 38.14e-9, 1.0, 2.005, 8, 342),
    ("two-sided", "combine"): Kernel(
        10.67e-6, 1.038e-6, 558.2e9, 78.68e-9, 1.082, 2.015, halving=715, many_s=24e-6
    ),
}
SOURCES = (AICONFIGURATOR, TENSORRT_LLM_BLOG_18)

DEEPEP = Source(
    "deepep-v1",
    "DeepEP, performance of normal and low-latency kernels",
    "deepseek-ai/DeepEP README @592296c",
    "2025",
)


@dataclass(frozen=True, slots=True)
class Across:
    """
    Kernels that send tokens over the NICs: start + the longer of a wait and bytes / (share x NIC rate).

    ``low_latency`` sends a copy for every expert; ``normal`` one for every domain (its own among them),
    forwarded inside it, after counts have gone through the host. Fitted on H800 nodes with one 400 Gb/s NIC a GPU, 16 to
    256 GPUs (low latency: 128 tokens; normal: 4,096 tokens), hidden 7168, top-8, FP8 out and BF16 back.
    The wait is assumed: it lets low latency win up to the 128 tokens that engines use it for.
    """

    start_s: float
    wait_s: float
    share: float
    low: float = 0.85
    high: float = 1.30


LOW_LATENCY = Across(10e-6, 0.0, 0.85)
NORMAL = Across(0.0, 370e-6, 0.90)
