"""The sweep over degree, batch, context length and system: its inputs and its grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from core.calculators.tensor_parallel import Grid, Scenario, sweep, valid_degrees
from core.catalog import SYSTEMS, visible
from core.checks import InputError
from core.hardware import System
from core.systems import configure
from core.units import MS, whole_percent
from pages.ui.shared import bound, names
from pages.ui.shared.messages import plain
from pages.ui.tensor_parallel import small_multiples
from pages.ui.tensor_parallel.terms import label

GENERATIONS = ("dgx-a100", "dgx-h100", "dgx-b200", "gb200-nvl72")
DECODE, PREFILL = (1, 4, 16, 64, 256, 1024, 4096), (128, 512, 2048, 8192, 32768)
CONTEXTS = ("1024", "4096", "16384", "32768", "65536", "131072", "1048576")
SHARE, STEP, THROUGHPUT = "share", "step", "tokens/s per GPU"
MOST_SYSTEMS, MOST_TP, MOST_NOTES = 5, 64, 4
GOALS = {SHARE: "the shortest step", STEP: "the shortest step", THROUGHPUT: "the most tokens/s per GPU"}
UNITS = {
    SHARE: "exposed communication in % of the step",
    STEP: "step time in ms",
    THROUGHPUT: "tokens/s per GPU",
}
TOO_FEW = "tp: at most"


@dataclass(frozen=True, slots=True)
class SweepQuery:
    """Systems beside the page's own, context lengths in tokens, and the quantity of a cell."""

    systems: tuple[str, ...]
    contexts: tuple[int, ...]
    quantity: str


@dataclass(frozen=True, slots=True)
class Panels:
    """Systems of the sweep, those left out with the reason, and the batches of the x axis."""

    systems: tuple[System, ...]
    left_out: tuple[str, ...]
    tokens: tuple[int, ...]


def query(scenario: Scenario) -> SweepQuery:
    """The widgets of the sweep."""
    catalog_systems = visible(SYSTEMS, bool(st.session_state.get("unverified")))
    left, middle, right = st.columns([5, 4, 4])
    with left:
        systems = bound.several(
            "Systems to compare",
            "sweep_systems",
            names.by_generation(catalog_systems),
            GENERATIONS,
            names=names.catalog(),
            help="Beside the page's own. NVLink generations 3, 4 and 5 by default.",
        )
    with middle:
        contexts = bound.several(
            "Context lengths (tokens)", "sweep_contexts", CONTEXTS, ["4096", "32768", "131072"]
        )
    with right:
        quantity = bound.switch(
            "Cell value",
            "sweep_shown",
            UNITS,
            help="share: exposed communication, % of the step. step: step time, ms.",
        )
    lengths = tuple(int(context) for context in contexts) or (scenario.cached,)
    others = [system for system in systems if system != scenario.system.id]
    return SweepQuery(tuple(others[: MOST_SYSTEMS - 1]), lengths, quantity)


def draw(scenario: Scenario, query: SweepQuery) -> None:
    """The grid with its legend in words."""
    panels = _panels(scenario, query.systems)
    grid = _swept(scenario, panels.systems, panels.tokens, query.contexts)
    titles = [system.name for system in panels.systems]
    frame = _frame(grid, titles, query.quantity)
    if frame.empty:
        st.info("No degree of these systems has an answer.")
        return
    degrees = [tp for tp in grid.tp if tp in set(frame["tp"])]
    small_multiples.draw(
        frame,
        _titles(titles, panels.tokens, query.contexts),
        columns=_columns(len(titles), panels.tokens),
        lines=_lines(len(query.contexts), degrees),
        x_title="Batched tokens per step"
        + (" (batch size)" if scenario.phase == "decode" else " (prompt tokens)"),
        description=f"{_bottlenecks(frame)} Cells: TP degree by batched tokens, a panel for every system and context.",
    )
    _caption(frame, query.quantity, panels, grid)


def _panels(scenario: Scenario, ids: tuple[str, ...]) -> Panels:
    """This system first, then the others with as many domains."""
    systems, left_out = [scenario.system], []
    for key in ids:
        try:
            system = configure(SYSTEMS[key], domains=scenario.system.domains)
        except InputError as problem:
            left_out.append(str(problem))
            continue
        if system.id != scenario.system.id:
            systems.append(system)
    tokens = DECODE if scenario.phase == "decode" else PREFILL
    return Panels(tuple(systems), tuple(left_out), tokens)


@lru_cache(maxsize=32)
def _swept(
    scenario: Scenario, systems: tuple[System, ...], tokens: tuple[int, ...], contexts: tuple[int, ...]
) -> Grid:
    most = min(MOST_TP, max(system.gpus for system in systems))
    heads = scenario.model.heads or most
    degrees = [tp for tp in valid_degrees(heads, most) if tp & (tp - 1) == 0 or tp == scenario.tp]
    return sweep(scenario, systems, degrees, tokens, contexts)


