"""Gradient sync page: inputs to a scenario, the answer in words, the charts."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import STRATEGIES, Scenario
from core.calculators.gradient_sync import answer as price
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.units import GB, MB, MS, format_rate, format_size, format_time
from pages.ui.shared import bound, charts, shape

OWN = "yours"
ALGORITHMS = ("auto", "ring")
"""Those that do every collective of every strategy, in a domain and across."""
ROUNDING = 1e-9


def question():
    """Model, strategy, ranks and what may hide."""
    model, picked = shape.choose("sync_model", "llama-3.1-8b", extra=(OWN,))
    billions = (
        bound.number("Parameters (10⁹)", "params_b", 70.0, low=0.0, step=1.0) if picked == OWN else None
    )
    strategy = bound.choice("Strategy", "strategy", STRATEGIES, "fsdp")
    ranks = bound.number("Data-parallel ranks", "dp_ranks", None, low=1, step=1, help="Empty: every GPU.")
    tokens = bound.number("Tokens per rank and micro-step", "tokens_per_rank", 8192, low=1, step=1024)
    mfu = bound.number("Share of peak FLOP/s in compute", "train_mfu", 0.4, low=0.01, high=1.0, step=0.05)
    steps = bound.number("Micro-steps (accumulation)", "accumulation", 1, low=1, step=1)
    usd = bound.number("Price of a GPU-hour ($)", "usd", 3.0, low=0.0, step=0.5)
    return {
        "params": model if billions is None else billions * 1e9,
        "strategy": strategy,
        "ranks": ranks,
        "tokens_per_rank": tokens,
        "mfu": mfu,
        "accumulation": steps,
        "usd_per_gpu_hour": usd,
    }


def details():
    """Bytes, buckets, overlap, stragglers, library."""
    with st.expander("Bytes, overlap, library", icon=":material/tune:"):
        gradient = bound.number("Bytes of a gradient", "grad_bytes", 2.0, low=0.5, high=16.0, step=1.0)
        parameter = bound.number("Bytes of a parameter", "param_bytes", 2.0, low=0.5, high=16.0, step=1.0)
        backward = bound.number(
            "Backward of a micro-step (ms)", "backward_ms", None, low=0.0, help="Empty: from tokens."
        )
        overlap = bound.number(
            "Share that may hide", "sync_overlap", None, low=0.0, high=1.0, help="Empty: a timeline."
        )
        bucket = bound.number("Bucket (MB)", "bucket_mb", None, low=0.001, help="Empty: Megatron's default.")
        shard = bound.number("Ranks that share one copy (hsdp)", "shard_ranks", None, low=1, step=1)
        whole = bound.toggle("Gradients stay whole until the last micro-step", "whole_gradients")
        spread = bound.number("Spread of backward between ranks", "spread", 0.0, low=0.0, high=1.0, step=0.01)
        sure = bound.number(
            "How sure to wait for the slowest (share of steps)",
            "percentile",
            0.5,
            low=0.01,
            high=0.9999,
            step=0.05,
            help="0.5: in half of the steps the slowest rank is no later. Counts where there is a spread.",
        )
        algorithm = bound.choice(
            "Algorithm",
            "sync_algorithm",
            ALGORITHMS,
            help="ring: the textbook's, even where another is faster.",
        )
        implementation = bound.choice("Implementation", "sync_implementation", IMPLEMENTATIONS)
        launch = bound.switch("Launch", "sync_launch", LAUNCHES)
    return {
        "grad_bytes": gradient,
        "param_bytes": parameter,
        "backward_s": None if backward is None else backward * MS,
        "overlap": overlap,
        "bucket_bytes": None if bucket is None else bucket * MB,
        "shard_ranks": shard,
        "whole_gradients": whole,
        "spread": spread,
        "percentile": sure,
        "algorithm": algorithm,
        "implementation": implementation,
        "launch": launch,
    }


def scenario(asked, system, chosen, how):
    """The whole question."""
    params = asked["params"]().params if callable(asked["params"]) else asked["params"]
    whole = Scenario(system=system, **{**asked, "params": params}, **how)
    return replace(whole, rates=chosen.on(system, whole.world))


def own_model():
    """Whether the model is the reader's: typed, or from a config."""
    return st.session_state.get("sync_model") in (OWN, shape.FILE)


@lru_cache(maxsize=256)
def ask(asked):
    """The answer."""
    return price(asked)


