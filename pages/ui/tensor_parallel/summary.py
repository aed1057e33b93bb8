"""The answer of the page Tensor-parallel overhead in words, figures and tables."""

from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.layouts import LinkValue, serving_link_value
from core.calculators.tensor_parallel import Answer, Crossover, Scenario, Service
from core.calculators.tensor_parallel import answer as calculate
from core.calculators.tensor_parallel.degrees import crossovers as find_crossovers
from core.calculators.tensor_parallel.degrees import fits_at
from core.calculators.tensor_parallel.intervals import rate_interval, span_of, time_interval
from core.units import format_fill, format_memory, format_message, format_number, format_share, format_time
from pages.ui.shared import tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain, strong
from pages.ui.tensor_parallel import service as serving
from pages.ui.tensor_parallel.terms import label

LATENCY_METRIC = {"decode": "TPOT", "prefill": "TTFT"}
MOST_CROSSOVERS = 2
QUANTITIES = {
    "binding term": "bottleneck",
    "share of communication": "communication share",
    "fastest degree": "shortest step",
    "degree with the most tokens/s a GPU": "most tokens/s per GPU",
}
VALUES = {"none that fits": "none fits", "full": "exceeded", "enough": "sufficient"}
"""Values of a crossover as the page words them."""
TERMS = {
    "time": "time_s",
    "time, all overlapped": "low_s",
    "time, nothing overlapped": "high_s",
    "compute": "compute_s",
    "FLOPs alone": "flop_s",
    "HBM traffic alone": "hbm_s",
    "KV cache read": "kv_s",
    "kernel launch overhead": "fixed_s",
    "LM head": "head_s",
    "communication": "comm_s",
    "of it launch": "comm.launch_s",
    "of it latency": "comm.latency_s",
    "of it transfer": "comm.transfer_s",
    "of it reduction": "comm.reduction_s",
    "exposed communication": "exposed_s",
}


@lru_cache(maxsize=64)
def ask(scenario: Scenario) -> Answer:
    """The answer, remembered; its crossovers take longer and come after the headline."""
    return calculate(scenario, with_crossovers=False)


@lru_cache(maxsize=64)
def detail(scenario: Scenario) -> Answer:
    """The answer with its crossovers, remembered."""
    return replace(ask(scenario), crossovers=find_crossovers(scenario, scenario.cached))


@lru_cache(maxsize=64)
def links(scenario: Scenario) -> LinkValue:
    """What the links between the GPUs are worth to this step, remembered."""
    return serving_link_value(scenario)


def headline(result: Answer) -> Headline:
    """The share of communication, which degree to take, and the bottleneck."""
    return Headline(f"{_share(result)} {_degree(result)}", _reason(result))


def crossover_text(result: Answer, service: Service | None = None) -> str:
    """The nearest crossovers, and the largest batch within the target."""
    parts = (_crossovers(result), serving.within(service))
    return " ".join(part for part in parts if part)


def _share(result: Answer) -> str:
    step, scenario = result.per_step, result.scenario
    subject = f"each {scenario.phase} step of {scenario.model.name} at TP{scenario.tp}"
    amounts = f"{format_time(step.exposed_s)} of {format_time(step.time_s)}"
    share = f"{format_share(step.share)} of {subject} ({amounts})"
    if result.fits:
        return f"Communication takes {share}."
    memory = f"{format_fill(result.memory_bytes, result.memory_limit_bytes)} per GPU"
    return f"{scenario.model.name} does not fit at TP{scenario.tp} ({memory}); if it did, communication would take {share}."


def _degree(result: Answer) -> str:
    """Which degree to take, and at what load of each group: a whole node shares its load among more groups."""
    scenario, text = result.scenario, result.verdict.text
    if result.verdict.rival_tp is None or not text.startswith("TP"):
        return text
    word = "request" if scenario.phase == "decode" else "token"
    return f"At {scenario.tokens:,} {word}{'s' if scenario.tokens > 1 else ''} on each TP group: {text}"


