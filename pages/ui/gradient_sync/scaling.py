"""Gradient sync on more GPUs: scaling efficiency by definition, time by part and by algorithm."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import DEFINITIONS, Answer, Scenario
from core.calculators.gradient_sync.compare import by_algorithm, powers_of_two
from core.checks import InputError
from core.parallel.grow import grow_to
from core.parallel.stragglers import wait_s
from core.units import format_message, format_share, format_time
from pages.ui.gradient_sync import summary
from pages.ui.shared import bound, charts, findings, palette
from pages.ui.shared.names import algorithm

MOST_GPUS = 32_768
EFFICIENCY = "efficiency"
VIEWS = (EFFICIENCY, "time", "algorithm")
PARTS = {"launch_s": "launch", "latency_s": "latency", "transfer_s": "transfer", "reduction_s": "reduction"}
FORMER_TITLES = {
    "compute of compute and communication": DEFINITIONS["compute_over_compute_and_comm"].title,
    "compute share of the step": DEFINITIONS["compute_share"].title,
    "step without communication over step": DEFINITIONS["no_comm_speedup"].title,
}
"""Definitions by the titles that links of model versions before 1.2 contain."""
PERCENTILES = (0.5, 0.9, 0.99)


@lru_cache(maxsize=64)
def _grown(scenario: Scenario) -> dict[int, Answer]:
    """The same job on 2 to 32,768 GPUs, every one a rank; sizes without an answer are missing."""
    answers = {}
    for gpus in powers_of_two(2, MOST_GPUS):
        try:
            system = grow_to(scenario.system, gpus)
            answers[gpus] = summary.ask(replace(scenario, system=system, ranks=gpus, shard_ranks=None))
        except InputError:
            continue
    return answers


@lru_cache(maxsize=64)
def _algorithms(scenario: Scenario, size_bytes: float) -> pd.DataFrame:
    """All-reduce of one message by every algorithm that applies, on 2 to 32,768 GPUs."""
    rows = []
    for gpus in powers_of_two(2, MOST_GPUS):
        try:
            grown = replace(scenario, system=grow_to(scenario.system, gpus), ranks=gpus)
            sweeps = by_algorithm(grown, [size_bytes])
        except InputError:
            continue
        rows += [(gpus, algorithm(name), float(sweep.time_s[0])) for name, sweep in sweeps.items()]
    return pd.DataFrame(rows, columns=["gpus", "algorithm", "time_s"])


@dataclass(frozen=True, slots=True)
class Query:
    """The view of the chart, and the title of the definition of efficiency where that is shown."""

    view: str
    definition: str = ""


def query() -> Query:
    """The widgets of the chart."""
    view = bound.switch("Show", "scale_view", VIEWS, hidden=True)
    if view != EFFICIENCY:
        return Query(view)
    default = DEFINITIONS["compute_share"].title
    return Query(view, bound.choice("Definition", "definition", _titles(), default, renamed=FORMER_TITLES))


def _titles() -> dict[str, str]:
    """The definitions of scaling efficiency by title."""
    return {definition.title: name for name, definition in DEFINITIONS.items()}


def draw(scenario: Scenario, result: Answer, query: Query) -> None:
    """The chart of the chosen view."""
    grown = _grown(scenario)
    if len(grown) < 2:
        st.info("This system has no scale-out network: choose one under System to see it scale.")
        return
    here = pd.DataFrame({"gpus": [scenario.world]})
    if query.view == "time":
        _time(grown, here)
    elif query.view == "algorithm":
        _by_algorithm(scenario, result, here)
    else:
        _efficiency(grown, here, query.definition)


def _time(grown: dict[int, Answer], here: pd.DataFrame) -> None:
    rows = [
        (gpus, name, getattr(answer, part)) for gpus, answer in grown.items() for part, name in PARTS.items()
    ]
    frame = pd.DataFrame(rows, columns=["gpus", "part", "time_s"])
    times = findings.ends(frame, "part", "gpus", "time_s", format_time)
    text = f"Communication per step by part vs number of GPUs: {times}"
    charts.draw(_time_spec(), text, rows=frame, here=here)
    st.caption("Every collective of the step as one message, one after the other; overlapped or not.")


def _by_algorithm(scenario: Scenario, result: Answer, here: pd.DataFrame) -> None:
    size_bytes = result.bucket_bytes or result.gradient_bytes
    frame = _algorithms(scenario, size_bytes)
    lead = findings.lead(frame, "algorithm", "gpus", "time_s", lambda gpus: f"{gpus:,.0f} GPUs")
    text = f"All-reduce time by algorithm vs number of GPUs, {lead}"
    charts.draw(_algorithm_spec(), text, rows=frame, here=here)
    message = "one gradient bucket" if result.bucket_bytes else "all gradients"
    st.caption(f"An all-reduce of {message} ({format_message(size_bytes)}) by algorithm.")


def _efficiency(grown: dict[int, Answer], here: pd.DataFrame, title: str) -> None:
    names = _titles()
    rows = [
        (
            gpus,
            answer.efficiency[names[title]],
            answer.exposed_s,
            answer.step_s,
            answer.tokens_per_s or 0.0,
            answer.mfu or 0.0,
        )
        for gpus, answer in grown.items()
        if answer.efficiency
    ]
    if not rows:
        st.info("Efficiency needs compute: tokens per micro-batch, or a backward time.")
        return
    frame = pd.DataFrame(rows, columns=["gpus", "efficiency", "exposed_s", "step_s", "tokens", "mfu"])
    first, last = frame.iloc[0], frame.iloc[-1]
    falls = ", ".join(f"{format_share(row['efficiency'])} on {row['gpus']:,.0f}" for row in (first, last))
    description = f"Scaling efficiency ({title}) vs number of GPUs: {falls}"
    charts.draw(_efficiency_spec(), description, rows=frame, here=here)
    st.caption("Weak scaling: every GPU is a rank, tokens per GPU unchanged.")


def definitions(scenario: Scenario, result: Answer) -> None:
    """Scaling efficiency by each definition, and the wait for the slowest rank by percentile."""
    efficiency = result.efficiency or {}
    lines = [
        f"* **{format_share(efficiency[name])}** {definition.title}: ${definition.formula}$"
        for name, definition in DEFINITIONS.items()
    ]
    st.markdown("\n".join(lines))
    st.caption(
        "t with c: compute, x: exposed communication, o: the rest, here the wait for the slowest rank."
    )
    _stragglers(scenario, result)


def _stragglers(scenario: Scenario, result: Answer) -> None:
    if not scenario.spread or result.backward_s is None:
        st.caption("Stragglers: give *Straggler spread* a share, such as 0.02.")
        return
    backward_s = scenario.accumulation * result.backward_s
    waits = (
        (percentile, wait_s(backward_s, scenario.spread, result.ranks, percentile))
        for percentile in sorted({*PERCENTILES, scenario.percentile})
    )
    text = ", ".join(
        f"{format_time(seconds)} in {100 * percentile:g} % of steps" for percentile, seconds in waits
    )
    st.markdown(
        f"**Slowest of {result.ranks:,} ranks**, with a standard deviation of {100 * scenario.spread:g} % in backward: "
        f"at most {text} behind the mean. The step time above uses {100 * scenario.percentile:g} %."
    )


def _gpus() -> Any:
    return charts.counts_axis("gpus", "GPUs (data-parallel size)")


@lru_cache(maxsize=1)
def _efficiency_spec() -> charts.Spec:
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=_gpus(),
            y=charts.share_axis("efficiency", "Scaling efficiency"),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                charts.tip("efficiency", "Efficiency", "%"),
                charts.tip("exposed_s", "Exposed communication", "s"),
                charts.tip("step_s", "Step time", "s"),
                alt.Tooltip("tokens:Q", title="Tokens/s", format=",.0f"),
                charts.tip("mfu", "MFU", "%"),
            ],
        )
    )
    return charts.spec(alt.layer(line, charts.at(_gpus())), height=270)


@lru_cache(maxsize=1)
def _time_spec() -> charts.Spec:
    axis = alt.Axis(tickCount=6, labelExpr=charts.EVEN_TIME, gridOpacity=0.35)
    areas = (
        alt.Chart(charts.rows())
        .mark_area(opacity=0.85, line=True)
        .encode(
            x=_gpus(),
            y=alt.Y("time_s:Q", title="Communication per step", stack="zero", axis=axis),
            color=alt.Color(
                "part:N",
                title=None,
                scale=palette.scale(palette.COSTS.items()),
                legend=charts.legend(narrow=2, columns=4),
            ),
            order=alt.Order("part:O"),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("part:N", title="Part"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(alt.layer(areas, charts.at(_gpus())), height=310)


@lru_cache(maxsize=1)
def _algorithm_spec() -> charts.Spec:
    lines = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=35), size=2)
        .encode(
            x=_gpus(),
            y=charts.log_axis("time_s", "All-reduce time", "s", axis=alt.Y),
            color=alt.Color("algorithm:N", title=None, sort=None, legend=charts.legend(columns=4, narrow=2)),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("algorithm:N", title="Algorithm"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(alt.layer(lines, charts.at(_gpus())), height=310)
