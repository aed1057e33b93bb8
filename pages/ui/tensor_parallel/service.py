"""Serving figures of the page Tensor parallelism: TTFT, TPOT, cost, and the largest batch within a target."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.serving import Engine, engine_service
from core.calculators.tensor_parallel import Answer, LargestBatch, Objective, Scenario, Service
from core.checks import InputError
from core.units import MS, converted, format_number, format_time
from pages.ui.shared import bound, folded, tables

LIMITS = {"memory": "KV cache memory"}
"""What one more request exceeds, where the page has another word for it."""


def objective() -> Objective:
    """The widgets of prompt length, latency target and price; empty fields ask for none."""
    with folded.panel("Latency target and price", "target_price", ":material/speed:"), st.grid("auto"):
        prompt = bound.number(
            "Prompt for TTFT (tokens)", "prompt", None, low=1, step=256, help="Empty: the context length."
        )
        target_ms = bound.number(
            "TPOT target (ms)",
            "tpot_ms",
            None,
            low=0.001,
            step=5.0,
            help="The largest batch whose decode step keeps it. Empty: no target.",
        )
        usd = bound.number(
            "GPU-hour price ($)", "serving_usd", None, low=0.0, step=0.5, help="Empty: no cost."
        )
    return Objective(input_tokens=prompt, tpot_s=converted(target_ms, MS), usd_per_gpu_hour=usd)


@lru_cache(maxsize=256)
def ask(scenario: Scenario, goal: Objective, engine: Engine) -> Service | None:
    """The serving figures, remembered; None where the library does not support the degree."""
    try:
        return engine_service(scenario, engine, goal)
    except InputError:
        return None


def usd(dollars: float | None) -> str:
    """Dollars to three digits; a dash for none."""
    return "–" if dollars is None else f"${format_number(dollars)}"


def limit(largest: LargestBatch) -> str:
    """What one more request exceeds, in words."""
    return LIMITS.get(largest.limit, largest.limit)


def within(service: Service | None) -> str:
    """The largest batch within the target in a sentence; empty without a target."""
    largest = service.largest if service else None
    if service is None or largest is None or service.target_s is None:
        return ""
    target, more = format_time(service.target_s), format_time(largest.next_tpot_s)
    if largest.tpot_s is None:
        return f"No batch keeps a TPOT of {target}: one request takes {more}."
    why = f"one more takes {more}" if largest.limit == "latency target" else f"limit: {limit(largest)}"
    return f"Largest batch within a TPOT of {target}: {largest.requests:,} concurrent requests ({why})."


def draw(answer: Answer, goal: Objective, engine: Engine) -> None:
    """Every degree as a row: TTFT, TPOT, throughput, cost and the largest batch."""
    scenario = answer.scenario
    services = {degree.tp: ask(replace(scenario, tp=degree.tp), goal, engine) for degree in answer.degrees}
    frame = pd.DataFrame(_row(tp, service, goal) for tp, service in services.items() if service)
    tables.show(frame, "Serving figures by TP degree", height="content")
    st.caption(
        "TTFT: prefill of one prompt, without a queue. TTFT and TPOT: of the GPUs alone; with engine: host time, chunks, "
        "prefix cache and drafts too. Cost: decode of the GPUs alone. Largest batch: concurrent requests that the engine's "
        "memory and limit allow"
        + (" within the TPOT target." if goal.tpot_s else "; a TPOT target limits it further.")
    )


def _row(tp: int, service: Service, goal: Objective) -> dict[str, str]:
    row = {"degree": f"TP{tp}", "TTFT": _time(service.ttft_s), "TPOT": _time(service.tpot_s)}
    engine = {"TTFT with engine": service.engine_ttft_s, "TPOT with engine": service.engine_tpot_s}
    row |= {name: format_time(seconds) for name, seconds in engine.items() if seconds is not None}
    row["tokens/s/GPU"] = format_number(service.tokens_per_s_per_gpu)
    if goal.usd_per_gpu_hour is not None:
        row["$ per M tokens"] = usd(service.usd_per_million_tokens)
    return row | _largest(service.largest, goal)


def _largest(largest: LargestBatch | None, goal: Objective) -> dict[str, str]:
    if largest is None:
        return {}
    rate = largest.tokens_per_s_per_gpu
    row = {
        "largest batch": f"{largest.requests:,}",
        "TPOT there": _time(largest.tpot_s),
        "tokens/s/GPU there": "–" if rate is None else format_number(rate),
    }
    if goal.usd_per_gpu_hour is not None:
        row["$ per M tokens there"] = usd(largest.usd_per_million_tokens)
    return row | {"limit": limit(largest)}


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else format_time(seconds)