def _frame(grid: Grid, titles: Sequence[str], quantity: str) -> pd.DataFrame:
    """Every cell that has an answer."""
    system, degree, batch, length = np.indices(grid.step_s.shape).reshape(4, -1)
    frame = pd.DataFrame(
        {
            "column": [_column(panel, grid.tokens[n]) for panel, n in zip(system, batch, strict=True)],
            "row": [_line(panel, grid.tp[n]) for panel, n in zip(length, degree, strict=True)],
            "system": [titles[n] for n in system],
            "tp": [grid.tp[n] for n in degree],
            "tokens": [grid.tokens[n] for n in batch],
            "context": [grid.context[n] for n in length],
            "binding": [label(str(term)) for term in grid.binding.ravel()],
            "share": grid.share.ravel(),
            "step_s": grid.step_s.ravel(),
            "per_gpu": grid.tokens_per_s_per_gpu.ravel(),
            "fits": np.where(grid.fits.ravel() > 0, "fits", "does not fit"),
        }
    ).dropna(subset=["step_s"])
    frame["degree"] = "TP" + frame["tp"].astype(str)
    frame["best"] = _best(frame, quantity)
    frame["label"] = _labels(frame, quantity)
    return frame


def _best(frame: pd.DataFrame, quantity: str) -> NDArray[Any]:
    """The best degree of every batch of a panel, among those that fit: yes or no."""
    able = frame[frame["fits"] == "fits"]
    value = able["per_gpu"] if quantity == THROUGHPUT else -able["step_s"]
    keys = [able["system"], able["tokens"], able["context"]]
    if able.empty:
        return np.full(len(frame), "no")
    return np.where(frame.index.isin(value.groupby(keys).idxmax()), "yes", "no")


def _labels(frame: pd.DataFrame, quantity: str) -> list[str]:
    if quantity == SHARE:
        return [f"{100 * share:.0f}" for share in frame["share"]]
    if quantity == THROUGHPUT:
        return [_count(value) for value in frame["per_gpu"]]
    return [_digits(step_s / MS) for step_s in frame["step_s"]]


def _count(value: float) -> str:
    for scale, suffix in ((1e6, "M"), (1e3, "k"), (1.0, "")):
        if value >= scale:
            return f"{_digits(value / scale)}{suffix}"
    return f"{value:.1g}"


def _digits(value: float) -> str:
    if value < 0.0995:
        return f"{value:.2g}"
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def _columns(panels: int, tokens: tuple[int, ...]) -> tuple[str, ...]:
    keys = [key for n in range(panels) for key in (*(_column(n, count) for count in tokens), f"gap{n}")]
    return tuple(keys[:-1])


def _lines(panels: int, degrees: list[int]) -> tuple[str, ...]:
    return ("names", *(key for n in range(panels) for key in (f"head{n}", *(_line(n, tp) for tp in degrees))))


def _column(panel: int, tokens: int) -> str:
    return f"{panel}|{tokens // 1024}k" if tokens >= 1024 else f"{panel}|{tokens}"


def _line(panel: int, tp: int) -> str:
    return f"{panel}|TP{tp}"


def _titles(titles: Sequence[str], tokens: tuple[int, ...], contexts: tuple[int, ...]) -> pd.DataFrame:
    rows = [(_column(n, tokens[0]), "names", name) for n, name in enumerate(titles)]
    first = _column(0, tokens[0])
    rows += [(first, f"head{n}", f"context length {length:,}") for n, length in enumerate(contexts)]
    return pd.DataFrame(rows, columns=["column", "row", "text"])


def _bottlenecks(frame: pd.DataFrame) -> str:
    """How often each term is the bottleneck."""
    counts = frame["binding"].value_counts()
    shares = ", ".join(f"{term} {whole_percent(count / len(frame))}" for term, count in counts.items())
    return f"Of {len(frame):,} cells the bottleneck is {shares}."


def _caption(frame: pd.DataFrame, quantity: str, panels: Panels, grid: Grid) -> None:
    st.caption(
        f"Number: {UNITS[quantity]}. Colour: bottleneck. Framed: the degree with {GOALS[quantity]} that fits. "
        f"Pale: weights and KV cache do not fit. {_bottlenecks(frame)}"
    )
    reasons = dict.fromkeys(grid.reasons.values())
    notes = [*panels.left_out, *(text for text in reasons if not text.startswith(TOO_FEW))]
    if len(notes) < len(panels.left_out) + len(reasons):
        notes.append(
            "cells without a value: the system has fewer GPUs than the degree; more domains add some"
        )
    for note in notes[:MOST_NOTES]:
        st.caption(f":material/info: {plain(note)}.")