def _reason(result: Answer) -> str:
    step = result.per_step
    messages = (
        f"{step.messages:.0f} messages of {format_message(step.message_bytes)}"
        if step.messages
        else "no messages"
    )
    return f"Bottleneck: {strong(label(result.binding))}. A step sends {messages}."


def _crossovers(result: Answer) -> str:
    """The nearest ones; that memory is exceeded is said once, of the degree that no longer fits."""
    here = result.scenario.tokens
    nearest = sorted(result.crossovers, key=lambda change: abs(np.log(change.value / here)))
    outgrown = {change.value: text for change in nearest if (text := _outgrown(result.scenario, change))}
    first = {(change.what, change.value > here): change for change in reversed(nearest)}
    bordering = list(first.values())  # only what comes first on its side begins with what is here
    texts = (
        outgrown.get(change.value) or (_crossover(change, here) if change in bordering else "")
        for change in nearest
    )
    return " ".join(list(dict.fromkeys(filter(None, texts)))[:MOST_CROSSOVERS])


def _outgrown(scenario: Scenario, crossover: Crossover) -> str:
    """The crossover in words where the best degree changes because the former one no longer fits; else empty."""
    if crossover.value <= scenario.tokens or not crossover.before.startswith("TP"):
        return ""
    tp = int(crossover.before.removeprefix("TP"))
    if fits_at(scenario, tp, crossover.value, scenario.cached):
        return ""
    text = f"From {crossover.value:,.0f} batched tokens {crossover.before} no longer fits"
    if not crossover.to.startswith("TP"):
        return f"{text}, nor does any other degree."
    return f"{text}; then {QUANTITIES.get(crossover.what, crossover.what)}: {crossover.to}."


def _crossover(crossover: Crossover, tokens: int) -> str:
    quantity = QUANTITIES.get(crossover.what, crossover.what)
    above, below = crossover.to, crossover.before
    side, there, here = ("From", above, below) if crossover.value > tokens else ("Below", below, above)
    return f"{side} {crossover.value:,.0f} batched tokens: {quantity} {_value(there)} (here {_value(here)})."


def figures(result: Answer, service: Service | None = None) -> list[Figure]:
    """Step time as TPOT or TTFT, the other one, throughput, cost or speed-up, largest batch and memory."""
    step, phase = result.per_step, result.scenario.phase
    explanation = (
        f"Time of a {phase} step of the GPUs alone, without the serving engine. All overlapped to nothing overlapped: {format_time(step.low_s)} to "
        f"{format_time(step.high_s)}."
    )
    return [
        Figure(LATENCY_METRIC[phase], format_time(step.time_s), explanation),
        *_serving_figures(service, result.scenario),
        Figure(
            "Tokens/s/GPU",
            format_number(result.tokens_per_s_per_gpu),
            _rate_text(result),
        ),
        Figure("Speed-up", f"{result.speedup:.2f}×", "Compute time of one GPU over the step time."),
        Figure(
            "Memory (GB)",
            format_fill(result.memory_bytes, result.memory_limit_bytes).removesuffix(" GB"),
            f"Weights and KV cache per GPU, of the usable memory: {result.scenario.memory.text(result.scenario.system.gpu)}.",
        ),
    ]


def _rate_text(result: Answer) -> str:
    """The interval of tokens/s per GPU, and what they count."""
    low, high = rate_interval(result.scenario, result.tokens_per_s_per_gpu)
    basis = (
        " by published runs"
        if span_of(result.scenario).fitted
        else ", a wide guess: no published run of this generation or pricing"
    )
    total = format_number(result.tokens_per_s)
    return (
        f"{format_number(low)} to {format_number(high)}{basis}. Of the GPUs alone, without the "
        f"serving engine; {total} in all."
    )


