"""A waterfall: from one total to another, a bar for every term of the difference."""

from functools import lru_cache

import altair as alt
import pandas as pd

from core.calculators.comparison import Comparison
from pages.ui.scenarios.scale import Scale
from pages.ui.scenarios.terms import because, label
from pages.ui.shared import charts, palette

BAR, FRAME = 26, 60
LETTER, APART = 6, 12
"""Pixels of a letter of a bar's label, and of what stands around the label."""


def rows(comparison: Comparison, scale: Scale, letters: tuple[str, str]) -> pd.DataFrame:
    """Bars from the total of the base to that of the other side, of what differs in the digits shown."""
    base, other = (side.total / scale.size for side in (comparison.base, comparison.other))
    bars = [(letters[0], 0.0, base, letters[0], scale.text(base), "")]
    at = base
    for difference in comparison.differences:
        change = difference.change / scale.size
        if not scale.shows(change):
            continue
        kind = f"{'more' if change > 0 else 'less'} in {letters[1]}"
        text = scale.text(change, signed=True)
        bars.append((label(difference.name), at, at + change, kind, text, because(difference)))
        at += change
    bars.append((letters[1], 0.0, other, letters[1], scale.text(other), ""))
    frame = pd.DataFrame(bars, columns=["name", "from", "to", "kind", "label", "reason"])
    frame["end"] = frame[["from", "to"]].max(axis=1)
    return frame


def draw(comparison: Comparison, scale: Scale, letters: tuple[str, str]) -> None:
    """Draw it, with the finding for screen readers."""
    frame = rows(comparison, scale, letters)
    largest = comparison.differences[0] if comparison.differences else None
    finding = f"; largest: {label(largest.name)}" if largest is not None and largest.change else ""
    alt_text = (
        f"{comparison.base.name} from {comparison.base.text} of {letters[0]} to {comparison.other.text} of "
        f"{letters[1]}, term by term{finding}"
    )
    kinds = f"more in {letters[1]}", f"less in {letters[1]}"
    bars(frame, letters, kinds, f"{comparison.base.name} ({scale.unit})", alt_text)


def bars(
    frame: pd.DataFrame, letters: tuple[str, str], kinds: tuple[str, str], title: str, alt_text: str
) -> None:
    """Draw bars made as by ``rows``, of what adds and what takes away between the totals of these two names."""
    room = APART + LETTER * int(frame["label"].str.len().max())
    charts.draw(_spec(tuple(frame["name"]), letters, kinds, title, room), alt_text, rows=frame)


@lru_cache(maxsize=64)
def _spec(
    names: tuple[str, ...], letters: tuple[str, str], kinds: tuple[str, str], title: str, room: int
) -> charts.Spec:
    colours = {
        letters[0]: charts.GREY,
        kinds[0]: charts.RED,
        kinds[1]: palette.GREEN,
        letters[1]: palette.BLUE,
    }
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=list(names), axis=alt.Axis(labelLimit=190))
    axis = alt.Axis(tickCount=6, gridOpacity=0.35, labelOverlap="greedy")
    scale = alt.Scale(range=[0, alt.ExprRef(f"width - {room}")])  # labels stand inside, on a phone too
    bars = base.mark_bar(cornerRadius=2).encode(
        y=y,
        x=alt.X("from:Q", title=title, axis=axis, scale=scale),
        x2="to:Q",
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(colours), range=list(colours.values())),
            legend=charts.legend(narrow=2),
        ),
        tooltip=[
            alt.Tooltip("name:N", title="Term"),
            alt.Tooltip("label:N", title="Amount"),
            alt.Tooltip("reason:N", title="Because"),
        ],
    )
    text = base.mark_text(align="left", dx=5, fontSize=12, color=palette.LABEL).encode(
        y=y, x="end:Q", text="label:N"
    )
    return charts.spec(alt.layer(bars, text), height=BAR * len(names) + FRAME)
