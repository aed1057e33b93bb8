"""MoE dispatch and combine inside a GB200 NVL72 rack: constants fitted on published measurements.

Fitted on groups of 4, 8 and 16 GPUs only (one-sided: two publications of the same engine, hidden
7168, top-8 of 256 experts, balanced routing, 1 to 65,536 tokens a GPU), so that 32 and 64 test it.
"""

from dataclasses import dataclass

from core.provenance import Source

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
FITTED_EP = (4, 8, 16)


@dataclass(frozen=True, slots=True)
class Kernel:
    """
    time = (floor^blend + (bytes / rate)^blend)^(1/blend), floor = start_s + doubling_s x log2(EP).

    Attributes:
        start_s, doubling_s: The floor and what each doubling of the group adds.
        bytes_per_s: Rate of the bytes that leave a GPU, one way.
        blend: How sharply the two regimes meet; 1 adds them.
        low, high: Band around the time, from the residuals (5th and 95th percentile).
    """

    start_s: float
    doubling_s: float
    bytes_per_s: float
    blend: float
    low: float = 0.85
    high: float = 1.20


KERNELS = {
    ("one-sided", "dispatch"): Kernel(12.47e-6, 1.546e-6, 655.3e9, 1.038),
    ("one-sided", "combine"): Kernel(5.97e-6, 6.153e-6, 642.1e9, 1.290),
    ("two-sided", "dispatch"): Kernel(11.0e-6, 0.45e-6, 560.0e9, 1.0),
    ("two-sided", "combine"): Kernel(11.4e-6, 0.97e-6, 507.0e9, 1.08),
}
SOURCES = (AICONFIGURATOR, TENSORRT_LLM_BLOG_18)
