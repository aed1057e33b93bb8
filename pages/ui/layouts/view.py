"""Strategy page: the goal, the question, the ranking in words, tables and charts."""

from dataclasses import asdict, replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.layouts import crossovers as find_flips
from core.calculators.layouts import interconnects as every_wire
from core.calculators.layouts import (
    place_serving,
    place_training,
    rank_serving,
    rank_training,
    serving_crossovers,
)
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.tensor_parallel import answer as tensor_parallel
from core.catalog import PRECISIONS
from core.checks import InputError
from core.parallel.grow import grow_to
from core.units import GB, format_time
from pages.ui.layouts import charts as strategy_charts
from pages.ui.shared import answer, bound, charts, job, shape, tables
from pages.ui.shared.messages import plain

GOALS = {"train": "train", "latency": "serve: latency", "throughput": "serve: tokens/s"}
SHOWN = 15
MOST_FLIPS = 3
WIDTHS = {
    "pieces": 55,
    "micro": 52,
    "step (s)": 64,
    "MFU (%)": 68,
    "GB": 42,
    "wires (%)": 72,
    "bubble (%)": 80,
}


def goal():
    """Train, or serve for latency or for throughput."""
    return bound.switch(
        "Goal", "goal", GOALS, "train", help="Serving: time of a token, or tokens/s of a GPU."
    )


def question(aim):
    """What is trained or served."""
    if aim == "train":
        return asdict(job.question("strategy", batch=512))
    model, _ = shape.choose("strategy_model", "llama-3.1-70b", shaped=True)
    return {
        "model": model,
        "gpus": bound.number("GPUs in all", "strategy_gpus", 64, low=1, step=8),
        "sequences": bound.number("Sequences at once, in all", "strategy_sequences", 512, low=1, step=64),
        "context": bound.number("Context (tokens)", "strategy_context", 4096, low=1, step=1024),
        "weights": PRECISIONS[bound.choice("Weights", "strategy_weights", PRECISIONS, "fp8")],
        "kv": PRECISIONS[bound.choice("KV cache", "strategy_kv", PRECISIONS, "bf16")],
    }


def scenario(aim, asked, box, chosen):
    """The question as core takes it; the layout is what is looked for."""
    if aim == "train":
        return job.scenario(job.Job(**asked), box, chosen)
    system = box.system()
    model = asked["model"]()
    if model is None or model.hidden is None:
        message = "model: one with published layers, or its config.json"
        raise InputError(message)
    kept = {name: asked[name] for name in ("context", "weights", "kv")}
    return Serve(grow_to(system, asked["gpus"]), model, tp=1, rates=chosen.on(system, asked["gpus"]), **kept)


def ask(aim, whole, asked):
    """The ranking."""
    if aim == "train":
        return _trained(whole, asked["gpus"])
    return served(whole, asked["gpus"], asked["sequences"], aim)


@lru_cache(maxsize=64)
def _trained(whole, gpus):
    return rank_training(whole, gpus)


@lru_cache(maxsize=1024)
def served(whole, gpus, sequences, aim):
    """Serving layouts, best first."""
    return rank_serving(whole, gpus, sequences, aim)


@lru_cache(maxsize=64)
def _flips(ranked):
    return find_flips(ranked)


@lru_cache(maxsize=64)
def _serving_flips(whole, gpus, sequences, found):
    return serving_crossovers(whole, gpus, sequences, found)


def verdict(aim, whole, found, asked):
    """The winner, why it wins, and what would dethrone it."""
    if aim != "train":
        best = found.best
        first = (
            f"{best.name()} wins: a token every {format_time(best.token_s)}, "
            f"{best.tokens_per_s_per_gpu:,.0f} tokens/s per GPU."
        )
        return (
            first,
            found.why,
            f"{_flipped(_serving_flips(whole, asked['gpus'], asked['sequences'], found))} {_other_goal(aim, found)}",
        )
    best, winner = found.best, found.ranked[0]
    first = f"{winner.name()} wins: {format_time(best.step_s)} a step, {100 * best.mfu:.3g} % MFU."
    return first, found.why, _flipped(_flips(found.ranked))


def _flipped(changes):
    """The nearest inputs at which another layout wins."""
    words = "; ".join(f"{flip.condition}: {flip.to}" for flip in changes[:MOST_FLIPS])
    return f"What flips it: {words}." if words else "Nothing within a factor of 16 flips it."


