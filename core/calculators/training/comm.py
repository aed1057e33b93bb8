"""Communication of one layer and one micro-batch: tensor, context and expert parallelism; pipeline sends."""

from dataclasses import dataclass

import numpy as np

from core.calculators.training.price import Call, Exchange, price_s
from core.calculators.training.scenario import Scenario
from core.calculators.training.work import VALUE_BYTES
from core.parallel.columns import common, larger, unwrapped, where
from core.parallel.groups import Group
from core.workload.transformer import exchange_bytes, kv_heads_per_gpu
from core.workload.transformer.parameters import shape


@dataclass(frozen=True, slots=True)
class LayerComm:
    """
    Seconds in one layer (a mean over layers) and one micro-batch, forward and backward.

    Attributes:
        tensor_forward_s, tensor_backward_s: Activations between TP ranks.
        context_forward_s, context_backward_s: Keys and values between CP ranks.
        expert_forward_s, expert_backward_s: Dispatch and combine between EP ranks.
    """

    tensor_forward_s: float
    tensor_backward_s: float
    context_forward_s: float
    context_backward_s: float
    expert_forward_s: float
    expert_backward_s: float


def layer_comm(scenario: Scenario) -> LayerComm:
    """Communication of one layer and one micro-batch."""
    tensor_s = _tensor_s(scenario)
    context_s = _context_s(scenario)
    expert_s = _expert_s(scenario)
    return LayerComm(tensor_s, tensor_s, context_s, 2 * context_s, expert_s, expert_s)


def stage_send_s(scenario: Scenario) -> float:
    """Seconds to send a micro-batch's activations from a stage to the next, split over TP ranks."""
    return price_s(scenario, _stage_send(scenario))


@dataclass(frozen=True, slots=True)
class Calls:
    """
    Collectives of one kind of parallelism, each once.

    Attributes:
        parallelism: TP, CP, EP or PP.
        calls: The collectives.
        times: How often a layer's forward of one micro-batch makes each; for PP a stage's.
    """

    parallelism: str
    calls: tuple[Call | Exchange, ...]
    times: float = 1.0


def calls_of_layers(scenario: Scenario) -> tuple[Calls, ...]:
    """Every collective that the layers and stages of a step are priced with, by parallelism."""
    layout = scenario.layout
    parts = []
    if layout.tp > 1:
        parts.append(Calls("TP", _tensor_calls(scenario), _tensor_blocks(scenario)))
    if layout.cp > 1:
        parts.append(Calls("CP", (_context_call(scenario),), layout.cp - 1))
    if layout.ep > 1:
        parts.append(Calls("EP", _expert_calls(scenario), _moe_share(scenario)))
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


def _tensor_s(scenario: Scenario) -> float:
    """Two all-reduces per layer, or with sequence parallelism all-gather and reduce-scatter instead."""
    return sum(price_s(scenario, call) for call in _tensor_calls(scenario)) * _tensor_blocks(scenario)


def _tensor_blocks(scenario: Scenario) -> float:
    """Blocks of a layer whose output TP sums: attention and MLP, attention alone where experts are spread."""
    spread = scenario.model.moe and scenario.layout.ep > 1
    return 2 - (_moe_share(scenario) if spread else 0.0)


def _moe_share(scenario: Scenario) -> float:
    model = scenario.model
    return (model.layers - model.dense_layers) / model.layers


def _tensor_calls(scenario: Scenario) -> tuple[Call, ...]:
    size_bytes = scenario.tokens_per_gpu * _hidden_size(scenario) * VALUE_BYTES
    collectives = ("all_gather", "reduce_scatter") if scenario.sequence_parallel else ("all_reduce",)
    return tuple(Call(scenario.layout.tensor, name, size_bytes) for name in collectives)


def _context_s(scenario: Scenario) -> float:
    """Ring attention: the keys and values of the other chunks pass round the CP ranks, a chunk at a time."""
    return (scenario.layout.cp - 1) * price_s(scenario, _context_call(scenario))


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


def _expert_s(scenario: Scenario) -> float:
    """Dispatch and combine of the tokens of one GPU, a mean over dense and MoE layers."""
    if scenario.layout.ep == 1:
        return 0.0
    return sum(price_s(scenario, call) for call in _expert_calls(scenario)) * _moe_share(scenario)


def _expert_calls(scenario: Scenario) -> tuple[Call | Exchange, ...]:
    """Dispatch and combine: exchanges inside a domain, all-to-alls across domains."""
    layout, model, system = scenario.layout, scenario.model, scenario.system
    tokens = scenario.expert_imbalance * scenario.tokens_per_gpu / layout.tp
    straddles = layout.straddles(layout.expert, system.domain_gpus, system.domains)
    domains = 2 if np.any(straddles) else -(-layout.ep // system.domain_gpus)
    token = tokens, _hidden_size(scenario), VALUE_BYTES
    if domains > 1:
        leaving_bytes = unwrapped(exchange_bytes(*token, domains, model.active_experts))
        size_bytes = leaving_bytes * layout.ep / (layout.ep - layout.ep / domains)
        return (Call(layout.expert, "all_to_all", size_bytes),) * 2
    sent_bytes = unwrapped(exchange_bytes(*token, layout.ep, model.active_experts))
    return tuple(Exchange(kind, sent_bytes, tokens) for kind in ("dispatch", "combine"))


def _hidden_size(scenario: Scenario) -> int:
    return shape(scenario.model, "hidden")[0]
