"""Training layouts ranked by step time, with the reason why the fastest wins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.calculators.layouts.by_batch import DIGITS, ROUNDING_S, fastest_by_batch
from core.calculators.layouts.candidates import SHARDED, Limits, candidates
from core.calculators.layouts.many_steps import alike, memory_bytes, steps
from core.calculators.layouts.pareto import pareto_front
from core.calculators.layouts.refusal import no_training_layout
from core.calculators.training import Answer, Memory, Scenario, Step, answer, memory
from core.calculators.training.memory import TIGHT
from core.checks import Floats
from core.parallel.grow import grow_to
from core.units import format_share, format_time

MOST_ANSWERS = 20


@dataclass(frozen=True, slots=True)
class Degrees:
    """Degrees that make two layouts different in kind: those of one family differ in the others only."""

    tp: int
    pp: int
    ep: int


@dataclass(frozen=True, slots=True)
class RankedLayout:
    """A layout with its step and the memory of its fullest GPU."""

    scenario: Scenario
    parts: Step
    memory_bytes: float

    @property
    def step_s(self) -> float:
        """Step time, which layouts are ranked by."""
        return self.parts.total_s

    @property
    def family(self) -> Degrees:
        """Its TP, PP and EP degrees."""
        layout = self.scenario.layout
        return Degrees(layout.tp, layout.pp, layout.ep)

    @property
    def kind(self) -> tuple[int, ...]:
        """All degrees, and whether parameters are sharded: what a crossover is a change of."""
        return kind_of(self.scenario)

    @property
    def order(self) -> tuple[float, int, int]:
        """Sorting key: fastest first; of two that take the same time, the simpler."""
        return round(self.step_s, DIGITS), self.scenario.layout.cp, self.scenario.layout.vpp

    @property
    def memory(self) -> Memory:
        """Memory of the fullest GPU by what takes it."""
        return memory(self.scenario)

    @property
    def tight(self) -> bool:
        """Whether it fits with hardly any memory to spare."""
        return self.memory_bytes > self.scenario.system.gpu.visible_memory_bytes * (1 - TIGHT)

    @property
    def sharded(self) -> bool:
        """Whether parameters are sharded among the data-parallel ranks (FSDP)."""
        return self.scenario.strategy == SHARDED

    def name(self) -> str:
        """The layout with its strategy, micro-batch and activation recomputation."""
        return name_of(self.scenario)


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    Training layouts of one job.

    Attributes:
        layouts: Every layout that fits, fastest first.
        ranked: The fastest of each family of degrees, fastest first.
        front: The Pareto front of step time against memory of the fullest GPU.
        why: Why the fastest wins, in a sentence.
        scenario: The job on a system that is large enough.
        gpus, limits: As asked.
    """

    layouts: tuple[RankedLayout, ...]
    ranked: tuple[RankedLayout, ...]
    front: tuple[RankedLayout, ...]
    why: str
    scenario: Scenario
    gpus: int
    limits: Limits | None = None

    def at_batch(self, global_batch: int) -> Scenario:
        """The job with another global batch size."""
        return replace(self.scenario, global_batch=global_batch)

    @property
    def tried(self) -> int:
        """Number of layouts that fit."""
        return len(self.layouts)

    @property
    def best(self) -> Answer:
        """The full answer of the fastest layout."""
        return _answer(self.ranked[0].scenario)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The full answers of ``ranked``."""
        return tuple(_answer(layout.scenario) for layout in self.ranked)

    @property
    def pareto(self) -> tuple[Answer, ...]:
        """The full answers of the fast end of ``front``."""
        return tuple(_answer(layout.scenario) for layout in self.front[:MOST_ANSWERS])


def rank(scenario: Scenario, gpus: int, limits: Limits | None = None) -> Ranking:
    """
    Rank the layouts of a job; the scenario's own layout, micro-batch and recomputation do not matter.

    Raises:
        InputError: Nothing fits, or a value that cannot be used.
    """
    job = replace(scenario, system=grow_to(scenario.system, gpus))
    layouts = _ranked(candidates(job, gpus, limits))
    if not layouts:
        raise no_training_layout(job, gpus, limits)
    families = _best_of_each_family(layouts)
    return Ranking(
        layouts=tuple(sorted(layouts, key=lambda layout: layout.order)),
        ranked=tuple(families[:MOST_ANSWERS]),
        front=tuple(pareto_front(layouts, lambda layout: layout.step_s, lambda layout: layout.memory_bytes)),
        why=why(families),
        scenario=job,
        gpus=gpus,
        limits=limits,
    )


def kind_of(scenario: Scenario) -> tuple[int, ...]:
    """All degrees, and whether parameters are sharded: what a crossover is a change of."""
    layout = scenario.layout
    return layout.tp, layout.pp, layout.dp, layout.cp, layout.ep, int(scenario.strategy == SHARDED)


def name_of(scenario: Scenario) -> str:
    """The layout with its strategy, micro-batch and activation recomputation."""
    recompute = scenario.recompute
    recomputation = "" if recompute == "none" else f", {recompute} recomputation"
    sharded = ", FSDP" if scenario.strategy == SHARDED else ""
    return f"{scenario.layout.text()}{sharded}, micro-batch {scenario.micro_batch}{recomputation}"


def fastest(scenario: Scenario, gpus: int, limits: Limits | None = None) -> RankedLayout:
    """
    The first of the ranking alone.

    Raises:
        InputError: Nothing fits, or a value that cannot be used.
    """
    job = replace(scenario, system=grow_to(scenario.system, gpus))
    first = fastest_by_batch([job], gpus, limits)
    if not first:
        raise no_training_layout(job, gpus, limits)
    return _ranked(list(first.values()))[0]


def first_of(layouts: Sequence[RankedLayout], seconds: Floats) -> RankedLayout:
    """The one that would be ranked first if the steps took so many seconds."""
    near = np.flatnonzero(seconds <= seconds.min() + ROUNDING_S)
    places = min(
        (round(float(seconds[place]), DIGITS), *layouts[place].order[1:], place) for place in near.tolist()
    )
    return layouts[places[-1]]


def why(ranked: Sequence[RankedLayout]) -> str:
    """Why the first of a ranking wins over the second: what it saves and what it pays."""
    first = ranked[0]
    if len(ranked) == 1:
        return f"{first.name()} is fastest; no other degrees of TP, PP and EP fit."
    second = ranked[1]
    first_s, second_s = _parts(first), _parts(second)
    saved_s = {part: second_s[part] - first_s[part] for part in first_s}
    if second.step_s - first.step_s <= ROUNDING_S:
        return f"{first.name()} takes {format_time(first.step_s)}, as long as {second.name()}."
    gains, loss = decisive(saved_s)
    less = f"{format_share(1 - first.step_s / second.step_s)} less than {second.name()}"
    saves = " and ".join(f"{format_time(saved_s[part])} of {part}" for part in gains)
    text = f"{first.name()} takes {format_time(first.step_s)}, {less}: it saves {saves}"
    if loss:
        text += f" and pays {format_time(-saved_s[loss])} more {loss}"
    return text + "."


def decisive(saved_s: Mapping[str, float]) -> tuple[tuple[str, ...], str]:
    """The largest gains, as many as outweigh the largest loss, and that loss; empty where nothing is lost."""
    loss = min(saved_s, key=lambda part: saved_s[part])
    lost_s = max(0.0, -saved_s[loss])
    gains: list[str] = []
    for part in sorted(saved_s, key=lambda part: -saved_s[part]):
        if gains and sum(saved_s[gain] for gain in gains) > lost_s:
            break
        if saved_s[part] > 0:
            gains.append(part)
    return tuple(gains), loss if lost_s else ""


@lru_cache(maxsize=256)
def _answer(scenario: Scenario) -> Answer:
    """Pages and the shell read the same answers again."""
    return answer(scenario)


def _ranked(scenarios: Sequence[Scenario]) -> list[RankedLayout]:
    groups = alike(scenarios)
    rows = zip(scenarios, steps(groups), memory_bytes(groups).tolist(), strict=True)
    return [RankedLayout(scenario, parts, size_bytes) for scenario, parts, size_bytes in rows]


def _best_of_each_family(layouts: Sequence[RankedLayout]) -> list[RankedLayout]:
    """The fastest of each family, fastest first."""
    best: dict[Degrees, RankedLayout] = {}
    for layout in layouts:
        fastest = best.get(layout.family)
        if fastest is None or layout.order < fastest.order:
            best[layout.family] = layout
    return sorted(best.values(), key=lambda layout: layout.order)


def _parts(layout: RankedLayout) -> dict[str, float]:
    """Seconds of a step by cause, as a sentence names them."""
    return {
        f"{cause} communication" if cause.startswith("exposed") else cause: seconds
        for cause, seconds in layout.parts.by_cause.items()
    }