def _other_goal(aim, found):
    """What the other serving goal would choose."""
    if aim == "latency":
        other = max(found.layouts, key=lambda item: item.tokens_per_s_per_gpu)
        word = "tokens/s"
    else:
        other = min(found.layouts, key=lambda item: item.token_s)
        word = "latency"
    if other.name() == found.best.name():
        return f"It wins for {word} too."
    return (
        f"For {word} {other.name()} would win: a token every {format_time(other.token_s)}, "
        f"{other.tokens_per_s_per_gpu:,.0f} tokens/s per GPU."
    )


def note(whole, asked):
    """Where it runs."""
    return plain(
        f"{whole.model.name} on {asked['gpus']:,} GPUs of {whole.system.name}, {job.place(whole.system)}."
    )


def figures(aim, found):
    """Secondary numbers."""
    if aim != "train":
        best = found.best
        return [
            ("Layouts that fit", f"{found.tried:,}"),
            ("Time of a token", format_time(best.token_s)),
            ("Tokens/s per GPU", f"{best.tokens_per_s_per_gpu:,.0f}"),
            (
                "Wires",
                f"{100 * best.share:.2g} %",
                f"Communication not hidden, of a step. Bound by {best.binding}.",
            ),
            (
                "Free memory",
                f"{best.free_bytes_per_gpu / GB:,.0f} GB",
                "Of a GPU, weights and KV cache in it.",
            ),
        ]
    best = found.best
    exposed = best.exposed_s.total_s / best.step_s
    return [
        ("Layouts that fit", f"{found.tried:,}"),
        ("Step", format_time(best.step_s), f"{format_time(best.low_s)} to {format_time(best.high_s)}"),
        ("Tokens/s per GPU", f"{best.tokens_per_s_per_gpu:,.0f}"),
        ("Wires", f"{100 * exposed:.2g} %", "Communication that nothing hides, of the step."),
        ("Bubble", f"{100 * best.bubble_share:.2g} %"),
        (
            "Memory",
            f"{best.memory_bytes_per_gpu / GB:,.0f} GB",
            f"Fullest GPU, of {best.memory.available_bytes / GB:,.0f} GB.",
        ),
    ]


def trade(aim, found):
    """Every layout as a point, the Pareto set as a line, the winner named."""
    if aim == "train":
        front = {id(item) for item in found.front}
        rows = [
            (item.name(), item.step_s, item.memory_bytes, id(item) in front, item is found.layouts[0])
            for item in found.layouts
        ]
        built, words = strategy_charts.training_trade(), "Step time against memory of every layout that fits"
    else:
        front = {id(item) for item in found.pareto}
        rows = [
            (item.name(), item.token_s, item.tokens_per_s_per_gpu, id(item) in front, item is found.best)
            for item in found.layouts
        ]
        built, words = (
            strategy_charts.serving_trade(),
            "Time of a token against tokens/s per GPU of every layout",
        )
    frame = pd.DataFrame(rows, columns=["layout", "x", "y", "pareto", "winner"])
    frame["set"] = frame["pareto"].map({True: "Pareto set", False: "beaten in both"})
    charts.draw(
        built, words, rows=frame, front=frame[frame["pareto"]].sort_values("x"), best=frame[frame["winner"]]
    )
    several = int(frame["pareto"].sum())
    st.caption(
        f"The circled layout wins. {several} of {len(frame):,} layouts are in the Pareto set: nothing beats them in both respects."
        if several > 1
        else "The circled layout wins and is best in both respects: there is nothing to trade."
    )


@lru_cache(maxsize=64)
def _placed(aim, whole, found, gpus):
    listed = every_wire(whole.system, gpus)
    if aim == "train":
        return place_training(found.layouts, listed)
    return place_serving(whole, found.layouts, listed)


def wires(aim, whole, found, asked):
    """Each kind of exchange moved to each wire."""
    placed = _placed(aim, whole, found, asked["gpus"])
    if not placed:
        st.info("The layouts that fit use no parallelism that talks.")
        return
    rows = []
    for one in placed:
        name = f"{one.kind.upper()} {one.degree:,}"
        cell = "–" if one.share is None else f"{100 * one.share:.2g} %"
        longer = "" if one.slowdown is None else f"{100 * one.slowdown:.2g} % longer"
        rows.append((name, one.interconnect, cell, one.verdict or "cannot", longer, one.layout, one.note))
    names = ["kind", "wire", "cell", "verdict", "longer", "layout", "note"]
    frame = pd.DataFrame(rows, columns=names)
    kinds, columns = tuple(dict.fromkeys(frame["kind"])), tuple(dict.fromkeys(frame["wire"]))
    charts.draw(strategy_charts.wires(kinds, columns), "Share of a step by parallelism and wire", rows=frame)
    lies = (
        ' "As it lies" is the layout on this machine, over several wires at once.' if aim == "train" else ""
    )
    st.caption(f"Part of the step that the exchange adds, in the fastest layout that uses it.{lies}")
    st.markdown("\n".join(f"* {line}" for line in _belongs(placed)))


