"""Compute time of a step: a roofline of whole layers, or part by part at fitted fractions."""

from dataclasses import dataclass

import numpy as np

from core.calculators.tensor_parallel.scenario import DEFAULT_HBM_EFFICIENCY, DEFAULT_MFU, Scenario
from core.catalog.calibrations.serving import Kernels, kernels
from core.checks import Floats
from core.parallel.peaks import peak
from core.workload.transformer import distinct_experts, parameters
from core.workload.transformer.work import (
    Batch,
    Part,
    Step,
    attention_flop,
    decode_batch,
    index_flop,
    kv_read_step_bytes,
    prefill_batch,
    scan_flop,
    state_step_bytes,
    step_work,
)


@dataclass(frozen=True, slots=True)
class Compute:
    """
    Seconds of one step on one GPU, without communication; arrays over tokens and context.

    Attributes:
        layers_s: All layers.
        head_s: Output projection and, with fitted kernels, the fixed cost of a step.
        flop_s, hbm_s: What FLOPs alone and bytes alone would take in the layers.
        fixed_s: Kernel launch overhead of the layers, 0 in a roofline.
        flop_bound_s, hbm_bound_s: Time of the parts bound by FLOPs, respectively by memory.
        kv_s: The part of ``hbm_s`` spent on the KV cache.
        parts_s: Layers by part; empty where the roofline knows no parts.
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

    @property
    def total_s(self) -> Floats:
        """The step without communication."""
        return self.layers_s + self.head_s


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


def compute_batch(scenario: Scenario, batch: Batch, tp: int) -> Compute:
    """Seconds of one step of any batch, from the model's shape."""
    if scenario.by_kernels:
        return _by_kernels(scenario, batch, tp)
    return _roofline(scenario, batch, tp)


def _rates(scenario: Scenario) -> tuple[float, float]:
    """FLOP/s and bytes/s reached in a roofline."""
    top = scenario.peak_flop_per_s or peak(scenario.system.gpu, scenario.weights).flop_per_s
    memory = scenario.hbm_bytes_per_s or scenario.system.gpu.memory_rate.bytes_per_s
    mfu = DEFAULT_MFU if scenario.mfu is None else scenario.mfu
    share = DEFAULT_HBM_EFFICIENCY if scenario.hbm_efficiency is None else scenario.hbm_efficiency
    return top * mfu, memory * share


def _from_parameters(scenario: Scenario, tokens: Floats, context: Floats, tp: int) -> Compute:
    """The roofline of a layer given by its number of values alone, plus the cache where a context is."""
    flop_rate, byte_rate = _rates(scenario)
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
    model, (flop_rate, byte_rate) = scenario.model, _rates(scenario)
    counted, tokens = parameters(model), batch.tokens
    depth = scenario.layer_count / model.layers
    group = max(scenario.ep / tp, 1.0)
    in_turn = scenario.balanced
    hit = distinct_experts(model.experts, model.active_experts, tokens * group, balanced=in_turn)
    hit = hit / max(model.experts, 1)
    read = (counted.in_layers - counted.experts) / tp + counted.experts * hit / max(tp, scenario.ep)
    flop = 2 * counted.active_in_layers * tokens + attention_flop(model, batch) + scan_flop(model, batch)
    flop = flop / tp + index_flop(model, batch)
    kv_s = _cache(scenario, batch, tp) / byte_rate
    flop_s = depth * flop / flop_rate + np.zeros_like(kv_s)
    more = 2 * counted.active_experts * tokens * (scenario.imbalance - 1) / tp
    flop_s = flop_s + depth * more / flop_rate
    hbm_s = depth * read * scenario.weights.bytes_per_value / byte_rate + kv_s
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


def _by_kernels(scenario: Scenario, batch: Batch, tp: int) -> Compute:
    """Every part its own roofline, one after the other, with a fixed cost a layer and a step."""
    gpu, model = scenario.system.gpu, scenario.model
    fit = kernels(gpu.architecture)
    top = peak(gpu, scenario.weights)
    matmul = (scenario.peak_flop_per_s or top.flop_per_s) * fit.matmul
    matmul *= fit.four_bit if top.format == "fp4" else 1.0
    half = gpu.bf16_flop_per_s or top.flop_per_s
    memory = (scenario.hbm_bytes_per_s or gpu.memory_rate.bytes_per_s) * fit.hbm
    work = step_work(
        model,
        batch,
        tp=tp,
        ep=scenario.ep,
        weight=scenario.weights.bytes_per_value,
        cache=scenario.kv.bytes_per_value,
        value=scenario.activations.bytes_per_value,
        balanced=scenario.balanced,
    )
    depth = scenario.layer_count / model.layers
    layer = _layer_kernels(work, fit, matmul, half, scenario.imbalance)
    flops = [depth * kernel.work.flop / kernel.flop_per_s for kernel in layer]
    moved = [depth * kernel.work.bytes / memory for kernel in layer]
    longer = map(np.maximum, flops, moved)
    parts = {kernel.name: time for kernel, time in zip(layer, longer, strict=True)}
    head = np.maximum(work.head.flop / (half * fit.matmul), work.head.bytes / memory)
    zero = np.zeros_like(batch.tokens)
    layers = sum(parts.values(), zero)
    routing = fit.moe_graph_s if scenario.launch == "graph" else fit.moe_layer_s
    fixed = np.full_like(layers, depth * (fit.layer_s * model.layers + routing * model.moe_layers))
    return Compute(
        layers_s=layers + fixed,
        head_s=head + fit.step_s + fit.sequence_s * batch.sequences + zero,
        flop_s=sum(flops, zero),
        hbm_s=sum(moved, zero),
        fixed_s=fixed,
        flop_bound_s=sum((np.where(f > m, f, 0.0) for f, m in zip(flops, moved, strict=True)), zero),
        hbm_bound_s=sum((np.where(f > m, 0.0, m) for f, m in zip(flops, moved, strict=True)), zero),
        kv_s=depth * work.kv_read_bytes / memory + np.zeros_like(layers),
        parts_s={**parts, "kernel launch overhead": fixed},
    )


@dataclass(frozen=True, slots=True)
class _Kernel:
    """One part of a layer and the FLOP/s that its kernels reach."""

    name: str
    work: Part
    flop_per_s: float


def _layer_kernels(
    work: Step, fit: Kernels, matmul: float, half: float, imbalance: float
) -> tuple[_Kernel, ...]:
    state = (_Kernel("state", work.state, half * fit.attention),) if work.state else ()
    return (
        _Kernel("projections", work.projections, matmul),
        _Kernel("attention", work.attention, half * fit.attention),
        *state,
        _Kernel("mlp", work.mlp, matmul),
        _Kernel("experts", work.experts, matmul * fit.experts / imbalance),
        _Kernel("elementwise", work.elementwise, matmul),
    )
