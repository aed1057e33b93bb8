"""Two runs over message size: the ratio of their times with the noise that explains it."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.measurement.comparison import SIGMAS, Change, Comparison
from pages.ui.shared import charts, findings, names, overlay, palette

COLOURS = {Change.SAME: charts.GREY, Change.FASTER: palette.GREEN, Change.SLOWER: palette.RED}
RATIO = "Time of second / time of first"


def ratios(comparison: Comparison) -> None:
    """The ratio over message size with the band that noise explains."""
    rows = pd.DataFrame(
        {
            "size_bytes": change.size_bytes,
            "ratio": change.ratio,
            "low": np.exp(-SIGMAS * change.noise),
            "high": np.exp(SIGMAS * change.noise),
            "change": str(change.change),
            "series": ", ".join(
                filter(None, [names.operation(change.operation), change.placement, change.detail])
            ),
        }
        for change in comparison.changes
    )
    ratios_span = findings.span(rows["ratio"], "{:.2f}".format)
    differing = int((rows["change"] != str(Change.SAME)).sum())
    text = "Time of the second run over the first vs message size, with the band of noise"
    finding = f"{text}: {ratios_span}; {differing} of {len(rows)} differ beyond noise"
    charts.draw(_spec(several=len(set(rows["series"])) > 1), finding, rows=rows)
    st.caption(
        "Below 1 the second run is faster. A size differs where it lies outside the shaded band of twice the noise: "
        "the larger of what repeats show (1.7 % a run where none are stated) and of the scatter from size to size."
    )


@lru_cache(maxsize=2)
def _spec(*, several: bool) -> charts.Spec:
    base = alt.Chart(charts.rows())
    scale = alt.Scale(nice=True, zero=False)
    axis = alt.Axis(format=".2~f", tickCount=6, gridOpacity=0.35)
    x = charts.size_axis("size_bytes", overlay.SIZE)
    y = alt.Y("ratio:Q", title=RATIO, scale=scale, axis=axis)
    band = base.mark_area(opacity=0.16, color=charts.GREY, tooltip=None).encode(
        x=x, y=alt.Y("low:Q", title=RATIO, scale=scale), y2="high:Q", detail="series:N"
    )
    equal = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(y=alt.datum(1))
    line = base.mark_line(size=1, color=charts.GREY).encode(x=x, y=y, detail="series:N")
    colour = alt.Color(
        "change:N",
        title=None,
        scale=alt.Scale(domain=[str(change) for change in COLOURS], range=list(COLOURS.values())),
        legend=charts.legend(),
    )
    points = base.mark_point(filled=True, size=60, opacity=0.9).encode(
        x=x,
        y=y,
        color=colour,
        shape=alt.Shape(
            "series:N",
            title=None,
            legend=charts.legend(colour=charts.GREY, orient="bottom") if several else None,
        ),
        tooltip=[
            charts.tip("size_bytes", "Message size", "bytes"),
            alt.Tooltip("ratio:Q", title="Second / first", format=".3f"),
            alt.Tooltip("high:Q", title="Noise up to", format=".3f"),
            alt.Tooltip("change:N", title="Verdict"),
            alt.Tooltip("series:N", title="Series"),
        ],
    )
    return charts.spec(alt.layer(band, equal, line, points), height=310)
