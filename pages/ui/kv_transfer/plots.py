"""Charts of the page KV cache transfer: time by path, and time vs context length."""

from collections.abc import Iterable
from functools import lru_cache

import altair as alt
import pandas as pd

from core.calculators.capacity import Path, Transfer
from core.units import format_time
from pages.ui.kv_transfer import summary
from pages.ui.shared import charts, findings, palette

CONTEXTS = tuple(2**step for step in range(7, 21))
RECOMPUTE = "recompute (prefill)"
DASHES = {"pipelined": [7, 3], "bounce": [2, 3]}
"""Ways over one link are told apart by their dashes; straight ones are solid."""


def paths(result: Transfer) -> None:
    """Transfer time of every path, and the time to recompute as a line."""
    rows = [
        (
            summary.path_name(carried.path),
            carried.time_s,
            carried.path.note,
            summary.purpose(carried.path),
            format_time(carried.time_s),
        )
        for carried in result.carried
    ]
    frame = pd.DataFrame(rows, columns=["path", "time_s", "note", "purpose", "label"])
    times = findings.listed(frame["path"], frame["time_s"], format_time)
    description = f"Transfer time by path: {times}; recomputing takes {format_time(result.recompute_s)}"
    charts.draw(_paths_spec(_colours(carried.path for carried in result.carried)), description, rows=frame)


def contexts(cache: summary.Cache, context: int) -> None:
    """Transfer time by path and time to recompute, vs context length."""
    rows = []
    for length in CONTEXTS:
        result = summary.ask(cache, length)
        rows.append((length, RECOMPUTE, result.recompute_s))
        rows += [(length, summary.path_name(carried.path), carried.time_s) for carried in result.carried]
    colours = _colours(carried.path for carried in summary.ask(cache, context).carried)
    frame = pd.DataFrame(rows, columns=["context", "path", "time_s"])
    here = pd.DataFrame({"context": [context]})
    lead = findings.lead(frame, "path", "context", "time_s", findings.count)
    description = f"Transfer time by path and time to recompute vs context length, {lead}"
    charts.draw(_contexts_spec(colours), description, rows=frame, here=here)


def _colours(paths: Iterable[Path]) -> tuple[tuple[str, str], ...]:
    """Each path in the colour of its link."""
    return tuple((summary.path_name(path), palette.of_link(path.name.partition(" ")[0])) for path in paths)


@lru_cache(maxsize=16)
def _paths_spec(colours: tuple[tuple[str, str], ...]) -> charts.Spec:
    base = alt.Chart(charts.rows()).encode(
        y=alt.Y("path:N", title=None, sort=None, axis=alt.Axis(labelLimit=240, labelOverlap=False)),
        x=charts.linear_axis("time_s", "Transfer time", "s", axis=alt.X),
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        color=alt.Color("path:N", scale=palette.scale(colours), legend=None),
        tooltip=[
            alt.Tooltip("path:N", title="Path"),
            alt.Tooltip("purpose:N", title="Use"),
            alt.Tooltip("note:N", title="Remark"),
            charts.tip("time_s", "Time", "s"),
        ],
    )
    return charts.spec(alt.layer(bars, charts.values(base)), height=38 * len(colours) + 60)


@lru_cache(maxsize=16)
def _contexts_spec(colours: tuple[tuple[str, str], ...]) -> charts.Spec:
    x = charts.counts_axis("context", "Context length (tokens)")
    paths = ((RECOMPUTE, palette.GREY), *colours)
    dashes = [next((dash for word, dash in DASHES.items() if word in name), [1, 0]) for name, _ in paths]
    names = alt.Scale(domain=[name for name, _ in paths], range=dashes)
    curves = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=x,
            y=charts.log_axis("time_s", "Time", "s", axis=alt.Y),
            color=alt.Color(
                "path:N", title=None, scale=palette.scale(paths), legend=charts.legend(columns=1)
            ),
            strokeDash=alt.StrokeDash("path:N", title=None, scale=names, legend=charts.legend(columns=1)),
            tooltip=[
                alt.Tooltip("path:N", title="Path"),
                alt.Tooltip("context:Q", title="Context length", format=","),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    here = alt.Chart(charts.rows("here")).mark_rule(strokeDash=[4, 4], color=charts.RED).encode(x=x)
    return charts.spec(alt.layer(curves, here), height=390)
