"""Memory that a layout takes on every GPU, by part, and what it leaves."""

import math
from dataclasses import dataclass, replace

from core.calculators.capacity.fabric import FabricFigures, across_halves, fabric_figures
from core.calculators.capacity.layout import laid_out
from core.calculators.capacity.parts import (
    Part,
    active_bytes,
    cache_per_gpu,
    copy_bytes,
    largest_params,
    state_per_gpu,
    weights,
    working,
)
from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.text import assumptions, headline, warnings
from core.calculators.capacity.weights import minimum_gpus
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


@dataclass(frozen=True, slots=True)
class Usage:
    """
    Bytes of the fullest GPU.

    Attributes:
        weight_parts, parts: Those of the weights, and all that is there before any request.
        before_bytes: Of all those parts.
        cache_bytes, state_bytes: Of one sequence.
        requests: Concurrent sequences of a replica.
        limit_bytes: Usable.
    """

    weight_parts: tuple[Part, ...]
    parts: tuple[Part, ...]
    before_bytes: float
    cache_bytes: float
    state_bytes: float
    requests: int
    limit_bytes: float

    @property
    def used_bytes(self) -> float:
        """With all requests."""
        return self.before_bytes + (self.cache_bytes + self.state_bytes) * self.requests

    @property
    def free_bytes(self) -> float:
        """What is left of the usable memory; below zero where it does not fit."""
        return self.limit_bytes - self.used_bytes

    @property
    def fits(self) -> bool:
        """Whether everything has room."""
        return self.used_bytes <= self.limit_bytes * (1 + 1e-12)

    def most_requests(self, limit: int) -> int:
        """Requests that have room, none where the rest has none; at most ``limit``."""
        each = self.cache_bytes + self.state_bytes
        room = self.limit_bytes - self.before_bytes
        most = limit if each * limit <= room else int(max(room, 0.0) // (each or 1.0))
        while most < limit and replace(self, requests=most + 1).fits:
            most += 1
        while most > 0 and not replace(self, requests=most).fits:
            most -= 1
        return most


def usage(scenario: Scenario) -> Usage:
    """Memory alone, for searches that ask of many layouts; the scenario states its degree and its GPUs."""
    model = _shaped(scenario)
    weight_parts = weights(scenario, model)
    parts = (*weight_parts, *working(scenario, model))
    return Usage(
        tuple(weight_parts),
        parts,
        sum(part.bytes for part in parts),
        cache_per_gpu(scenario, model),
        state_per_gpu(scenario, model),
        math.ceil(scenario.sequences / scenario.replicas),
        scenario.limit_bytes,
    )


def _shaped(scenario: Scenario) -> Model | None:
    """The model where its shape is known."""
    return scenario.model if scenario.model and scenario.model.hidden is not None else None


def capacity(scenario: Scenario) -> Capacity:
    """Lay the model out and add up; the answer's scenario has its degree and GPUs filled in."""
    scenario = laid_out(scenario)
    model, memory = _shaped(scenario), usage(scenario)
    whole = copy_bytes(scenario, model)
    cache, state, requests = memory.cache_bytes, memory.state_bytes, memory.requests
    before, parts = memory.before_bytes, list(memory.parts)
    parts.append(Part("KV cache", cache * requests, "cache"))
    if state:
        parts.append(Part("state", state * requests, "cache"))
    room, held = scenario.limit_bytes - before, cache + state
    sequences = int(room // held) * scenario.replicas if held > 0 and room >= 0 else 0
    least = minimum_gpus(whole, scenario.memory_bytes, scenario.usable)
    on_gpu = sum(part.bytes for part in memory.weight_parts)
    per_token = held / scenario.context if cache and scenario.context else None
    groups = scenario.replicas
    floor, dense = _floors(scenario, model, whole)
    fits = memory.fits
    kept = "state" if state > cache else "KV cache"
    limiting = kept if fits and held > 0 else max(parts, key=lambda part: part.bytes).name
    return Capacity(
        scenario=scenario,
        total_bytes=scenario.used_gpus * scenario.memory_bytes,
        usable_bytes=scenario.used_gpus * scenario.limit_bytes,
        weights_bytes=whole,
        weights_bytes_per_gpu=on_gpu,
        minimum_gpus=least,
        minimum_gpus_raw=minimum_gpus(whole, scenario.memory_bytes),
        exact_fit=whole > 0 and math.isclose(whole, least * scenario.limit_bytes, rel_tol=1e-12),
        parts=tuple(parts),
        used_bytes_per_gpu=memory.used_bytes,
        free_bytes_per_gpu=memory.free_bytes,
        free_bytes=memory.free_bytes * scenario.used_gpus,
        fits=fits,
        kv_bytes_per_token=_per_token(scenario, model),
        kv_bytes_per_sequence=_per_sequence(scenario, model),
        kv_bytes_per_sequence_per_gpu=cache if model else None,
        kv_copies=kv_copies(model, scenario.attention_tp) if model else 1.0,
        state_bytes_per_sequence=state_bytes(model) if model else None,
        state_bytes_per_sequence_per_gpu=state if model else None,
        kv_tokens=int(max(0.0, room) / per_token * groups * (1 + 1e-12)) if per_token else None,
        max_sequences=sequences if model and held > 0 else None,
        limiting_part=limiting,
        expert_slots=slots(model.experts, scenario.expert_group) if model and model.moe else None,
        fabric=_fabric(scenario),
        decode_floor_s=floor,
        decode_floor_tokens_per_s=1 / floor if floor > 0 else math.inf,
        dense_floor_s=dense,
        largest_params=largest_params(scenario, model),
        headline=headline(scenario, fits=fits, sequences=sequences, limiting=limiting, least=least),
        formula=FORMULA,
        assumptions=assumptions(scenario),
        warnings=warnings(scenario, model),
        sources=(*(scenario.model.sources if scenario.model else ()), *scenario.system.sources),
    )


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
