"""Prediction intervals of serving figures: what published runs of the GPU's generation leave open."""

from collections.abc import Mapping
from typing import Any

from core.calculators.tensor_parallel.by_tokens import over_pcie
from core.calculators.tensor_parallel.formats import measured_formats
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.serving_level import LevelSpan, guess, level_span

FIRST = "ttft_s", "engine_ttft_s"
TIMES = (
    "tpot_s",
    "engine_tpot_s",
    "token_s",
    "decode_step_s",
    "prefill_s",
    "step_s",
    "mixed_step_s",
)
RATES = ("tokens_per_s", "tokens_per_s_per_gpu", "output_tokens_per_s", "output_tokens_per_s_per_gpu")
COSTS = ("usd_per_million_tokens",)


def span_of(scenario: Scenario, *, other_engine: bool = False) -> LevelSpan:
    """
    The span of the GPU's generation where kernels measured on it price the step, else that of a guess.

    Wider for models of many experts and for tensor-parallel groups over PCIe.

    A roofline, a rate of one's own and a format whose kernels another generation stands in for are guesses.
    ``other_engine``: of the steps of vLLM, SGLang or an engine of no name, whose published runs are others.
    """
    rates = scenario.peak_flop_per_s, scenario.hbm_bytes_per_s, scenario.compute_s
    gpu, experts = scenario.system.gpu, scenario.model.experts
    if not scenario.by_kernels or any(rate is not None for rate in rates):
        return guess(experts, other_engine=other_engine)
    if not measured_formats(gpu, scenario.weights, scenario.model):
        return guess(experts, other_engine=other_engine)
    pcie = scenario.tp > 1 and over_pcie(scenario)
    return level_span(gpu, experts, over_pcie=pcie, other_engine=other_engine)


def time_interval(scenario: Scenario, seconds: float) -> tuple[float, float]:
    """Low and high seconds of a step."""
    return span_of(scenario).of(seconds)


def rate_interval(scenario: Scenario, per_s: float) -> tuple[float, float]:
    """Low and high tokens/s (or any rate) of a step: low where the step is long."""
    return span_of(scenario).of_rate(per_s)


def with_intervals(
    scenario: Scenario, figures: Mapping[str, Any], span: LevelSpan | None = None
) -> dict[str, Any]:
    """
    The figures with both ends of the interval beside each time, rate and cost that they name.

    ``tpot_s`` gains ``tpot_low_s`` and ``tpot_high_s``; ``tokens_per_s`` and a cost gain ``_low`` and
    ``_high``; None where the figure is None. ``span``: in place of that of the scenario's step.
    """
    ends: dict[str, float | None] = {}
    span = span or span_of(scenario)
    first = span.of_first_token().of
    for names, interval in ((FIRST, first), (TIMES, span.of), (RATES, span.of_rate), (COSTS, span.of)):
        for name in names:
            if name not in figures:
                continue
            value = figures[name]
            low, high = (None, None) if value is None else interval(float(value))
            ends |= {_named(name, "low"): low, _named(name, "high"): high}
    return {**figures, **ends}


def _named(name: str, end: str) -> str:
    return f"{name.removesuffix('_s')}_{end}_s" if name in (*FIRST, *TIMES) else f"{name}_{end}"
