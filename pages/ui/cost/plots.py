"""Charts of the page Cost of communication."""

import pandas as pd
import streamlit as st

from core.calculators.training import Answer
from core.units import GB, format_rate
from pages.ui.cost import specs, summary
from pages.ui.cost.inputs import Prices
from pages.ui.cost.summary import JobCost, Result
from pages.ui.shared import charts, findings

NEXT = 1.01


def fabrics(cost: JobCost) -> None:
    """Dollars per month that each fabric saves or costs."""
    if not cost.fabrics:
        st.info("This system has no scale-out network: choose one, or a system whose domains are joined.")
        return
    frame = pd.DataFrame(
        {
            "name": fabric.name,
            "saved": fabric.saved_usd_per_month,
            "step_s": fabric.step_s,
            "worth": fabric.worth_usd_per_gpu,
            "sign": "saves" if fabric.saved_usd_per_month >= 0 else "costs",
        }
        for fabric in cost.fabrics
    )
    saved = findings.listed(frame["name"], frame["saved"], findings.dollars)
    charts.draw(specs.fabrics(len(frame)), f"Savings per month by scale-out fabric: {saved}", rows=frame)


def savings(cost: JobCost, prices: Prices) -> None:
    """Savings per month vs network rate, and what one GB/s more is worth."""
    scale_out = cost.scenario.system.scale_out
    rates = summary.rates_of(cost.scenario, cost.answer.gpus, prices)
    if not rates or scale_out is None:
        st.info("Without a scale-out network there is no rate to change.")
        return
    rows = [(value.bytes_per_s, value.saved_usd_per_month, value.step_s) for value in rates]
    frame = pd.DataFrame(rows, columns=["rate", "saved", "step_s"])
    here = scale_out.bytes_per_s
    charts.draw(
        specs.savings(),
        f"Savings per month vs network rate per GPU: {findings.span(frame['saved'], findings.dollars)}",
        rows=frame,
        here=pd.DataFrame({"rate": [here]}),
    )
    faster = next(value for value in rates if value.bytes_per_s > here * NEXT)
    slope = faster.saved_usd_per_month / ((faster.bytes_per_s - here) / GB)
    per_gpu = summary.markdown_dollars(slope * prices.horizon_months / cost.answer.gpus)
    st.caption(
        f"From {format_rate(here)} on, one more GB/s per GPU is worth {summary.markdown_dollars(slope)} a month, {per_gpu} "
        f"per GPU over {prices.horizon_months} months; each further one less."
    )


def bill(result: Result, cost: JobCost) -> None:
    """GPU bill of a month by what the GPUs do."""
    frame = bill_by_cause(cost.answer, result.bill_usd_per_month)
    dollars = findings.listed(frame["part"], frame["usd"], findings.dollars)
    charts.draw(specs.bill(), f"GPU bill per month by cause: {dollars}", rows=frame)


def bill_by_cause(answer: Answer, bill_usd_per_month: float) -> pd.DataFrame:
    """Seconds of the step, share and dollars of each cause that takes any; they add up to step and bill."""
    causes = [(cause, time_s) for cause, time_s in answer.by_cause.items() if time_s > 0]
    frame = pd.DataFrame(causes, columns=["part", "time_s"])
    frame["share"] = frame["time_s"] / answer.step_s
    frame["usd"] = frame["share"] * bill_usd_per_month
    return frame
