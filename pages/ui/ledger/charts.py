"""Charts of the ledger: verdicts by topic, and printed numbers over ours."""

from functools import lru_cache

import altair as alt
import pandas as pd

from core.ledger import Topic, Verdict
from pages.ui.shared import charts

COLOURS = {
    Verdict.CONSISTENT: "#2f9e44",
    Verdict.CONDITIONAL: "#3b82d6",
    Verdict.WRONG: "#d6336c",
    Verdict.CONTRADICTORY: "#9a6be0",
    Verdict.UNVERIFIED: charts.GREY,
}
FARTHEST = 64


def topics(shown):
    """Claims of each topic, a colour a verdict."""
    frame = pd.DataFrame({"topic": str(one.topic), "verdict": str(one.verdict)} for one in shown)
    order = {str(word): place for place, word in enumerate(Verdict)}
    frame = frame.value_counts().rename("count").reset_index()
    frame["order"] = frame["verdict"].map(order)
    charts.draw(_topics_spec(frame["topic"].nunique()), "Number of claims by topic and verdict", rows=frame)


def ratios(shown):
    """Every printed number over ours; two is the print that counts both directions."""
    rows = [
        (str(one.verdict), item.what, one.id, ratio, min(max(ratio, 1 / FARTHEST), FARTHEST))
        for one, item, ratio in compared(shown)
    ]
    frame = pd.DataFrame(rows, columns=["verdict", "what", "claim", "ratio", "drawn"])
    marks = pd.DataFrame({"drawn": [0.5, 1.0, 2.0]})
    charts.draw(_ratios_spec(), "Printed number over our value, by verdict", rows=frame, marks=marks)


def compared(shown):
    """Every printed number with a value of ours: claim, figure, print over ours (of a range its nearer end)."""
    found = []
    for one in shown:
        for item in one.figures:
            ours = item.our_value
            if not item.printed or not item.low or not ours:
                continue
            nearest = min(max(ours, item.low), item.high)
            found.append((one, item, nearest / ours))
    return found


def _colour():
    scale = alt.Scale(domain=[str(word) for word in COLOURS], range=list(COLOURS.values()))
    return alt.Color("verdict:N", title=None, scale=scale, legend=charts.legend(columns=3))


@lru_cache(maxsize=16)
def _topics_spec(count):
    bars = (
        alt.Chart(charts.rows())
        .mark_bar()
        .encode(
            x=alt.X("count:Q", title="Claims", axis=alt.Axis(tickMinStep=1, gridOpacity=0.35)),
            y=alt.Y(
                "topic:N",
                title=None,
                sort=[str(one) for one in Topic],
                axis=alt.Axis(labelLimit=190, labelOverlap=False),
            ),
            color=_colour(),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("topic:N", title="Topic"),
                alt.Tooltip("verdict:N", title="Verdict"),
                alt.Tooltip("count:Q", title="Claims"),
            ],
        )
    )
    return charts.spec(bars, height=160 + 20 * count)


@lru_cache(maxsize=1)
def _ratios_spec():
    values = [1 / 32, 1 / 8, 1 / 2, 1, 2, 8, 32]
    style = alt.Axis(
        values=values, labelExpr="datum.value < 1 ? '1/' + 1 / datum.value : datum.value", gridOpacity=0.35
    )
    scale = alt.Scale(type="log", base=2, domain=[1 / FARTHEST, FARTHEST], nice=False)
    x = alt.X("drawn:Q", title="Printed over our value (times)", scale=scale, axis=style)
    y = alt.Y("verdict:N", title=None, sort=[str(word) for word in Verdict])
    points = (
        alt.Chart(charts.rows())
        .transform_calculate(spread="random()")
        .mark_point(filled=True, size=55, opacity=0.6)
        .encode(
            x=x,
            y=y,
            yOffset=alt.YOffset("spread:Q", scale=alt.Scale(domain=[-0.5, 1.5])),
            color=_colour().legend(None),
            tooltip=[
                alt.Tooltip("claim:N", title="Claim"),
                alt.Tooltip("what:N", title="Number"),
                alt.Tooltip("ratio:Q", title="Printed over ours", format=".3~g"),
                alt.Tooltip("verdict:N", title="Verdict"),
            ],
        )
    )
    rules = alt.Chart(charts.rows("marks")).mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(x=x)
    return charts.spec(alt.layer(rules, points))
