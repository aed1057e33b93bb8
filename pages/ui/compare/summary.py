"""The page Compare runs in words and tables: faster, slower or the same, and by how much."""

import re

import numpy as np
import pandas as pd
import streamlit as st

from core.measurement import Run
from core.measurement.comparison import Change, Comparison, compare_runs
from core.units import US, format_share, format_size
from pages.ui.shared import answer, empty_state, names, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain
from pages.ui.shared.pick import Picked

FIRST, SECOND = "the first run", "the second run"
NUMBERED = re.compile(r"(.*)(run \d+)")


def usable(run: Run) -> bool:
    """Whether a run contains times by message size."""
    return any(sample.size_bytes > 0 and sample.time_s > 0 for sample in run.samples)


def empty() -> None:
    """What the page needs."""
    empty_state.logs(
        "Choose or upload two runs of the same collective on the same number of GPUs: before a change and after "
        "it. A log is made so:"
    )


def ask(first: Picked, second: Picked) -> Comparison:
    """The comparison; InputError where the two measured different operations."""
    return compare_runs(first.run, second.run)


def headline(first: str, second: str, comparison: Comparison) -> None:
    """How much faster the second run is, and how many samples differ beyond noise."""
    first, second = apart(first, second)
    slower, faster = comparison.count(Change.SLOWER), comparison.count(Change.FASTER)
    total = len(comparison.changes)
    speedup = comparison.speedup
    if slower or faster:
        counts = f"Of {total} samples {faster} faster, {slower} slower, {total - slower - faster} the same"
        text, reason = speedup.sentence(first, second), f"{speedup.scope} {counts}, beyond noise."
    else:
        text = f"{second} is the same as {first}: none of {total} samples differs beyond noise"
        reason = speedup.scope
    answer.headline(Headline(text, reason), origin="measured")


def apart(first: str, second: str) -> tuple[str, str]:
    """Two names in a sentence that begins with the second: their numbers, or places, where nothing else tells them apart."""
    if first == second:
        return FIRST, SECOND.capitalize()
    former, latter = NUMBERED.fullmatch(first), NUMBERED.fullmatch(second)
    if former is None or latter is None or former[1] != latter[1]:
        return first, second
    return former[2], latter[2].capitalize()


def figures(comparison: Comparison) -> list[Figure]:
    """Message sizes by change, and the noise."""
    noise = float(np.median([change.noise for change in comparison.changes]))
    return [
        *(Figure(str(change), str(comparison.count(change))) for change in Change),
        Figure(
            "Noise of the ratio",
            format_share(noise),
            "Standard deviation that the runs' own repeatability explains.",
        ),
    ]


def differences(first: str, second: str, comparison: Comparison) -> None:
    """What of systems and settings differs, and what was not compared."""
    for line in comparison.left_out:
        st.caption(f":material/info: Not compared: {plain(line)}.")
    if comparison.settings:
        st.markdown("**Different systems or settings**")
        first, second = (FIRST, SECOND) if first == second else (first, second)
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
            "operation": names.operation(change.operation),
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
