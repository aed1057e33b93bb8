"""Throughput at saturation: output tokens/s by degree when requests never run out."""

from dataclasses import dataclass, replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.serving import (
    Disaggregated,
    Engine,
    Lengths,
    Offline,
    Queue,
    disaggregated,
    offline,
    queue,
)
from core.calculators.tensor_parallel import Answer, Scenario
from core.checks import InputError
from core.units import counted, format_number, format_share, format_time
from pages.ui.shared import bound, names, tables
from pages.ui.shared.messages import plain
from pages.ui.shared.question import own
from pages.ui.tensor_parallel import arrivals


@dataclass(frozen=True, slots=True)
class Saturated:
    """One degree with a queue that never empties; ``result`` None where it cannot run."""

    tp: int
    ep: int
    result: Offline | None

    @property
    def gpus(self) -> int:
        """GPUs of one group."""
        return max(self.tp, self.ep)

    @property
    def output_tokens_per_s_per_gpu(self) -> float:
        """Output tokens/s of each GPU; 0 where the degree cannot run."""
        return 0.0 if self.result is None else self.result.output_tokens_per_s / self.gpus


def lengths() -> tuple[int, int]:
    """The widgets of input and output sequence length, in tokens."""
    isl = bound.number("Input sequence length (ISL)", "full_prompt", 1024, low=1, step=256, help="Tokens.")
    osl = bound.number("Output sequence length (OSL)", "full_output", 1024, low=1, step=256, help="Tokens.")
    return isl, osl


def inputs() -> tuple[tuple[int, int], arrivals.Run]:
    """The widgets of both lengths, and of a rate of arrivals."""
    with st.grid("auto", min_column_width=own.WIDTH, vertical_alignment="bottom", gap="small"):
        return lengths(), arrivals.inputs()


def draw(
    answer: Answer, load: tuple[tuple[int, int], arrivals.Run], engine: Engine, tpot_s: float | None
) -> None:
    """Throughput at saturation, then latencies at a rate of arrivals where one is given."""
    draw_saturation(answer, load[0], engine, tpot_s)
    arrivals.draw(answer.scenario, load[0], engine, load[1])


def draw_saturation(answer: Answer, lengths: tuple[int, int], engine: Engine, tpot_s: float | None) -> None:
    """The best degree and the table, for requests of these lengths; then prefill and decode apart."""
    scenario = answer.scenario
    rows = [
        Saturated(degree.tp, scenario.ep, ask(replace(scenario, tp=degree.tp), lengths, engine, tpot_s))
        for degree in answer.degrees
    ]
    best = max(rows, key=lambda row: row.output_tokens_per_s_per_gpu)
    if best.result is None:
        kept = "" if tpot_s is None else f" within a TPOT of {format_time(tpot_s)}"
        st.info(
            f"Weights and a request of this length fit at no degree of this system{kept}: nothing can run."
        )
        return
    st.markdown(
        f"**TP{best.tp}** has the highest throughput per GPU: {format_number(best.output_tokens_per_s_per_gpu)} output tokens/s "
        f"with {best.result.sequences:,} concurrent requests."
    )
    tables.show(table(rows, tpot_s), "Throughput at saturation by TP degree", height="content")
    st.caption(
        "Decode step: at the mean context length. TPOT: the mean, prefill of other prompts included. Prefill time: the "
        "prompts of as many requests as run at once."
    )
    waits = ask_queue(scenario, lengths, engine)
    if waits is not None:
        st.markdown(f"**TTFT under load at TP{scenario.tp}.** {plain(_waits(waits))}")
    apart = ask_apart(scenario, lengths, engine, tpot_s)
    if apart is not None:
        st.markdown(f"**Disaggregated at TP{scenario.tp}.** {plain(apart.verdict)} {_balance(apart)}")


@lru_cache(maxsize=64)
def ask_queue(scenario: Scenario, lengths: tuple[int, int], engine: Engine) -> Queue | None:
    """TTFT of the concurrent requests, waiting included; None where no queue is followed."""
    isl, osl = lengths
    try:
        return queue(scenario, engine, Lengths(input_tokens=isl, output_tokens=osl))
    except InputError:
        return None


def _waits(waits: Queue) -> str:
    """The three means of a queue."""
    held = "" if waits.held == waits.clients else f", of which {waits.held:,} run at once"
    tpot = "" if waits.tpot_s is None else f", TPOT {format_time(waits.tpot_s)}"
    return (
        f"{counted(waits.clients, 'concurrent request')}{held}: mean {format_time(waits.ttft_s)} where outputs vary in length, "
        f"{format_time(waits.equal_ttft_s)} where all are equal{tpot} and {waits.output_tokens_per_s:,.0f} output tokens/s, "
        f"{format_time(waits.burst_ttft_s)} of those that arrive all at once."
    )


@lru_cache(maxsize=64)
def ask_apart(
    scenario: Scenario, lengths: tuple[int, int], engine: Engine, tpot_s: float | None
) -> Disaggregated | None:
    """Prefill and decode on GPUs of their own; None where the library or memory does not allow it."""
    isl, osl = lengths
    try:
        return disaggregated(scenario, engine, Lengths(input_tokens=isl, output_tokens=osl), tpot_s=tpot_s)
    except InputError:
        return None


def _balance(apart: Disaggregated) -> str:
    """Prefill GPUs for each decode GPU, and what the KV cache transfer takes."""
    return (
        f"{format_number(apart.prefill_groups_per_decode_group)} prefill GPUs keep one decode GPU busy; the KV cache of a prompt "
        f"takes {format_time(apart.transfer_s)} over {plain(names.path(apart.path))}."
    )


@lru_cache(maxsize=256)
def ask(scenario: Scenario, lengths: tuple[int, int], engine: Engine, tpot_s: float | None) -> Offline | None:
    """One degree; None where weights, a request or the target do not fit or the library does not support it."""
    try:
        return offline(scenario, *lengths, engine=engine, tpot_s=tpot_s)
    except InputError:
        return None


def table(rows: list[Saturated], tpot_s: float | None = None) -> pd.DataFrame:
    """Every degree as a row."""
    nothing = "none fits" if tpot_s is None else "none within the target"
    return pd.DataFrame(_row(row, nothing) for row in rows)


def _row(row: Saturated, nothing: str) -> dict[str, str | None]:
    result = row.result
    if result is None:
        return {"degree": f"TP{row.tp}", "concurrent requests": nothing}
    return {
        "degree": f"TP{row.tp}",
        "concurrent requests": f"{result.sequences:,}",
        "decode step": format_time(result.decode_step_s),
        "TPOT": format_time(result.tpot_s),
        "prefill time": format_time(result.prefill_s),
        "output tokens/s": f"{result.output_tokens_per_s:,.0f}",
        "output tokens/s per GPU": format_number(row.output_tokens_per_s_per_gpu),
        "exposed communication": format_share(result.comm_share),
        "limit": result.limit,
    }
