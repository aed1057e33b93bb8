"""Compare page: per size the ratio of two runs with its noise, in words, as chart and as table."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.measurement.comparison import SIGMAS, Change, compare_runs
from core.units import US, format_size
from pages.ui.shared import answer, charts, overlay, tables
from pages.ui.shared.messages import plain

COLOURS = {Change.SAME: charts.GREY, Change.FASTER: "#2b8a3e", Change.SLOWER: charts.RED}
CLOSE = 0.02


def swept(run):
    """Whether a run holds times by size."""
    return any(one.size_bytes > 0 and one.time_s > 0 for one in run.samples)


def empty():
    """What the page needs."""
    st.info("Choose or upload two runs of the same collective on the same number of GPUs.")


def ask(first, second):
    """The comparison; InputError where the two are different questions."""
    return compare_runs(first.run, second.run)


def headline(first, second, found):
    """Faster, slower or the same, where, and by how much."""
    worse, better = found.count(Change.SLOWER), found.count(Change.FASTER)
    total = len(found.changes)
    if not worse + better:
        text = f"{second} is the same as {first}: none of {total} sizes differs beyond its noise."
    else:
        text = f"{second} against {first}: {worse} of {total} sizes slower, {better} faster, the others the same."
    answer.headline(
        text,
        " ".join(
            filter(None, [_range("Large messages", found.large), _range("Small messages", found.small)])
        ),
        origin="measured",
    )


def _range(name, ratio):
    if ratio is None:
        return ""
    if abs(ratio - 1) < CLOSE:
        return f"{name}: equal at the median."
    times = f"{ratio:.2f} times the time" if ratio > 1 else f"{1 / ratio:.2f} times as fast"
    return f"{name}: {times} at the median."


def figures(found):
    """Counts and the noise."""
    noise = float(np.median([one.noise for one in found.changes]))
    return [
        ("Sizes compared", str(len(found.changes))),
        *((str(word), str(found.count(word))) for word in Change),
        (
            "Noise of a ratio",
            f"{100 * noise:.1f} %",
            "Standard deviation that the two runs' own unrest explains.",
        ),
    ]


def chart(found):
    """The ratio over size with the band that noise explains."""
    rows = pd.DataFrame(
        {
            "size_bytes": one.size_bytes,
            "ratio": one.ratio,
            "low": np.exp(-SIGMAS * one.noise),
            "high": np.exp(SIGMAS * one.noise),
            "change": str(one.change),
            "series": ", ".join(filter(None, [one.operation, one.placement, one.detail])),
        }
        for one in found.changes
    )
    charts.draw(_spec(), "Time of the second run over the first by size, with the band of noise", rows=rows)
    st.caption(
        "Second over first: below 1 is faster. A size differs where it lies outside the shaded band: twice the "
        "noise, which is the larger of what the repeats show (1.7 % a run where none are stated) and of how the "
        "ratio jumps from size to size."
    )


@lru_cache(maxsize=1)
def _spec():
    base = alt.Chart(charts.rows())
    scale = alt.Scale(nice=True, zero=False)
    axis = alt.Axis(format=".2~f", tickCount=6, gridOpacity=0.35)
    x = charts.log_axis("size_bytes", overlay.SIZE, "B")
    y = alt.Y("ratio:Q", title="Second over first (time)", scale=scale, axis=axis)
    band = base.mark_area(opacity=0.16, color=charts.GREY).encode(
        x=x, y=alt.Y("low:Q", title="Second over first (time)", scale=scale), y2="high:Q", detail="series:N"
    )
    one = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(y=alt.datum(1))
    line = base.mark_line(size=1, color=charts.GREY).encode(x=x, y=y, detail="series:N")
    colour = alt.Color(
        "change:N",
        title=None,
        scale=alt.Scale(domain=[str(word) for word in COLOURS], range=list(COLOURS.values())),
        legend=charts.legend(),
    )
    points = base.mark_point(filled=True, size=60, opacity=0.9).encode(
        x=x,
        y=y,
        color=colour,
        shape=alt.Shape("series:N", title=None, legend=charts.legend(colour=charts.GREY)),
        tooltip=[
            charts.tip("size_bytes", "Size", "bytes"),
            alt.Tooltip("ratio:Q", title="Second over first", format=".3f"),
            alt.Tooltip("high:Q", title="Noise up to", format=".3f"),
            alt.Tooltip("change:N", title="Verdict"),
            alt.Tooltip("series:N", title="Of"),
        ],
    )
    return charts.spec(alt.layer(band, one, line, points), height=340)


def apart(first, second, found):
    """What of the machines and settings is not the same."""
    for line in found.left_out:
        st.caption(f":material/info: Not compared: {plain(line)}.")
    if found.apart:
        st.markdown("**Not the same in both**")
        tables.show(
            pd.DataFrame(found.apart, columns=["what", first, second]), "What differs between the two runs"
        )


def numbers(found):
    """Every size."""
    frame = pd.DataFrame(
        {
            "size": format_size(one.size_bytes),
            "operation": one.operation,
            "placement": one.placement,
            "first (µs)": one.first_s / US,
            "second (µs)": one.second_s / US,
            "ratio": one.ratio,
            "noise": one.noise,
            "verdict": str(one.change),
        }
        for one in found.changes
    )
    with st.expander("Numbers", icon=":material/table:"):
        tables.show(frame, "Every size of the two runs")
