"""Memory that a layout takes on every GPU, by part, and what it leaves."""

import math
from dataclasses import dataclass
from typing import Any

from core.calculators.capacity.fabric import FabricFigures, across_halves, fabric_figures
from core.calculators.capacity.fit import fit
from core.calculators.capacity.layout import laid_out
from core.calculators.capacity.parts import Part, active_bytes, copy_bytes, largest_params
from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.text import assumptions, headline, warnings
from core.calculators.capacity.uncounted import uncounted
from core.calculators.capacity.usage import Usage, shaped, usage
from core.calculators.capacity.weights import minimum_gpus
from core.calculators.question import MOST_REQUESTS
from core.parallel.memory_fit import Fit
from core.provenance import Source
from core.workload import Model
from core.workload.transformer import Slots, kv_bytes, kv_copies, slots, state_bytes

FORMULA = (
    r"W = P\,\frac{bits + scale/block}{8},\quad n_{min}=\left\lceil \frac{W}{HBM\cdot u}\right\rceil,\quad "
    r"S = \left\lfloor\frac{HBM\cdot u - W_{gpu} - A - R}{KV_{gpu}}\right\rfloor"
)


@dataclass(frozen=True, slots=True)
class Capacity:
    """
    The layout and what it leaves.

    Attributes:
        total_bytes: Memory of all GPUs as stated; ``usable_bytes`` what may be used of it.
        weights_bytes: One copy of the model in its format.
        minimum_gpus: For one copy and nothing else, at ``usable``; ``minimum_gpus_raw`` at all memory.
        memory_fit: Whether the memory suffices: fits, fits if something is changed, or does not fit; ``fits``
            answers the question as asked.
        free_bytes_per_gpu: Left on the fullest GPU after every part (negative where it does not fit).
        state_bytes_per_sequence: State of linear-attention or state-space layers, which no context grows;
            0 where every layer keeps keys and values.
        max_sequences: Concurrent requests at the context that fit in all replicas together; None where a
            sequence keeps nothing or the shape is unknown.
        limiting_part: The largest part when it does not fit, or what stops the next sequence.
        decode_floor_s: Bytes that one token of one sequence must read over the HBM of all GPUs: a lower
            limit at batch size 1, whatever the load (``capacity_service`` has the step at the load).
        dense_floor_s: The same when every weight is read (large batches reach all experts).
    """

    scenario: Scenario
    total_bytes: float
    usable_bytes: float
    weights_bytes: float
    weights_bytes_per_gpu: float
    minimum_gpus: int
    minimum_gpus_raw: int
    exact_fit: bool
    parts: tuple[Part, ...]
    used_bytes_per_gpu: float
    free_bytes_per_gpu: float
    free_bytes: float
    fits: bool
    memory_fit: Fit
    kv_bytes_per_token: float | None
    kv_bytes_per_sequence: float | None
    kv_bytes_per_sequence_per_gpu: float | None
    kv_copies: float
    state_bytes_per_sequence: float | None
    state_bytes_per_sequence_per_gpu: float | None
    kv_tokens: int | None
    max_sequences: int | None
    limiting_part: str
    expert_slots: Slots | None
    fabric: FabricFigures
    decode_floor_s: float
    decode_floor_tokens_per_s: float
    dense_floor_s: float
    largest_params: float
    headline: str
    formula: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]


def capacity(scenario: Scenario) -> Capacity:
    """Lay the model out and add up; the answer's scenario has its degree and GPUs filled in."""
    scenario = laid_out(scenario)
    model, memory, verdict = shaped(scenario), usage(scenario), fit(scenario)
    whole = copy_bytes(scenario, model)
    least = minimum_gpus(whole, scenario.memory_bytes, scenario.usable)
    floor, dense = _floors(scenario, model, whole)
    held = memory.cache_bytes + memory.state_bytes > 0
    sequences = memory.most_requests(MOST_REQUESTS) * scenario.replicas if held else 0
    parts = _parts(memory)
    limiting = _limiting(memory, parts)
    return Capacity(
        scenario=scenario,
        **_bytes(scenario, memory),
        **_kept(scenario, model, memory),
        weights_bytes=whole,
        minimum_gpus=least,
        minimum_gpus_raw=minimum_gpus(whole, scenario.memory_bytes),
        exact_fit=whole > 0 and math.isclose(whole, least * scenario.limit_bytes, rel_tol=1e-12),
        parts=parts,
        memory_fit=verdict,
        max_sequences=sequences if model and held else None,
        limiting_part=limiting,
        expert_slots=slots(model.experts, scenario.expert_group) if model and model.moe else None,
        fabric=_fabric(scenario),
        decode_floor_s=floor,
        decode_floor_tokens_per_s=1 / floor if floor > 0 else math.inf,
        dense_floor_s=dense,
        largest_params=largest_params(scenario, model),
        headline=headline(scenario, verdict, sequences=sequences, limiting=limiting, least=least),
        formula=FORMULA,
        assumptions=assumptions(scenario),
        warnings=(*warnings(scenario, model), *uncounted(scenario, model, memory)),
        sources=(*(scenario.model.sources if scenario.model else ()), *scenario.system.sources),
    )


