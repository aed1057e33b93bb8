"""Charts of the page Published claims: verdicts by topic, and published over recomputed numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import pandas as pd

from core.ledger import Claim, Figure, Topic, Verdict
from pages.ui.shared import charts, findings, palette

COLOURS = {
    Verdict.CONSISTENT: palette.GREEN,
    Verdict.CONDITIONAL: palette.BLUE,
    Verdict.WRONG: palette.RED,
    Verdict.CONTRADICTORY: palette.VIOLET,
    Verdict.UNVERIFIED: palette.GREY,
}
FARTHEST = 64


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published number of a claim over the recomputed one; of a range its nearer end."""

    claim: Claim
    figure: Figure
    ratio: float


def topics(claims: Sequence[Claim]) -> None:
    """Claims of each topic, coloured by verdict."""
    frame = pd.DataFrame({"topic": str(claim.topic), "verdict": str(claim.verdict)} for claim in claims)
    order = {str(verdict): place for place, verdict in enumerate(Verdict)}
    frame = frame.value_counts().rename("count").reset_index()
    frame["order"] = frame["verdict"].map(order)
    totals = frame.groupby("verdict", sort=False)["count"].sum()
    text = f"Number of claims by topic and verdict: {findings.listed(totals.index, totals, findings.count)}"
    charts.draw(_topics_spec(frame["topic"].nunique()), text, rows=frame)


def ratios(claims: Sequence[Claim]) -> None:
    """Every published number over the recomputed one; 2 is a bidirectional rate for a unidirectional copy."""
    rows = [
        (
            str(item.claim.verdict),
            item.figure.what,
            item.claim.id,
            item.ratio,
            min(max(item.ratio, 1 / FARTHEST), FARTHEST),
        )
        for item in compared(claims)
    ]
    frame = pd.DataFrame(rows, columns=["verdict", "what", "claim", "ratio", "drawn"])
    marks = pd.DataFrame({"drawn": [0.5, 1.0, 2.0]})
    medians = frame.groupby("verdict", sort=False)["ratio"].median()
    text = f"Published over recomputed number, by verdict; median {findings.listed(medians.index, medians, '{:.2g}'.format)}"
    charts.draw(_ratios_spec(), text, rows=frame, marks=marks)


def compared(claims: Sequence[Claim]) -> list[Comparison]:
    """Every published number that is recomputed."""
    comparisons = []
    for claim in claims:
        for figure in claim.figures:
            recomputed = figure.our_value
            if figure.low and figure.high and recomputed:
                nearest = min(max(recomputed, figure.low), figure.high)
                comparisons.append(Comparison(claim, figure, nearest / recomputed))
    return comparisons


def _colour() -> alt.Color:
    scale = alt.Scale(domain=[str(verdict) for verdict in COLOURS], range=list(COLOURS.values()))
    return alt.Color("verdict:N", title=None, scale=scale, legend=charts.legend(columns=3, narrow=2))


@lru_cache(maxsize=16)
def _topics_spec(count: int) -> charts.Spec:
    bars = (
        alt.Chart(charts.rows())
        .mark_bar()
        .encode(
            x=alt.X("count:Q", title="Claims", axis=alt.Axis(tickMinStep=1, gridOpacity=0.35)),
            y=alt.Y(
                "topic:N",
                title=None,
                sort=[str(topic) for topic in Topic],
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
    return charts.spec(bars, height=80 + 16 * count)


@lru_cache(maxsize=1)
def _ratios_spec() -> charts.Spec:
    values = [1 / 32, 1 / 8, 1 / 2, 1, 2, 8, 32]
    style = alt.Axis(
        values=values, labelExpr="datum.value < 1 ? '1/' + 1 / datum.value : datum.value", gridOpacity=0.35
    )
    scale = alt.Scale(type="log", base=2, domain=[1 / FARTHEST, FARTHEST], nice=False)
    x = alt.X("drawn:Q", title="Published / recomputed", scale=scale, axis=style)
    y = alt.Y("verdict:N", title=None, sort=[str(verdict) for verdict in Verdict])
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
                alt.Tooltip("ratio:Q", title="Published / recomputed", format=",.3~r"),
                alt.Tooltip("verdict:N", title="Verdict"),
            ],
        )
    )
    rules = alt.Chart(charts.rows("marks")).mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(x=x)
    return charts.spec(alt.layer(rules, points), height=260)
