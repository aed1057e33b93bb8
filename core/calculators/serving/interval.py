"""The interval of an engine's steps and throughput: by published runs of such engines, wider with drafts."""

from core.calculators.serving.engine import Engine
from core.calculators.tensor_parallel.intervals import span_of
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.serving_level import DRAFTS, LevelSpan
from core.catalog.software import PRESETS

PUBLISHED = (PRESETS["trtllm"].id, PRESETS["trtllm-0"].id)
"""The software of most published runs, however it is set up."""


def throughput_span(scenario: Scenario, engine: Engine) -> LevelSpan:
    """The span of an engine's steps, at saturation too."""
    span = span_of(scenario, other_engine=engine.software not in PUBLISHED)
    return span.wider(*DRAFTS) if engine.draft_tokens else span


def throughput_interval(scenario: Scenario, engine: Engine, per_s: float) -> tuple[float, float]:
    """Low and high tokens/s at saturation."""
    return throughput_span(scenario, engine).of_rate(per_s)
