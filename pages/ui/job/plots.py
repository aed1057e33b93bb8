"""Charts of the page Job: the timeline of a step, bus bandwidth by size, the step here and there."""

from functools import lru_cache
from math import isfinite
from typing import NamedTuple

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.job.explain import Explanation, KindTotal
from core.job.shares import TimeShares
from core.job.timelines import Line, Timelines
from core.job.what_if import Answer
from core.traces.records import Collectives, Integers, RankTrace
from core.traces.spans import EMPTY, Spans, merged, without
from core.units import format_rate, format_time
from pages.ui.shared import bound, charts, names, overlay, palette
from pages.ui.shared.sections import Section

COMPUTE, OVERLAPPED, EXPOSED = "compute", "overlapped", "exposed"
COLOURS = {COMPUTE: palette.COMPUTE, OVERLAPPED: palette.OVERLAPPED, EXPOSED: palette.EXPOSED}
TODAY, THERE = "today", "there"
BARS = 800
"""Stretches closer than this part of the window are drawn as one."""
ROW, FRAME = 34, 80
COLUMNS = ["track", "kind", "start_s", "end_s", "what"]
FIRST_STEP = 1


class Window(NamedTuple):
    """A rank and the step of it that is shown, or all of its trace."""

    rank: int
    shares: TimeShares


def sections(told: Explanation) -> tuple[Section, ...]:
    """The tab of the timeline; none where the trace tells no times."""
    if not told.ranks:
        return ()
    return (Section("Timeline", lambda window: timeline(told, window), inputs=lambda: _window(told)),)


def _window(told: Explanation) -> Window:
    """The widgets of rank and step."""
    timed = {shares.rank: shares for shares in told.ranks}
    with st.container(horizontal=True):
        rank = _chosen_rank(list(timed))
        steps = [shares for shares in told.steps if shares.rank == rank]
        number = 0
        if len(steps) > 1:
            number = bound.number("Step", "job_step", FIRST_STEP, low=FIRST_STEP, high=len(steps), step=1)
    return Window(rank, steps[min(max(number, 1), len(steps)) - 1] if steps else timed[rank])


def timeline(told: Explanation, chosen: Window) -> None:
    """Compute and communication of one step of one rank, by stream; drag to move, scroll to zoom."""
    rank, window = chosen
    trace = next(trace for trace in told.job.ranks if trace.rank == rank)
    frame = _tracks(told, trace, window.start_s, window.end_s)
    text = (
        f"Rank {rank}, {window.step or 'whole trace'}: {format_time(window.compute_s)} of compute, "
        f"{format_time(window.overlapped_s)} overlapped and {format_time(window.exposed_s)} exposed communication"
    )
    charts.draw(_timeline_spec(tuple(dict.fromkeys(frame["track"]))), text, rows=frame)
    st.caption(f"{text}. Scroll to zoom, drag to move.")


def _chosen_rank(ranks: list[int]) -> int:
    if len(ranks) == 1:
        return ranks[0]
    return int(bound.choice("Rank", "job_rank", [str(rank) for rank in ranks]))


def _tracks(told: Explanation, trace: RankTrace, start_s: float, end_s: float) -> pd.DataFrame:
    """Rows of compute by stream and of communication by stream and group, from the beginning of the window."""
    rows: list[tuple[str, str, float, float, str]] = []
    for stream in trace.streams or ():
        spans = _inside(stream.compute, start_s, end_s)
        if len(spans):
            rows += _bars(f"compute, stream {stream.number}", COMPUTE, spans, start_s, end_s, "kernels")
    if not rows:
        rows += _bars("compute", COMPUTE, _inside(trace.compute, start_s, end_s), start_s, end_s, "kernels")
    calls = trace.collectives
    uses = told.table.uses
    for stream_number in np.unique(calls.stream).tolist():
        for group in np.unique(calls.group[calls.stream == stream_number]).tolist():
            chosen = (calls.stream == stream_number) & (calls.group == group)
            chosen &= (calls.end_s > start_s) & (calls.start_s < end_s)
            label = f"{uses[group].parallelism}, stream {stream_number}"
            for what, spans in _stretches(calls, np.flatnonzero(chosen)):
                rows += _bars(label, OVERLAPPED, _inside(spans, start_s, end_s), start_s, end_s, what)
                alone = _inside(without(spans, trace.compute), start_s, end_s)
                rows += _bars(label, EXPOSED, alone, start_s, end_s, what)
    return pd.DataFrame(rows, columns=COLUMNS)


def _stretches(calls: Collectives, rows: Integers) -> list[tuple[str, Spans]]:
    """Each call, or where they are more than a chart holds all of them as one, with what they are."""
    if rows.size > BARS:
        return [(f"{rows.size:,} calls", merged(calls.start_s[rows], calls.end_s[rows]))]
    return [
        (
            names.operation(calls.operation[row]),
            Spans(calls.start_s[row : row + 1], calls.end_s[row : row + 1]),
        )
        for row in rows.tolist()
    ]


def _inside(spans: Spans, start_s: float, end_s: float) -> Spans:
    """The parts of spans inside a window."""
    chosen = (spans.end_s > start_s) & (spans.start_s < end_s)
    if not chosen.any():
        return EMPTY
    return Spans(np.maximum(spans.start_s[chosen], start_s), np.minimum(spans.end_s[chosen], end_s))


def _bars(
    track: str, kind: str, spans: Spans, start_s: float, end_s: float, what: str
) -> list[tuple[str, str, float, float, str]]:
    """A bar for each stretch, those that no pixel parts joined."""
    if not len(spans):
        return []
    least_s = (end_s - start_s) / BARS
    joined = merged(spans.start_s, spans.end_s + least_s)
    return [
        (track, kind, begin - start_s, max(begin, end - least_s) - start_s, what)
        for begin, end in zip(joined.start_s.tolist(), joined.end_s.tolist(), strict=True)
    ]


