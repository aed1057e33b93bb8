"""Communication of one layer and one micro-batch: tensor, context and expert parallelism; pipeline sends."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.calculators.training.price import Call, Exchange
from core.calculators.training.scenario import ALL_TO_ALL, Scenario
from core.calculators.training.work import VALUE_BYTES, attention_share, moe_share
from core.parallel.columns import common, larger, unwrapped, where
from core.parallel.groups import Group
from core.workload.transformer import (
    exchange_bytes,
    exchange_bytes_without_deduplication,
    kv_heads_per_gpu,
)
from core.workload.transformer.kv import state_bytes_per_gpu
from core.workload.transformer.parameters import shape

CONTEXT_BACKWARD = (2.0, 1.0)
"""Hops of a CP ring in backward over forward: keys and values with gradients; of a state the gradient."""


@dataclass(frozen=True, slots=True)
class LayerComm:
    """
    Seconds in one layer (a mean over layers) and one micro-batch, forward and backward.

    Attributes:
        tensor_forward_s, tensor_backward_s: Activations between TP ranks.
        context_forward_s, context_backward_s: Keys and values between CP ranks.
        expert_forward_s, expert_backward_s: Dispatch and combine between EP ranks.
        stage_send_s: To send a micro-batch's activations from a stage to the next, split over TP ranks.
    """

    tensor_forward_s: float
    tensor_backward_s: float
    context_forward_s: float
    context_backward_s: float
    expert_forward_s: float
    expert_backward_s: float
    stage_send_s: float


@dataclass(frozen=True, slots=True)
class LayerCalls:
    """Collectives of one layer and one micro-batch, and the send to the next stage, not priced yet."""

    scenario: Scenario
    tensor: tuple[Call, ...]
    context: tuple[Call, ...]
    expert: tuple[Call | Exchange, ...]
    stage_send: Call

    @classmethod
    def of(cls, scenario: Scenario) -> "LayerCalls":
        """Those of a scenario."""
        expert = _expert_calls(scenario) if scenario.layout.ep > 1 else ()
        return cls(scenario, _tensor_calls(scenario), _context_calls(scenario), expert, _stage_send(scenario))

    @property
    def calls(self) -> tuple[Call | Exchange, ...]:
        """All of them in one order."""
        return (*self.tensor, *self.expert, *self.context, self.stage_send)

    def comm(self, seconds: Sequence[float]) -> LayerComm:
        """Communication where the calls take so many seconds, in their order."""
        *layer, stage_send_s = seconds
        tensors, experts = len(self.tensor), len(self.tensor) + len(self.expert)
        tensor_s = _tensor_s(self.scenario, sum(layer[:tensors]))
        expert_s = _expert_s(self.scenario, sum(layer[tensors:experts]))
        forward_s, backward_s = _context_s(self.scenario, layer[experts:])
        return LayerComm(tensor_s, tensor_s, forward_s, backward_s, expert_s, expert_s, stage_send_s)


@dataclass(frozen=True, slots=True)
class Calls:
    """
    Collectives of one kind of parallelism, each once.

    Attributes:
        parallelism: TP, CP, EP or PP.
        calls: The collectives.
        times: How often a layer's forward of one micro-batch makes each; for PP a stage's.
        backward: How many times as often its backward does.
    """

    parallelism: str
    calls: tuple[Call | Exchange, ...]
    times: float = 1.0
    backward: float = 1.0


def calls_of_layers(scenario: Scenario) -> tuple[Calls, ...]:
    """Every collective that the layers and stages of a step are priced with, by parallelism."""
    layout = scenario.layout
    parts = []
    if layout.tp > 1:
        parts.append(Calls("TP", _tensor_calls(scenario), _tensor_blocks(scenario)))
    if layout.cp > 1:
        hops = zip(_context_calls(scenario), _context_shares(scenario), CONTEXT_BACKWARD, strict=False)
        parts += [Calls("CP", (hop,), (layout.cp - 1) * share, more) for hop, share, more in hops]
    if layout.ep > 1:
        parts.append(Calls("EP", _expert_calls(scenario), moe_share(scenario.model)))
    if layout.pp > 1:
        parts.append(Calls("PP", (_stage_send(scenario),)))
    return tuple(parts)


def layer_calls(scenario: Scenario) -> tuple[Call | Exchange, ...]:
    """Every collective that the layers and stages of a step are priced with, once each."""
    return tuple(call for part in calls_of_layers(scenario) for call in part.calls)


def _stage_send(scenario: Scenario) -> Call:
    size_bytes = scenario.tokens_per_gpu / scenario.layout.tp * _hidden_size(scenario) * VALUE_BYTES
    layout, domain_gpus = scenario.layout, scenario.system.domain_gpus
    stages = layout.pipeline
    if common(layout.gpus) > domain_gpus:  # some stage sends to one in another domain, and it sets the pace
        stages = Group(stages.size, larger(stages.stride, domain_gpus))
    return Call(stages, "send_recv", size_bytes)


def _tensor_s(scenario: Scenario, block_s: float) -> float:
    """Two all-reduces per layer, or with sequence parallelism all-gather and reduce-scatter instead."""
    return block_s * _tensor_blocks(scenario)


def _tensor_blocks(scenario: Scenario) -> float:
    """Blocks of a layer whose output TP sums: all, but those of experts where EP spreads them."""
    model = scenario.model
    return model.blocks / model.layers - (moe_share(model) if scenario.layout.ep > 1 else 0.0)


def _tensor_calls(scenario: Scenario) -> tuple[Call, ...]:
    size_bytes = scenario.tokens_per_gpu * _hidden_size(scenario) * VALUE_BYTES
    collectives = ("all_gather", "reduce_scatter") if scenario.sequence_parallel else ("all_reduce",)
    return tuple(Call(scenario.layout.tensor, name, size_bytes) for name in collectives)


def _context_s(scenario: Scenario, hops_s: Sequence[float]) -> tuple[float, float]:
    """
    Forward and backward of ring attention: keys and values of other chunks pass round, a chunk at a time.

    Layers that keep a state pass it on from chunk to chunk instead.
    """
    hops = scenario.layout.cp - 1
    forward = [hops * share * each for share, each in zip(_context_shares(scenario), hops_s, strict=True)]
    backward = [more * each for more, each in zip(CONTEXT_BACKWARD, forward, strict=False)]
    return sum(forward), sum(backward)


def _context_calls(scenario: Scenario) -> tuple[Call, ...]:
    """A hop of the ring of a layer with attention, then that of a layer that keeps a state."""
    states = (_state_call(scenario),) if scenario.model.state is not None else ()
    return (_context_call(scenario), *states)


def _context_shares(scenario: Scenario) -> tuple[float, ...]:
    """Shares of the layers that make these hops, in the same order."""
    model = scenario.model
    states = (model.state.layers / model.layers,) if model.state is not None else ()
    return (attention_share(model), *states)


def _state_call(scenario: Scenario) -> Call:
    """The states of a micro-batch's sequences on one GPU, from a CP rank to the next."""
    pair = _context_call(scenario).group
    state_bytes = unwrapped(state_bytes_per_gpu(scenario.model, scenario.layout.tp))
    layers = scenario.model.state.layers if scenario.model.state else 1
    size_bytes = scenario.micro_batch * state_bytes / layers
    return Call(pair, "send_recv", where(scenario.layout.cp > 1, size_bytes, 0.0))


