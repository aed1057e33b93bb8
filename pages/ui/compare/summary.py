"""The page Compare runs in words and tables: faster, slower or the same, and by how much."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measurement import Run
from core.measurement.comparison import Change, Comparison, compare_runs
from core.units import US, format_size
from pages.ui.shared import answer, states, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain
from pages.ui.shared.pick import Picked

EQUAL = 0.02
"""Medians this close are called equal."""


def usable(run: Run) -> bool:
    """Whether a run contains times by message size."""
    return any(sample.size_bytes > 0 and sample.time_s > 0 for sample in run.samples)


def empty() -> None:
    """What the page needs."""
    states.empty(
        "Two runs are compared.",
        "Choose or upload two runs of the same collective on the same number of GPUs.",
    )


def ask(first: Picked, second: Picked) -> Comparison:
    """The comparison; InputError where the two measured different operations."""
    return compare_runs(first.run, second.run)


def headline(first: str, second: str, comparison: Comparison) -> None:
    """Faster, slower or the same, where, and by how much."""
    slower, faster = comparison.count(Change.SLOWER), comparison.count(Change.FASTER)
    total = len(comparison.changes)
    if slower or faster:
        same = total - slower - faster
        text = (
            f"{second} against {first}: of {total} samples {slower} slower, {faster} faster, {same} the same."
        )
    else:
        text = f"{second} is the same as {first}: none of {total} samples differs beyond noise."
    ranges = (_range("32 MiB and more", comparison.large), _range("Up to 64 KiB", comparison.small))
    answer.headline(Headline(text, " ".join(filter(None, ranges))), origin="measured")


def _range(sizes: str, ratio: float | None) -> str:
    """The median over a range of sizes in words; empty where nothing is in it."""
    if ratio is None:
        return ""
    if abs(ratio - 1) < EQUAL:
        return f"{sizes}: equal at the median."
    difference = f"{ratio:.2f} times the time" if ratio > 1 else f"{1 / ratio:.2f} times as fast"
    return f"{sizes}: {difference} at the median."


def figures(comparison: Comparison) -> list[Figure]:
    """Message sizes by change, and the noise."""
    noise = float(np.median([change.noise for change in comparison.changes]))
    return [
        Figure("Samples compared", str(len(comparison.changes))),
        *(Figure(str(change), str(comparison.count(change))) for change in Change),
        Figure(
            "Noise of the ratio",
            f"{100 * noise:.1f} %",
            "Standard deviation that the runs' own repeatability explains.",
        ),
    ]


def differences(first: str, second: str, comparison: Comparison) -> None:
    """What of systems and settings differs, and what was not compared."""
    for line in comparison.left_out:
        st.caption(f":material/info: Not compared: {plain(line)}.")
    if comparison.settings:
        st.markdown("**Different systems or settings**")
        frame = pd.DataFrame(
            [(change.setting, change.first, change.second) for change in comparison.settings],
            columns=["setting", first, second],
        )
        tables.show(frame, "What differs between the two runs")


def numbers(comparison: Comparison) -> None:
    """Every message size."""
    frame = pd.DataFrame(
        {
            "size": format_size(change.size_bytes),
            "operation": change.operation,
            "placement": change.placement,
            "first (µs)": tables.cell(change.first_s, US),
            "second (µs)": tables.cell(change.second_s, US),
            "second / first": tables.cell(change.ratio),
            "noise (%)": tables.cell(100 * change.noise),
            "verdict": str(change.change),
        }
        for change in comparison.changes
    )
    with st.expander("Numbers", icon=":material/table:"):
        tables.show(frame, "Every message size of the two runs")
