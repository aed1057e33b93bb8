"""The answer of the page NVL72 capacity in words, figures and tables."""

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from core.calculators.capacity import Capacity, Scenario, capacity, capacity_service, served_requests
from core.calculators.tensor_parallel import Objective, Service
from core.catalog import label
from core.units import GB, format_memory, format_number, format_rate, format_time
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import strong
from pages.ui.tensor_parallel import service as serving

TRILLION, BILLION = 1e12, 1e9
BIDIRECTIONAL = "bidirectional, as published"


@lru_cache(maxsize=64)
def ask(scenario: Scenario) -> Capacity:
    """The answer, remembered."""
    return capacity(scenario)


@lru_cache(maxsize=64)
def ask_service(scenario: Scenario, goal: Objective) -> Service | None:
    """The serving figures of the scenario's layout, remembered."""
    return capacity_service(ask(scenario), goal)


def parameters(count: float) -> str:
    """A number of parameters as models are named: 405B, 12.1T."""
    if count >= TRILLION:
        return f"{count / TRILLION:,.3g}T"
    return f"{count / BILLION:,.3g}B"


def headline(result: Capacity, service: Service | None = None) -> Headline:
    """Whether it fits, the decode step, the part that limits it, and the sizes at which that changes."""
    scenario = result.scenario
    state = "has" if result.fits else "is short of"
    free = format_memory(abs(result.free_bytes_per_gpu))
    reason = (
        f"Limit: {strong(result.limiting_part)}. A GPU needs {format_memory(result.used_bytes_per_gpu)} of "
        f"{format_memory(scenario.limit_bytes)} usable and {state} {free}{' free' if result.fits else ''}."
    )
    step = _decode_step(result, service)
    if step is not None:
        reason = f"{strong(f'TPOT {step.tpot}')} at {step.requests:,} concurrent requests, {step.rate}, in {step.layout}. {reason}"
    texts = []
    if result.exact_fit:
        texts.append("That is an exact fit, with nothing left.")
    if within := serving.within(service):
        texts.append(within)
    largest = parameters(result.largest_params)
    texts.append(f"Without a KV cache a model of {largest} parameters fits in {scenario.weights.name}.")
    return Headline(result.headline, reason, " ".join(texts))


def custom(result: Capacity) -> bool:
    """Whether the model is the reader's own."""
    return result.scenario.model is None or result.scenario.model.yours


def note(result: Capacity) -> str:
    """How far the model's figures can be trusted."""
    return label(result.scenario.model) if result.scenario.model else "custom model"


def figures(result: Capacity, service: Service | None = None) -> list[Figure]:
    """Weights, KV cache, both conventions of the fabric's bandwidth, and the lower limit of TPOT."""
    fabric = result.fabric
    per_token = "–" if result.kv_bytes_per_token is None else format_memory(result.kv_bytes_per_token)
    aggregate = (
        f"Bandwidth of all GPUs, {BIDIRECTIONAL}; unidirectional "
        f"{format_rate(fabric.aggregate_one_way_bytes_per_s)}."
    )
    bisection = (
        f"Bandwidth between halves, {BIDIRECTIONAL}; unidirectional "
        f"{format_rate(fabric.bisection_one_way_bytes_per_s)}."
    )
    floor = (
        "HBM-bound lower limit of one request alone: reading the active weights from all GPUs' memory at once; "
        f"{format_time(result.dense_floor_s)} where a batch activates every expert."
    )
    return [
        Figure("Weights", format_memory(result.weights_bytes), "One copy of the model."),
        Figure("KV per token", per_token, "KV cache of one token, all layers."),
        *_state(result),
        Figure("Aggregate BW", format_rate(fabric.aggregate_both_ways_bytes_per_s), aggregate),
        Figure("Bisection BW", format_rate(fabric.bisection_both_ways_bytes_per_s), bisection),
        *serving_figures(result, service),
        Figure("TPOT floor, batch 1", format_time(result.decode_floor_s), floor),
    ]


def _state(result: Capacity) -> list[Figure]:
    """State of a request, where the model keeps one."""
    if not result.state_bytes_per_sequence:
        return []
    text = "Of linear-attention or state-space layers: the same at any context length."
    return [Figure("State per request", format_memory(result.state_bytes_per_sequence), text)]


@dataclass(frozen=True, slots=True)
class _DecodeStep:
    """The decode step at the load in words."""

    tpot: str
    requests: int
    layout: str
    rate: str


def _decode_step(result: Capacity, service: Service | None) -> _DecodeStep | None:
    """None where the model does not fit or the step cannot be computed."""
    if service is None or service.tpot_s is None or not result.fits:
        return None
    rate = f"{format_number(service.tokens_per_s_per_gpu)} tokens/s per GPU"
    return _DecodeStep(format_time(service.tpot_s), served_requests(result), result.scenario.layout, rate)


def serving_figures(result: Capacity, service: Service | None) -> list[Figure]:
    """The decode step at the load of the question; none where it cannot be computed."""
    step = _decode_step(result, service)
    if service is None or step is None:
        return []
    explanation = f"Decode step at {step.requests:,} concurrent requests of {result.scenario.context:,} tokens in {step.layout}; {step.rate}."
    rows = [Figure(f"TPOT at {step.requests:,}", step.tpot, explanation)]
    if service.usd_per_million_tokens is not None:
        cost = serving.usd(service.usd_per_million_tokens)
        rows.append(Figure("$ per M tokens", cost, "Output tokens at this load, decode alone."))
    return rows


def table(result: Capacity) -> pd.DataFrame:
    """Every part and figure as a row."""
    fabric = result.fabric
    rows = [(part.name, f"{part.bytes / GB:,.3f} GB per GPU", part.kind) for part in result.parts]
    rows += [
        ("used per GPU", f"{result.used_bytes_per_gpu / GB:,.3f} GB", "sum of the parts"),
        ("free per GPU", f"{result.free_bytes_per_gpu / GB:,.3f} GB", "left of the usable memory"),
        (
            "TPOT floor, batch size 1",
            format_time(result.decode_floor_s),
            "active weights over all HBM bandwidth",
        ),
        ("TPOT floor, all experts", format_time(result.dense_floor_s), "all weights over all HBM bandwidth"),
        (
            "aggregate bandwidth, bidirectional",
            format_rate(fabric.aggregate_both_ways_bytes_per_s),
            "as published for NVL72",
        ),
        (
            "aggregate bandwidth, unidirectional",
            format_rate(fabric.aggregate_one_way_bytes_per_s),
            "",
        ),
        (
            "bisection bandwidth, bidirectional",
            format_rate(fabric.bisection_both_ways_bytes_per_s),
            "as published for DGX H100",
        ),
        ("bisection bandwidth, unidirectional", format_rate(fabric.bisection_one_way_bytes_per_s), ""),
        ("HBM bandwidth, all GPUs", format_rate(fabric.hbm_bytes_per_s), "shared by reads and writes"),
    ]
    if result.expert_slots is not None:
        slots = result.expert_slots
        rows.append(
            (
                "expert slots",
                f"{slots.per_gpu} per GPU, {slots.total} in all",
                f"{slots.redundant} redundant",
            )
        )
    return pd.DataFrame(rows, columns=["quantity", "value", "remark"])
