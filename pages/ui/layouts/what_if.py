"""What would change the answer: flip map, sensitivity, cluster size, questions solved backwards, NVLink."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import (
    INPUTS,
    best_by_gpus,
    break_even_questions,
    crossover_map,
    nvlink_cases,
    serving_tornado,
    tornado,
)
from core.calculators.layouts.crossovers import COMPARED
from core.calculators.layouts.nvlink import NEEDED, USEFUL
from core.calculators.tensor_parallel import Scenario as Serve
from core.checks import InputError
from core.units import format_rate, format_time
from pages.ui.layouts import charts as strategy_charts
from pages.ui.layouts import view as strategy
from pages.ui.shared import bound, charts
from pages.ui.shared.messages import plain

FACTORS = tuple(2 ** (k / 2) for k in range(-6, 7))
SERVED_FACTORS = tuple(2.0**k for k in range(-3, 4))
SIZES = tuple(4.0**k for k in range(-2, 3))


def show(aim, whole, found, asked):
    """Every what-if of the goal, then the plain questions."""
    st.subheader("What flips it")
    if aim == "train":
        _flip_map(found)
        left, right = st.columns(2)
        with left:
            st.subheader("What moves the step")
            _tornado(_torn(found.ranked[0].scenario), "the step")
        with right:
            st.subheader("Other cluster sizes")
            _growth(whole, asked["gpus"])
    else:
        _serving_map(aim, whole, asked)
        left, right = st.columns(2)
        with left:
            st.subheader("What moves a token")
            what = "the time of a token" if aim == "latency" else "a token's GPU time"
            _tornado(_torn_token(whole, asked["gpus"], asked["sequences"], found), what)
        with right:
            st.subheader("Other cluster sizes")
            _served_growth(aim, whole, asked)
    left, right = st.columns(2)
    with left:
        st.subheader("Solved backwards")
        _solved(aim, whole)
    with right:
        st.subheader("Do I need NVLink?")
        _needs()


def _label(knob, scenario, factor):
    value = knob.value(scenario) * factor
    if knob.unit == "B/s":
        return format_rate(float(f"{value:.3g}"))
    if knob.unit == "sequences":
        return f"{value:,.0f}"
    return f"{factor:.3g} times"


@lru_cache(maxsize=32)
def _regions(ranked, across, up):
    return crossover_map(ranked, INPUTS[across], INPUTS[up], FACTORS)


def _flip_map(found):
    """Two inputs turned at once over the best few layouts."""
    base = found.ranked[0].scenario
    able = [place for place, knob in enumerate(INPUTS) if knob.value(base) > 0]
    names = [INPUTS[place].name for place in able]
    left, right = st.columns(2)
    with left:
        one = bound.choice("Across", "flip_across", names, names[0])
    with right:
        two = bound.choice("Up", "flip_up", names, names[1])
    if one == two:
        st.info("Choose two different inputs.")
        return
    across, up = (able[names.index(name)] for name in (one, two))
    cells = _regions(found.ranked, across, up)
    columns = tuple(_label(INPUTS[across], base, factor) for factor in FACTORS)
    rows = tuple(_label(INPUTS[up], base, factor) for factor in FACTORS)
    names = [item.name() for item in found.ranked[:COMPARED]]
    frame = pd.DataFrame(
        {
            "across": columns[FACTORS.index(cell.across)],
            "up": rows[FACTORS.index(cell.up)],
            "winner": names[cell.winner],
            "value": format_time(cell.step_s),
            "margin": cell.margin,
        }
        for cell in cells
    )
    _draw_map(frame, one, two, columns, rows, names)
    st.caption(
        f"The best {min(COMPARED, len(found.ranked))} families stand for election; the ring is the machine as it is. "
        "Each axis spans a factor of 8 either way."
    )


def _draw_map(frame, across, up, columns, rows, names):
    frame = frame.drop_duplicates(["across", "up"])
    columns, rows = (tuple(dict.fromkeys(one)) for one in (columns, rows))
    present = set(frame["winner"])
    order = tuple(dict.fromkeys(name for name in names if name in present))
    now = pd.DataFrame({"across": [columns[len(columns) // 2]], "up": [rows[len(rows) // 2]]})
    words = f"Winner by {across} and {up}: {len(order)} regions"
    charts.draw(strategy_charts.flip_map(across, up, columns, rows, order), words, rows=frame, now=now)


@lru_cache(maxsize=64)
def _torn(scenario):
    return tornado(scenario)


@lru_cache(maxsize=64)
def _torn_token(whole, gpus, sequences, found):
    return serving_tornado(whole, gpus, sequences, found)


def _tornado(found, what):
    """Each input halved and doubled."""
    rows, unfit = [], []
    for bar in found.bars:
        for turn, step_s in (("halved", bar.divided_s), ("doubled", bar.multiplied_s)):
            if step_s is None:
                unfit.append(f"{bar.input} {turn}")
            else:
                rows.append((bar.input, turn, step_s / bar.base_s - 1, step_s))
    frame = pd.DataFrame(rows, columns=["input", "turn", "change", "step_s"])
    order = tuple(bar.input for bar in found.bars)
    charts.draw(
        strategy_charts.tornado(order, what),
        f"Change of {what} with each input halved and doubled",
        rows=frame,
    )
    dead = ", ".join(found.dead)
    told = f"Dead inputs, which move it by less than a thousandth: {dead}." if dead else "No input is dead."
    st.caption(told + (f" Without a bar, as nothing fits: {', '.join(unfit)}." if unfit else ""))


@lru_cache(maxsize=64)
def _winners(whole, gpus):
    return best_by_gpus(whole, sorted({max(1, round(gpus * factor)) for factor in SIZES}))


def _growth(whole, gpus):
    """The winner on a sixteenth to sixteen times the GPUs, batch unchanged."""
    grown = _winners(whole, gpus)
    rows = [
        (one.gpus, one.best.name(), _degrees(one.best), one.tokens_per_s_per_gpu)
        for one in grown
        if one.best is not None
    ]
    if not rows:
        st.info(plain(grown[-1].reason))
        return
    frame = pd.DataFrame(rows, columns=["gpus", "layout", "degrees", "tokens"])
    charts.draw(strategy_charts.growth(), "Winner and its speed by size of the cluster", rows=frame)
    without = [f"{one.gpus:,}" for one in grown if one.best is None]
    st.caption("The batch stays." + (f" No layout on {' or '.join(without)} GPUs." if without else ""))


@lru_cache(maxsize=64)
def _served_winners(aim, whole, gpus, sequences):
    """The best layout on a sixteenth to sixteen times the GPUs, with as many sequences a GPU."""
    found = {}
    for factor in SIZES:
        count = max(1, round(gpus * factor))
        try:
            found[count] = strategy.served(whole, count, max(1, round(sequences * factor)), aim).best
        except InputError:
            found[count] = None
    return found


def _served_growth(aim, whole, asked):
    """The winner on other sizes of the cluster, the load of a GPU unchanged."""
    found = _served_winners(aim, whole, asked["gpus"], asked["sequences"])
    rows = [
        (gpus, best.name(), best.name().partition(" x ")[0], best.tokens_per_s_per_gpu)
        for gpus, best in found.items()
        if best is not None
    ]
    frame = pd.DataFrame(rows, columns=["gpus", "layout", "degrees", "tokens"])
    charts.draw(strategy_charts.growth(), "Winner and its speed by size of the cluster", rows=frame)
    without = [f"{gpus:,}" for gpus, best in found.items() if best is None]
    st.caption(
        "As many sequences a GPU." + (f" No layout on {' or '.join(without)} GPUs." if without else "")
    )


def _degrees(item):
    layout = item.scenario.layout
    parts = [
        f"{name.upper()}{getattr(layout, name)}" for name in ("tp", "pp", "ep") if getattr(layout, name) > 1
    ]
    return " ".join(parts) or "DP only"


@lru_cache(maxsize=16)
def _loads(aim, whole, gpus, sequences):
    rows = []
    for up in SERVED_FACTORS:
        for across in SERVED_FACTORS:
            load, context = max(1, round(sequences * across)), max(1, round(whole.cached * up))
            try:
                best = strategy.served(replace(whole, context=context), gpus, load, aim).best
            except InputError:
                rows.append((load, context, "does not fit", "–", 0.0))
                continue
            value = f"{format_time(best.token_s)} a token, {best.tokens_per_s_per_gpu:,.0f} tokens/s per GPU"
            rows.append((load, context, best.name(), value, 0.0))
    return tuple(rows)


def _serving_map(aim, whole, asked):
    """Which layout serves best by load and context."""
    found = _loads(aim, whole, asked["gpus"], asked["sequences"])
    frame = pd.DataFrame(found, columns=["across", "up", "winner", "value", "margin"])
    frame[["across", "up"]] = frame[["across", "up"]].map(lambda number: f"{number:,}")
    columns, rows = tuple(frame["across"].unique()), tuple(frame["up"].unique())
    names = list(frame["winner"].unique())
    _draw_map(frame, "Sequences at once, in all", "Context (tokens)", columns, rows, names)
    st.caption("Each cell is a ranking of its own; the ring is what was asked.")


@lru_cache(maxsize=64)
def _answers(whole):
    """The questions solved backwards on this machine; those that make no sense here are left out."""
    return tuple(one.text for one in break_even_questions(whole))


def _solved(aim, whole):
    """Below which step size, from which bucket, at which price across nodes does the answer change?"""
    decoding = whole if aim != "train" else Serve(whole.system, whole.model, tp=1, rates=whole.rates)
    st.markdown("\n".join(f"* {plain(line)}" for line in _answers(decoding)))
    st.caption(
        "The first and the last are about decoding with the widest TP inside a domain, and the next wider one."
    )


@lru_cache(maxsize=1)
def _five():
    return nvlink_cases()


def _needs():
    """Five situations, each with and without the link."""
    found = _five()
    rows = [(one.situation, one.gain, one.verdict, one.question, one.with_s, one.without_s) for one in found]
    frame = pd.DataFrame(rows, columns=["situation", "gain", "verdict", "question", "with_s", "without_s"])
    limits = pd.DataFrame({"gain": [USEFUL, NEEDED]})
    charts.draw(
        strategy_charts.needs(), "Times faster with NVLink in five situations", rows=frame, limits=limits
    )
    st.markdown("\n".join(f"* {one.text}" for one in found))
    st.caption("Datasheet rates on both sides, so that a machine nobody has measured is compared fairly.")
