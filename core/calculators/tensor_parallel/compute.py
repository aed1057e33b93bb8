"""Compute time of a step: measured kernels one after the other, or a roofline of whole layers."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.calculators.tensor_parallel.formats import stored_bytes
from core.calculators.tensor_parallel.kernels import (
    NOTHING,
    PartTime,
    attention_time,
    experts_times,
    head_time,
    matrix_times,
    roof,
    sparse_attention_time,
    state_time,
    working_gpu,
)
from core.calculators.tensor_parallel.scenario import DEFAULT_HBM_EFFICIENCY, DEFAULT_MFU, Scenario
from core.catalog.calibrations.serving import overheads
from core.checks import Floats
from core.hardware import Gpu
from core.parallel.peaks import peak
from core.workload.transformer import distinct_experts, parameters
from core.workload.transformer.matrices import MLP, PROJECTIONS
from core.workload.transformer.work import (
    LATENT_QUERIES,
    Batch,
    Part,
    attention_flop,
    decode_batch,
    elementwise_values,
    index_flop,
    kv_read_step_bytes,
    prefill_batch,
    scan_flop,
    state_step_bytes,
)


@dataclass(frozen=True, slots=True)
class Compute:
    """
    Seconds of one step on one GPU, without communication; arrays over tokens and context.

    Attributes:
        layers_s: All layers.
        head_s: Output projection and, with measured kernels, the fixed cost of every sequence.
        flop_s, hbm_s: What FLOPs alone and bytes alone would take in the layers.
        fixed_s: Kernel launch overhead of the layers, 0 in a roofline.
        flop_bound_s, hbm_bound_s: Time of the parts bound by FLOPs, respectively by memory.
        kv_s: The part of ``hbm_s`` spent on the KV cache.
        parts_s: Layers by part; empty where the roofline knows no parts.
        by_flops: Parts whose arithmetic takes longer than their memory traffic, where parts are known.
    """

    layers_s: Floats
    head_s: Floats
    flop_s: Floats
    hbm_s: Floats
    fixed_s: Floats
    flop_bound_s: Floats
    hbm_bound_s: Floats
    kv_s: Floats
    parts_s: dict[str, Floats]
    by_flops: dict[str, NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def total_s(self) -> Floats:
        """The step without communication."""
        return self.layers_s + self.head_s

    def part(self, places: slice) -> "Compute":
        """That of some steps of a column."""
        columns: dict[str, Any] = {
            item.name: {name: values[places] for name, values in column.items()}
            if isinstance(column := getattr(self, item.name), dict)
            else column[places]
            for item in fields(self)
        }
        return Compute(**columns)


def launched_layers(scenario: Scenario) -> float:
    """Layers whose launches count: of one with an indexer half, attention's are in its measured module."""
    indexer, model = scenario.model.indexer, scenario.model
    measured = 0.0 if indexer is None else indexer.layers / model.layers
    return scenario.layer_count * (1 - measured / 2)


def batch_of(scenario: Scenario, tokens: Floats, context: Floats) -> Batch:
    """The sequences that a phase makes of ``tokens`` and ``context``."""
    make = decode_batch if scenario.phase == "decode" else prefill_batch
    return make(tokens, context)


def compute(scenario: Scenario, tokens: Floats, context: Floats, tp: int) -> Compute:
    """Seconds of one step of ``tokens`` tokens at ``context`` on a group of ``tp`` GPUs."""
    if scenario.compute_s is not None:
        layers_s = np.full(np.broadcast(tokens, context).shape, scenario.compute_s * scenario.layer_count)
        scaled = layers_s * (scenario.tp / tp)
        zero = np.zeros_like(layers_s)
        return Compute(scaled, zero, zero, scaled, zero, zero, scaled, zero, {})
    if scenario.params_per_layer is not None and not scenario.by_kernels:
        return _from_parameters(scenario, tokens, context, tp)
    return compute_batch(scenario, batch_of(scenario, tokens, context), tp)


