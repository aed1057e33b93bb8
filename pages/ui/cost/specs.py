"""Chart specs of the page Cost of communication."""

from functools import lru_cache
from typing import Any

import altair as alt

from pages.ui.shared import charts, palette

_DOLLARS = "(datum.value < 0 ? '−$' : '$') + format(abs(datum.value), '~s')"


@lru_cache(maxsize=16)
def fabrics(count: int) -> charts.Spec:
    """Dollars per month saved or lost by each fabric."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
            x=_usd("saved", "Savings per month ($)", alt.X),
            color=alt.Color(
                "sign:N",
                title=None,
                scale=alt.Scale(domain=["saves", "costs"], range=[palette.GREEN, palette.RED]),
                legend=charts.legend(narrow=2),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="Fabric"),
                alt.Tooltip("saved:Q", title="Savings per month ($)", format=",.0f"),
                alt.Tooltip("worth:Q", title="Worth per GPU ($)", format=",.0f"),
                charts.tip("step_s", "Step time", "s"),
            ],
        )
    )
    return charts.spec(bars, height=90 + 34 * count)


@lru_cache(maxsize=1)
def savings() -> charts.Spec:
    """Savings over the network rate, and the current rate."""
    x = charts.log_axis("rate", "Network rate per GPU, unidirectional", "B/s")
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=45), size=2)
        .encode(
            x=x,
            y=_usd("saved", "Savings per month ($)", alt.Y),
            tooltip=[
                charts.tip("rate", "Rate", "B/s"),
                alt.Tooltip("saved:Q", title="Savings per month ($)", format=",.0f"),
                charts.tip("step_s", "Step time", "s"),
            ],
        )
    )
    return charts.spec(alt.layer(line, charts.at(x)), height=290)


@lru_cache(maxsize=1)
def bill() -> charts.Spec:
    """The month's bill by what the GPUs do."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("part:N", title=None, sort=None),
            x=_usd("usd", "GPU bill per month ($)", alt.X),
            color=alt.condition(
                "datum.part == 'compute'", alt.value(palette.COMPUTE), alt.value(palette.EXPOSED)
            ),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("usd:Q", title="Per month ($)", format=",.0f"),
                charts.tip("share", "Share of the bill", "%"),
                charts.tip("time_s", "Time per step", "s"),
            ],
        )
    )
    return charts.spec(bars, height=290)


def _usd(field: str, title: str, axis: charts.Channel) -> Any:
    style = alt.Axis(tickCount=5, labelExpr=_DOLLARS, gridOpacity=0.35)
    return axis(f"{field}:Q", title=title, axis=style, scale=alt.Scale(zero=True, nice=True))
