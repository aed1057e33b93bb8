"""KV transfer page: the cache's way to another GPU or to host memory, against computing it again."""

from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.calculators.capacity import transfer
from core.catalog import LINKS, PRECISIONS
from core.units import format_rate, format_size, format_time
from pages.ui.shared import answer, bound, charts, shape, tables

LADDER = tuple(2**step for step in range(7, 21))
SHORTEST = 16
RECOMPUTE = "compute again"
FORMULA = (
    r"t_{move}=\frac{\mathrm{KV}(c)}{n\,B}+\alpha,\quad t_{again}=T_{prefill}(c,n),\quad "
    r"B_{break\,even}=\frac{\mathrm{KV}(c)}{n\,t_{again}}"
)
ASSUMED = (
    "every GPU of the group sends its own share at the same time",
    "a path runs at its wire's rate one way after line code; nothing else uses it",
    "a bounce copies GPU to host, host to NIC and host to GPU; pipelined, its copies overlap",
    "the other side has room for the cache; attention's own transfer per layer may hide more",
    "an MLA cache is whole on every GPU: each sends its share of one copy",
)


def question():
    """Model, context, formats and how many GPUs hold the cache."""
    model, _ = shape.choose("kv_model", "llama-3.1-70b", shaped=True)
    context = bound.number("Context (tokens)", "kv_tokens", 32768, low=1, step=1024)
    kv = bound.choice("Format of KV cache", "kv_format", PRECISIONS, "bf16")
    weights = bound.choice("Format of weights", "kv_weights", PRECISIONS, "bf16")
    gpus = bound.number("GPUs that hold it (TP)", "kv_gpus", 8, low=1, step=1)
    return model, context, PRECISIONS[kv], PRECISIONS[weights], gpus


def ask(asked, system, chosen):
    """The answer, and the model it is about."""
    model, context, kv, weights, gpus = asked
    built = model()
    return built, price(built, system, context, kv, gpus, weights, chosen.on(system, gpus))


@lru_cache(maxsize=256)
def price(model, system, context, kv, gpus, weights, rates):
    """One context."""
    return transfer(model, system, context, kv, gpus=gpus, weights=weights, rates=rates)


def verdict(found, model):
    """Move or compute again, what decides, and where it flips."""
    best, worst = _ends(found)
    winners = [one for one in found.carried if one.beats_recompute]
    if not winners:
        first = f"Computing {found.context:,} tokens again is faster than any way out of the GPU."
    elif len(winners) == len(found.carried):
        first = f"Moving {found.context:,} tokens of {model.name} is faster than computing them again, on every path."
    else:
        names = ", ".join(one.path.name for one in winners)
        first = f"Moving {found.context:,} tokens of {model.name} is faster than computing them again over {names}."
    reason = (
        f"The cache takes {format_size(found.bytes)}, {format_size(found.bytes_per_gpu)} of each of {found.gpus} GPUs: "
        f"{format_time(best.time_s)} over {best.path.name}, {format_time(worst.time_s)} over {worst.path.name}, "
        f"{format_time(found.recompute_s)} to compute again."
    )
    return first, reason, _flip(found)


def _ends(found):
    ordered = sorted(found.carried, key=lambda one: one.time_s)
    return ordered[0], ordered[-1]


def _flip(found):
    words = [f"Moving wins above {format_rate(found.break_even_bytes_per_s)} one way per GPU."]
    for one in found.carried:
        if one.wins_from_tokens is None:
            words.append(f"{one.path.name} never wins up to a million tokens.")
        elif one.wins_from_tokens > SHORTEST:
            words.append(f"{one.path.name} wins from {one.wins_from_tokens:,} tokens.")
    return " ".join(words)


def figures(found):
    """Secondary numbers."""
    best, _ = _ends(found)
    return [
        ("Cache", format_size(found.bytes)),
        ("Per GPU", format_size(found.bytes_per_gpu)),
        ("Compute again", format_time(found.recompute_s), "Prefill of the same tokens on the same GPUs."),
        ("Break-even", format_rate(found.break_even_bytes_per_s), "One way per GPU; any faster path wins."),
        ("Fastest path", best.path.name, format_time(best.time_s)),
    ]


