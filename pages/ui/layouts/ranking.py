"""The ranked layouts as a table, and all of them on the Pareto front of two quantities."""

from dataclasses import dataclass, replace
from math import floor, log10

import pandas as pd
import streamlit as st

from core.calculators.layouts import RankedLayout, Ranking, ServingRanking, mfus
from core.calculators.training.calculate import binding
from core.units import GB, MS, THREE_DIGITS, significant
from pages.ui.layouts import specs
from pages.ui.layouts.result import Result, TrainingResult
from pages.ui.shared import charts, tables
from pages.ui.tensor_parallel.terms import label

SHOWN = 15
TABLE = 430
"""Pixels: eleven rows; the others scroll."""
KINDS = ("tp", "cp", "ep", "pp", "dp")
FORMATS = {
    "VPP": "%d",
    "micro-batch": "%d",
    "MFU (%)": "%.1f",
    "memory (GB)": "%.0f",
    "exposed (%)": "%.1f",
    "bubble (%)": "%.1f",
    "requests": "localized",
    "tokens/s/GPU": "localized",
    "free (GB)": "%.0f",
}
"""Number formats by column."""


@dataclass(frozen=True, slots=True)
class Point:
    """A layout on two axes."""

    layout: str
    x: float
    y: float
    pareto: bool
    best: bool


def pareto(result: Result) -> None:
    """Every layout as a point, the Pareto front as a line, the best layout circled."""
    if isinstance(result, TrainingResult):
        points = _training_points(result.ranking)
        spec, description = specs.training_pareto(), "Pareto front of all layouts: step time against memory"
    else:
        points = _serving_points(result.ranking)
        spec, description = (
            specs.serving_pareto(),
            "Pareto front of all layouts: TPOT against tokens/s per GPU",
        )
    frame = pd.DataFrame(
        {
            "layout": point.layout,
            "x": point.x,
            "y": point.y,
            "pareto": point.pareto,
            "best": point.best,
            "set": specs.PARETO if point.pareto else specs.DOMINATED,
        }
        for point in points
    )
    front = frame[frame["pareto"]].sort_values("x")
    best = frame[frame["best"]]
    names = ", ".join(best["layout"])
    finding = f"{description}: {len(front)} of {len(frame):,} on the front, best {names}"
    charts.draw(spec, finding, rows=frame, front=front, best=best)
    if len(front) > 1:
        st.caption(
            f"Circled: the best layout. {len(front)} of {len(frame):,} layouts are on the Pareto front."
        )
    else:
        st.caption("Circled: the best layout. It is best in both quantities.")


def _training_points(ranking: Ranking) -> list[Point]:
    front = {id(layout) for layout in ranking.front}
    return [
        Point(layout.name(), layout.step_s, layout.memory_bytes, id(layout) in front, place == 0)
        for place, layout in enumerate(ranking.layouts)
    ]


def _serving_points(ranking: ServingRanking) -> list[Point]:
    front = {id(layout) for layout in ranking.pareto}
    return [
        Point(
            layout.name(),
            layout.token_s,
            layout.tokens_per_s_per_gpu,
            id(layout) in front,
            layout is ranking.best,
        )
        for layout in ranking.layouts
    ]


def table(result: Result) -> None:
    """The best layouts, best first."""
    if isinstance(result, TrainingResult):
        frame, families = (
            _training_table(result.ranking),
            "The fastest layout of each combination of TP, PP and EP. ",
        )
    else:
        frame, families = _serving_table(result.ranking), "TP4 x 2: two replicas of TP4. "
    columns: dict[str, object] = {
        name: st.column_config.NumberColumn(format=FORMATS[name]) for name in frame.columns if name in FORMATS
    }
    for name in {"step (s)", "TPOT (ms)"} & {*frame.columns}:
        columns[name] = st.column_config.NumberColumn(format=f"%.{_decimals(frame[name].max())}f")
    if "recompute" in frame:
        columns["recompute"] = st.column_config.TextColumn(help="Activation recomputation.")
    columns["exposed (%)"] = st.column_config.NumberColumn(
        format=FORMATS["exposed (%)"], help="Exposed communication, share of the step."
    )
    tables.show(frame, "Layouts, best first", columns, height=TABLE)
    st.caption(f"{families}◆: on the Pareto front.")


def _training_table(ranking: Ranking) -> pd.DataFrame:
    front = {id(layout) for layout in ranking.front}
    shown = ranking.ranked[:SHOWN]
    return pd.DataFrame(
        {
            "layout": _marked(degrees(layout), id(layout) in front),
            "VPP": layout.scenario.layout.vpp,
            "micro-batch": layout.scenario.micro_batch,
            "recompute": layout.scenario.recompute,
            "step (s)": layout.step_s,
            "MFU (%)": 100 * mfu.usual,
            "MFU interval (%)": f"{100 * mfu.low:.0f} to {100 * mfu.high:.0f}",
            "memory (GB)": layout.memory_bytes / GB,
            "memory": "tight" if layout.tight else "",
            "exposed (%)": 100 * layout.parts.exposed.total_s / layout.step_s,
            "bubble (%)": 100 * layout.parts.bubble_s / layout.step_s,
            "bottleneck": bottleneck(binding(layout.parts)),
        }
        for layout, mfu in zip(shown, mfus(shown), strict=True)
    )


def bottleneck(binding: str) -> str:
    """A binding term of core as the page names it."""
    return f"{binding.upper()} communication" if binding in KINDS else label(binding)


def degrees(layout: RankedLayout) -> str:
    """The degrees without virtual pipeline stages, which have a column of their own."""
    text = replace(layout.scenario.layout, vpp=1).text()
    return f"{text} FSDP" if layout.sharded else text


def _serving_table(ranking: ServingRanking) -> pd.DataFrame:
    front = {id(layout) for layout in ranking.pareto}
    return pd.DataFrame(
        {
            "layout": _marked(layout.name(), id(layout) in front),
            "requests": layout.sequences,
            "TPOT (ms)": layout.token_s / MS,
            "tokens/s/GPU": _three_digits(layout.tokens_per_s_per_gpu),
            "exposed (%)": 100 * layout.share,
            "free (GB)": layout.free_bytes_per_gpu / GB,
            "bottleneck": bottleneck(layout.binding),
        }
        for layout in ranking.layouts[:SHOWN]
    )


def _marked(name: str, pareto: bool) -> str:
    return f"{name} ◆" if pareto else name


def _decimals(largest: float) -> int:
    """Digits behind the point that give the largest number of a column three in all."""
    return max(0, 2 - floor(log10(largest))) if largest > 0 else 0


def _three_digits(value: float) -> float:
    """As ``format_number`` writes it, but a number that sorts."""
    return round(value) if value >= THREE_DIGITS else significant(value)
