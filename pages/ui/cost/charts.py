"""Chart specs of the money page."""

from functools import lru_cache

import altair as alt

from pages.ui.shared import charts

GREEN = "#2b8a3e"
_DOLLARS = "(datum.value < 0 ? '−$' : '$') + format(abs(datum.value), '~s')"


@lru_cache(maxsize=16)
def fabrics(count):
    """Dollars a month saved or lost by each fabric."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
            x=_usd("saved", "Saved a month ($)", alt.X),
            color=alt.Color(
                "sign:N",
                title=None,
                scale=alt.Scale(domain=["saves", "costs"], range=[GREEN, charts.RED]),
                legend=charts.legend(narrow=2),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="Fabric"),
                alt.Tooltip("saved:Q", title="Saved a month ($)", format=",.0f"),
                alt.Tooltip("worth:Q", title="Worth per GPU ($)", format=",.0f"),
                charts.tip("step_s", "Step", "s"),
            ],
        )
    )
    return charts.spec(bars, height=120 + 34 * count)


@lru_cache(maxsize=1)
def marginal():
    """Saved dollars over the rate, and the rate of today."""
    x = charts.log_axis("rate", "Network rate of a GPU, one way (bytes/s)", "B/s", ticks=4)
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=45), size=2)
        .encode(
            x=x,
            y=_usd("saved", "Saved a month ($)", alt.Y),
            tooltip=[
                charts.tip("rate", "Rate", "B/s"),
                alt.Tooltip("saved:Q", title="Saved a month ($)", format=",.0f"),
                charts.tip("step_s", "Step", "s"),
            ],
        )
    )
    here = alt.Chart(charts.rows("here")).mark_rule(strokeDash=[4, 4], color=charts.RED).encode(x=x)
    return charts.spec(alt.layer(line, here), height=320)


@lru_cache(maxsize=1)
def where():
    """The month's bill by what the GPUs do."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("part:N", title=None, sort=None),
            x=_usd("usd", "Dollars a month", alt.X),
            color=alt.Color("part:N", sort=None, legend=None),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("usd:Q", title="$ a month", format=",.0f"),
                alt.Tooltip("share:Q", title="Of the bill", format=".2%"),
                charts.tip("time_s", "In a step", "s"),
            ],
        )
    )
    return charts.spec(bars, height=320)


def _usd(field, title, axis):
    style = alt.Axis(tickCount=5, labelExpr=_DOLLARS, gridOpacity=0.35)
    return axis(f"{field}:Q", title=title, axis=style, scale=alt.Scale(zero=True, nice=True))
