"""What one step must do: FLOPs and bytes of every part, on one GPU of a tensor-parallel group."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats
from core.workload import Attention, Model
from core.workload.recurrent import DELTA_RULES
from core.workload.transformer.experts import distinct_experts
from core.workload.transformer.kv import (
    attended_tokens,
    kv_read_bytes,
    state_bytes_per_gpu,
    values_per_token_and_layer,
)
from core.workload.transformer.parameters import parameters, shape

ELEMENTWISE_PASSES = 4
"""Times the residual stream is read or written by the norm and the addition of a block."""
LATENT_QUERIES = 8
"""New tokens of each request up to which MLA attends in its latent space, as decode kernels verify drafts."""
SCAN_FLOP = 5
"""A value of the state and a token: decay (1), update (2), output (2)."""
DELTA_FLOP = 2
"""And reading what the state holds for a key, where the delta rule corrects it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of kernel over all layers: FLOPs and HBM bytes on one GPU."""

    flop: Floats
    bytes: Floats


@dataclass(frozen=True, slots=True)
class Step:
    """
    One step on one GPU, summed over layers.

    Attributes:
        projections: Matrices of attention and of layers that keep a state.
        attention: Scores and values over the KV cache.
        mlp: Dense MLPs, shared experts, router.
        experts: Routed experts.
        elementwise: Norms, additions, activation functions and expert routing: bytes only.
        head: Output projection (one row a sequence).
        weight_bytes: Weights read, all layers, without the head.
        kv_read_bytes: KV cache read.
        state: Scan of linear-attention or state-space layers: state read and written; None without.
    """

    projections: Part
    attention: Part
    mlp: Part
    experts: Part
    elementwise: Part
    head: Part
    weight_bytes: Floats
    kv_read_bytes: Floats
    state: Part | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Sequences, their new tokens in this step and what they have cached; arrays that broadcast."""

    sequences: Floats
    new: Floats
    before: Floats

    @property
    def tokens(self) -> Floats:
        """New tokens of the step."""
        return self.sequences * self.new

    @property
    def context(self) -> Floats:
        """Tokens cached by the end of the step."""
        return self.before + self.new


def decode_batch(tokens: ArrayLike, context: ArrayLike) -> Batch:
    """One new token for each of ``tokens`` sequences that have ``context`` tokens cached."""
    sequences = np.asarray(tokens, np.float64)
    length = np.asarray(context, np.float64)
    return Batch(sequences, np.ones_like(sequences), np.maximum(length - 1, -1.0))


def prefill_batch(tokens: ArrayLike, context: ArrayLike) -> Batch:
    """
    ``tokens`` new prompt tokens in sequences that end at ``context`` tokens.

    With context >= tokens: one chunk at the end of a prompt; below: tokens / context whole prompts.
    """
    total, length = np.broadcast_arrays(np.asarray(tokens, np.float64), np.asarray(context, np.float64))
    new = np.minimum(total, length)
    return Batch(total / new, new, length - new)


def step_work(
    model: Model,
    batch: Batch,
    *,
    tp: ArrayLike,
    ep: ArrayLike = 1,
    weight: float | tuple[float, float, float],
    cache: float,
    value: float,
    balanced: bool = False,
) -> Step:
    """
    FLOPs and bytes of one step on one GPU.

    Args:
        model: The shape.
        batch: What is computed.
        tp: GPUs that share a layer.
        ep: GPUs that share the experts; at least ``tp`` of them work for one replica when above 1.
        weight: Bytes of a weight; three where projections, other MLPs and routed experts differ.
        cache: Bytes of a cached value.
        value: Bytes of an activation.
        balanced: Tokens take experts in turn, instead of at random.
    """
    degree = np.asarray(tp, np.float64)
    projection, dense, routed = weight if isinstance(weight, tuple) else (weight, weight, weight)
    tokens, counted = batch.tokens, parameters(model)
    projected = projected_values(model, degree)
    mlp = _mlp(model, tokens, degree, dense)
    experts = _experts(model, tokens, degree, np.asarray(ep, np.float64), routed, balanced=balanced)
    kv_read = kv_read_step_bytes(model, batch, cache, degree)
    head = counted.embedding / degree
    return Step(
        projections=Part(2 * projected * tokens, projected * projection),
        attention=attention_work(model, batch, degree, cache),
        mlp=mlp,
        experts=experts,
        elementwise=Part(np.zeros_like(tokens), elementwise_values(model, tokens, degree) * value),
        head=Part(2 * head * batch.sequences, head * value),
        weight_bytes=projected * projection + mlp.bytes + experts.bytes,
        kv_read_bytes=kv_read,
        state=scan_work(model, batch, degree, value),
    )


def attention_work(model: Model, batch: Batch, tp: ArrayLike, cache: float) -> Part:
    """Scores and values over the KV cache on one of ``tp`` GPUs, with the indexer where there is one."""
    degree = np.asarray(tp, np.float64)
    written = batch.tokens * model.attention_layers * values_per_token_and_layer(model, degree) * cache
    flop = attention_flop(model, batch) / degree + index_flop(model, batch)
    return Part(flop, kv_read_step_bytes(model, batch, cache, degree) + written)


