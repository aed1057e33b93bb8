"""Break-even points of the system, and what its links are worth: on this machine, and in five situations."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import (
    BreakEven,
    LinkValue,
    NvlinkCase,
    break_even_questions,
    nvlink_cases,
    serving_link_value,
    training_break_even,
    training_link_value,
)
from core.calculators.layouts.link_value import NEEDED, USEFUL
from core.calculators.tensor_parallel import Scenario
from core.calculators.training import Scenario as Training
from pages.ui.layouts import specs
from pages.ui.layouts.result import Result, ServingResult
from pages.ui.shared import charts, findings, link_value
from pages.ui.shared.messages import plain


@lru_cache(maxsize=64)
def _serving_points(scenario: Scenario) -> tuple[BreakEven, ...]:
    return break_even_questions(scenario)


@lru_cache(maxsize=64)
def _training_points(scenario: Training) -> tuple[BreakEven, ...]:
    return training_break_even(scenario)


def break_even(result: Result) -> None:
    """Break-even points of the headline's workload; those without meaning here are left out."""
    if isinstance(result, ServingResult):
        points = _serving_points(result.scenario)
        about = "Decode steps at the widest TP inside a scale-up domain, and at the next wider one."
    else:
        best = result.ranking.ranked[0]
        points = _training_points(best.scenario)
        about = f"The layout stays {best.name()}; the crossovers above say where another is faster."
    if not points:
        st.info("No break-even question applies to this system.")
        return
    st.markdown("\n".join(f"* {plain(point.text)}" for point in points))
    st.caption(plain(about))


@lru_cache(maxsize=1)
def _nvlink() -> tuple[NvlinkCase, ...]:
    return tuple(nvlink_cases())


@lru_cache(maxsize=64)
def _link_value(scenario: Scenario | Training) -> LinkValue:
    return serving_link_value(scenario) if isinstance(scenario, Scenario) else training_link_value(scenario)


def links(result: Result) -> None:
    """What the links of this machine are worth to the best layout; five other situations for reference."""
    if isinstance(result, ServingResult):
        link_value.draw(_link_value(result.ranking.best.step(result.scenario)))
    else:
        link_value.draw(_link_value(result.ranking.layouts[0].scenario))
    with st.expander("Five situations for reference", icon=":material/menu_book:"):
        _five_situations()


def _five_situations() -> None:
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
    gains = findings.listed(frame["situation"], frame["gain"], "{:.2f} times".format)
    charts.draw(specs.nvlink(), f"Speed-up by NVLink: {gains}", rows=frame, limits=limits)
    st.markdown("\n".join(f"* {case.text}" for case in cases))
    st.caption("Datasheet rates on both sides, so that unmeasured systems compare fairly.")