def compute_degrees(scenarios: Sequence[Scenario], tokens: Floats, context: Floats, tp: int) -> list[Compute]:
    """The same for scenarios that differ in EP: what it does not change is computed for all at once."""
    first, count = scenarios[0], len(scenarios)
    if first.compute_s is not None or not first.by_kernels or count == 1:
        return [compute(each, tokens, context, tp) for each in scenarios]
    batch = batch_of(first, np.tile(tokens, count), context)
    experts = experts_times([(each, tokens) for each in scenarios], working_gpu(first), tp)
    together = compute_kernels(first, (batch,), tp, experts)
    starts = range(0, count * tokens.size, tokens.size)
    return [together.part(slice(start, start + tokens.size)) for start in starts]


def compute_batch(scenario: Scenario, batch: Batch, tp: int) -> Compute:
    """Seconds of one step of any batch, from the model's shape."""
    if scenario.by_kernels:
        return compute_kernels(scenario, (batch,), tp)
    return _roofline(scenario, batch, tp)


def rates(scenario: Scenario) -> tuple[float, float]:
    """FLOP/s and bytes/s that a roofline reaches."""
    top = scenario.peak_flop_per_s or peak(scenario.system.gpu, scenario.weights).flop_per_s
    memory = scenario.hbm_bytes_per_s or scenario.system.gpu.memory_rate.bytes_per_s
    mfu = DEFAULT_MFU if scenario.mfu is None else scenario.mfu
    share = DEFAULT_HBM_EFFICIENCY if scenario.hbm_efficiency is None else scenario.hbm_efficiency
    return top * mfu, memory * share


def _from_parameters(scenario: Scenario, tokens: Floats, context: Floats, tp: int) -> Compute:
    """The roofline of a layer given by its number of values alone, plus the cache where a context is."""
    flop_rate, byte_rate = rates(scenario)
    values = (scenario.params_per_layer or 0.0) * scenario.layer_count / tp
    shape = np.broadcast(tokens, context)
    cache = np.zeros(shape.shape)
    if scenario.cached:
        batch = batch_of(scenario, tokens, context)
        cache = _cache(scenario, batch, tp)
    flop_s = 2 * values * tokens / flop_rate + np.zeros(shape.shape)
    kv_s = cache / byte_rate
    hbm_s = values * scenario.weights.bytes_per_value / byte_rate + kv_s
    return _whole(flop_s, hbm_s, kv_s, np.zeros(shape.shape))


def _cache(scenario: Scenario, batch: Batch, tp: int) -> Floats:
    """KV cache read, and state read and written where the model keeps one."""
    model = scenario.model
    kept = kv_read_step_bytes(model, batch, scenario.kv.bytes_per_value, tp) + state_step_bytes(
        model, batch, tp
    )
    return kept * (scenario.layer_count / model.layers)


def _roofline(scenario: Scenario, batch: Batch, tp: int) -> Compute:
    """Roofline: max of FLOPs and bytes of the layers; weights divided by ``tp``, the cache as it is kept."""
    model, (flop_rate, byte_rate) = scenario.model, rates(scenario)
    counted, tokens = parameters(model), batch.tokens
    depth = scenario.layer_count / model.layers
    group = max(scenario.ep / tp, 1.0)
    in_turn = scenario.balanced
    hit = distinct_experts(model.experts, model.active_experts, tokens * group, balanced=in_turn)
    hit = hit / max(model.experts, 1)
    experts = counted.experts * hit / max(tp, scenario.ep)
    dense = (counted.in_layers - counted.experts - counted.attention) / tp
    read_bytes = stored_bytes(model, scenario.weights, dense, experts, counted.attention / tp)
    flop = 2 * counted.active_in_layers * tokens + attention_flop(model, batch) + scan_flop(model, batch)
    flop = flop / tp + index_flop(model, batch)
    kv_s = _cache(scenario, batch, tp) / byte_rate
    flop_s = depth * flop / flop_rate + np.zeros_like(kv_s)
    more = 2 * counted.active_experts * tokens * (scenario.imbalance - 1) / tp
    flop_s = flop_s + depth * more / flop_rate
    hbm_s = depth * read_bytes / byte_rate + kv_s
    head = counted.embedding / tp
    head_s = np.maximum(
        2 * head * batch.sequences / flop_rate, head * scenario.activations.bytes_per_value / byte_rate
    )
    return _whole(flop_s, hbm_s, kv_s, head_s + np.zeros_like(hbm_s))


