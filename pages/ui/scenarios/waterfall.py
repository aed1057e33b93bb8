"""A waterfall: from one total to another, a bar for every term of the difference."""

from functools import lru_cache

import altair as alt
import pandas as pd

from pages.ui.shared import charts

SLOWER, FASTER, FIRST, SECOND = "takes more", "takes less", "A", "B"
COLOURS = {FIRST: charts.GREY, SLOWER: charts.RED, FASTER: "#2b8a3e", SECOND: "#3b80d3"}
BAR, FRAME = 30, 90


def rows(first_s, second_s, terms):
    """Bars from A to B; ``terms``: [(name, difference_s, reason)]."""
    from_ms, found = 1e3 * first_s, [(FIRST, 0.0, 1e3 * first_s, FIRST, f"{1e3 * first_s:,.2f} ms", "")]
    for name, difference_s, reason in terms:
        to_ms = from_ms + 1e3 * difference_s
        kind = SLOWER if difference_s > 0 else FASTER
        found.append((name, from_ms, to_ms, kind, f"{1e3 * difference_s:+,.2f} ms", reason))
        from_ms = to_ms
    found.append((SECOND, 0.0, 1e3 * second_s, SECOND, f"{1e3 * second_s:,.2f} ms", ""))
    frame = pd.DataFrame(found, columns=["name", "from_ms", "to_ms", "kind", "label", "reason"])
    frame["end_ms"] = frame[["from_ms", "to_ms"]].max(axis=1)
    return frame


def draw(frame, words):
    """Draw it; ``words`` say the takeaway."""
    charts.draw(_spec(tuple(frame["name"])), words, rows=frame)


@lru_cache(maxsize=64)
def _spec(names):
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=list(names), axis=alt.Axis(labelLimit=170))
    axis = alt.Axis(tickCount=6, gridOpacity=0.35)
    bars = base.mark_bar(cornerRadius=2).encode(
        y=y,
        x=alt.X("from_ms:Q", title="Time of a step (ms)", axis=axis),
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
    text = base.mark_text(align="left", dx=5, fontSize=12, color=charts.GREY).encode(
        y=y, x="end_ms:Q", text="label:N"
    )
    return charts.spec(alt.layer(bars, text), height=BAR * len(names) + FRAME)
