"""A waterfall: from one total to another, a bar for every term of the difference."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import pandas as pd

from core.units import MS
from pages.ui.shared import charts, palette

SLOWER, FASTER, A, B = "slower in B", "faster in B", "A", "B"
COLOURS = {A: charts.GREY, SLOWER: charts.RED, FASTER: palette.GREEN, B: palette.BLUE}
BAR, FRAME = 30, 90


@dataclass(frozen=True, slots=True)
class Change:
    """One term of the difference: seconds that B takes more, and why."""

    name: str
    difference_s: float
    reason: str


def rows(a_s: float, b_s: float, changes: Iterable[Change]) -> pd.DataFrame:
    """Bars from the total of A to that of B, in milliseconds."""
    a_ms, b_ms = a_s / MS, b_s / MS
    from_ms = a_ms
    bars = [(A, 0.0, a_ms, A, f"{a_ms:,.2f} ms", "")]
    for change in changes:
        change_ms = change.difference_s / MS
        kind = SLOWER if change_ms > 0 else FASTER
        label = f"{change_ms:+,.2f} ms".replace("-", "−")
        bars.append((change.name, from_ms, from_ms + change_ms, kind, label, change.reason))
        from_ms += change_ms
    bars.append((B, 0.0, b_ms, B, f"{b_ms:,.2f} ms", ""))
    frame = pd.DataFrame(bars, columns=["name", "from_ms", "to_ms", "kind", "label", "reason"])
    frame["end_ms"] = frame[["from_ms", "to_ms"]].max(axis=1)
    return frame


def draw(frame: pd.DataFrame, description: str) -> None:
    """Draw it; ``description`` is read out by screen readers."""
    charts.draw(_spec(tuple(frame["name"])), description, rows=frame)


@lru_cache(maxsize=64)
def _spec(names: tuple[str, ...]) -> charts.Spec:
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=list(names), axis=alt.Axis(labelLimit=170))
    axis = alt.Axis(tickCount=6, gridOpacity=0.35)
    bars = base.mark_bar(cornerRadius=2).encode(
        y=y,
        x=alt.X("from_ms:Q", title="Step time (ms)", axis=axis),
        x2="to_ms:Q",
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
            legend=charts.legend(),
        ),
        tooltip=[
            alt.Tooltip("name:N", title="Term"),
            alt.Tooltip("label:N", title="Time"),
            alt.Tooltip("reason:N", title="Because"),
        ],
    )
    text = base.mark_text(align="left", dx=5, fontSize=12, color=palette.LABEL).encode(
        y=y, x="end_ms:Q", text="label:N"
    )
    return charts.spec(alt.layer(bars, text), height=BAR * len(names) + FRAME)
