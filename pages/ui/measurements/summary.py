"""The page Measurements in words: the verdict on every run, size by size and pair by pair."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from core.collectives.pricing import Scenario
from core.units import counted, format_rate, format_size, format_time
from core.verdict import PairVerdict, RunVerdict, Status, headline
from pages.ui.measurements.cluster import copies
from pages.ui.measurements.inputs import Inputs
from pages.ui.measurements.model import Modelled, best, datasheet
from pages.ui.shared import answer, basis, ceilings, names, tables
from pages.ui.shared.answer import Headline
from pages.ui.shared.measured import Shown
from pages.ui.shared.messages import plain


def verdict(shown: Shown, scenario: Scenario, result: RunVerdict, points: pd.DataFrame) -> tuple[str, ...]:
    """Draw the verdict on a run, its reason and its best rate; gives the verdict's warnings."""
    seats = f"{result.domains or 1} × {result.local_ranks or scenario.ranks} GPUs"
    counts = Counter(str(size.status) for size in result.sizes)
    stand = ", ".join(f"{number} {status}" for status, number in counts.most_common())
    answer.headline(
        Headline(
            f"{shown.name}: {headline(result)}",
            f"{_reason(result)}{_best(shown, scenario, points)} {scenario.ranks} ranks, {names.operation(scenario.collective)}, {seats}.",
        ),
        note=f"Of {counted(len(result.sizes), 'sample')}: {stand}." if stand else "",
        origin="measured",
    )
    _sizes(result)
    return result.warnings


def _reason(result: RunVerdict) -> str:
    """The reason as a sentence; empty where the headline is the reason."""
    text = result.reason.text
    return "" if text in headline(result) else f"{names.sentence(text)}. "


def _best(shown: Shown, scenario: Scenario, points: pd.DataFrame) -> str:
    """The highest bus bandwidth of a run as a share of the lowest ceiling."""
    top = best(shown, points)
    if top is None:
        return "No sample is left to draw."
    ceiling = ceilings.lowest(datasheet(scenario))
    share = f"{100 * top.bytes_per_s / ceiling.bytes_per_s:.0f} % of {format_rate(ceiling.bytes_per_s)}"
    rate, size = format_rate(top.bytes_per_s), format_size(top.size_bytes)
    return f"Highest bus bandwidth {rate} at {size}: {share} ({ceiling.name})."


def others(models: Sequence[Modelled], verdicts: Sequence[RunVerdict | None]) -> None:
    """The verdict on every further run whose system is known, a line each."""
    for model, result in zip(models[1:], verdicts[1:], strict=True):
        if result is not None:
            _line(model.shown.name, result)


def _line(name: str, result: RunVerdict) -> None:
    st.markdown(f"**{plain(name)}**: {plain(headline(result))}.")


def _sizes(result: RunVerdict) -> None:
    """Every size with its expected interval, its verdict and the likely cause."""
    frame = pd.DataFrame(
        {
            "size": format_size(size.size_bytes),
            "placement": size.placement or "",
            "time": format_time(size.time_s),
            "expected (p10-p90)": ""
            if size.low_s is None or size.high_s is None
            else f"{format_time(size.low_s)} to {format_time(size.high_s)}",
            "verdict": str(size.status),
            "reason": size.reason.text,
        }
        for size in result.sizes
    )
    with st.expander("Verdict by message size", icon=":material/rule:"):
        if result.basis:
            st.caption(basis.sentence(result.basis))
        tables.show(frame, "Verdict of every message size")


def matrices(shown: Iterable[Shown], inputs: Inputs, *, folded: bool = False) -> None:
    """
    The verdict on tables by pair, on the system of the question or the one that the log tells.

    Args:
        shown: Runs of the reader.
        inputs: What the page's fields say.
        folded: Of a cluster, whose report tells of all: those that are not fine alone.
    """
    for item in shown:
        if not item.run.matrices:
            continue
        result = copies(item, inputs)
        if result is None:
            st.info(f"{plain(item.name)} contains tables by pair: choose a system above for a verdict.")
            continue
        if folded and result.status is Status.FINE:
            continue
        _line(item.name, result)
        if result.pairs:
            tables.show(_pairs(result.pairs), "Verdict of every pair")


def _pairs(pairs: Sequence[PairVerdict]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "table": pair.what,
            "from": pair.row,
            "to": pair.column,
            "measured": format_rate(pair.measured_bytes_per_s) if pair.measured_bytes_per_s else "–",
            "expected": format_rate(pair.expected_bytes_per_s) if pair.expected_bytes_per_s else "–",
            "verdict": str(pair.status),
            "reason": pair.reason.text,
        }
        for pair in pairs
    )
