"""Crossover maps: the best layout while two inputs change."""

from collections.abc import Sequence
from functools import partial
from itertools import product

import pandas as pd
import streamlit as st

from core.calculators.layouts import INPUTS, Input, MapCell, crossover_map
from core.calculators.layouts.crossover_map import COMPARED
from core.calculators.training import Scenario
from core.checks import InputError
from core.units import format_number, format_rate, format_time
from pages.ui.layouts import specs
from pages.ui.layouts.result import Result, ServingResult, TrainingResult
from pages.ui.shared import bound, charts, findings, work

FACTORS = tuple(2.0**k for k in range(-3, 4))
SERVING_FACTORS = tuple(2.0**k for k in range(-3, 4))
AXES = dict(
    zip(
        (
            "network rate per GPU",
            "scale-up rate per GPU",
            "global batch",
            "network latency",
            "scale-up latency",
        ),
        range(len(INPUTS)),
        strict=True,
    )
)
"""Places of the inputs by their names in the URL, which stay."""
NOTHING_FITS = "nothing fits"


def axes(result: Result) -> tuple[str, str] | None:
    """The widgets of the two inputs that change; a serving map has none."""
    if not isinstance(result, TrainingResult):
        return None
    scenario = result.ranking.ranked[0].scenario
    able = [name for name, place in AXES.items() if INPUTS[place].value(scenario) > 0]
    left, right = st.columns(2)
    with left:
        across = bound.choice("Horizontal axis", "flip_across", able, able[0])
    with right:
        up = bound.choice("Vertical axis", "flip_up", able, able[1])
    return across, up


def draw(result: Result, axes: tuple[str, str] | None) -> None:
    """The map of the goal."""
    if isinstance(result, TrainingResult) and axes is not None:
        _training_map(result, *axes)
    elif isinstance(result, ServingResult):
        _serving_map(result)


def _label(changed: Input, scenario: Scenario, factor: float) -> str:
    value = changed.value(scenario) * factor
    if changed.unit == "B/s":
        return format_rate(float(f"{value:.3g}"))
    return f"{value:,.0f}" if changed.unit == "sequences" else f"{factor:.3g}×"


def _cells(result: TrainingResult, across: int, up: int) -> list[MapCell]:
    """Row by row."""
    rows = work.collect(
        "Crossover map",
        (result.scenario, result.gpus, across, up),
        lambda: [
            partial(crossover_map, result.ranking.ranked, INPUTS[across], INPUTS[up], FACTORS, [row])
            for row in FACTORS
        ],
    )
    return [cell for row in rows.done for cell in row]


def _training_map(result: TrainingResult, x: str, y: str) -> None:
    """Two inputs changed at once over the best few layouts."""
    ranking = result.ranking
    scenario = ranking.ranked[0].scenario
    if x == y:
        st.info("Choose two different inputs.")
        return
    across, up = INPUTS[AXES[x]], INPUTS[AXES[y]]
    columns = tuple(_label(across, scenario, factor) for factor in FACTORS)
    rows = tuple(_label(up, scenario, factor) for factor in FACTORS)
    names = [layout.name() for layout in ranking.ranked[:COMPARED]]
    frame = pd.DataFrame(
        {
            "across": columns[FACTORS.index(cell.across)],
            "up": rows[FACTORS.index(cell.up)],
            "winner": names[cell.winner],
            "value": format_time(cell.step_s),
            "margin": cell.margin,
        }
        for cell in _cells(result, AXES[x], AXES[y])
    )
    _draw(frame, specs.MapAxes(across.name, up.name, columns, rows), names)
    compared = min(COMPARED, len(ranking.ranked))
    st.caption(
        f"Fastest of the {compared} best layouts. Ring: the current inputs. Each axis spans a factor of 8 either way."
    )


def _draw(frame: pd.DataFrame, axes: specs.MapAxes, names: Sequence[str]) -> None:
    distinct = axes.distinct()
    frame = frame.drop_duplicates(["across", "up"])
    present = set(frame["winner"])
    winners = tuple(dict.fromkeys(name for name in names if name in present))
    here = pd.DataFrame(
        {
            "across": [distinct.columns[len(distinct.columns) // 2]],
            "up": [distinct.rows[len(distinct.rows) // 2]],
        }
    )
    cells = frame["winner"].value_counts()
    shares = ", ".join(
        f"{name} in {count} of {len(frame)} cells" for name, count in cells.head(findings.MOST).items()
    )
    description = f"Best layout by {axes.across} and {axes.up}: {shares}"
    charts.draw(specs.crossover_map(distinct, winners), description, rows=frame, here=here)


def _loads(result: ServingResult) -> pd.DataFrame:
    """The best layout for every multiple of concurrent requests and context length."""
    cells = work.collect(
        "Crossover map",
        (result.scenario, result.gpus, result.sequences, result.goal),
        lambda: [
            partial(_load, result, across, up) for up, across in product(SERVING_FACTORS, SERVING_FACTORS)
        ],
    )
    return pd.DataFrame(cells.done, columns=["across", "up", "winner", "value", "margin"])


def _load(result: ServingResult, across: float, up: float) -> tuple[str, str, str, str, float]:
    requests = f"{max(1, round(result.sequences * across)):,}"
    context = f"{max(1, round(result.scenario.cached * up)):,}"
    try:
        best = result.ranked(sequences=across, context=up).best
    except InputError:
        return requests, context, NOTHING_FITS, "–", 0.0
    value = f"TPOT {format_time(best.token_s)}, {format_number(best.tokens_per_s_per_gpu)} tokens/s per GPU"
    return requests, context, best.name(), value, 0.0


def _serving_map(result: ServingResult) -> None:
    """The best layout by concurrent requests and context length."""
    frame = _loads(result)
    columns, rows = tuple(frame["across"].unique()), tuple(frame["up"].unique())
    axes = specs.MapAxes("Concurrent requests", "Context length (tokens)", columns, rows)
    _draw(frame, axes, list(frame["winner"].unique()))
    st.caption("Each cell is a ranking of its own. Ring: the current inputs.")