def _context_call(scenario: Scenario) -> Call:
    layout, model = scenario.layout, scenario.model
    _, head_dim = shape(model, "heads", "head_dim")
    values = unwrapped(kv_heads_per_gpu(model, layout.tp)) * (head_dim + (model.value_head_dim or head_dim))
    chunk_bytes = where(layout.cp > 1, scenario.tokens_per_gpu * values * VALUE_BYTES, 0.0)
    pair = Group(2, layout.context.stride * _ring_hop(scenario))
    return Call(pair, "send_recv", chunk_bytes)


def _ring_hop(scenario: Scenario) -> int:
    """Ranks between neighbours on the ring's slowest hop: 1 inside a domain, else enough to leave it."""
    group = scenario.layout.context
    domain_gpus = scenario.system.domain_gpus
    inside = group.size * group.stride <= domain_gpus
    return where(inside, 1, larger(1, domain_gpus // group.stride))


def _expert_s(scenario: Scenario, layer_s: float) -> float:
    """Dispatch and combine of the tokens of one GPU, a mean over dense and MoE layers."""
    return 0.0 if scenario.layout.ep == 1 else layer_s * moe_share(scenario.model)


def _expert_calls(scenario: Scenario) -> tuple[Call | Exchange, ...]:
    """Dispatch and combine: exchanges inside a domain, all-to-alls across domains."""
    layout, model, system = scenario.layout, scenario.model, scenario.system
    tokens = scenario.expert_imbalance * scenario.tokens_per_gpu / layout.tp
    straddles = layout.straddles(layout.expert, system.domain_gpus, system.domains)
    domains = 2 if np.any(straddles) else -(-layout.ep // system.domain_gpus)
    token = tokens, model.routed_hidden or _hidden_size(scenario), VALUE_BYTES
    if scenario.dispatcher == ALL_TO_ALL:
        sent = unwrapped(exchange_bytes_without_deduplication(*token, layout.ep, model.active_experts))
        return (Call(layout.expert, "all_to_all", sent * layout.ep / (layout.ep - 1)),) * 2
    if domains > 1:
        leaving_bytes = unwrapped(exchange_bytes(*token, domains, model.active_experts))
        size_bytes = leaving_bytes * layout.ep / (layout.ep - layout.ep / domains)
        return (Call(layout.expert, "all_to_all", size_bytes),) * 2
    sent_bytes = unwrapped(exchange_bytes(*token, layout.ep, model.active_experts))
    return tuple(Exchange(kind, sent_bytes, tokens) for kind in ("dispatch", "combine"))


def _hidden_size(scenario: Scenario) -> int:
    return shape(scenario.model, "hidden")[0]
