"""Sensitivity of the best layout, and the best layout on other cluster sizes."""

from functools import lru_cache, partial

import pandas as pd
import streamlit as st

from core.calculators.layouts import (
    BestLayout,
    RankedLayout,
    ServingLayout,
    Tornado,
    best_by_gpus,
    serving_tornado,
    tornado,
)
from core.calculators.training import Scenario
from core.checks import InputError
from pages.ui.layouts import specs
from pages.ui.layouts.inputs import LATENCY
from pages.ui.layouts.result import Result, ServingResult, TrainingResult
from pages.ui.shared import charts, findings, work
from pages.ui.shared.messages import plain

CLUSTERS = tuple(4.0**k for k in range(-2, 3))
COLUMNS = ["gpus", "layout", "degrees", "tokens"]


@lru_cache(maxsize=64)
def _training(scenario: Scenario) -> Tornado:
    return tornado(scenario)


@lru_cache(maxsize=64)
def _serving(result: ServingResult) -> Tornado:
    return serving_tornado(result.scenario, result.gpus, result.sequences, result.ranking)


def quantity(result: Result) -> str:
    """What the sensitivity is of."""
    if isinstance(result, TrainingResult):
        return "step time"
    return "TPOT" if result.goal == LATENCY else "GPU time per token"


def draw(result: Result) -> None:
    """Change of the quantity with each input halved and doubled."""
    changes = (
        _training(result.ranking.ranked[0].scenario)
        if isinstance(result, TrainingResult)
        else _serving(result)
    )
    rows, unfit = [], []
    for bar in changes.bars:
        for turn, step_s in (("halved", bar.divided_s), ("doubled", bar.multiplied_s)):
            if step_s is None:
                unfit.append(f"{bar.input} {turn}")
            else:
                rows.append((bar.input, turn, step_s / bar.base_s - 1, step_s))
    frame = pd.DataFrame(rows, columns=["input", "turn", "change", "step_s"])
    order = tuple(bar.input for bar in changes.bars)
    name = quantity(result)
    largest = max(rows, key=lambda row: abs(row[2]), default=None)
    finding = f"; largest: {largest[0]} {largest[1]}, {100 * largest[2]:+.3g} %" if largest else ""
    description = f"Change of {name} with each input halved and doubled{finding}"
    charts.draw(specs.sensitivity(order, name), description, rows=frame)
    effect = f"No effect (below 0.1 %): {', '.join(changes.dead)}." if changes.dead else ""
    missing = f" Without a bar, because nothing fits: {', '.join(unfit)}." if unfit else ""
    if effect or missing:
        st.caption(f"{effect}{missing}".strip())


def clusters(result: Result) -> None:
    """The best layout on a sixteenth to sixteen times the GPUs."""
    if isinstance(result, TrainingResult):
        _training_clusters(result)
    else:
        _serving_clusters(result)


def _best_by_gpus(scenario: Scenario, gpus: int) -> tuple[BestLayout, ...]:
    counts = sorted({max(1, round(gpus * factor)) for factor in CLUSTERS})
    tasks = [partial(best_by_gpus, scenario, [count]) for count in counts]
    found = work.collect("Best layouts by number of GPUs", (scenario, gpus), lambda: tasks)
    return tuple(best for bests in found.done for best in bests)


def _training_clusters(result: TrainingResult) -> None:
    sizes = _best_by_gpus(result.scenario, result.gpus)
    if not sizes:
        return
    rows = [
        (size.gpus, size.best.name(), _degrees(size.best), size.tokens_per_s_per_gpu)
        for size in sizes
        if size.best is not None
    ]
    if not rows:
        st.info(plain(sizes[-1].reason))
        return
    _draw_clusters(pd.DataFrame(rows, columns=COLUMNS))
    without = [size.gpus for size in sizes if size.best is None]
    st.caption(f"Same global batch size.{_unfit(without)}")


@lru_cache(maxsize=64)
def _serving_bests(result: ServingResult) -> dict[int, ServingLayout | None]:
    """The best layout by number of GPUs, with as many concurrent requests per GPU; None where nothing fits."""
    bests: dict[int, ServingLayout | None] = {}
    for factor in CLUSTERS:
        gpus = max(1, round(result.gpus * factor))
        try:
            bests[gpus] = result.ranked(gpus=factor, sequences=factor).best
        except InputError:
            bests[gpus] = None
    return bests


def _serving_clusters(result: ServingResult) -> None:
    bests = _serving_bests(result)
    rows = [
        (gpus, best.name(), best.name().partition(" x ")[0], best.tokens_per_s_per_gpu)
        for gpus, best in bests.items()
        if best is not None
    ]
    _draw_clusters(pd.DataFrame(rows, columns=COLUMNS))
    without = [gpus for gpus, best in bests.items() if best is None]
    st.caption(f"Same concurrent requests per GPU.{_unfit(without)}")


def _draw_clusters(frame: pd.DataFrame) -> None:
    rates = findings.listed((f"{gpus:,} GPUs" for gpus in frame["gpus"]), frame["tokens"], findings.count)
    text = f"Tokens/s per GPU of the best layout vs number of GPUs: {rates}"
    charts.draw(specs.clusters(), text, rows=frame)


def _unfit(gpus: list[int]) -> str:
    return f" No layout fits on {' or '.join(f'{count:,}' for count in gpus)} GPUs." if gpus else ""


def _degrees(layout: RankedLayout) -> str:
    degrees = layout.scenario.layout
    parts = {"TP": degrees.tp, "PP": degrees.pp, "EP": degrees.ep}
    return " ".join(f"{name}{degree}" for name, degree in parts.items() if degree > 1) or "DP only"
