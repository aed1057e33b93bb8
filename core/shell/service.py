"""The options of a service, and its figures as text."""

from argparse import Namespace
from typing import Any

from core import units
from core.calculators.tensor_parallel import LargestBatch, Objective, Scenario, Service
from core.calculators.tensor_parallel.intervals import (
    rate_interval,
    span_of,
    time_interval,
    with_intervals,
)
from core.catalog.calibrations.serving_level import LevelSpan
from core.shell.output import facts, plain

ENGINE_TIMES = ("engine_ttft_s", "engine_tpot_s")


def objective(args: Namespace) -> Objective:
    """Prompt, latency target and price of the options; raises InputError for what cannot be asked."""
    return Objective(
        input_tokens=args.input_tokens,
        tpot_s=units.converted(args.tpot_ms, units.MS),
        usd_per_gpu_hour=args.usd_per_gpu_hour,
    )


def service_json(
    service: Service, scenario: Scenario, engine_span: LevelSpan | None = None
) -> dict[str, Any]:
    """
    The serving figures as JSON, each with the interval that published runs leave open.

    ``engine_span``: of the times with a serving engine, by runs of such engines.
    """
    figures: dict[str, Any] = plain(service)
    if figures["largest"] is not None:
        figures["largest"] = with_intervals(scenario, figures["largest"])
    engine = {name: figures[name] for name in ENGINE_TIMES}
    return with_intervals(scenario, figures) | with_intervals(scenario, engine, engine_span)


def service_text(
    service: Service,
    requests: int | None = None,
    scenario: Scenario | None = None,
    engine_span: LevelSpan | None = None,
) -> str:
    """
    TTFT, TPOT (at ``requests`` concurrent requests), throughput, cost and the largest batch.

    With a scenario, times and throughput with intervals, those with a serving engine, which have rows of
    their own, by its ``engine_span``.
    """
    span = None if scenario is None else span_of(scenario)
    engine = engine_span or span
    engine_ttft = _engine(service.engine_ttft_s, engine and engine.of_first_token())
    engine_tpot = _engine(service.engine_tpot_s, engine)
    alone = ", of the GPUs alone" if engine_ttft or engine_tpot else ""
    load = "" if requests is None else f" at {requests:,} concurrent requests"
    tokens = "prompt tokens" if service.tpot_s is None else "output tokens"
    ttft = None if service.ttft_s is None else _time(service.ttft_s, span and span.of_first_token())
    return facts(
        (
            (
                "TTFT",
                ttft and f"{ttft} for one prompt of {service.input_tokens:,} tokens, without a queue{alone}",
            ),
            ("TTFT with engine", engine_ttft and f"{engine_ttft}, chunks and prefix cache"),
            ("TPOT", None if service.tpot_s is None else f"{_time(service.tpot_s, span)}{load}{alone}"),
            ("TPOT with engine", engine_tpot and f"{engine_tpot} and drafts"),
            (f"{tokens}/s per GPU", f"{_rate(service.tokens_per_s_per_gpu, scenario)}, of the GPUs alone"),
            (f"$ per million {tokens}", _cost(service.usd_per_million_tokens, scenario)),
            ("largest batch", largest_text(service.largest, service.target_s)),
        )
    )


def _engine(seconds: float | None, span: LevelSpan | None) -> str | None:
    return None if seconds is None else f"{_time(seconds, span)} with host time"


def _time(seconds: float, span: LevelSpan | None) -> str:
    """As ``12 ms``, with a span as ``12 ms (11 to 15 ms)``."""
    text = units.format_time(seconds)
    if span is None:
        return text
    low_s, high_s = span.of(seconds)
    return f"{text} ({units.format_time(low_s)} to {units.format_time(high_s)})"


def _rate(per_s: float, scenario: Scenario | None) -> str:
    """As ``247``, with a scenario as ``247 (202 to 274)``."""
    text = units.format_number(per_s)
    if scenario is None:
        return text
    low, high = rate_interval(scenario, per_s)
    return f"{text} ({units.format_number(low)} to {units.format_number(high)})"


def _cost(dollars: float | None, scenario: Scenario | None) -> str | None:
    """As ``$3.38``, with a scenario as ``$3.38 ($3.05 to $4.13)``; None for none."""
    text = usd(dollars)
    if dollars is None or scenario is None:
        return text
    low, high = time_interval(scenario, dollars)
    return f"{text} ({usd(low)} to {usd(high)})"


def usd(dollars: float | None) -> str | None:
    """Dollars to three digits; None for none."""
    return None if dollars is None else f"${units.format_number(dollars)}"


def largest_text(largest: LargestBatch | None, target_s: float | None) -> str | None:
    """The largest batch in a line; None where there is none to name."""
    if largest is None:
        return None
    goal = "" if target_s is None else f" within {units.format_time(target_s)}"
    more = units.format_time(largest.next_tpot_s)
    if largest.tpot_s is None:
        return f"none{goal}: one request already exceeds the {largest.limit} (TPOT {more})"
    why = f"one more takes {more}" if largest.limit == "latency target" else f"limit: {largest.limit}"
    cost = usd(largest.usd_per_million_tokens)
    price = f", {cost} per million" if cost else ""
    rate = units.format_number(largest.tokens_per_s_per_gpu or 0.0)
    return (
        f"{largest.requests:,} concurrent requests{goal} (TPOT {units.format_time(largest.tpot_s)}, "
        f"{rate} tokens/s per GPU{price}; {why})"
    )