@lru_cache(maxsize=16)
def _timeline_spec(tracks: tuple[str, ...]) -> charts.Spec:
    zoom = alt.selection_interval(name="zoom", bind="scales", encodings=["x"])
    bars = (
        alt.Chart(charts.rows())
        .mark_bar()
        .encode(
            x=charts.linear_axis("start_s", "Time from the start", "s", axis=alt.X, zero=False),
            x2="end_s:Q",
            y=alt.Y("track:N", title=None, sort=list(tracks), axis=alt.Axis(labelLimit=200)),
            color=alt.Color(
                "kind:N", title=None, scale=palette.scale(COLOURS.items()), legend=charts.legend()
            ),
            tooltip=[
                alt.Tooltip("track:N", title="Track"),
                alt.Tooltip("what:N", title="What"),
                alt.Tooltip("kind:N", title="Kind"),
                charts.tip("start_s", "From", "s"),
                charts.tip("end_s", "To", "s"),
            ],
        )
        .add_params(zoom)
    )
    return charts.spec(bars, height=FRAME + ROW * len(tracks))


def bandwidth(told: Explanation) -> None:
    """Bus bandwidth of each kind of call vs its size, beside what the model expects."""
    frame = _bandwidths(told)
    if frame.empty:
        st.markdown("No call has bytes, ranks and a time: no bandwidth.")
        return
    best = format_rate(float(frame["busbw"].max()))
    text = f"Bus bandwidth vs message size of {len(frame)} kinds of call: at most {best}"
    charts.draw(_bandwidth_spec(tuple(dict.fromkeys(frame["series"]))), text, rows=frame)
    st.caption("Points: the trace. Grey ticks with their interval: what the model expects (p10 to p90).")


def _bandwidths(told: Explanation) -> pd.DataFrame:
    rows = []
    for total in told.totals:
        kind = total.kind
        if not isfinite(total.bus_bytes_per_s) or kind.size_bytes <= 0:
            continue
        series = f"{names.operation(kind.operation)}, {kind.parallelism}, {kind.ranks} ranks"
        expected = [_rate(total, seconds) for seconds in _expected_s(total)]
        rows.append((kind.size_bytes, total.bus_bytes_per_s, *expected, total.time_s, series))
    return pd.DataFrame(rows, columns=["size_bytes", "busbw", "expected", "low", "high", "time_s", "series"])


def _expected_s(total: KindTotal) -> tuple[float | None, float | None, float | None]:
    """Expected seconds and the slow and the fast end of their interval."""
    verdict = total.verdict
    return (None, None, None) if verdict is None else (verdict.expected_s, verdict.high_s, verdict.low_s)


def _rate(total: KindTotal, seconds: float | None) -> float | None:
    """The bus bandwidth of a call that takes so long."""
    return total.bus_bytes_per_s * total.time_s / seconds if seconds else None


@lru_cache(maxsize=16)
def _bandwidth_spec(series: tuple[str, ...]) -> charts.Spec:
    base = alt.Chart(charts.rows())
    x = charts.size_axis("size_bytes", overlay.SIZE)

    def y(field: str) -> alt.Y:
        axis: alt.Y = charts.linear_axis(field, overlay.BUSBW, "B/s")
        return axis

    colours = alt.Scale(
        domain=list(series), range=list(palette.SERIES[: len(series)]) or list(palette.SERIES)
    )
    interval = base.mark_rule(color=charts.GREY, opacity=0.5, size=5).encode(x=x, y=y("low"), y2="high:Q")
    expected = base.mark_tick(color=charts.GREY, thickness=2).encode(x=x, y=y("expected"))
    points = base.mark_point(filled=True, size=70).encode(
        x=x,
        y=y("busbw"),
        color=alt.Color("series:N", title=None, scale=colours, legend=charts.legend(columns=3)),
        tooltip=[
            alt.Tooltip("series:N", title="Call"),
            charts.tip("busbw", "Bus bandwidth", "B/s"),
            charts.tip("expected", "Expected", "B/s"),
            charts.tip("time_s", "One call", "s"),
        ],
    )
    return charts.spec(alt.layer(interval, expected, points), height=330)


def here_and_there(answer: Answer) -> None:
    """A rank's timeline today and there, from the same origin."""
    frame = pd.concat([_lane(TODAY, answer.before), _lane(THERE, answer.after)], ignore_index=True)
    text = (
        f"Timeline of rank {answer.before.lines[0].rank} today and there: a step of "
        f"{format_time(answer.today.step_s)} becomes {format_time(answer.new.step_s)}"
    )
    charts.draw(_timeline_spec(tuple(dict.fromkeys(frame["track"]))), text, rows=frame)
    st.caption(
        f"{text}. Compute stands still where it waits for a call (exposed). Scroll to zoom, drag to move."
    )


def _lane(name: str, lines: Timelines) -> pd.DataFrame:
    line: Line = lines.lines[0]
    new = line.replayed
    whole = Spans(np.array([0.0]), np.array([new.total_s]))
    calls = merged(new.start_s, new.end_s)
    hidden = without(calls, new.stalls)
    rows = _bars(f"{name}: compute", COMPUTE, without(whole, new.stalls), 0.0, new.total_s, "compute")
    rows += _bars(f"{name}: calls", OVERLAPPED, hidden, 0.0, new.total_s, "communication")
    rows += _bars(f"{name}: calls", EXPOSED, new.stalls, 0.0, new.total_s, "communication")
    return pd.DataFrame(rows, columns=COLUMNS)