def _whole(flop_s: Floats, hbm_s: Floats, kv_s: Floats, head_s: Floats) -> Compute:
    """A roofline of all layers together: the longer of the two."""
    zero = np.zeros_like(hbm_s)
    by_flops = flop_s > hbm_s
    return Compute(
        layers_s=np.maximum(flop_s, hbm_s),
        head_s=head_s,
        flop_s=flop_s,
        hbm_s=hbm_s,
        fixed_s=zero,
        flop_bound_s=np.where(by_flops, flop_s, 0.0),
        hbm_bound_s=np.where(by_flops, 0.0, hbm_s),
        kv_s=kv_s,
        parts_s={},
    )


def compute_kernels(
    scenario: Scenario, batches: tuple[Batch, ...], tp: int, experts: PartTime | None = None
) -> Compute:
    """
    Measured kernels one after the other, with a fixed cost a layer and a sequence.

    GEMMs take the tokens of all batches at once, attention each by itself, the head the sequences of the
    first. ``experts`` stands for those of the scenario's own EP degree where given.
    """
    gpu, model = working_gpu(scenario), scenario.model
    fit, depth = overheads(gpu), scenario.layer_count / model.layers
    tokens = sum((batch.tokens for batch in batches), np.zeros(()))
    parts = _parts(scenario, gpu, batches, tp)
    parts["experts"] = experts_times([(scenario, tokens)], gpu, tp) if experts is None else experts
    prompts = np.any(np.broadcast_arrays(*(_has_prompts(batch) for batch in batches)), axis=0)
    alone = len(batches) == 1 and scenario.phase == "prefill"
    layer_s = np.where((prompts | alone) & (scenario.launch == "stream"), fit.stream_s, fit.graph_s)
    zero = np.zeros(np.broadcast(parts["attention"].time_s, tokens).shape)
    fixed = zero + layer_s * launched_layers(scenario)
    times = {name: depth * part.time_s + zero for name, part in parts.items() if part.time_s.any()}
    by_flops = {name: parts[name].math_s > parts[name].memory_s for name in times}
    head = head_time(scenario, gpu, batches[0].sequences, tp).time_s
    read = sum((kv_read_step_bytes(model, batch, scenario.kv.bytes_per_value, tp) for batch in batches), zero)
    return Compute(
        layers_s=sum(times.values(), zero) + fixed,
        head_s=head + fit.sequence_s * batches[0].sequences + zero,
        flop_s=depth * sum((parts[name].math_s for name in times), zero),
        hbm_s=depth * sum((parts[name].memory_s for name in times), zero),
        fixed_s=fixed,
        flop_bound_s=sum((np.where(by_flops[name], times[name], 0.0) for name in times), zero),
        hbm_bound_s=sum((np.where(by_flops[name], 0.0, times[name]) for name in times), zero),
        kv_s=depth * read / gpu.memory_rate.bytes_per_s + zero,
        parts_s={**times, "kernel launch overhead": fixed},
        by_flops=by_flops,
    )


def _parts(scenario: Scenario, gpu: Gpu, batches: tuple[Batch, ...], tp: int) -> dict[str, PartTime]:
    """All layers by part, in the order of a layer."""
    model, tokens = scenario.model, sum((batch.tokens for batch in batches), np.zeros(()))
    products = matrix_times(scenario, gpu, tokens, tp)
    attention = state = NOTHING
    look_back = attention_time if model.indexer is None else sparse_attention_time
    for batch in batches:
        attention = attention.plus(look_back(scenario, gpu, batch, tp))
        state = state.plus(state_time(scenario, gpu, batch, tp))
    moved = elementwise_values(model, tokens, tp) * scenario.activations.bytes_per_value
    return {
        PROJECTIONS: products[PROJECTIONS],
        "attention": attention,
        "state": state,
        MLP: products[MLP],
        "experts": NOTHING,
        "elementwise": roof(gpu, Part(np.zeros_like(tokens), moved)),
    }


def _has_prompts(batch: Batch) -> NDArray[np.bool_]:
    return np.asarray((batch.sequences > 0) & (batch.new > LATENT_QUERIES))
