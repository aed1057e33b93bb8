"""Charts of the page KV cache transfer: time by path, and time vs context length."""

from functools import lru_cache

import altair as alt
import pandas as pd

from core.calculators.capacity import Transfer
from core.units import format_time
from pages.ui.kv_transfer import summary
from pages.ui.shared import charts

CONTEXTS = tuple(2**step for step in range(7, 21))
RECOMPUTE = "recompute (prefill)"


def paths(result: Transfer) -> None:
    """Transfer time of every path, and the time to recompute as a line."""
    rows = [
        (summary.path_name(carried.path), carried.time_s, carried.path.note, summary.purpose(carried.path))
        for carried in result.carried
    ]
    frame = pd.DataFrame(rows, columns=["path", "time_s", "note", "purpose"])
    description = f"Transfer time by path; recomputing takes {format_time(result.recompute_s)}"
    charts.draw(_paths_spec(len(rows)), description, rows=frame)


def contexts(cache: summary.Cache, context: int) -> None:
    """Transfer time by path and time to recompute, vs context length."""
    rows = []
    for length in CONTEXTS:
        result = summary.ask(cache, length)
        rows.append((length, RECOMPUTE, result.recompute_s))
        rows += [(length, summary.path_name(carried.path), carried.time_s) for carried in result.carried]
    frame = pd.DataFrame(rows, columns=["context", "path", "time_s"])
    here = pd.DataFrame({"context": [context]})
    description = "Transfer time by path and time to recompute vs context length"
    charts.draw(_contexts_spec(), description, rows=frame, here=here)


@lru_cache(maxsize=16)
def _paths_spec(count: int) -> charts.Spec:
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("path:N", title=None, sort=None, axis=alt.Axis(labelLimit=240, labelOverlap=False)),
            x=charts.linear_axis("time_s", "Transfer time (s)", "s", axis=alt.X),
            color=alt.Color("purpose:N", title=None, sort=None, legend=charts.legend(columns=2)),
            tooltip=[
                alt.Tooltip("path:N", title="Path"),
                alt.Tooltip("purpose:N", title="Use"),
                alt.Tooltip("note:N", title="Remark"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(bars, height=38 * count + 90)


@lru_cache(maxsize=1)
def _contexts_spec() -> charts.Spec:
    x = charts.counts_axis("context", "Context length (tokens)")
    recompute = alt.datum.path == RECOMPUTE
    curves = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=x,
            y=charts.log_axis("time_s", "Time (s)", "s", axis=alt.Y),
            color=alt.Color("path:N", title=None, sort=None, legend=charts.legend(columns=1)),
            strokeDash=alt.condition(recompute, alt.value([6, 3]), alt.value([1, 0])),
            tooltip=[
                alt.Tooltip("path:N", title="Path"),
                alt.Tooltip("context:Q", title="Context length", format=","),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    here = alt.Chart(charts.rows("here")).mark_rule(strokeDash=[4, 4], color=charts.RED).encode(x=x)
    return charts.spec(alt.layer(curves, here), height=420)
