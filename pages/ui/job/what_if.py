"""The tab What if of the page Job: the step elsewhere, its waterfall, its bounds and its new timeline."""

import pandas as pd
import streamlit as st

from core.collectives.question import FabricQuestion
from core.job.change import Change
from core.job.explain import Explanation
from core.job.what_if import Answer
from core.shell.job_text import signed_time
from core.units import MS, US, format_share, format_size, format_time
from pages.ui.job import inputs, plots
from pages.ui.scenarios import waterfall
from pages.ui.shared import answer, names, tables
from pages.ui.shared.answer import Figure
from pages.ui.shared.sections import Section

TODAY, THERE = "today", "there"
SLOWER, FASTER = "slower there", "faster there"


def sections(told: Explanation, here: FabricQuestion | None) -> tuple[Section, ...]:
    """The tab; none where the trace tells no times to replay."""
    if not told.ranks:
        return ()
    return (Section("What if", lambda change: draw(told, change), inputs=lambda: inputs.change(told, here)),)


def draw(told: Explanation, change: Change) -> None:
    """The answer, with what it rests on."""
    result = inputs.answer(told, change)
    answer.finding(_sentence(result))
    answer.figures(_figures(result))
    waterfall.bars(_steps(result), (TODAY, THERE), (SLOWER, FASTER), "Step time (ms)", _text(result))
    plots.here_and_there(result)
    if result.changes:
        tables.show(_ratios(result), "Kinds of call: expected time here and there, and their ratio")
    with st.expander("Assumptions", icon=":material/functions:"):
        answer.assumptions([*result.assumptions, *result.remarks])


def _sentence(result: Answer) -> str:
    gain = result.today.step_s / result.new.step_s if result.new.step_s > 0 else float("inf")
    return (
        f"A step takes {format_time(result.new.step_s)} ({format_time(result.low_s)} to "
        f"{format_time(result.high_s)}) instead of {format_time(result.today.step_s)}: {gain:.3g}× as fast"
    )


def _figures(result: Answer) -> list[Figure]:
    """The step there, and the bounds of today's."""
    rows = [
        Figure("Step there", format_time(result.new.step_s)),
        Figure(
            "On the critical path",
            format_share(result.new.critical_share),
            "Communication that compute stands still for, of the step there; "
            f"today {format_share(result.today.critical_share)}.",
        ),
        Figure("Free communication", format_time(result.free_s), "Today's step if no call took any time."),
        Figure(
            "Best overlap",
            format_time(result.best_overlap_s),
            "Today's step if calls hid behind compute as far as their streams allow.",
        ),
    ]
    rows += [
        Figure(
            f"Only {name}", format_time(seconds), f"Today's step if only calls of {name} groups took time."
        )
        for name, seconds in result.only_s.items()
    ]
    usd, usd_there = result.today.usd_per_1000_steps, result.new.usd_per_1000_steps
    if usd is not None and usd_there is not None:
        rows.append(Figure("$ per 1000 steps", f"{usd_there:,.3g}", f"Today {usd:,.3g}."))
    return rows


def _steps(result: Answer) -> pd.DataFrame:
    """Bars from today's step to the other one, in milliseconds."""
    at = result.today.step_s / MS
    rows = [(TODAY, 0.0, at, TODAY, format_time(result.today.step_s), "")]
    for term in result.terms:
        change = term.change_s / MS
        kind = SLOWER if change > 0 else FASTER
        rows.append((term.name, at, at + change, kind, signed_time(term.change_s), ""))
        at += change
    rows.append((THERE, 0.0, at, THERE, format_time(result.new.step_s), ""))
    frame = pd.DataFrame(rows, columns=["name", "from", "to", "kind", "label", "reason"])
    frame["end"] = frame[["from", "to"]].max(axis=1)
    return frame


def _text(result: Answer) -> str:
    parts = ", ".join(f"{term.name} {signed_time(term.change_s)}" for term in result.terms)
    return f"Step time from {format_time(result.today.step_s)} today to {format_time(result.new.step_s)} there: {parts}"


def _ratios(result: Answer) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "call": names.operation(change.kind.operation),
            "group": change.kind.parallelism,
            "ranks": change.kind.ranks,
            "ranks there": change.there.ranks,
            "size": format_size(change.kind.size_bytes) if change.kind.size_bytes >= 0 else "–",
            "expected here (µs)": _cell(change.expected_here_s),
            "expected there (µs)": _cell(change.expected_there_s),
            "ratio": tables.cell(change.ratio),
        }
        for change in result.changes
    )


def _cell(seconds: float) -> float | None:
    return tables.cell(seconds, US) if seconds == seconds else None  # noqa: PLR0124 (NaN is unknown)
