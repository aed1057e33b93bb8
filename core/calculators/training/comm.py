"""What the ranks of a layout say to one another in one step, and how long each kind takes."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.calculators.training.work import VALUE_BYTES
from core.parallel.layout import Group
from core.parallel.prices import exchange_s, seconds
from core.workload.transformer import exchange_bytes, kv_heads_per_gpu, parameters
from core.workload.transformer.parameters import shape


@dataclass(frozen=True, slots=True)
class LayerComm:
    """
    Seconds in one layer (a mean over layers) and one micro-batch, forward and backward.

    Attributes:
        tensor_forward_s, tensor_backward_s: Activations between TP ranks.
        context_forward_s, context_backward_s: Keys and values between CP ranks.
        expert_forward_s, expert_backward_s: Tokens to their experts and back.
    """

    tensor_forward_s: float
    tensor_backward_s: float
    context_forward_s: float
    context_backward_s: float
    expert_forward_s: float
    expert_backward_s: float


def layer_comm(scenario: Scenario) -> LayerComm:
    """Communication of one layer and one micro-batch."""
    once = _tensor_s(scenario)
    context = _context_s(scenario)
    expert = _expert_s(scenario)
    return LayerComm(once, once, context, 2 * context, expert, expert)


def boundary_s(scenario: Scenario) -> float:
    """One transfer of a micro-batch's activations from a stage to the next, split over TP ranks."""
    size = scenario.tokens_per_gpu / scenario.layout.tp * _hidden(scenario) * VALUE_BYTES
    layout, domain_gpus = scenario.layout, scenario.system.domain_gpus
    pair = layout.pipeline
    if layout.gpus > domain_gpus:  # some stage hands over to one in another domain, and it sets the pace
        pair = Group(pair.size, max(pair.stride, domain_gpus))
    return _price(scenario, pair, "send_recv", size)


@dataclass(frozen=True, slots=True)
class DataComm:
    """Data-parallel seconds of one pass over a stage's parameters: averaging and gathering."""

    reduce_s: float
    gather_s: float
    reduce_bytes: float
    gather_bytes: float


def data_comm(scenario: Scenario) -> DataComm:
    """Gradients averaged (or scattered) and parameters gathered over the copies of one stage."""
    layout = scenario.layout
    shared, experts = stage_params(scenario)
    parts = (shared, layout.data), (experts, layout.expert_data if layout.ep > 1 else layout.data)
    priced = [_copies(scenario, held, group) for held, group in parts]
    held = shared + experts
    return DataComm(
        reduce_s=sum(reduce_s for reduce_s, _ in priced),
        gather_s=sum(gather_s for _, gather_s in priced),
        reduce_bytes=held * scenario.grad_bytes,
        gather_bytes=held * scenario.param_bytes,
    )


def stage_params(scenario: Scenario) -> tuple[float, float]:
    """Parameters of one stage on one GPU, a mean over stages: shared ones, and routed experts."""
    layout, counted = scenario.layout, parameters(scenario.model)
    ends = counted.embedding + counted.head
    shared = (counted.in_layers - counted.experts) / layout.pp + (ends if layout.pp == 1 else ends / 2)
    experts = counted.experts / layout.pp / (layout.ep if layout.ep > 1 else layout.tp)
    return shared / layout.tp, experts


