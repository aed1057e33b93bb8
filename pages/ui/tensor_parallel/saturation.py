"""Throughput at saturation: output tokens/s by degree when requests never run out."""

from dataclasses import dataclass, replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.serving import Offline, offline
from core.calculators.tensor_parallel import Answer, Scenario
from core.checks import InputError
from core.units import format_number, format_share, format_time
from pages.ui.shared import bound, tables


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
    left, right, _ = st.columns([1, 1, 2])
    with left:
        isl = bound.number(
            "Input sequence length (ISL)", "full_prompt", 1024, low=1, step=256, help="Tokens."
        )
    with right:
        osl = bound.number(
            "Output sequence length (OSL)", "full_output", 1024, low=1, step=256, help="Tokens."
        )
    return isl, osl


def draw(answer: Answer, lengths: tuple[int, int]) -> None:
    """The best degree and the table, for requests of these input and output lengths."""
    scenario = answer.scenario
    rows = [
        Saturated(degree.tp, scenario.ep, ask(replace(scenario, tp=degree.tp), *lengths))
        for degree in answer.degrees
    ]
    best = max(rows, key=lambda row: row.output_tokens_per_s_per_gpu)
    if best.result is None:
        st.info("The weights fit at no degree of this system: nothing can run.")
        return
    st.markdown(
        f"**TP{best.tp}** has the highest throughput per GPU: {format_number(best.output_tokens_per_s_per_gpu)} output tokens/s "
        f"with {best.result.sequences:,} concurrent requests."
    )
    tables.show(table(rows), "Throughput at saturation by TP degree", height="content")
    st.caption(
        "TPOT: decode step at the mean context length. Prefill time: the prompts of as many requests as run at once."
    )


@lru_cache(maxsize=256)
def ask(scenario: Scenario, isl: int, osl: int) -> Offline | None:
    """One degree; None where its weights do not fit or the library does not support it."""
    try:
        return offline(scenario, isl, osl)
    except InputError:
        return None


def table(rows: list[Saturated]) -> pd.DataFrame:
    """Every degree as a row."""
    return pd.DataFrame(_row(row) for row in rows)


def _row(row: Saturated) -> dict[str, str | None]:
    result = row.result
    if result is None:
        return {"degree": f"TP{row.tp}", "concurrent requests": "weights do not fit"}
    return {
        "degree": f"TP{row.tp}",
        "concurrent requests": f"{result.sequences:,}",
        "TPOT": format_time(result.decode_step_s),
        "prefill time": format_time(result.prefill_s),
        "output tokens/s": f"{result.output_tokens_per_s:,.0f}",
        "output tokens/s per GPU": format_number(row.output_tokens_per_s_per_gpu),
        "exposed communication": format_share(result.comm_share),
    }
