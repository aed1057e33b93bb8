"""The parts of a step from measured kernels: every distinct shape is priced once for all layers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.calculators.tensor_parallel.by_tokens import (
    Price,
    Question,
    expert_prices,
    experts_of,
    head_prices,
    layers_of,
    matrix_prices,
    prices,
)
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.kernels import sparse
from core.catalog.calibrations.serving import overheads
from core.checks import Floats
from core.hardware import Gpu
from core.kernels.generation import bf16_peak, constants_of
from core.kernels.in_step import Heads, Sequences, decode_attention, prefill_attention
from core.kernels.shapes import Terms
from core.kernels.state_space import HEAD_DIM, gated_delta_decode_s, gated_delta_prefill_s
from core.parallel.peaks import FIELDS, peak
from core.workload import Attention, Model, Precision
from core.workload.recurrent import Recurrence, StateLayers
from core.workload.transformer import kv_heads_per_gpu
from core.workload.transformer.matrices import MLP, PROJECTIONS
from core.workload.transformer.work import LATENT_QUERIES, Batch, Part, attention_work, scan_work

UNMEASURED_SHARE = 0.6
"""Of the BF16 peak, in attention and scans that nobody timed."""


@dataclass(frozen=True, slots=True)
class PartTime:
    """Seconds of one part of all layers, and of its arithmetic and its memory traffic alone."""

    time_s: Floats
    math_s: Floats
    memory_s: Floats

    def plus(self, other: "PartTime") -> "PartTime":
        """Both, one after the other."""
        return PartTime(
            self.time_s + other.time_s, self.math_s + other.math_s, self.memory_s + other.memory_s
        )


NOTHING = PartTime(np.zeros(()), np.zeros(()), np.zeros(()))


def working_gpu(scenario: Scenario) -> Gpu:
    """The GPU at the clock of a step that goes on: its matrix peaks, with what the question overrides."""
    return _working(scenario.system.gpu, scenario.weights, scenario.hbm_bytes_per_s, scenario.peak_flop_per_s)


@lru_cache(maxsize=64)
def _working(gpu: Gpu, weights: Precision, bytes_per_s: float | None, flop_per_s: float | None) -> Gpu:
    peaks = {name: getattr(gpu, name) for name in FIELDS.values()}
    if flop_per_s is not None:
        peaks[FIELDS[peak(gpu, weights).format]] = flop_per_s
    if peaks[FIELDS["bf16"]] is None:
        peaks[FIELDS["bf16"]] = max((rate for rate in peaks.values() if rate), default=None)
    if bytes_per_s is not None:
        own = gpu.memory_rate
        gpu = replace(gpu, memory_rate=replace(own, value=own.value * bytes_per_s / own.bytes_per_s))
    clock = overheads(gpu).clock
    return replace(gpu, **{name: rate * clock for name, rate in peaks.items() if rate})


def remember_experts(asked: Iterable[tuple[Scenario, Floats]]) -> None:
    """Price routed MLPs of scenarios of several degrees at numbers of tokens, all of them at once."""
    routed = [
        (scenario, tokens) for scenario, tokens in asked if scenario.by_kernels and scenario.model.moe_layers
    ]
    gpus = [working_gpu(scenario) for scenario, _ in routed]
    prices(
        expert_prices,
        [
            (experts_of(scenario, gpu, scenario.tp), tokens)
            for gpu, (scenario, tokens) in zip(gpus, routed, strict=True)
        ],
    )


def _part(price: Price, question: Question, tokens: Floats) -> list[PartTime]:
    return [PartTime(*part) for part in prices(price, [(question, tokens)])[0]]


def matrix_times(scenario: Scenario, gpu: Gpu, tokens: Floats, tp: int) -> dict[str, PartTime]:
    """GEMMs of projections and of dense MLPs."""
    parts = _part(matrix_prices, layers_of(scenario, gpu, tp), tokens)
    return dict(zip((PROJECTIONS, MLP), parts, strict=True))


def head_time(scenario: Scenario, gpu: Gpu, sequences: Floats, tp: int) -> PartTime:
    """The output projection, a row a sequence, in BF16."""
    return _part(head_prices, layers_of(scenario, gpu, tp), sequences)[0]


def experts_times(asked: Sequence[tuple[Scenario, Floats]], gpu: Gpu, tp: int) -> PartTime:
    """Routed MLPs of all layers on the busiest GPU, of scenarios that differ in EP one after the other."""
    if not asked[0][0].model.moe_layers:
        return NOTHING
    priced = prices(expert_prices, [(experts_of(scenario, gpu, tp), tokens) for scenario, tokens in asked])
    return PartTime(*(priced[0] if len(priced) == 1 else np.concatenate(priced, axis=-1))[0])


def attention_time(scenario: Scenario, gpu: Gpu, batch: Batch, tp: int) -> PartTime:
    """Attention of all layers over the KV cache; nothing where a step has no sequence of this kind."""
    sizes = np.stack(np.broadcast_arrays(batch.sequences, batch.new, batch.context)).astype(np.float64)
    value = scenario.kv.bytes_per_value
    return _attention_time(gpu, scenario.model, value, tp, sizes.tobytes(), sizes.shape)


@lru_cache(maxsize=256)
def _attention_time(
    gpu: Gpu, model: Model, cache_bytes: float, tp: int, sizes: bytes, shape: tuple[int, ...]
) -> PartTime:
    """Attention by sequences, new tokens and context, as the bytes of an array of this shape."""
    count, new, context = np.frombuffer(sizes, np.float64).reshape(shape)
    some = (count > 0) & (new > 0) & (context > 0)
    count, new, context = (np.where(some, values, 1.0) for values in (count, new, context))
    sequences, total = Sequences(count, new, np.maximum(context, new)), NOTHING
    windows = ((model.attention_layers - model.window_layers, None), (model.window_layers, model.window))
    for layers, window in windows:
        if layers > 0:
            terms = _attention(gpu, sequences, _heads(model, cache_bytes, tp, window))
            times = (np.where(some, layers * time, 0.0)
                     for time in (terms.time_s, terms.compute_s, terms.memory_s))  # fmt: skip
            total = total.plus(PartTime(*times))
    return total


def sparse_attention_time(scenario: Scenario, gpu: Gpu, batch: Batch, tp: int) -> PartTime:
    """Indexer and attention to what it picks: a start an indexer and times a roofline, as measured."""
    least = roof(gpu, attention_work(scenario.model, batch, tp, scenario.kv.bytes_per_value))
    count, new = np.broadcast_arrays(batch.sequences, batch.new)
    decode = sparse.DECODE[scenario.engine or sparse.UNNAMED]
    step, prompt = (constants_of(gpu, kernels)[0] for kernels in (decode, sparse.PREFILL))
    long = new > LATENT_QUERIES
    own = 0 if scenario.model.indexer is None else scenario.model.indexer.layers
    start_s = np.where(long, prompt.start_s, step.start_s) * own
    times = np.where(long, prompt.times, step.times)
    return replace(least, time_s=np.where((count > 0) & (new > 0), start_s, 0.0) + times * least.time_s)


def state_time(scenario: Scenario, gpu: Gpu, batch: Batch, tp: int) -> PartTime:
    """Layers that keep a state: gated delta nets as measured, others by a roofline."""
    state = scenario.model.state
    if state is None:
        return NOTHING
    if not _measured(state):
        work = scan_work(scenario.model, batch, tp, scenario.activations.bytes_per_value)
        return roof(gpu, work) if work else NOTHING
    count, new = np.broadcast_arrays(batch.sequences, batch.new)
    some = (count > 0) & (new > 0)
    sequences, length = np.where(some, count, 1.0), np.where(some, new, 1.0)
    heads = max(1.0, np.ceil(state.groups / tp)), max(1.0, np.ceil(state.heads / tp))
    long = length > LATENT_QUERIES
    scan_s = gated_delta_prefill_s(gpu, sequences, length, *heads).time_s
    step_s = gated_delta_decode_s(gpu, sequences, *heads).time_s
    time_s = state.layers * np.where(some, np.where(long, scan_s, step_s), 0.0)
    return PartTime(time_s, np.where(long, time_s, 0.0), np.where(long, 0.0, time_s))


def _measured(state: StateLayers) -> bool:
    return state.kind is Recurrence.GATED_DELTA and state.key_dim == state.value_dim == HEAD_DIM


def roof(gpu: Gpu, work: Part) -> PartTime:
    """A part that nobody measured: the longer of FLOPs in BF16 and bytes."""
    math_s = work.flop / (bf16_peak(gpu) * UNMEASURED_SHARE)
    memory_s = work.bytes / (gpu.memory_rate.bytes_per_s * overheads(gpu).elementwise)
    return PartTime(np.maximum(math_s, memory_s), math_s + 0 * memory_s, memory_s + 0 * math_s)


def _heads(model: Model, cache_bytes: float, tp: int, window: int | None) -> Heads:
    queries = max(1.0, float(model.heads or 1) / tp)
    latent = None
    if model.attention is Attention.MLA:
        latent = float((model.kv_lora_rank or 0) + (model.rope_dim or 0))
    kv_heads = 1.0 if latent else min(queries, float(kv_heads_per_gpu(model, tp)))
    return Heads(queries, kv_heads, float(model.head_dim or 1), cache_bytes, window, latent)


def _attention(gpu: Gpu, sequences: Sequences, heads: Heads) -> Terms:
    """Prefill where a sequence has more new tokens than a decode kernel verifies, else decode."""
    long = sequences.new > LATENT_QUERIES
    if np.all(long):
        return prefill_attention(gpu, sequences, heads)
    few = replace(sequences, new=np.minimum(sequences.new, LATENT_QUERIES))
    short = decode_attention(gpu, few, heads)
    share = overheads(gpu).decode_attention
    short = replace(short, time_s=np.maximum(short.time_s * share, short.memory_s))
    if not np.any(long):
        return short
    many = prefill_attention(gpu, sequences, heads)
    pairs = ((many.time_s, short.time_s), (many.compute_s, short.compute_s), (many.memory_s, short.memory_s))
    return Terms(*(np.where(long, one, other) for one, other in pairs))
