"""The interval of throughput at saturation: narrow where runs of the same engine were published."""

from core.calculators.serving.engine import Engine, engine_of
from core.calculators.tensor_parallel.intervals import rate_interval, span_of
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.serving import THROUGHPUT_BAND
from core.catalog.software import PRESETS

PUBLISHED = "trtllm"
"""The preset whose runs the narrow interval was taken from."""


def throughput_interval(scenario: Scenario, engine: Engine, per_s: float) -> tuple[float, float]:
    """Low and high tokens/s: of another engine, GPU or price at least as wide as a step's interval."""
    narrow = per_s * THROUGHPUT_BAND[0], per_s * THROUGHPUT_BAND[1]
    if engine == engine_of(PRESETS[PUBLISHED]) and span_of(scenario).fitted:
        return narrow
    low, high = rate_interval(scenario, per_s)
    return min(low, narrow[0]), max(high, narrow[1])