def _parts(memory: Usage) -> tuple[Part, ...]:
    """Parts of the fullest GPU with those of all its requests."""
    cache = Part("KV cache", memory.cache_bytes * memory.requests, "cache")
    state = Part("state", memory.state_bytes * memory.pools.states * memory.requests, "cache")
    return (*memory.parts, cache, state) if memory.state_bytes else (*memory.parts, cache)


def _limiting(memory: Usage, parts: tuple[Part, ...]) -> str:
    """What stops the next request, or the largest part where not even these fit."""
    if memory.fits and memory.cache_bytes + memory.state_bytes > 0:
        return "state" if memory.state_bytes > memory.cache_bytes else "KV cache"
    return max(parts, key=lambda part: part.bytes).name


def _bytes(scenario: Scenario, memory: Usage) -> dict[str, Any]:
    """Memory of all GPUs and of the fullest."""
    return {
        "total_bytes": scenario.used_gpus * scenario.memory_bytes,
        "usable_bytes": scenario.used_gpus * scenario.limit_bytes,
        "weights_bytes_per_gpu": sum(part.bytes for part in memory.weight_parts),
        "used_bytes_per_gpu": memory.used_bytes,
        "free_bytes_per_gpu": memory.free_bytes,
        "free_bytes": memory.free_bytes * scenario.used_gpus,
        "fits": memory.fits,
    }


def _kept(scenario: Scenario, model: Model | None, memory: Usage) -> dict[str, Any]:
    """What requests keep: keys and values by token and sequence, states."""
    cache, state = memory.cache_bytes, memory.state_bytes
    room = max(0.0, scenario.limit_bytes - memory.before_bytes)
    per_token = (cache + state) / scenario.context if cache and scenario.context else None
    return {
        "kv_bytes_per_token": _per_token(scenario, model),
        "kv_bytes_per_sequence": _per_sequence(scenario, model),
        "kv_bytes_per_sequence_per_gpu": cache if model else None,
        "kv_copies": kv_copies(model, scenario.attention_tp) if model else 1.0,
        "state_bytes_per_sequence": state_bytes(model) if model else None,
        "state_bytes_per_sequence_per_gpu": state if model else None,
        "kv_tokens": int(room / per_token * scenario.replicas * (1 + 1e-12)) if per_token else None,
    }


def _fabric(scenario: Scenario) -> FabricFigures:
    gpus, rate = scenario.used_gpus, scenario.link_bytes_per_s
    across = across_halves(scenario.system, gpus, rate)
    return fabric_figures(gpus, rate, scenario.memory_bytes_per_s, across_bytes_per_s=across)


def _floors(scenario: Scenario, model: Model | None, whole: float) -> tuple[float, float]:
    """Seconds to read what one token needs, and to read everything, at the HBM of all GPUs."""
    rate = scenario.used_gpus * scenario.memory_bytes_per_s
    active = scenario.active_params
    if active is None:
        active = model.active_params if model else scenario.values
    if scenario.params is not None and model is not None and scenario.active_params is None:
        active *= scenario.params / model.params
    return active_bytes(scenario, model, active) / rate, whole / rate


def _per_token(scenario: Scenario, model: Model | None) -> float | None:
    if model is None:
        return None
    return float(kv_bytes(model, 1, scenario.kv.bytes_per_value))


def _per_sequence(scenario: Scenario, model: Model | None) -> float | None:
    if model is None:
        return None
    return float(kv_bytes(model, scenario.context, scenario.kv.bytes_per_value))
