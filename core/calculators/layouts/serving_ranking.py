"""Serving layouts ranked by latency or by tokens/s per GPU: TP, EP, PP and replicas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.calculators.capacity import Scenario as Memory
from core.calculators.capacity import Usage, usage
from core.calculators.layouts.candidates import divisors
from core.calculators.layouts.pareto import pareto_front
from core.calculators.layouts.refusal import no_serving_layout
from core.calculators.layouts.serving_layout import ServingDegrees, ServingLayout
from core.calculators.layouts.serving_step import ServingStep, steps_of_degrees
from core.calculators.layouts.serving_why import why
from core.calculators.tensor_parallel import Scenario
from core.checks import choice, count
from core.parallel.groups import Group, straddles
from core.parallel.grow import grow_to
from core.parallel.prices import collective_s

GOALS = ("latency", "throughput")
MOST_PP = 16
MOST_SEQUENCES = 1 << 20


@dataclass(frozen=True, slots=True)
class ServingRanking:
    """Serving layouts, best first by the goal; ``pareto`` is the front of latency and tokens/s per GPU."""

    goal: str
    best: ServingLayout
    layouts: tuple[ServingLayout, ...]
    pareto: tuple[ServingLayout, ...]
    tried: int
    why: str


def rank(scenario: Scenario, gpus: int, sequences: int, goal: str = "throughput") -> ServingRanking:
    """
    Rank the layouts of ``gpus`` GPUs that decode ``sequences`` concurrent requests in all.

    The scenario's tp, ep and tokens do not matter; its context, formats and rates do.

    Raises:
        InputError: Nothing fits, or a value that cannot be used.
    """
    choice("goal", goal, GOALS)
    count("sequences", sequences)
    load = replace(scenario, system=grow_to(scenario.system, gpus))
    degrees = list(_degrees(load, gpus))
    layouts = serving_layouts(load, gpus, sequences, degrees)
    if not layouts:
        raise no_serving_layout(load, gpus, sequences, most_requests(load, gpus))

    def order(layout: ServingLayout) -> tuple[float, float]:
        latency, throughput = layout.token_s, -layout.tokens_per_s_per_gpu
        return (latency, throughput) if goal == "latency" else (throughput, latency)

    ordered = sorted(layouts, key=order)
    front = pareto_front(layouts, lambda layout: layout.token_s, lambda layout: -layout.tokens_per_s_per_gpu)
    return ServingRanking(
        goal=goal,
        best=ordered[0],
        layouts=tuple(ordered),
        pareto=tuple(front),
        tried=len(layouts),
        why=why(ordered, goal),
    )


def serving_layout(
    scenario: Scenario, gpus: int, sequences: int, degrees: ServingDegrees
) -> ServingLayout | None:
    """One layout of ``gpus`` GPUs for ``sequences`` concurrent requests, or None where it does not fit."""
    return next(iter(serving_layouts(scenario, gpus, sequences, [degrees])), None)


@dataclass(frozen=True, slots=True)
class _Fitting:
    """A layout that fits: the requests and batched tokens of an attention group, and free memory of a GPU."""

    degrees: ServingDegrees
    group_sequences: int
    tokens: int
    free_bytes_per_gpu: float


def serving_layouts(
    scenario: Scenario, gpus: int, sequences: int, options: Sequence[ServingDegrees]
) -> list[ServingLayout]:
    """Those of some layouts that fit, in their order; all of them are priced together."""
    fitting = _fitting(scenario, gpus, sequences, options)
    wanted: dict[tuple[int, int], list[int]] = {}
    for option in fitting:
        wanted.setdefault((option.degrees.tp, option.degrees.ep), []).append(option.tokens)
    steps = steps_of_degrees(scenario, wanted)
    return [
        _layout(scenario, gpus, sequences, option, steps[option.degrees.tp, option.degrees.ep][option.tokens])
        for option in fitting
    ]


def _fitting(
    scenario: Scenario, gpus: int, sequences: int, options: Sequence[ServingDegrees]
) -> list[_Fitting]:
    fitting = []
    for degrees in options:
        memory = _memory(scenario, gpus, sequences, degrees)
        if memory.fits:
            group_sequences = -(-sequences // (gpus // degrees.gpus * degrees.attention_replicas))
            tokens = -(-group_sequences // degrees.pp)
            fitting.append(_Fitting(degrees, group_sequences, tokens, memory.free_bytes))
    return fitting


def _layout(
    scenario: Scenario, gpus: int, sequences: int, fitting: _Fitting, step: ServingStep
) -> ServingLayout:
    degrees = fitting.degrees
    token_s = step.step_s + _pipeline_s(scenario, fitting.tokens, degrees)
    tokens_per_s = sequences / token_s
    return ServingLayout(
        tp=degrees.tp,
        ep=degrees.ep,
        pp=degrees.pp,
        replicas=gpus // degrees.gpus,
        sequences=fitting.group_sequences * degrees.attention_replicas,
        token_s=token_s,
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_gpu=tokens_per_s / gpus,
        share=step.share,
        binding=step.binding,
        free_bytes_per_gpu=fitting.free_bytes_per_gpu,
    )


def _degrees(scenario: Scenario, gpus: int) -> Iterator[ServingDegrees]:
    """Degrees whose replicas divide the GPUs and whose stages no edge of a domain cuts."""
    system = scenario.system
    for degrees in _dividing(scenario, gpus):
        if not straddles(degrees.stage_gpus, gpus, system.domain_gpus, system.domains):
            yield degrees


def _dividing(scenario: Scenario, gpus: int) -> Iterator[ServingDegrees]:
    model = scenario.model
    for tp in divisors(model.heads or 1, gpus):
        for pp in (n for n in divisors(model.layers, MOST_PP) if gpus % (tp * n) == 0):
            yield ServingDegrees(tp, 1, pp)
            for ep in divisors(gpus // pp, model.experts):
                if ep > 1 and ep % tp == 0:
                    yield ServingDegrees(tp, ep, pp)


def _memory(scenario: Scenario, gpus: int, sequences: int, degrees: ServingDegrees) -> Usage:
    """Memory of one replica, within what the serving software may use of it."""
    held = usage(
        Memory(
            scenario.system,
            scenario.model,
            weights=scenario.weights,
            kv=scenario.kv,
            context=scenario.cached,
            state_ratio=scenario.state_ratio,
            state_slots=scenario.state_slots,
            state_pages=scenario.state_pages,
            sequences=-(-sequences // (gpus // degrees.gpus)),
            gpus=degrees.gpus,
            tp=degrees.tp,
            pp=degrees.pp,
            ep=degrees.ep,
        )
    )
    weights = sum(part.bytes for part in held.weight_parts)
    return replace(held, limit_bytes=scenario.memory.limit_bytes(scenario.system.gpu, weights))


def most_requests(scenario: Scenario, gpus: int) -> int:
    """
    Concurrent requests that ``gpus`` GPUs hold in some layout; none where the weights alone are too large.

    Raises:
        InputError: The system cannot have so many GPUs.
    """
    load = replace(scenario, system=grow_to(scenario.system, gpus))
    return max((most_sequences(load, gpus, option) for option in _degrees(load, gpus)), default=0)


def most_sequences(scenario: Scenario, gpus: int, degrees: ServingDegrees) -> int:
    """Concurrent requests that all replicas of a layout hold; none where the weights alone are too large."""
    replicas, groups = gpus // degrees.gpus, degrees.attention_replicas
    of_a_group = _memory(scenario, gpus, replicas, degrees).most_requests(-(-MOST_SEQUENCES // groups))
    return min(of_a_group * groups, MOST_SEQUENCES - 1) * replicas


def _pipeline_s(scenario: Scenario, tokens: int, degrees: ServingDegrees) -> float:
    """Seconds to send the activations of one step through all stages."""
    if degrees.pp == 1:
        return 0.0
    size_bytes = tokens * scenario.width * scenario.activations.bytes_per_value
    pair = Group(2, degrees.stage_gpus)
    return (degrees.pp - 1) * collective_s(scenario.system, pair, "send_recv", size_bytes, scenario.rates)