def _copies(scenario: Scenario, held: float, group: Group) -> tuple[float, float]:
    """Seconds of averaging and of gathering ``held`` parameters among the ranks that share them."""
    gradients, parameters_bytes = held * scenario.grad_bytes, held * scenario.param_bytes
    if scenario.strategy == "ddp":
        return _price(scenario, group, "all_reduce", gradients), 0.0
    shard = shard_group(scenario, group)
    reduce_s = _price(scenario, shard, "reduce_scatter", gradients)
    if shard.size < group.size:
        across = Group(group.size // shard.size, group.stride * shard.size)
        reduce_s += _price(scenario, across, "all_reduce", gradients / shard.size) / scenario.micro_batches
    return reduce_s, _price(scenario, shard, "all_gather", parameters_bytes)


def shard_group(scenario: Scenario, group: Group) -> Group:
    """Ranks that share one copy of the states: all of them, or with ``hsdp`` those of one domain."""
    if scenario.strategy != "hsdp":
        return group
    inside = max(1, scenario.system.domain_gpus // group.stride)
    size = max(n for n in range(1, min(inside, group.size) + 1) if group.size % n == 0)
    return Group(size, group.stride)


def _tensor_s(scenario: Scenario) -> float:
    """Two all-reduces a layer, or with sequence parallelism the same as scatter and gather."""
    layout, model = scenario.layout, scenario.model
    if layout.tp == 1:
        return 0.0
    size = scenario.tokens_per_gpu * _hidden(scenario) * VALUE_BYTES
    if scenario.sequence_parallel:
        one = _price(scenario, layout.tensor, "all_gather", size)
        one += _price(scenario, layout.tensor, "reduce_scatter", size)
    else:
        one = _price(scenario, layout.tensor, "all_reduce", size)
    moe = (model.layers - model.dense_layers) / model.layers if model.moe and layout.ep > 1 else 0.0
    return one * (2 - moe)


def _context_s(scenario: Scenario) -> float:
    """The keys and values of the other chunks pass round a ring, one chunk a step."""
    layout, model = scenario.layout, scenario.model
    if layout.cp == 1:
        return 0.0
    _, head_dim = shape(model, "heads", "head_dim")
    values = float(kv_heads_per_gpu(model, layout.tp)) * (head_dim + (model.value_head_dim or head_dim))
    chunk = scenario.tokens_per_gpu * values * VALUE_BYTES
    step = _price(scenario, Group(2, layout.context.stride * _far(scenario)), "send_recv", chunk)
    return (layout.cp - 1) * step


def _far(scenario: Scenario) -> int:
    """The ring's slowest hop: 1 when its ranks sit in one domain, else so far that a hop leaves it."""
    group = scenario.layout.context
    domain = scenario.system.domain_gpus
    if group.size * group.stride <= domain:
        return 1
    return max(1, domain // group.stride)


def _expert_s(scenario: Scenario) -> float:
    """Dispatch and combine of the tokens of one GPU, a mean over dense and MoE layers."""
    layout, model, system = scenario.layout, scenario.model, scenario.system
    if layout.ep == 1:
        return 0.0
    tokens = scenario.tokens_per_gpu / layout.tp
    cut = layout.straddles(layout.expert, system.domain_gpus, system.domains)
    domains = 2 if cut else -(-layout.ep // system.domain_gpus)
    sizes = tokens, _hidden(scenario), VALUE_BYTES
    sent = float(exchange_bytes(*sizes, layout.ep, model.active_experts))
    if domains > 1:
        leaving = float(exchange_bytes(*sizes, domains, model.active_experts))
        size = leaving * layout.ep / (layout.ep - layout.ep / domains)
        once = 2 * _price(scenario, layout.expert, "all_to_all", size)
    else:
        rates = scenario.rates
        dispatch, combine = (
            exchange_s(system, kind, layout.ep, sent, tokens, rates, scenario.latency)
            for kind in ("dispatch", "combine")
        )
        once = dispatch + combine
    return once * (model.layers - model.dense_layers) / model.layers


def _hidden(scenario: Scenario) -> int:
    return shape(scenario.model, "hidden")[0]


def _price(scenario: Scenario, group: Group, collective: str, size: float) -> float:
    return seconds(
        scenario.system,
        group,
        collective,
        size,
        scenario.rates,
        scenario.software,
        scenario.latency,
        straddles=scenario.layout.straddles(group, scenario.system.domain_gpus, scenario.system.domains),
    )
