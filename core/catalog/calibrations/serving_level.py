"""How far published serving figures lie from the answer, by GPU generation: factors on the time of a step."""

from dataclasses import dataclass

from core.hardware import Architecture, Gpu
from core.provenance import Source

SOURCES = (
    Source(
        "trtllm-performance",
        "TensorRT-LLM 0.14 to 1.2: performance overviews, output tokens/s",
        "github.com/NVIDIA/TensorRT-LLM: docs/source/performance/perf-overview.md",
        "2026",
    ),
)


FIRST_TOKEN = 0.85, 1.15
"""Times the ends of the interval of a time to the first token (docs/MODEL-SERVING.md)."""


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

    def of_first_token(self) -> "LevelSpan":
        """The span of a time to the first token, which short prompts and launches make less sure."""
        return self.wider(*FIRST_TOKEN)

    def wider(self, low: float, high: float) -> "LevelSpan":
        """The span with its ends so many times as far."""
        return LevelSpan(self.low * low, self.high * high, self.fitted)

    def of_rate(self, per_s: float) -> tuple[float, float]:
        """The interval around so many a second: low where the step is long."""
        return per_s / self.high, per_s / self.low


SPANS = {
    Architecture.ADA: LevelSpan(0.8, 1.12),
    Architecture.AMPERE: LevelSpan(0.85, 1.27),
    Architecture.HOPPER: LevelSpan(0.88, 1.13),
    Architecture.BLACKWELL: LevelSpan(0.87, 1.15),
}
"""By generation, of dense models and of few experts, engines of 2024 to 2026 (docs/MODEL-SERVING.md)."""
MANY = {
    Architecture.AMPERE: LevelSpan(0.85, 1.3),
    Architecture.HOPPER: LevelSpan(0.85, 1.45),
    Architecture.BLACKWELL: LevelSpan(0.87, 1.28),
}
"""The same of models with more than ``FEW_EXPERTS``: engines take longer than their kernels, one by one."""
FEW_EXPERTS = 16
UNMEASURED = LevelSpan(0.75, 1.4, fitted=False)
"""A wide guess for generations without a published table."""
MANY_UNMEASURED = LevelSpan(0.8, 1.45, fitted=False)
OVER_PCIE = 1.25
"""Times the high end for a tensor-parallel group over PCIe: peer access and bridges are not known."""
OTHER_ENGINES = {
    Architecture.AMPERE: LevelSpan(0.88, 1.3),
    Architecture.HOPPER: LevelSpan(0.88, 1.5),
    Architecture.BLACKWELL: LevelSpan(0.72, 1.3),
}
"""Of vLLM and SGLang, dense models: their steps and throughput (docs/MODEL-SERVING.md)."""
OTHER_ENGINES_MANY = {
    Architecture.AMPERE: LevelSpan(0.75, 1.5),
    Architecture.HOPPER: LevelSpan(0.8, 1.3),
    Architecture.BLACKWELL: LevelSpan(0.72, 1.45),
}
"""The same of models with more than ``FEW_EXPERTS``."""
OTHER_UNMEASURED = LevelSpan(0.7, 1.5, fitted=False)
OTHER_MANY_UNMEASURED = LevelSpan(0.85, 1.7, fitted=False)
"""Of these engines where no measured kernels price the step: 59 figures of MI300X and MI355X."""

DRAFTS = 0.85, 1.0
"""Times the ends with drafted tokens: text that repeats itself is accepted whole and hits the same experts again.
By 36 steps of GLM-5.2 and Qwen3.6 in SGLang's cookbook (docs/MODEL-SERVING.md)."""


def level_span(
    gpu: Gpu, experts: int = 0, *, over_pcie: bool = False, other_engine: bool = False
) -> LevelSpan:
    """The span of a GPU's generation, of steps priced by its measured kernels."""
    many, few = (OTHER_ENGINES_MANY, OTHER_ENGINES) if other_engine else (MANY, SPANS)
    spans = many if experts > FEW_EXPERTS else few
    span = spans.get(gpu.architecture) or guess(experts, other_engine=other_engine)
    return span.wider(1.0, OVER_PCIE) if over_pcie else span


def guess(experts: int = 0, *, other_engine: bool = False) -> LevelSpan:
    """The span of a step that no measured kernels price."""
    many, few = (OTHER_MANY_UNMEASURED, OTHER_UNMEASURED) if other_engine else (MANY_UNMEASURED, UNMEASURED)
    return many if experts > FEW_EXPERTS else few