def kv_read_step_bytes(model: Model, batch: Batch, cache: float, tp: ArrayLike) -> Floats:
    """KV cache that the batch reads on one of ``tp`` GPUs."""
    context = np.maximum(batch.context, 0.0)
    return batch.sequences * kv_read_bytes(model, context, batch.new, cache, tp)


def state_step_bytes(model: Model, batch: Batch, tp: ArrayLike) -> Floats:
    """State that the batch reads and writes on one of ``tp`` GPUs."""
    return 2 * batch.sequences * state_bytes_per_gpu(model, tp)


def projected_values(model: Model, tp: ArrayLike) -> Floats:
    """Values of the projections on one of ``tp`` GPUs, all layers."""
    degree = np.asarray(tp, np.float64)
    counted = parameters(model)
    groups = model.state.groups if model.state else 0
    attention = _divided(counted.attention, counted.attention_replicated, counted.key_value, degree)
    state = (counted.state - counted.state_groups) / degree
    copied = np.maximum(1.0, np.ceil(groups / degree)) / groups if groups else 0.0
    return attention + _replicated_kv(model, degree) + state + counted.state_groups * copied


def _divided(total: float, replicated: float, key_value: float, degree: Floats) -> Floats:
    return (total - replicated - key_value) / degree + replicated


def _replicated_kv(model: Model, degree: Floats) -> Floats:
    """KV projections on one GPU: copied where there are more GPUs than KV heads."""
    if model.attention is Attention.MLA:
        return np.zeros_like(degree)
    hidden = shape(model, "hidden")[0]
    return model.attention_layers * hidden * values_per_token_and_layer(model, degree)


def attention_flop(model: Model, batch: Batch) -> Floats:
    """Two products of 2 FLOPs a value; MLA attends in its latent space when decoding, or when sparse."""
    heads, head_dim = shape(model, "heads", "head_dim")
    looked = batch.tokens * np.maximum(attended_tokens(model, batch.before, batch.new), 0.0)
    if model.attention is Attention.MLA:
        latent, rope = shape(model, "kv_lora_rank", "rope_dim")
        value = model.value_head_dim or head_dim
        by_heads = np.asarray(batch.new > LATENT_QUERIES) & (model.indexer is None)
        wide = np.where(by_heads, head_dim + rope + value, 2 * latent + rope)
        return 2 * heads * wide * looked
    return 2.0 * heads * (head_dim + (model.value_head_dim or head_dim)) * looked


def index_flop(model: Model, batch: Batch) -> Floats:
    """Scores of the indexer over all earlier tokens; every GPU of a group computes all of them."""
    if model.indexer is None:
        return np.zeros_like(batch.tokens)
    looked = batch.tokens * np.maximum(batch.before + (batch.new + 1) / 2, 0.0)
    return 2.0 * model.indexer.heads * model.indexer.head_dim * model.indexer.layers * looked


def scan_flop(model: Model, batch: Batch) -> Floats:
    """The recurrence and its short convolution, token by token; chunked kernels need about as many."""
    state = model.state
    if state is None:
        return np.zeros_like(batch.tokens)
    each = SCAN_FLOP + (DELTA_FLOP if state.kind in DELTA_RULES else 0)
    channels = state.heads * state.value_dim + 2 * state.groups * state.key_dim
    token = each * state.heads * state.head_values + 2 * state.conv_kernel * channels
    return state.layers * token * batch.tokens


def scan_work(model: Model, batch: Batch, tp: ArrayLike, value: float) -> Part | None:
    """
    The recurrence on one of ``tp`` GPUs; None without state.

    Bytes of the state, and of what goes in (values, keys, queries, gate) and comes out.
    """
    state = model.state
    if state is None:
        return None
    streams = 3 * state.heads * state.value_dim + 2 * max(state.groups, 1) * state.key_dim
    degree = np.asarray(tp, np.float64)
    moved = state.layers * batch.tokens * streams / degree * value
    return Part(scan_flop(model, batch) / degree, state_step_bytes(model, batch, degree) + moved)


def _mlp(model: Model, tokens: Floats, degree: Floats, weight: float) -> Part:
    counted = parameters(model)
    same = (counted.dense_mlp + counted.shared_experts) / degree
    flop = 2 * tokens * (same + counted.router / degree)
    return Part(flop, np.broadcast_to((same + counted.router) * weight, flop.shape))


def _experts(
    model: Model, tokens: Floats, degree: Floats, ep: Floats, weight: float, *, balanced: bool
) -> Part:
    """Routed experts: each token its own few, each expert that anyone hits read once."""
    counted = parameters(model)
    flop = 2 * tokens * counted.active_experts / degree
    groups = np.maximum(ep / degree, 1.0)
    hit = distinct_experts(model.experts, model.active_experts, tokens * groups, balanced=balanced)
    hit = hit / max(model.experts, 1)
    return Part(flop, counted.experts / np.maximum(degree, ep) * hit * weight)


def elementwise_values(model: Model, tokens: Floats, tp: ArrayLike) -> Floats:
    """Values read or written between the GEMMs on one of ``tp`` GPUs, all layers; not within routed MLPs."""
    degree = np.asarray(tp, np.float64)
    hidden = shape(model, "hidden")[0]
    passes = model.blocks * ELEMENTWISE_PASSES * hidden
    dense = 3 * model.plain_layers * (model.ffn or 0) / degree
    return tokens * (passes + dense)
