"""*Your job* beside a calculated training step: a kept trace, its parts, and what both send."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.calculators.training import Answer, Scenario, step_calls
from core.collectives.question import FabricQuestion
from core.job.beside import beside, unlike
from core.job.calls_beside import Sent, SentBeside, differences, sent_beside
from core.job.explain import Explanation, explain
from core.job.traffic import traffic
from core.traces.records import Job
from core.units import MB, MS, format_share, format_size, format_time
from db.records import JobRow
from pages.ui.shared import kept_jobs, names, tables
from pages.ui.shared.messages import plain
from pages.ui.shared.navigation import PAGES
from pages.ui.shared.sections import Section

TITLE = "Your job"
REMEMBERED = 8
TABLE_HEIGHT = 360
"""Rows beyond this are scrolled."""


class Calculated(NamedTuple):
    """A calculated step and the scenario that it answers."""

    scenario: Scenario
    answer: Answer


Steps = Callable[[Explanation], Mapping[str, Calculated]]


def sections(steps: Steps) -> tuple[Section, ...]:
    """
    The tab *Your job*, where jobs are kept; nothing where there are none.

    Args:
        steps: Calculated steps by what they are called, for a traced job.
    """
    rows = kept_jobs.listed()
    if not rows:
        return ()
    choice = Section(
        TITLE,
        lambda row: draw(row, steps),
        inputs=lambda: kept_jobs.choose("Kept job", rows, "None"),
    )
    return (choice,)


def draw(row: JobRow | None, steps_for: Steps) -> None:
    """The traced step beside the calculated ones, in a sentence and tables."""
    if row is None:
        st.markdown("Choose a job that was kept on the page *Job* to lay its step beside the calculated one.")
        return
    told = explained(kept_jobs.opened(row).job, None)
    calculated = steps_for(told)
    steps = {name: each.answer for name, each in calculated.items()}
    first = next(iter(steps.values()))
    st.markdown(_sentence(told, first))
    tables.show(parts(told, steps), "A step in its parts: traced and calculated")
    rows = sent_beside(told, [step_calls(each.scenario) for each in calculated.values()])
    tables.show(both_sent(rows, list(calculated)), "What one GPU sends in a step: traced and calculated")
    for line in (*differences(rows), *unlike(told, first), *told.remarks):
        st.caption(f":material/info: {plain(line)}")
    tables.show(
        sent(told),
        "Communication of one traced step of one rank by group, operation and size",
        height=TABLE_HEIGHT if len(told.totals) > 8 else "auto",
    )
    st.page_link(
        PAGES / "job.py",
        label="Where its time goes",
        icon=":material/timeline:",
        query_params={kept_jobs.KEY: str(row.id)},
    )


@lru_cache(maxsize=REMEMBERED)
def explained(job: Job, question: FabricQuestion | None) -> Explanation:
    """The job laid over the model, remembered."""
    return explain(job, question)


def parts(told: Explanation, steps: Mapping[str, Answer]) -> pd.DataFrame:
    """Every part of a step as a row, in milliseconds."""
    answers: Sequence[Answer] = tuple(steps.values())
    return pd.DataFrame(
        {"part": part.name, "traced (ms)": _cell(part.measured_s)}
        | {f"{name} (ms)": _cell(time_s) for name, time_s in zip(steps, part.calculated_s, strict=True)}
        for part in beside(told, answers)
    )


def both_sent(rows: Sequence[SentBeside], names_of: Sequence[str]) -> pd.DataFrame:
    """Calls and bytes of a step of one GPU, traced and calculated, a row each; columns that hold any."""
    table = pd.DataFrame(
        {"parallelism": row.parallelism, "call": names.operation(row.operation)}
        | {
            f"{name} {what}": cell
            for name, entry in zip(("traced", *names_of), (row.traced, *row.calculated), strict=True)
            for what, cell in _sent_cells(entry)
        }
        for row in rows
    )
    return table.dropna(axis="columns", how="all")


def _sent_cells(entry: Sent | None) -> tuple[tuple[str, float | None], ...]:
    calls, size = (None, None) if entry is None else (entry.calls, entry.bytes)
    return (
        ("calls", None if calls is None else tables.cell(calls)),
        ("(MB)", None if size is None else tables.cell(size, MB)),
    )


def sent(told: Explanation) -> pd.DataFrame:
    """What a step of one rank sends, a kind of call a row."""
    return pd.DataFrame(
        {
            "parallelism": part.kind.parallelism,
            "call": names.operation(part.kind.operation),
            "ranks": part.kind.ranks,
            "size": format_size(part.kind.size_bytes) if part.kind.size_bytes >= 0 else "–",
            "calls per step": tables.cell(part.calls),
            "per step (MB)": None if part.bytes is None else tables.cell(part.bytes, MB),
            "exposed per step (ms)": _cell(part.exposed_s),
        }
        for part in traffic(told)
    )


def _sentence(told: Explanation, calculated: Answer) -> str:
    step, _, exposed, *_ = beside(told, (calculated,))
    measured_s, calculated_s = step.measured_s or 0.0, calculated.step_s
    ratio = measured_s / calculated_s
    return (
        f"Traced: {format_time(measured_s)}, of it {format_share(told.exposed_share or 0.0)} exposed communication. "
        f"Calculated: {format_time(calculated_s)}, {format_share((exposed.calculated_s[0] or 0.0) / calculated_s)} "
        f"exposed. The traced step takes {ratio:.3g} times the calculated one."
    )


def _cell(value_s: float | None) -> float | None:
    # NaN is what the trace does not tell
    return None if value_s is None or value_s != value_s else tables.cell(value_s, MS)  # noqa: PLR0124