def verdict(asked, found):
    """How much of a step waits, why, and which strategy would wait least."""
    if found.ranks == 1:
        return "One rank has nothing to average.", found.headline
    if not found.step_s:
        return f"One sync takes {format_time(found.time_s)}.", found.headline
    share = found.exposed_s / found.step_s
    first = f"{100 * share:.3g} % of a step waits for gradients: {format_time(found.exposed_s)} of {format_time(found.step_s)}."
    binding = "latency" if found.latency_s + found.launch_s > found.transfer_s else "bandwidth"
    where = "inside one domain" if found.domains == 1 else f"across {found.domains:,} domains"
    hidden_s = found.hidden_s if found.hidden_s > ROUNDING * found.comm_s else 0.0
    reason = (
        f"**{found.strategy}** sends {format_size(found.wire_bytes)} per GPU {where}, busy for {format_time(found.comm_s)}, "
        f"bound by {binding}; {format_time(hidden_s)} of it hide behind compute."
    )
    if found.loss is not None:
        reason += f" The waiting costs ${found.loss.usd_per_month:,.0f} a month."
    return first, reason, _flip(asked, found)


def _flip(asked, found):
    able = [one for one in strategies(asked) if one.memory.fits]
    least = min(able or strategies(asked), key=lambda one: one.exposed_s)
    which = "Of the strategies that fit" if able else "No strategy fits the memory; of all"
    words = f"{which}, {least.strategy} waits least ({format_time(least.exposed_s)})."
    return f"{words} All of it is hidden here." if found.exposed_s <= 0 else words


def figures(found):
    """Secondary numbers."""
    pairs = [
        (
            "One message",
            format_time(found.time_s),
            f"{format_time(found.low_s)} to {format_time(found.high_s)}, every phase as a single message",
        ),
        *_bucketed(found),
        ("Sent per GPU", format_size(found.wire_bytes)),
        ("Bus bandwidth", format_rate(found.busbw_bytes_per_s) if found.busbw_bytes_per_s else "–"),
        (
            "Model states",
            f"{found.memory.total_bytes / GB:,.0f} of {found.memory.available_bytes / GB:,.0f} GB",
        ),
    ]
    if found.straggler_s:
        pairs.append(
            ("Stragglers", format_time(found.straggler_s), "Waiting for the slowest rank, in a step.")
        )
    if found.tokens_per_s:
        pairs.append(("Tokens/s", f"{found.tokens_per_s:,.0f}"))
    if found.mfu:
        pairs.append(("MFU", f"{100 * found.mfu:.1f} %"))
    return pairs


def _bucketed(found):
    """What the same bytes take in buckets, each with a latency of its own, where there are several."""
    if found.buckets <= 1:
        return []
    why = (
        f"{found.buckets:,} buckets one after another, each with its own latency and a shorter message's rate"
    )
    return [("Sent in buckets", format_time(found.comm_s), why)]


@lru_cache(maxsize=64)
def strategies(asked):
    """The same question for every strategy that has an answer."""
    found = []
    for strategy in STRATEGIES:
        if strategy == "zero3":
            continue
        try:
            found.append(ask(replace(asked, strategy=strategy)))
        except InputError:
            continue
    return found


def compare(asked):
    """Exposed and hidden communication of every strategy."""
    rows = []
    for one in strategies(asked):
        fits = "fits" if one.memory.fits else "does not fit"
        rows += [(one.strategy, "exposed", one.exposed_s, fits), (one.strategy, "hidden", one.hidden_s, fits)]
    charts.draw(
        _compare_spec(),
        "Communication of a step by strategy, exposed and hidden",
        rows=pd.DataFrame(rows, columns=["strategy", "part", "time_s", "fits"]),
    )
    st.caption("Pale: parameters, gradients and Adam's state do not fit the GPU.")


@lru_cache(maxsize=1)
def _compare_spec():
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("strategy:N", title=None, sort=None),
            x=charts.linear_axis("time_s", "Communication of a step (s)", "s", axis=alt.X),
            color=alt.Color("part:N", title=None, sort=["hidden", "exposed"], legend=charts.legend()),
            opacity=alt.Opacity(
                "fits:O", scale=alt.Scale(domain=["fits", "does not fit"], range=[1, 0.35]), legend=None
            ),
            order=alt.Order("part:O"),
            tooltip=[
                alt.Tooltip("strategy:N", title="Strategy"),
                alt.Tooltip("part:N", title="Part"),
                charts.tip("time_s", "Time", "s"),
                alt.Tooltip("fits:N", title="Memory"),
            ],
        )
    )
    return charts.spec(bars)


def table(found):
    """Every phase as a row."""
    return pd.DataFrame(
        {
            "phase": one.name,
            "collective": one.collective,
            "ranks": one.ranks,
            "size of a pass": format_size(one.size_bytes),
            "passes": one.times,
            "sent per GPU": format_size(one.wire_bytes),
            "time": format_time(one.time_s),
            "in buckets": format_time(one.bucketed_s),
            "algorithm": one.algorithm,
        }
        for one in found.phases
    )
