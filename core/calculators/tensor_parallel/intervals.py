"""Prediction intervals of serving figures: what published runs of the GPU's generation leave open."""

from collections.abc import Mapping
from typing import Any

from core.catalog.calibrations.serving_level import level_span
from core.hardware import Gpu

TIMES = ("ttft_s", "tpot_s", "engine_ttft_s", "engine_tpot_s", "token_s", "decode_step_s", "prefill_s")
RATES = ("tokens_per_s", "tokens_per_s_per_gpu", "output_tokens_per_s", "output_tokens_per_s_per_gpu")
COSTS = ("usd_per_million_tokens",)


def time_interval(gpu: Gpu, seconds: float) -> tuple[float, float]:
    """Low and high seconds of a step on this GPU."""
    return level_span(gpu).of(seconds)


def rate_interval(gpu: Gpu, per_s: float) -> tuple[float, float]:
    """Low and high tokens/s (or any rate) of a step on this GPU: low where the step is long."""
    span = level_span(gpu)
    return per_s / span.high, per_s / span.low


def with_intervals(gpu: Gpu, figures: Mapping[str, Any]) -> dict[str, Any]:
    """
    The figures with both ends of the interval beside each time, rate and cost that they name.

    ``tpot_s`` gains ``tpot_low_s`` and ``tpot_high_s``; ``tokens_per_s`` and a cost gain ``_low`` and
    ``_high``; None where the figure is None.
    """
    ends: dict[str, float | None] = {}
    for names, interval in ((TIMES, time_interval), (RATES, rate_interval), (COSTS, time_interval)):
        for name in names:
            if name not in figures:
                continue
            value = figures[name]
            low, high = (None, None) if value is None else interval(gpu, float(value))
            ends |= {_named(name, "low"): low, _named(name, "high"): high}
    return {**figures, **ends}


def _named(name: str, end: str) -> str:
    return f"{name.removesuffix('_s')}_{end}_s" if name in TIMES else f"{name}_{end}"
