"""Break-even points of the system, and what NVLink is worth in five situations."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import NvlinkCase, break_even_questions, nvlink_cases
from core.calculators.layouts.nvlink import NEEDED, USEFUL
from core.calculators.tensor_parallel import Scenario
from pages.ui.layouts import specs
from pages.ui.layouts.result import Result, ServingResult
from pages.ui.shared import charts
from pages.ui.shared.messages import plain


@lru_cache(maxsize=64)
def _break_even(scenario: Scenario) -> tuple[str, ...]:
    return tuple(point.text for point in break_even_questions(scenario))


def break_even(result: Result) -> None:
    """Break-even batch, bucket size and budget across nodes; those without meaning here are left out."""
    if isinstance(result, ServingResult):
        serving = result.scenario
    else:
        training = result.scenario
        serving = Scenario(system=training.system, model=training.model, tp=1, rates=training.rates)
    texts = _break_even(serving)
    if not texts:
        st.info("No break-even question applies to this system.")
        return
    st.markdown("\n".join(f"* {plain(text)}" for text in texts))
    st.caption("Decode questions: the widest TP inside a scale-up domain against the next wider one.")


@lru_cache(maxsize=1)
def _nvlink() -> tuple[NvlinkCase, ...]:
    return tuple(nvlink_cases())


def nvlink(_result: Result) -> None:
    """Speed-up by NVLink in five situations, against PCIe alone."""
    cases = _nvlink()
    frame = pd.DataFrame(
        {
            "situation": case.situation,
            "gain": case.gain,
            "verdict": case.verdict,
            "question": case.question,
            "with_s": case.with_s,
            "without_s": case.without_s,
        }
        for case in cases
    )
    limits = pd.DataFrame({"gain": [USEFUL, NEEDED]})
    charts.draw(specs.nvlink(), "Speed-up by NVLink in five situations", rows=frame, limits=limits)
    st.markdown("\n".join(f"* {case.text}" for case in cases))
    st.caption("Datasheet rates on both sides, so that unmeasured systems compare fairly.")
