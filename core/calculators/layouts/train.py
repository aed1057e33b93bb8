"""Training layouts ranked by step time, with the reason why the winner wins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.calculators.layouts.candidates import SHARDED, Limits, candidates
from core.calculators.layouts.pareto import pareto
from core.calculators.layouts.refusal import nothing_trains
from core.calculators.training import Answer, Scenario, answer
from core.calculators.training.memory import memory
from core.calculators.training.step import Step, step
from core.parallel.grow import enough
from core.units import format_time

KEPT = 20


@dataclass(frozen=True, slots=True)
class Ranked:
    """One layout with its step and the memory of its fullest GPU."""

    scenario: Scenario
    parts: Step
    memory_bytes: float

    @property
    def step_s(self) -> float:
        """What layouts are ranked by."""
        return self.parts.total_s

    @property
    def family(self) -> tuple[int, int, int]:
        """Degrees that make two layouts different in kind."""
        layout = self.scenario.layout
        return layout.tp, layout.pp, layout.ep

    @property
    def order(self) -> tuple[float, int, int]:
        """Fastest first; of two that take the same, the simpler."""
        return round(self.step_s, 9), self.scenario.layout.cp, self.scenario.layout.vpp

    @property
    def sharded(self) -> bool:
        """Whether parameters are sharded among the copies (FSDP)."""
        return self.scenario.strategy == SHARDED

    def name(self) -> str:
        """The layout with its micro-batch and recomputation."""
        again = "" if self.scenario.recompute == "none" else f", {self.scenario.recompute} recomputation"
        sharded = ", FSDP" if self.sharded else ""
        return f"{self.scenario.layout.text()}{sharded}, micro-batch {self.scenario.micro_batch}{again}"


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    Training layouts of one job, fastest first.

    Attributes:
        answers: The best layouts, one of each family of degrees; ``ranked`` are the same with their steps.
        pareto: Step time against memory of the fullest GPU: what nothing beats in both.
        tried: Layouts that fit.
        why: Why the winner wins, in a sentence.
        found: Every layout that fits, fastest first.
        front: The Pareto set among them.
    """

    best: Answer
    answers: tuple[Answer, ...]
    pareto: tuple[Answer, ...]
    tried: int
    why: str
    ranked: tuple[Ranked, ...]
    found: tuple[Ranked, ...]
    front: tuple[Ranked, ...]


def rank(scenario: Scenario, gpus: int, limits: Limits | None = None) -> Ranking:
    """
    Rank the layouts of a job; the scenario's own layout, micro-batch and recomputation are not looked at.

    Raises:
        InputError: Nothing fits, or a value that cannot be used.
    """
    asked = on_enough(scenario, gpus)
    found = [_ranked(item) for item in candidates(asked, gpus, limits)]
    if not found:
        raise nothing_trains(asked, gpus, limits)
    best = _one_a_family(found)
    front = tuple(pareto(found, lambda item: item.step_s, lambda item: item.memory_bytes))
    kept = best[:KEPT]
    return Ranking(
        best=answer(best[0].scenario),
        answers=tuple(answer(item.scenario) for item in kept),
        pareto=tuple(answer(item.scenario) for item in front[:KEPT]),
        tried=len(found),
        why=why(best),
        ranked=tuple(kept),
        found=tuple(sorted(found, key=lambda item: item.order)),
        front=front,
    )


def on_enough(scenario: Scenario, gpus: int) -> Scenario:
    """The scenario on as many domains as ``gpus`` need."""
    return replace(scenario, system=enough(scenario.system, gpus))


def winner(scenarios: Sequence[Scenario], change: Callable[[Scenario], Scenario]) -> int:
    """Which of several layouts is fastest once each is changed."""
    return min(range(len(scenarios)), key=lambda place: step(change(scenarios[place])).total_s)


def why(best: Sequence[Ranked]) -> str:
    """Why the first of a ranking wins over the second, by what it saves and what it pays."""
    first = best[0]
    if len(best) == 1:
        return f"{first.name()} is fastest; no other degrees of TP, PP and EP fit."
    second = best[1]
    saved = {
        name: second_s - first_s
        for (name, first_s), (_, second_s) in zip(_parts(first), _parts(second), strict=True)
    }
    gain = max(saved, key=lambda name: saved[name])
    loss = min(saved, key=lambda name: saved[name])
    less = f"{100 * (1 - first.step_s / second.step_s):.2g} % less than {second.name()}"
    saves = f"it saves {format_time(saved[gain])} of {gain}"
    text = f"{first.name()} takes {format_time(first.step_s)}, {less}: {saves}"
    if saved[loss] < 0:
        text += f" and pays {format_time(-saved[loss])} more {loss}"
    return text + "."


def _ranked(scenario: Scenario) -> Ranked:
    return Ranked(scenario, step(scenario), memory(scenario).total_bytes)


def _one_a_family(found: Sequence[Ranked]) -> list[Ranked]:
    """The fastest of each family, fastest first."""
    best: dict[tuple[int, int, int], Ranked] = {}
    for item in found:
        known = best.get(item.family)
        if known is None or item.order < known.order:
            best[item.family] = item
    return sorted(best.values(), key=lambda item: item.order)


def _parts(item: Ranked) -> list[tuple[str, float]]:
    parts = item.parts
    return [
        ("compute", parts.compute_s + parts.optimizer_s),
        ("pipeline bubble", parts.bubble_s),
        ("TP communication", parts.exposed.tp),
        ("DP communication", parts.exposed.dp),
        ("PP communication", parts.exposed.pp),
        ("CP communication", parts.exposed.cp),
        ("EP communication", parts.exposed.ep),
    ]
