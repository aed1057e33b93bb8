"""How far published serving figures lie from the answer, by GPU generation: factors on the time of a step."""

from dataclasses import dataclass

from core.hardware import Architecture, Gpu
from core.provenance import Source

SOURCES = (
    Source(
        "trtllm-performance",
        "TensorRT-LLM: performance overview, output tokens/s",
        "github.com/NVIDIA/TensorRT-LLM: docs/source/performance/perf-overview.md",
        "2025",
    ),
)


@dataclass(frozen=True, slots=True)
class LevelSpan:
    """
    What published times are of computed ones in eight cases of ten.

    Attributes:
        low, high: The measured time over the computed one, below and above one.
        fitted: Whether published rows of this generation tell it.
    """

    low: float
    high: float
    fitted: bool = True

    def of(self, seconds: float) -> tuple[float, float]:
        """The interval around so many seconds."""
        return self.low * seconds, self.high * seconds

    def of_rate(self, per_s: float) -> tuple[float, float]:
        """The interval around so many a second: low where the step is long."""
        return per_s / self.high, per_s / self.low


SPANS = {
    Architecture.AMPERE: LevelSpan(0.9, 1.25),
    Architecture.HOPPER: LevelSpan(0.89, 1.13),
    Architecture.BLACKWELL: LevelSpan(0.87, 1.15),
}
"""By generation, of engines of 2024 and 2025 (docs/MODEL-SERVING.md)."""
UNMEASURED = LevelSpan(0.75, 1.4, fitted=False)
"""A wide guess for generations without a published table."""


def level_span(gpu: Gpu) -> LevelSpan:
    """The span of a GPU's generation, of steps priced by its measured kernels."""
    return SPANS.get(gpu.architecture, UNMEASURED)
