"""Charts of the page Tensor-parallel overhead: step time by degree, communication share vs batched tokens."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.tensor_parallel import Answer, Scenario, sweep
from core.units import format_share, format_time
from pages.ui.shared import charts, findings, palette, tables
from pages.ui.tensor_parallel import summary

TOKENS = tuple(2**k for k in range(15))
PARTS = (("compute", palette.COMPUTE), ("exposed communication", palette.EXPOSED))


def degrees(result: Answer) -> None:
    """Step time by degree: compute and exposed communication stacked, the range of overlap as a line."""
    rows, ranges = [], []
    for degree in result.degrees:
        fits = "fits" if degree.fits else "does not fit"
        ranges.append((f"TP{degree.tp}", degree.low_s, degree.high_s))
        for part, part_s in (
            ("compute", degree.compute_s),
            ("exposed communication", degree.step_s - degree.compute_s),
        ):
            rows.append((f"TP{degree.tp}", part, part_s, degree.share, degree.tokens_per_s_per_gpu, fits))
    names = ["degree", "part", "time_s", "share", "per_gpu", "fits"]
    frame = pd.DataFrame(rows, columns=names)
    steps = frame.groupby("degree", sort=False)["time_s"].sum()
    times = findings.listed(steps.index, steps, format_time)
    charts.draw(
        _degrees_spec(),
        f"Step time by TP degree: {times}; compute and exposed communication, from all overlapped to nothing overlapped",
        rows=frame,
        ranges=pd.DataFrame(ranges, columns=["degree", "low_s", "high_s"]),
    )
    unfit = any(not degree.fits for degree in result.degrees)
    st.caption(
        "Line: from all communication overlapped to nothing overlapped, at the ends of the prediction interval."
        + (" Pale: weights and KV cache do not fit the GPU." if unfit else "")
    )


def shares(scenario: Scenario, result: Answer) -> None:
    """Communication share vs batched tokens, one line a degree."""
    tp = tuple(degree.tp for degree in result.degrees if degree.tp > 1)
    if not tp:
        st.info("One GPU does not communicate: there is no share to draw.")
        return
    frame, ends = _shares(replace(scenario, tokens=1), tp, scenario.cached)
    here = pd.DataFrame({"tokens": [scenario.tokens]})
    text = f"Exposed communication share vs batched tokens per step: {ends}"
    charts.draw(_shares_spec(len(tp)), text, rows=frame, here=here)


@lru_cache(maxsize=64)
def _shares(scenario: Scenario, tp: tuple[int, ...], context: int) -> tuple[pd.DataFrame, str]:
    """The lines, whatever the scenario's own tokens, and in words their ends."""
    grid = sweep(scenario, [scenario.system], tp, TOKENS, [context])
    frame = pd.DataFrame(
        {
            "tokens": np.tile(np.array(TOKENS), len(tp)),
            "share": grid.share[0, :, :, 0].ravel(),
            "degree": np.repeat([f"TP{degree}" for degree in tp], len(TOKENS)),
        }
    ).dropna()
    return frame, findings.ends(frame, "degree", "tokens", "share", format_share)


def every_degree(result: Answer) -> None:
    """Each degree as a row."""
    tables.show(summary.degrees(result), "Every degree", height="content")
    st.caption("Overlap range: from all to none of the communication overlapped. Memory: per GPU.")


def changes(result: Answer) -> None:
    """Where the answer changes, and which inputs do not change it."""
    left, right = st.columns(2)
    with left:
        summary.crossovers(result)
    with right:
        st.subheader("No effect on this result")
        summary.without_effect(result)


@lru_cache(maxsize=1)
def _degrees_spec() -> charts.Spec:
    x = alt.X("degree:N", title="Tensor-parallel degree", sort=None, axis=alt.Axis(labelAngle=0))
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=x,
            y=charts.linear_axis("time_s", "Step time", "s"),
            color=alt.Color("part:N", title=None, scale=palette.scale(PARTS), legend=charts.legend()),
            opacity=charts.PALE,
            tooltip=[
                alt.Tooltip("degree:N", title="Degree"),
                alt.Tooltip("part:N", title="Part"),
                charts.tip("time_s", "Time", "s"),
                charts.tip("share", "Exposed communication", "%"),
                alt.Tooltip("per_gpu:Q", title="Tokens/s per GPU", format=",.0f"),
                alt.Tooltip("fits:N", title="Memory"),
            ],
        )
    )
    overlap = (
        alt.Chart(charts.rows("ranges"))
        .mark_rule(size=3, color=charts.GREY)
        .encode(
            x=x,
            y="low_s:Q",
            y2="high_s:Q",
            tooltip=[
                alt.Tooltip("degree:N", title="Degree"),
                charts.tip("low_s", "All overlapped", "s"),
                charts.tip("high_s", "Nothing overlapped", "s"),
            ],
        )
    )
    return charts.spec(alt.layer(bars, overlap))


@lru_cache(maxsize=8)
def _shares_spec(count: int) -> charts.Spec:
    x = charts.counts_axis("tokens", "Batched tokens per step")
    lines = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=x,
            y=charts.share_axis("share", "Exposed communication", top=None),
            color=alt.Color("degree:N", title=None, sort=None, legend=charts.named(count, columns=6)),
            tooltip=[
                alt.Tooltip("degree:N", title="Degree"),
                alt.Tooltip("tokens:Q", title="Batched tokens", format=","),
                charts.tip("share", "Exposed communication", "%"),
            ],
        )
    )
    names = charts.names(count, "tokens", "share", "degree")
    return charts.spec(alt.layer(lines, *names, charts.at(x)))
