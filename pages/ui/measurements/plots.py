"""Charts of the page Measurements: measured points over the model, and two runs compared."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collectives.pricing import Scenario, Sweep
from core.measurement.comparison import compare_runs
from core.verdict import Status
from pages.ui.measurements.model import links, short_name
from pages.ui.shared import bound, names, overlay, speed
from pages.ui.shared.measured import Shown
from pages.ui.shared.messages import plain

MOST_COLOURED = 6
UNKNOWN = str(Status.UNKNOWN)


def model(
    collective: str,
    points: pd.DataFrame,
    scenarios: Sequence[Scenario],
    sweeps: Sequence[Sweep],
    verdicts: Mapping[str, str],
) -> None:
    """
    Curves of the model, each once, under the measured points; points alone for unknown systems.

    Args:
        collective: Of all runs.
        points: Their samples.
        scenarios: Of the curves.
        sweeps: Their answers over message size.
        verdicts: By the name of a run: with more runs than colours, points have that of their verdict.
    """
    curves = _curves(scenarios, sweeps)
    if len(verdicts) > MOST_COLOURED:
        points = points.assign(verdict=[verdicts.get(run, UNKNOWN) for run in points["run"]])
    operation = names.operation(collective).capitalize()
    if bound.switch("Show", "overlay_show", ("bus bandwidth", "time"), hidden=True) == "time":
        text = f"{operation} time vs message size: measured and model"
        overlay.draw_times(text, curves=curves, points=points)
        return
    text = f"{operation} bus bandwidth vs message size: measured, link rate and model"
    overlay.draw(text, curves=curves, ceiling=overlay.ceilings(links(scenarios)), points=points)


def _curves(scenarios: Sequence[Scenario], sweeps: Sequence[Sweep]) -> pd.DataFrame:
    several = len({scenario.system.gpu.id for scenario in scenarios}) > 1
    curves: dict[str, pd.DataFrame] = {}
    for scenario, sweep in zip(scenarios, sweeps, strict=True):
        whose = short_name(scenario) if several else "model"
        name = f"{whose}, {sweep.rates}, {scenario.ranks} ranks"
        curves.setdefault(name, overlay.curve(sweep, scenario.collective, scenario.ranks, name))
    return pd.concat(curves.values(), ignore_index=True) if curves else overlay.no_curve()


def compared(shown: Sequence[Shown]) -> None:
    """Two runs of one collective: how many times faster the second is, size by size."""
    if len(shown) != 2:
        return
    st.subheader("Two runs compared")
    first, second = shown
    try:
        comparison = compare_runs(first.run, second.run)
    except InputError as problem:
        st.info(plain(f"{first.name} and {second.name} are not compared: {problem}."))
        return
    speedup = comparison.speedup
    st.markdown(f"**{plain(speedup.sentence(first.name, second.name))}.** {plain(speedup.scope)}")
    speed.ratios(comparison)
