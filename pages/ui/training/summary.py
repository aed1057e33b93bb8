"""The answer of the page Training step in words, figures and tables."""

from dataclasses import asdict
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import RankedLayout, fastest_layout
from core.calculators.training import Answer, Scenario, neighbours
from core.calculators.training import answer as calculate
from core.checks import InputError
from core.units import GB, TERA, format_number, format_share, format_time
from pages.ui.shared import job, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import strong

KINDS = {"tp": "TP", "cp": "CP", "ep": "EP", "pp": "PP", "dp": "DP"}
"""Kinds of parallelism by the names of their fields."""
LAYOUTS = strong("Parallelism layouts")
NEGLIGIBLE = 0.001


@lru_cache(maxsize=256)
def ask(scenario: Scenario) -> Answer:
    """The answer, remembered."""
    return calculate(scenario)


@lru_cache(maxsize=64)
def fastest(scenario: Scenario) -> RankedLayout | None:
    """The fastest layout of the same job that fits; None where none does."""
    try:
        return fastest_layout(scenario, scenario.layout.gpus)
    except InputError:
        return None


def headline(scenario: Scenario, result: Answer) -> Headline:
    """Step time with its prediction interval and MFU, what is exposed, and a faster layout."""
    told = result.memory.tight or not result.fits
    memory = (
        f" Memory: {result.memory.text if result.memory.tight else result.memory_fit.text}." if told else ""
    )
    text = (
        f"A step takes {format_time(result.step_s)} ({format_time(result.low_s)} to {format_time(result.high_s)}): "
        f"MFU {result.mfu_text}.{memory}"
    )
    return Headline(text, _reason(result), _faster(scenario, result))


def _reason(result: Answer) -> str:
    layout = f"{strong(result.layout)} on {result.gpus:,} GPUs, {result.micro_batches:,} micro-batches per pipeline."
    exposed = asdict(result.exposed_s)
    losses = {"pipeline bubble": result.bubble_s, "offload": result.offload_s} | {
        title: exposed[kind] for kind, title in KINDS.items()
    }
    shares = [
        f"{title} {format_share(time_s / result.step_s)}"
        for title, time_s in sorted(losses.items(), key=lambda loss: -loss[1])
        if time_s > NEGLIGIBLE * result.step_s
    ]
    if not shares:
        return f"{layout} No exposed communication and no pipeline bubble."
    causes = "communication, bubble and offload" if result.offload_s else "communication and bubble"
    return f"{layout} Exposed {causes}, of the step: {', '.join(shares)}."


def _faster(scenario: Scenario, result: Answer) -> str:
    best = fastest(scenario)
    if best is None:
        return "No layout of this model fits these GPUs."
    if not result.fits:
        return f"As it stands this layout does not fit; the fastest that does takes {format_time(best.step_s)}: {best.name()}."
    if best.step_s >= result.step_s * (1 - NEGLIGIBLE):
        return f"No layout that {LAYOUTS} searches is faster on these GPUs."
    gain = format_share(1 - best.step_s / result.step_s)
    return f"{LAYOUTS} finds one that takes {gain} less: {best.name()}, {format_time(best.step_s)}."


def note(scenario: Scenario) -> str:
    """Where the job runs, and where the GEMM efficiency comes from."""
    origin = (
        "given"
        if scenario.efficiency is not None
        else "the usual one of published tables for this GPU and precision"
    )
    return f"{scenario.system.name}, {job.place(scenario.system)}. GEMM efficiency: {origin}."


def figures(result: Answer) -> list[Figure]:
    """Throughput, MFU, pipeline bubble, memory and the cost of exposed communication."""
    memory = result.memory
    items = [
        Figure("Tokens/s", f"{result.tokens_per_s:,.0f}"),
        Figure("Tokens/s per GPU", format_number(result.tokens_per_s_per_gpu)),
        Figure(
            "TFLOP/s per GPU",
            f"{result.model_flop_per_s_per_gpu / TERA:,.0f}",
            "Model FLOPs: recomputation is not counted.",
        ),
        Figure("MFU", format_share(result.mfu), f"{result.mfu_text} of the dense {result.precision} peak."),
        Figure(
            "Pipeline bubble",
            format_share(result.bubble_share),
            "Of the step: idle while the pipeline fills and drains.",
        ),
        Figure(
            "Memory per GPU",
            f"{memory.total_bytes / GB:,.0f} GB{', tight' if memory.tight else ''}",
            f"Fullest GPU: {memory.text}; mostly {memory.limiting}. Verdict: {result.memory_fit.text}.",
        ),
    ]
    if result.loss is not None:
        hours = f"Exposed communication: {result.loss.gpu_hours_per_day:,.0f} GPU-hours per day."
        items.append(Figure("Exposed, per day", f"${result.loss.usd_per_day:,.0f}", hours))
    return items


def neighbouring(scenario: Scenario, result: Answer) -> None:
    """Every layout that differs in one setting on the same GPUs, with its change of the step."""
    rows = [
        {
            "change": neighbour.change,
            "step (s)": neighbour.step_s,
            "vs current (%)": _change(neighbour.step_s, result.step_s),
            "memory (GB)": None if neighbour.memory_bytes is None else neighbour.memory_bytes / GB,
            "remark": neighbour.reason or ("" if neighbour.fits else "does not fit"),
        }
        for neighbour in neighbours(scenario)
    ]
    columns = {
        "step (s)": st.column_config.NumberColumn(format="%.3g"),
        "vs current (%)": st.column_config.NumberColumn(format="%+.1f"),
        "memory (GB)": st.column_config.NumberColumn(format="%.0f"),
    }
    tables.show(
        pd.DataFrame(rows), "Layouts that differ from this one in one setting", columns, height="content"
    )


def _change(step_s: float | None, current_s: float) -> float | None:
    return None if step_s is None else 100 * (step_s / current_s - 1)


def table(result: Answer) -> pd.DataFrame:
    """Every part of the step as a row."""
    exposed, sent = asdict(result.exposed_s), asdict(result.comm_s)
    rows = {
        "compute": result.compute_s - result.optimizer_s,
        "optimizer": result.optimizer_s,
        "pipeline bubble": result.bubble_s,
        **({"offload to the host": result.offload_s} if result.offload_s else {}),
        **{f"{title} communication, exposed": exposed[kind] for kind, title in KINDS.items()},
        **{f"{title} communication, total": sent[kind] for kind, title in KINDS.items()},
        "step": result.step_s,
    }
    return pd.DataFrame(
        {
            "part": part,
            "time": format_time(time_s),
            "share of the step": format_share(time_s / result.step_s),
        }
        for part, time_s in rows.items()
    )
