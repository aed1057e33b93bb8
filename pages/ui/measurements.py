"""Measurements page: measured bus bandwidth over the model, the verdict, two runs compared."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collective import Scenario, sweep
from core.collectives import busbw_factor
from core.rates import Rates
from core.systems import configure
from core.units import format_rate, format_size
from pages.ui import answer, bound, charts, collectives, machine, measured, overlay, rates

LOG = "from the log"
PLACEMENTS = ("out-of-place", "in-place", "as printed")
MOST_CURVES = 3


def sidebar():
    """Which machine and rates the model's curve stands on, which samples are drawn."""
    box = machine.choose(LOG, key="overlay_system", extra=(LOG,))
    chosen = rates.choose()
    placements = bound.several("Placement", "placement", PLACEMENTS, list(PLACEMENTS))
    return box, chosen, placements


def chart(shown, side):
    """Measured bus bandwidth over size against the link and the model."""
    box, chosen, placements = side
    drawable = [one for one in shown if one.drawable]
    if not drawable:
        st.info("Upload a log of a collective, or choose stored runs, to lay them over the model.")
        return
    kinds = list(dict.fromkeys(one.run.collective for one in drawable))
    if len(kinds) > 1:
        picked = bound.switch("Collective on the chart", "overlay_collective", kinds)
        drawable = [one for one in drawable if one.run.collective == picked]
    points = measured.rows(drawable, placements)
    with answer.explained():
        asked, told = zip(*(_asked(one.run, box, chosen) for one in drawable[:MOST_CURVES]), strict=True)
        predicted = [sweep(one, overlay.sizes_for(points)) for one in asked]
    for line in dict.fromkeys(told):
        st.caption(f"Model: {line}.")
    _verdict(drawable[0].name, points, predicted[0], asked[0])
    _draw(points, asked, predicted)
    for line in dict.fromkeys(line for one in predicted for line in one.warnings):
        st.warning(line, icon=":material/warning:")
    _compare(drawable, points)


def _asked(run, box, chosen):
    """The question whose answer is the run's curve, and the machine in words."""
    system, told = _machine(box, run)
    return Scenario(system, run.collective, run.ranks, rates=chosen.on(system, run.ranks)), told


def _draw(points, asked, predicted):
    """Curves of the model, each once, under the measured points."""
    frames = {}
    for question, one in zip(asked, predicted, strict=True):
        name = f"model, {one.rates}, {question.ranks} ranks"
        frames.setdefault(name, overlay.curve(one, question.collective, question.ranks, name))
    curves = pd.concat(frames.values(), ignore_index=True)
    named = points.assign(series=points["series"] + ", measured")
    collective = asked[0].collective
    if bound.switch("Show", "overlay_show", ("bus bandwidth", "time")) == "time":
        words = f"Measured time of {collective} over message size and the model"
        overlay.draw_times(words, curves=curves, points=named)
    else:
        words = f"Measured bus bandwidth of {collective} over message size, link rate and model"
        ceiling = overlay.ceilings(collectives.ladder(asked[0]))
        overlay.draw(words, curves=curves, ceiling=ceiling, points=named)


def _machine(box, run):
    """The machine of the curve: as chosen, with enough domains, or as the log tells."""
    if box.chosen != LOG:
        system = box.system()
        needed = -(-run.ranks // system.domain_gpus)
        if needed > system.domains:
            system = configure(system, domains=needed)
        return system, machine.describe(system)
    system, told = measured.machine_of(run, box.how["network"])
    if system is None:
        raise InputError(told)
    if box.how["nics_per_domain"] or box.how["oversubscription"] != 1:
        system = configure(system, **{**box.how, "domains": system.domains})
    return system, told


def _verdict(name, points, predicted, asked):
    """How the measurement stands against the model, in one sentence."""
    own = points[points["series"] == name]
    if own.empty:
        answer.headline("No sample is left to draw.", "All were wrong, empty, or of another placement.")
        return
    beside = measured.against(own, predicted, float(busbw_factor(asked.collective, asked.ranks)))
    best = beside.loc[beside["busbw"].idxmax()]
    large = beside[beside["size_bytes"] >= 0.25 * beside["size_bytes"].max()]
    ratio = float(np.median(large["ratio"]))
    ceiling, rate = min(collectives.ladder(replace(asked, rates=Rates())), key=lambda one: one[1])
    answer.headline(
        f"{name}: large messages run {_word(ratio)}, {ratio:.2f} times its bus bandwidth.",
        f"Best {format_rate(best['busbw'])} at {format_size(best['size_bytes'])}, {100 * best['busbw'] / rate:.0f} % of: "
        f"{ceiling}. {int(beside['inside'].sum())} of {len(beside)} samples lie inside the model's band. "
        f"{asked.ranks} ranks, {asked.collective}.",
        _where(beside),
        origin="measured",
    )


def _word(ratio):
    if ratio < 0.85:
        return "below the model"
    return "above the model" if ratio > 1.18 else "as the model expects"


def _where(beside):
    """The size from which on most samples lie outside the band."""
    out = beside[~beside["inside"]]
    if out.empty:
        return "Every sample is inside the band."
    slow = out[out["ratio"] < 1]
    side, rows = ("slower", slow) if len(slow) * 2 >= len(out) else ("faster", out[out["ratio"] >= 1])
    low, high = format_size(rows["size_bytes"].min()), format_size(rows["size_bytes"].max())
    return f"Outside the band mostly {side} than it, between {low} and {high}."


def _compare(drawable, points):
    """Two runs of one collective: how many times faster the second is, size by size."""
    names = [one.name for one in drawable]
    if len(names) != 2:
        return
    st.subheader("Two runs compared")
    keys = ["size_bytes", "placement"]
    both = [
        points[points["series"] == name].drop_duplicates(keys).set_index(keys)["time_s"] for name in names
    ]
    ratio = (both[0] / both[1]).dropna().reset_index(name="ratio")
    if ratio.empty:
        st.info("The two runs share no size and placement.")
        return
    middle = float(ratio["ratio"].median())
    faster = names[1] if middle >= 1 else names[0]
    times = max(middle, 1 / middle)
    st.markdown(f"**{faster}** is {times:.2f} times as fast at the median of {len(ratio)} common samples.")
    charts.draw(_ratio_spec(), "Time of the first run over time of the second, by size", rows=ratio)


@lru_cache(maxsize=1)
def _ratio_spec():
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=True)
        .encode(
            x=charts.log_axis("size_bytes", overlay.SIZE, "B"),
            y=charts.linear_axis("ratio", "First over second (times)", "×", zero=False),
            color=alt.Color("placement:N", title=None, legend=charts.legend()),
            tooltip=[
                charts.tip("size_bytes", "Size", "bytes"),
                alt.Tooltip("ratio:Q", title="Times", format=".3f"),
            ],
        )
    )
    return charts.spec(line, height=260)