def _serving_figures(service: Service | None, scenario: Scenario) -> list[Figure]:
    """TTFT, the largest batch and, with a price, dollars per million tokens."""
    if service is None:
        return []
    rows = []
    if service.tpot_s is not None and service.ttft_s is not None:
        prompt = (
            f"Prefill of one prompt of {service.input_tokens:,} tokens on the GPUs alone, without a queue."
        )
        rows.append(Figure("TTFT", format_time(service.ttft_s), prompt))
    rows += _engine_figures(service)
    if service.largest is not None:
        limit = f"Concurrent requests; limit: {serving.limit(service.largest)}."
        rows.append(Figure("Largest batch", f"{service.largest.requests:,}", limit))
    if service.usd_per_million_tokens is not None:
        low, high = time_interval(scenario, service.usd_per_million_tokens)
        ends = f"{serving.usd(low)} to {serving.usd(high)}"
        price = f"{ends}. At ${service.usd_per_gpu_hour:g} per GPU-hour, this step alone."
        rows.append(Figure("$ per M tokens", serving.usd(service.usd_per_million_tokens), price))
    return rows


def _engine_figures(service: Service) -> list[Figure]:
    """TPOT and TTFT as the serving engine runs them, where it adds to the GPUs' time."""
    adds = {
        "TPOT with engine": (service.engine_tpot_s, "With the engine's host time and drafts."),
        "TTFT with engine": (service.engine_ttft_s, "With the engine's host time, chunks and prefix cache."),
    }
    return [Figure(name, format_time(time), text) for name, (time, text) in adds.items() if time is not None]


def degrees(result: Answer) -> pd.DataFrame:
    """Every degree as a row."""
    return pd.DataFrame(
        {
            "TP": degree.tp,
            "step time": format_time(degree.step_s),
            "overlap range": f"{format_time(degree.low_s)} – {format_time(degree.high_s)}",
            "compute": format_time(degree.compute_s),
            "comm.": format_time(degree.comm_s),
            "exposed": format_share(degree.share),
            "tokens/s": f"{degree.tokens_per_s:,.0f}",
            "tokens/s/GPU": format_number(degree.tokens_per_s_per_gpu),
            "speed-up": f"{degree.speedup:.2f}×",
            "memory": format_memory(degree.memory_bytes),
            "fits": degree.fits,
        }
        for degree in result.degrees
    )


def crossovers(result: Answer) -> None:
    """Every number of batched tokens at which an answer changes, in order."""
    if not result.crossovers:
        st.info("From 1 to 131,072 batched tokens per step there is no crossover.")
        return
    frame = pd.DataFrame(
        {
            "from batched tokens": f"{crossover.value:,.0f}",
            "quantity": QUANTITIES.get(crossover.what, crossover.what),
            "below": _value(crossover.before),
            "above": _value(crossover.to),
        }
        for crossover in sorted(result.crossovers, key=lambda crossover: crossover.value)
    )
    height = "content" if len(frame) < 9 else 330
    tables.show(frame, "Crossovers by batched tokens per step", height=height)


def _value(value: str) -> str:
    return VALUES.get(value) or label(value)


def without_effect(result: Answer) -> None:
    """Inputs that do not change this result, with the reason."""
    if not result.dead_inputs:
        st.info("Every input changes the step time by more than 1 %.")
    for dead in result.dead_inputs:
        st.markdown(f":material/block: **{plain(dead.input)}**: {plain(dead.reason)}.")


def terms(result: Answer) -> pd.DataFrame:
    """The terms of a layer and of the step."""
    layer, step = result.per_layer, result.per_step
    rows = [
        (name, *(format_time(attrgetter(path)(totals)) for totals in (layer, step)))
        for name, path in TERMS.items()
    ]
    rows.append(("sent per GPU", format_message(layer.comm.wire_bytes), format_message(step.comm.wire_bytes)))
    return pd.DataFrame(rows, columns=["term", "per layer", "per step"])