def bars(found):
    """Time of every path, against computing again."""
    rows = [(one.path.name, one.time_s, one.path.note, _purpose(one.path)) for one in found.carried]
    frame = pd.DataFrame(rows, columns=["path", "time_s", "note", "purpose"])
    words = f"Time to move the cache by path; computing it again takes {format_time(found.recompute_s)}"
    charts.draw(_bars_spec(len(rows)), words, rows=frame)


def _purpose(path):
    if path.note == "in the domain":
        return "to a GPU of the domain"
    return "offload to host memory" if path.note == "to host memory" else "to another domain"


def lines(asked, model, system, chosen):
    """Time over context by path, and of computing again."""
    _, _, kv, weights, gpus = asked
    rates, rows = chosen.on(system, gpus), []
    for context in LADDER:
        one = price(model, system, context, kv, gpus, weights, rates)
        rows.append((context, RECOMPUTE, one.recompute_s, "prefill"))
        rows += [(context, carried.path.name, carried.time_s, carried.path.note) for carried in one.carried]
    frame = pd.DataFrame(rows, columns=["context", "path", "time_s", "note"])
    here = pd.DataFrame({"context": [asked[1]]})
    charts.draw(_lines_spec(), "Time to move or to compute the cache, over context", rows=frame, here=here)


def table(found):
    """Every path as a row."""
    return pd.DataFrame(
        {
            "path": one.path.name,
            "what": LINKS[one.path.name].name if one.path.name in LINKS else one.path.note,
            "for": _purpose(one.path),
            "rate, one way": format_rate(one.path.bytes_per_s),
            "time": format_time(one.time_s),
            "of computing again": f"{100 * one.time_s / found.recompute_s:.3g} %",
            "wins": "yes" if one.beats_recompute else "no",
            "wins from": _from(one.wins_from_tokens),
        }
        for one in found.carried
    )


def _from(tokens):
    if tokens is None:
        return "never"
    return "any length" if tokens <= SHORTEST else f"{tokens:,} tokens"


def numbers(found, model, system):
    """The formula, what is assumed, who says so."""
    wires = [LINKS[one.path.name] for one in found.carried if one.path.name in LINKS]
    with st.expander("Formula, assumptions and sources", icon=":material/functions:"):
        st.latex(FORMULA)
        st.markdown("**Assumed**\n\n" + "\n".join(f"* {line}" for line in ASSUMED))
        answer.sources((*model.sources, *system.sources, *(one for wire in wires for one in wire.sources)))


def show(found):
    """The table of all paths."""
    tables.show(table(found), "Every path out of a GPU", height="content")


@lru_cache(maxsize=16)
def _bars_spec(count):
    bars_ = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("path:N", title=None, sort=None, axis=alt.Axis(labelLimit=190, labelOverlap=False)),
            x=charts.linear_axis("time_s", "Time to move the cache (s)", "s", axis=alt.X),
            color=alt.Color("purpose:N", title=None, sort=None, legend=charts.legend(columns=2)),
            tooltip=[
                alt.Tooltip("path:N", title="Path"),
                alt.Tooltip("purpose:N", title="For"),
                alt.Tooltip("note:N", title="How"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(bars_, height=38 * count + 90)


@lru_cache(maxsize=1)
def _lines_spec():
    x = charts.counts_axis("context", "Context (tokens)")
    base = alt.Chart(charts.rows())
    again = alt.datum.path == RECOMPUTE
    curves = base.mark_line(size=2).encode(
        x=x,
        y=charts.log_axis("time_s", "Time (s)", "s", axis=alt.Y),
        color=alt.Color("path:N", title=None, sort=None, legend=charts.legend(columns=2)),
        strokeDash=alt.condition(again, alt.value([6, 3]), alt.value([1, 0])),
        tooltip=[
            alt.Tooltip("path:N", title="Path"),
            alt.Tooltip("context:Q", title="Tokens", format=","),
            charts.tip("time_s", "Time", "s"),
        ],
    )
    here = alt.Chart(charts.rows("here")).mark_rule(strokeDash=[4, 4], color=charts.RED).encode(x=x)
    return charts.spec(alt.layer(curves, here))
