"""Below the chart of the page Check: the other causes, every size and pair in tables, and the command for a pipeline."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.hardware import System
from core.units import GB, US, counted, format_size, whole_percent
from core.verdict import Cause, NextStep, PairVerdict, RunVerdict, SizeVerdict, Status
from core.verdict.headline import LIKELY_WEIGHT, short_cause
from core.verdict.posterior import UNKNOWN
from pages.ui.check.summary import Checked, parts
from pages.ui.shared import answer, log_names, record, sections, tables
from pages.ui.shared.messages import plain

NONE = "–"
FEW_ROWS, TABLE_HEIGHT = 8, 360
SIZES, PAIRS = "Every message size with its verdict and reason", "Pairs that are not as expected"
COLUMNS = {"reason": st.column_config.TextColumn("reason", width="medium")}


def likeliest(verdict: RunVerdict) -> None:
    """The likeliest cause with its weight, what the log says of it, and the command that would tell."""
    record.current().findings += [
        f"{whole_percent(cause.weight)}: {cause.reason.text}" for cause in verdict.causes
    ]
    if not verdict.causes:
        return
    first = verdict.causes[0]
    if first.reason.code == UNKNOWN.code:
        # The headline says so already: what remains is the command.
        st.subheader("What to run next")
    else:
        likely = first.weight >= LIKELY_WEIGHT
        st.subheader(f"{'Likely' if likely else 'Possible'} cause, and what to run next")
        _cause(first)
    if verdict.next_step is not None:
        _next_step(verdict.next_step)


def remarks(verdict: RunVerdict) -> None:
    """What was taken for granted because the log does not say it."""
    answer.warnings(replace(verdict, warnings=tuple(map(log_names.remark, verdict.warnings))))


def draw(checked: Checked) -> None:
    """The tabs; their tables are part of the page's document, open or not."""
    verdict = checked.verdict
    others = (
        [sections.Section("Other causes", lambda: _other_causes(verdict))] if _has_others(verdict) else []
    )
    tabs = [sections.Section("Message sizes", lambda: _sizes(checked))] if verdict.sizes else []
    if verdict.pairs:
        tabs.append(sections.Section("Pairs", lambda: _pairs(verdict)))
    if verdict.sizes:
        record.add_table(SIZES, _size_table(verdict, checked.busbw_factor), COLUMNS)
    if odd := _odd(verdict):
        record.add_table(PAIRS, _pair_table(odd))
    sections.tabs(*others, *tabs, sections.Section("CI pipeline", lambda: _gate(checked.system)))


def _cause(cause: Cause) -> None:
    said = f" In the log: {plain('; '.join(cause.lines))}." if cause.lines else ""
    st.markdown(f"**{whole_percent(cause.weight)}** {plain(cause.reason.text)}.{said}")


def _next_step(step: NextStep) -> None:
    """The command that separates the causes, and what it shows under each of them."""
    st.code(step.command, language="bash", wrap_lines=True)
    shown = [
        f"* {plain(short_cause(item.reason))}: {plain(_without_code(item.shows))}." for item in step.outcomes
    ]
    told = [f"{short_cause(item.reason)}: {_without_code(item.shows)}" for item in step.outcomes]
    record.current().findings += [f"Run next: {step.command}", f"It shows, if the cause is {'; '.join(told)}"]
    st.caption("\n".join(["It shows, if the cause is", "", *shown]))


def _own_test(cause: Cause) -> None:
    """The command that would confirm a cause which is not the likeliest."""
    st.code(cause.test.command, language="bash", wrap_lines=True)
    st.caption(f"Shows, if it is so: {plain(_without_code(cause.test.shows))}.")


def _without_code(text: str) -> str:
    """Words that the shell quotes as code, without the quotes."""
    return text.replace("`", "")


def _has_others(verdict: RunVerdict) -> bool:
    return len(verdict.causes) > 1 or bool(_other_reasons(verdict))


def _other_causes(verdict: RunVerdict) -> None:
    """The causes after the likeliest, and the reasons of single sizes or pairs."""
    for cause in verdict.causes[1:]:
        _cause(cause)
        _own_test(cause)
    if lines := _other_reasons(verdict):
        st.markdown("\n".join(["**Also seen**", "", *lines]))


def _other_reasons(verdict: RunVerdict) -> list[str]:
    """Every further reason once, with the sizes or pairs it is of."""
    by_code: dict[str, list[SizeVerdict | PairVerdict]] = {}
    for part in parts(verdict):
        if part.status is not Status.FINE and part.reason.code != verdict.reason.code:
            by_code.setdefault(part.reason.code, []).append(part)
    return [f"* {plain(_where(same))}: {plain(same[0].reason.text)}." for same in by_code.values()]


def _where(same: Sequence[SizeVerdict | PairVerdict]) -> str:
    """The sizes that share a reason, or how many pairs do."""
    sizes = sorted({part.size_bytes for part in same if isinstance(part, SizeVerdict)})
    if not sizes:
        return counted(len(same), "pair")
    low, high = format_size(sizes[0]), format_size(sizes[-1])
    return low if low == high else f"{low} to {high} ({counted(len(sizes), 'size')})"


def _sizes(checked: Checked) -> None:
    """The table of message sizes."""
    frame = _size_table(checked.verdict, checked.busbw_factor)
    tables.draw(frame, SIZES, COLUMNS, height=TABLE_HEIGHT)


def _size_table(verdict: RunVerdict, factor: float | None) -> pd.DataFrame:
    def busbw(size_bytes: float, time_s: float | None) -> float | None:
        return tables.cell(factor * size_bytes / time_s, GB) if factor and time_s else None

    return pd.DataFrame(
        {
            "size": format_size(size.size_bytes),
            "placement": size.placement or NONE,
            "time (µs)": tables.cell(size.time_s, US),
            "p10 (µs)": tables.cell(size.low_s, US),
            "p90 (µs)": tables.cell(size.high_s, US),
            "busbw (GB/s)": busbw(size.size_bytes, size.time_s),
            "expected (GB/s)": busbw(size.size_bytes, size.expected_s),
            "verdict": str(size.status),
            "reason": short_cause(size.reason) or size.reason.text,
        }
        for size in verdict.sizes
    )


def _odd(verdict: RunVerdict) -> list[PairVerdict]:
    return [pair for pair in verdict.pairs if pair.status is not Status.FINE]


def _pairs(verdict: RunVerdict) -> None:
    """The pairs that are not as expected."""
    odd = _odd(verdict)
    if not odd:
        st.markdown(f"All {len(verdict.pairs)} pairs are as expected.")
        return
    height = "auto" if len(odd) <= FEW_ROWS else TABLE_HEIGHT
    tables.draw(_pair_table(odd), PAIRS, height=height)


def _pair_table(pairs: Sequence[PairVerdict]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "table": pair.what,
            "from": pair.row,
            "to": pair.column or NONE,
            "measured (GB/s)": tables.cell(pair.measured_bytes_per_s, GB),
            "link rate (GB/s)": tables.cell(pair.expected_bytes_per_s, GB),
            "verdict": str(pair.status),
            "reason": short_cause(pair.reason) or pair.reason.text,
        }
        for pair in pairs
    )


def _gate(system: System) -> None:
    """The same check as a command for a pipeline."""
    option = "--system-file system.json" if system.yours else f"--system {system.id}"
    st.code(f"python -m gpu_probe check LOG {option}", language="bash")
    st.caption("Exit code 0: fine. 1: low, impossible or wrong. 2: unreadable.")
