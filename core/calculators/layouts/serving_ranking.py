"""Serving layouts ranked by latency or by tokens/s per GPU: TP, EP, PP and replicas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.calculators.capacity import Capacity, capacity
from core.calculators.capacity import Scenario as Memory
from core.calculators.layouts.candidates import divisors
from core.calculators.layouts.pareto import pareto_front
from core.calculators.layouts.refusal import no_serving_layout
from core.calculators.layouts.serving_step import serving_step
from core.calculators.tensor_parallel import Scenario
from core.checks import choice, count
from core.parallel.groups import Group, straddles
from core.parallel.grow import grow_to
from core.parallel.prices import collective_s
from core.units import format_number, format_share, format_time

GOALS = ("latency", "throughput")
MOST_PP = 16
MOST_SEQUENCES = 1 << 20


@dataclass(frozen=True, slots=True)
class ServingDegrees:
    """TP, EP and PP degrees of one replica."""

    tp: int
    ep: int
    pp: int

    @property
    def stage_gpus(self) -> int:
        """GPUs of a pipeline stage."""
        return max(self.tp, self.ep)

    @property
    def gpus(self) -> int:
        """GPUs of a replica."""
        return self.stage_gpus * self.pp

    @property
    def attention_replicas(self) -> int:
        """Replicas of attention in a stage (DP attention), where EP is wider than TP."""
        return max(1, self.ep // self.tp)


@dataclass(frozen=True, slots=True)
class ServingLayout:
    """
    One serving layout.

    Attributes:
        replicas: Copies of the model on all GPUs.
        sequences: Concurrent requests of each replica.
        token_s: Inter-token latency (TPOT) in seconds.
        share: Exposed communication as a share of a step.
        binding: What bounds a step.
        free_bytes_per_gpu: Memory left beside weights and KV cache.
    """

    tp: int
    ep: int
    pp: int
    replicas: int
    sequences: int
    token_s: float
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    share: float
    binding: str
    free_bytes_per_gpu: float

    @property
    def degrees(self) -> ServingDegrees:
        """TP, EP and PP."""
        return ServingDegrees(self.tp, self.ep, self.pp)

    def step(self, scenario: Scenario) -> Scenario:
        """The decode step of one stage's batch in this layout, of a scenario of the same load."""
        tokens = max(1, self.sequences // self.degrees.attention_replicas // self.pp)
        return replace(scenario, tp=self.tp, ep=self.ep, tokens=tokens)

    def name(self) -> str:
        """Degrees above one and the replicas."""
        wide = [f"{name}{degree}" for name, degree in (("EP", self.ep), ("PP", self.pp)) if degree > 1]
        return f"{' '.join([f'TP{self.tp}', *wide])} x {self.replicas}"


@dataclass(frozen=True, slots=True)
class ServingRanking:
    """Serving layouts, best first by the goal; ``pareto`` is the front of latency and tokens/s per GPU."""

    goal: str
    best: ServingLayout
    layouts: tuple[ServingLayout, ...]
    pareto: tuple[ServingLayout, ...]
    tried: int
    why: str


def cost_s(layout: ServingLayout, goal: str) -> float:
    """What the goal minimizes: the inter-token latency, or the GPU-seconds of a token."""
    return layout.token_s if goal == "latency" else 1 / layout.tokens_per_s_per_gpu


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
    options = [serving_layout(load, gpus, sequences, option) for option in degrees]
    layouts = [layout for layout in options if layout is not None]
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
        why=_why(ordered, goal),
    )


def serving_layout(
    scenario: Scenario, gpus: int, sequences: int, degrees: ServingDegrees
) -> ServingLayout | None:
    """One layout of ``gpus`` GPUs for ``sequences`` concurrent requests, or None where it does not fit."""
    usage = _capacity(scenario, gpus, sequences, degrees)
    if not usage.fits:
        return None
    replicas = gpus // degrees.gpus
    group_sequences = -(-sequences // (replicas * degrees.attention_replicas))
    tokens = -(-group_sequences // degrees.pp)
    step = serving_step(replace(scenario, tp=degrees.tp, ep=degrees.ep, tokens=tokens))
    token_s = step.step_s + _pipeline_s(scenario, tokens, degrees)
    tokens_per_s = sequences / token_s
    return ServingLayout(
        tp=degrees.tp,
        ep=degrees.ep,
        pp=degrees.pp,
        replicas=replicas,
        sequences=group_sequences * degrees.attention_replicas,
        token_s=token_s,
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_gpu=tokens_per_s / gpus,
        share=step.share,
        binding=step.binding,
        free_bytes_per_gpu=usage.free_bytes_per_gpu,
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


def _capacity(scenario: Scenario, gpus: int, sequences: int, degrees: ServingDegrees) -> Capacity:
    """Memory of one replica."""
    return capacity(
        Memory(
            scenario.system,
            scenario.model,
            weights=scenario.weights,
            kv=scenario.kv,
            context=scenario.cached,
            sequences=-(-sequences // (gpus // degrees.gpus)),
            gpus=degrees.gpus,
            usable=scenario.usable,
            tp=degrees.tp,
            pp=degrees.pp,
            ep=degrees.ep,
        )
    )


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
    replicas = gpus // degrees.gpus
    low, high = 0, MOST_SEQUENCES
    while high - low > 1:
        middle = (low + high) // 2
        fits = _capacity(scenario, gpus, middle * replicas, degrees).fits
        low, high = (middle, high) if fits else (low, middle)
    return low * replicas


def _pipeline_s(scenario: Scenario, tokens: int, degrees: ServingDegrees) -> float:
    """Seconds to send the activations of one step through all stages."""
    if degrees.pp == 1:
        return 0.0
    size_bytes = tokens * scenario.width * scenario.activations.bytes_per_value
    pair = Group(2, degrees.stage_gpus)
    return (degrees.pp - 1) * collective_s(scenario.system, pair, "send_recv", size_bytes, scenario.rates)


def _why(ordered: Sequence[ServingLayout], goal: str) -> str:
    """What the first gives, by how much the second is worse, and what the first saves and pays."""
    first = ordered[0]
    text = (
        f"{first.name()} has a TPOT of {format_time(first.token_s)} and "
        f"{format_number(first.tokens_per_s_per_gpu)} tokens/s per GPU, bound by {first.binding}"
    )
    if len(ordered) == 1:
        return text + "; nothing else fits."
    second = ordered[1]
    if goal == "latency":
        more = f"{format_share(second.token_s / first.token_s - 1)} longer"
    else:
        more = f"{format_share(1 - second.tokens_per_s_per_gpu / first.tokens_per_s_per_gpu)} less"
    return f"{text}; {second.name()} comes next, {more}: {_savings(first, second, goal)}."


def _savings(first: ServingLayout, second: ServingLayout, goal: str) -> str:
    """Communication and work of a token: seconds of a request, or of one GPU for throughput."""

    def parts(layout: ServingLayout) -> dict[str, float]:
        token_s = cost_s(layout, goal)
        return {"communication": layout.share * token_s, "work on the GPU": (1 - layout.share) * token_s}

    first_s, second_s = parts(first), parts(second)
    saved_s = {name: second_s[name] - first_s[name] for name in first_s}
    gain, loss = sorted(saved_s, key=lambda name: -saved_s[name])
    unit = "" if goal == "latency" else " per token and GPU"
    text = f"the winner saves {format_time(saved_s[gain])} of {gain}{unit}"
    return f"{text} and pays {format_time(-saved_s[loss])} of {loss}" if saved_s[loss] < 0 else text
