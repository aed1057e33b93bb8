"""Serving layouts ranked by latency or by tokens/s per GPU: TP, EP, PP and replicas."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.calculators.capacity import Capacity, capacity
from core.calculators.capacity import Scenario as Memory
from core.calculators.layouts.candidates import divisors
from core.calculators.layouts.cell import cell
from core.calculators.layouts.pareto import pareto
from core.calculators.layouts.refusal import nothing_serves
from core.calculators.tensor_parallel import Scenario
from core.checks import choice, count
from core.parallel.grow import enough
from core.parallel.lane import straddles
from core.parallel.layout import Group
from core.parallel.prices import seconds
from core.units import format_time

GOALS = ("latency", "throughput")
MOST_PP = 16
MOST_SEQUENCES = 1 << 20


@dataclass(frozen=True, slots=True)
class Served:
    """
    One serving layout.

    Attributes:
        sequences: Running on each replica.
        token_s: Seconds between two tokens of a sequence.
        share: Part of a step that communicates and is not hidden.
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

    def name(self) -> str:
        """Degrees above one and the replicas."""
        parts = [
            f"TP{self.tp}",
            *([f"EP{self.ep}"] if self.ep > 1 else []),
            *([f"PP{self.pp}"] if self.pp > 1 else []),
        ]
        return f"{' '.join(parts)} x {self.replicas}"


@dataclass(frozen=True, slots=True)
class Serving:
    """Serving layouts, best first by the goal; ``pareto`` trades latency against tokens/s per GPU."""

    goal: str
    best: Served
    layouts: tuple[Served, ...]
    pareto: tuple[Served, ...]
    tried: int
    why: str


def rank(scenario: Scenario, gpus: int, sequences: int, goal: str = "throughput") -> Serving:
    """
    Rank the layouts of ``gpus`` GPUs that decode ``sequences`` sequences in all.

    The scenario's tp, ep and tokens are not looked at; its context, formats and rates are.

    Raises:
        InputError: Nothing fits, or a value that cannot be used.
    """
    choice("goal", goal, GOALS)
    count("sequences", sequences)
    scenario = replace(scenario, system=enough(scenario.system, gpus))
    whole = [
        layout
        for layout in _layouts(scenario, gpus)
        if not straddles(max(layout[:2]), gpus, scenario.system.domain_gpus, scenario.system.domains)
    ]
    found = [kept for layout in whole if (kept := served(scenario, gpus, sequences, *layout))]
    if not found:
        most = max((_most(scenario, gpus, *layout) for layout in whole), default=0)
        names = scenario.model.name, scenario.system.gpu.name
        raise nothing_serves(*names, gpus, sequences, scenario.cached, most)

    def badness(item: Served) -> tuple[float, float]:
        pair = item.token_s, -item.tokens_per_s_per_gpu
        return pair if goal == "latency" else (pair[1], pair[0])

    ordered = sorted(found, key=badness)
    front = pareto(found, lambda item: item.token_s, lambda item: -item.tokens_per_s_per_gpu)
    return Serving(goal, ordered[0], tuple(ordered), tuple(front), len(found), _why(ordered, goal))


def _layouts(scenario: Scenario, gpus: int) -> Iterator[tuple[int, int, int]]:
    """TP, EP and PP degrees whose group divides the GPUs."""
    model = scenario.model
    for tp in divisors(model.heads or 1, gpus):
        for pp in (n for n in divisors(model.layers, MOST_PP) if gpus % (tp * n) == 0):
            yield tp, 1, pp
            for ep in divisors(gpus // pp, model.experts):
                if ep > 1 and ep % tp == 0:
                    yield tp, ep, pp


def _kept(scenario: Scenario, gpus: int, sequences: int, tp: int, ep: int, pp: int) -> Capacity:
    """What one replica of a layout holds."""
    group = max(tp, ep) * pp
    return capacity(
        Memory(
            scenario.system,
            scenario.model,
            weights=scenario.weights,
            kv=scenario.kv,
            context=scenario.cached,
            sequences=-(-sequences // (gpus // group)),
            gpus=group,
            usable=scenario.usable,
            tp=tp,
            pp=pp,
            ep=ep,
        )
    )


def _most(scenario: Scenario, gpus: int, tp: int, ep: int, pp: int) -> int:
    """Sequences that all replicas of a layout hold; none where the weights alone are too large."""
    replicas = gpus // (max(tp, ep) * pp)
    low, high = 0, MOST_SEQUENCES
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if _kept(scenario, gpus, middle * replicas, tp, ep, pp).fits else (low, middle)
        )
    return low * replicas


def served(scenario: Scenario, gpus: int, sequences: int, tp: int, ep: int, pp: int) -> Served | None:
    """One layout of ``gpus`` GPUs, or None where it does not fit."""
    replicas = gpus // (max(tp, ep) * pp)
    each = -(-sequences // (replicas * max(1, ep // tp)))
    kept = _kept(scenario, gpus, sequences, tp, ep, pp)
    if not kept.fits:
        return None
    tokens = -(-each // pp)
    found = cell(replace(scenario, tp=tp, ep=ep, tokens=tokens))
    between_s = (pp - 1) * _boundary_s(scenario, tokens, max(tp, ep)) if pp > 1 else 0.0
    token_s = found.step_s + between_s
    rate = sequences / token_s
    return Served(
        tp=tp,
        ep=ep,
        pp=pp,
        replicas=replicas,
        sequences=each * max(1, ep // tp),
        token_s=token_s,
        tokens_per_s=rate,
        tokens_per_s_per_gpu=rate / gpus,
        share=found.share,
        binding=found.binding,
        free_bytes_per_gpu=kept.free_bytes_per_gpu,
    )


def _boundary_s(scenario: Scenario, tokens: int, stage_gpus: int) -> float:
    """Activations of one step from a stage to the next."""
    size = tokens * scenario.width * scenario.activations.bytes_per_value
    return seconds(scenario.system, Group(2, stage_gpus), "send_recv", size, scenario.rates)


def _why(ordered: list[Served], goal: str) -> str:
    """What the first gives, by how much the second is worse, and what the first saves and pays."""
    first = ordered[0]
    text = (
        f"{first.name()} gives a token every {format_time(first.token_s)} and "
        f"{first.tokens_per_s_per_gpu:,.0f} tokens/s a GPU, bound by {first.binding}"
    )
    if len(ordered) == 1:
        return text + "; nothing else fits."
    second = ordered[1]
    if goal == "latency":
        more = f"{100 * (second.token_s / first.token_s - 1):.2g} % longer"
    else:
        more = f"{100 * (1 - second.tokens_per_s_per_gpu / first.tokens_per_s_per_gpu):.2g} % less"
    return f"{text}; {second.name()} comes next, {more}: {_trade(first, second, goal)}."


def _trade(first: Served, second: Served, goal: str) -> str:
    """Work and waiting of a token: seconds of a sequence, or of one GPU where all of them count."""

    def parts(one: Served) -> dict[str, float]:
        token_s = one.token_s if goal == "latency" else 1 / one.tokens_per_s_per_gpu
        return {"communication": one.share * token_s, "work on the GPU": (1 - one.share) * token_s}

    mine, theirs = parts(first), parts(second)
    saved = {name: theirs[name] - mine[name] for name in mine}
    gain, loss = sorted(saved, key=lambda name: -saved[name])
    whose = "" if goal == "latency" else " per token and GPU"
    words = f"the winner saves {format_time(saved[gain])} of {gain}{whose}"
    return f"{words} and pays {format_time(-saved[loss])} of {loss}" if saved[loss] < 0 else words
