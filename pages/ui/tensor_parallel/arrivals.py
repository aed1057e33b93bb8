"""Requests that arrive at a rate: TTFT, TPOT and inter-token latency, medians and tails."""

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.serving import Arrivals, Engine, Lengths, arrivals
from core.calculators.serving.arrivals import DATASETS, MOST_PROMPTS, PROMPTS
from core.calculators.serving.percentiles import Spread
from core.calculators.tensor_parallel import Scenario
from core.units import counted, format_number, format_share, format_time
from pages.ui.shared import bound, names, tables

RATE_HELP = "Requests/s that arrive at random: vLLM and SGLang bench_serving --request-rate. Empty: no rate."
DATASET_HELP = (
    "**random**: every request has the stated lengths. **sharegpt**: lengths are means, a few are long."
)
NO_RUN = (
    "No latencies at a request rate here: they are of the phase **decode**, without compute or messages of your own, "
    "where memory has room for a request."
)
STATISTICS = ("mean", "median", "p90", "p99")


@dataclass(frozen=True, slots=True)
class Run:
    """A run at a rate; None of no rate."""

    rate: float | None
    prompts: int
    equal: bool


def inputs() -> Run:
    """The widgets of rate, prompts and dataset."""
    rate = bound.number(
        "Request rate (requests/s)", "request_rate", None, low=0.001, step=1.0, help=RATE_HELP
    )
    prompts = bound.number(
        "Prompts", "num_prompts", PROMPTS, low=1, high=MOST_PROMPTS, step=100, help="Of the run."
    )
    dataset = bound.switch("Dataset", "dataset", DATASETS, help=DATASET_HELP)
    return Run(rate, prompts, dataset == DATASETS[0])


def draw(scenario: Scenario, lengths: tuple[int, int], engine: Engine, run: Run) -> None:
    """What arrives beside what can be answered, and every latency; nothing without a rate."""
    if run.rate is None:
        return
    answer = ask(scenario, lengths, engine, run)
    if answer is None:
        st.info(NO_RUN)
        return
    st.markdown(f"**At {answer.request_rate:,.10g} requests/s, TP{scenario.tp}.** {headline(answer)}")
    tables.show(latencies(answer), "Latencies at the request rate", height="content")
    st.caption(
        "In brackets: prediction interval (p10-p90). Near saturation it is wide, since queues grow faster than the step time."
    )


def headline(answer: Arrivals) -> str:
    """Load, tokens/s and requests at once."""
    most = f"{format_number(answer.capacity)} requests/s that it answers at saturation"
    load = (
        f"{names.sentence(format_share(answer.utilization))} of the {most}"
        if answer.utilization < 1
        else f"More than the {most}: the queue grows with the run"
    )
    return (
        f"{load}. {counted(answer.prompts, 'prompt')}: "
        f"{answer.output_tokens_per_s:,.0f} output tokens/s, {answer.running:,.1f} requests at once."
    )


def latencies(answer: Arrivals) -> pd.DataFrame:
    """Every latency as a row, every statistic as a column."""
    named = {
        "TTFT": answer.ttft,
        "TPOT": answer.tpot,
        "inter-token latency": answer.itl,
        "end-to-end latency": answer.e2e,
    }
    return pd.DataFrame(
        {"latency": name} | dict(zip(STATISTICS, cells(each), strict=True))
        for name, each in named.items()
        if each is not None
    )


def cells(latency: Spread) -> list[str]:
    """Each statistic with its interval."""
    ends = zip(latency.expected.values, latency.low.values, latency.high.values, strict=True)
    return [f"{format_time(value)} ({format_time(low)} to {format_time(high)})" for value, low, high in ends]


@lru_cache(maxsize=32)
def ask(scenario: Scenario, lengths: tuple[int, int], engine: Engine, run: Run) -> Arrivals | None:
    """The answer, remembered."""
    isl, osl = lengths
    asked = Lengths(input_tokens=isl, output_tokens=osl, equal=run.equal)
    return None if run.rate is None else arrivals(scenario, engine, asked, run.rate, run.prompts)
