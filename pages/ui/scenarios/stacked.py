"""A quantity of every side by its terms, as stacked bars."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pandas as pd

from core.calculators.comparison import Quantity
from pages.ui.scenarios.scale import Scale
from pages.ui.scenarios.sides import Side
from pages.ui.scenarios.terms import label
from pages.ui.shared import charts

BAR, FRAME = 36, 130


def rows(quantities: dict[str, Quantity], scale: Scale) -> pd.DataFrame:
    """A row for every term of every side that is not nothing."""
    return pd.DataFrame(
        [
            (letter, label(part.name), part.value / scale.size, scale.text(part.value / scale.size), order)
            for letter, quantity in quantities.items()
            for order, part in enumerate(quantity.parts)
            if part.value
        ],
        columns=["side", "term", "value", "label", "order"],
    )


def draw(sides: Sequence[Side], name: str, scale: Scale) -> None:
    """Draw it, with the totals for screen readers."""
    quantities = {
        side.letter: quantity for side in sides if (quantity := side.explained.quantity(name)) is not None
    }
    totals = ", ".join(f"{letter} {quantity.text}" for letter, quantity in quantities.items())
    frame = rows(quantities, scale)
    spec = _spec(f"{name} ({scale.unit})", tuple(dict.fromkeys(frame["term"])), len(quantities))
    charts.draw(spec, f"{name} by term: {totals}", rows=frame)


@lru_cache(maxsize=64)
def _spec(title: str, terms: tuple[str, ...], bars: int) -> charts.Spec:
    chart = (
        alt.Chart(charts.rows())
        .mark_bar(size=BAR - 18)
        .encode(
            y=alt.Y("side:N", title=None),
            x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=6, gridOpacity=0.35)),
            color=alt.Color(
                "term:N", title=None, sort=list(terms), legend=charts.legend(columns=4, narrow=2)
            ),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("side:N", title="Side"),
                alt.Tooltip("term:N", title="Term"),
                alt.Tooltip("label:N", title="Amount"),
            ],
        )
    )
    return charts.spec(chart, height=BAR * bars + FRAME)