def _belongs(placed):
    """Where each kind may live: wires on which its step is at most 5 % longer than on the best."""
    for kind in dict.fromkeys(one.kind for one in placed):
        row = [one for one in placed if one.kind == kind]
        able = [one for one in row if one.slowdown is not None]
        fine = [one.interconnect for one in able if one.slowdown < 0.05 and not one.note]
        name = f"**{kind.upper()} {row[0].degree:,}**"
        if len(fine) == len(able):
            yield f"{name} runs on any of these wires."
        elif fine:
            worst = max(able, key=lambda one: one.slowdown)
            yield f"{name}: {plain(', '.join(fine))}; on {plain(worst.interconnect)} the step takes {1 + worst.slowdown:.2g} times as long."
        else:
            yield f"{name}: no wire that exists here keeps it cheap."


def ranked(aim, found):
    """The best layouts as a table."""
    frame, formats = _trained_table(found) if aim == "train" else _served_table(found)
    columns = {
        name: st.column_config.NumberColumn(name, format=form, width=WIDTHS.get(name, 80))
        for name, form in formats.items()
    }
    columns |= {
        "layout": st.column_config.TextColumn("layout", width=172),
        "again": st.column_config.TextColumn("again", width=72, help="What is computed again in backward."),
        "bound by": st.column_config.TextColumn("bound by", width=105),
    }
    tables.show(frame, "Layouts, best first", columns, height="content")
    family = "The fastest of each TP, PP and EP. " if aim == "train" else ""
    st.caption(f"{family}◆ is in the Pareto set.")


def _trained_table(found):
    front = {id(item) for item in found.front}
    frame = pd.DataFrame(
        {
            "layout": _starred(_degrees(item), id(item) in front),
            "pieces": item.scenario.layout.vpp,
            "micro": item.scenario.micro_batch,
            "again": item.scenario.recompute,
            "step (s)": item.step_s,
            "MFU (%)": 100 * one.mfu,
            "GB": item.memory_bytes / GB,
            "wires (%)": 100 * one.exposed_s.total_s / one.step_s,
            "bubble (%)": 100 * one.bubble_share,
            "bound by": one.binding,
        }
        for item, one in zip(found.ranked[:SHOWN], found.answers[:SHOWN], strict=True)
    )
    formats = {"pieces": "%d", "micro": "%d", "step (s)": "%.4g", "MFU (%)": "%.1f", "GB": "%.0f"}
    return frame, formats | {"wires (%)": "%.2g", "bubble (%)": "%.2g"}


def _degrees(item):
    """The layout without its pieces, which have a column of their own."""
    text = replace(item.scenario.layout, vpp=1).text()
    return f"{text} FSDP" if item.sharded else text


def _served_table(found):
    front = {id(item) for item in found.pareto}
    frame = pd.DataFrame(
        {
            "layout": _starred(one.name(), id(one) in front),
            "sequences": one.sequences,
            "token (ms)": 1e3 * one.token_s,
            "tok/s/GPU": one.tokens_per_s_per_gpu,
            "wires (%)": 100 * one.share,
            "free (GB)": one.free_bytes_per_gpu / GB,
            "bound by": one.binding,
        }
        for one in found.layouts[:SHOWN]
    )
    formats = {"sequences": "%d", "token (ms)": "%.3g", "tok/s/GPU": "%.0f", "wires (%)": "%.2g"}
    return frame, formats | {"free (GB)": "%.0f"}


def _starred(name, pareto):
    return f"{name} ◆" if pareto else name


def sources(aim, whole, found):
    """Formula, assumptions and sources of the winner."""
    if aim == "train":
        answer.numbers_and_sources(found.best)
        return
    best = found.best
    tokens = max(1, best.sequences // max(1, best.ep // best.tp) // best.pp)
    answer.numbers_and_sources(_cell(replace(whole, tp=best.tp, ep=best.ep, tokens=tokens)))


@lru_cache(maxsize=64)
def _cell(whole):
    return tensor_parallel(whole)
