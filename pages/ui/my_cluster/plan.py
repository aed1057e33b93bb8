"""What to measure next: the runs that would narrow the prediction interval most."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collectives.cost_model import Point
from core.collectives.fitted import Fit
from core.collectives.plan import MOST_RUNS, Plan, measurement_plan
from core.collectives.question import Software
from core.hardware import System
from core.units import counted, format_size, format_time
from pages.ui.shared import answer, bound, names, tables
from pages.ui.shared.messages import plain, refusal

RUNS = 5
TITLE = "What to measure next"


def show(system: System, software: Software, fit: Fit | None = None) -> None:
    """The plan for a system and its software, given the sweeps of a fit where there is one."""
    runs = bound.number(
        "Runs", "plan_runs", RUNS, low=1, high=MOST_RUNS, step=1, help="Of nccl-tests, at most."
    )
    try:
        plan = _plan(system, software, runs, () if fit is None else _points(fit))
    except InputError as problem:
        st.info(plain(refusal(problem)))
        return
    answer.finding(f"{_before(system, plan)}{_after(plan)}.")
    if plan.runs:
        tables.show(_rows(plan), "Runs of nccl-tests, in the order in which they tell most")
        if commands := [item.command for item in plan.runs if item.command]:
            st.code("\n".join(commands), language="bash")
    for warning in plan.warnings:
        st.caption(plain(warning))


def _before(system: System, plan: Plan) -> str:
    known = counted(plan.points, "measured time") if plan.points else "no run yet"
    wide = f"{plan.width_before:.2f} times its low end on average"
    return f"{system.name} with {known}: the prediction interval's high end is {wide}"


def _after(plan: Plan) -> str:
    if not plan.runs:
        return ""
    count = counted(len(plan.runs), "run")
    return f"; after {count} more, {plan.runs[-1].width_after:.2f} times"


@lru_cache(maxsize=32)
def _plan(system: System, software: Software, runs: int, points: tuple[Point, ...]) -> Plan:
    """The plan, remembered."""
    return measurement_plan(system, software=software, runs=runs, points=points)


def _points(fit: Fit) -> tuple[Point, ...]:
    """The measured times that a fit rests on."""
    return tuple(
        Point(curve.setting, size, time_s)
        for curve in fit.curves
        for size, time_s in zip(curve.size_bytes, curve.time_s, strict=True)
    )


def _rows(plan: Plan) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "collective": [names.operation(item.collective) for item in plan.runs],
            "GPUs": [item.ranks for item in plan.runs],
            "domains": [item.domains for item in plan.runs],
            "size": [format_size(item.size_bytes) for item in plan.runs],
            "expected time": [format_time(item.expected_s) for item in plan.runs],
            "interval after, high / low": [f"{item.width_after:.2f}" for item in plan.runs],
        }
    )
