"""Up to four systems, each grown to the GPUs asked for, serving the same load."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.calculators.layouts import GOALS
from core.calculators.system_comparison.result import Load, SystemResult, system_result
from core.calculators.system_comparison.text import headline
from core.calculators.tensor_parallel import Scenario
from core.checks import InputError, choice, count, optional_number
from core.hardware import System
from core.parallel.grow import domains_for, grow_to

MOST_SYSTEMS = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    A system of a comparison.

    Attributes:
        system: As it stands.
        gpus: GPUs used; None takes those of the comparison.
        usd_per_gpu_hour: Price of a GPU-hour; None asks for no cost.
    """

    system: System
    gpus: int | None = None
    usd_per_gpu_hour: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be asked; raises InputError naming the argument."""
        if self.gpus is not None:
            count("gpus", self.gpus)
        optional_number("usd_per_gpu_hour", self.usd_per_gpu_hour, least=0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    The systems in the order asked.

    Attributes:
        best: Id of the system with the most tokens/s per GPU; None where none serves the load.
        headline: The verdict, with the price at which it changes.
        assumptions: One line each.
    """

    model: str
    sequences: int
    context: int
    goal: str
    target_s: float | None
    results: tuple[SystemResult, ...]
    best: str | None
    headline: str
    assumptions: tuple[str, ...]


def compare_systems(
    scenario: Scenario,
    candidates: Sequence[Candidate],
    sequences: int,
    *,
    gpus: int | None = None,
    goal: str = "throughput",
    target_s: float | None = None,
) -> Comparison:
    """
    The same load on several systems.

    Args:
        scenario: Model, formats, context, library and rates; its system and degrees do not matter.
        candidates: Two to four systems.
        sequences: Concurrent requests of all GPUs of each system.
        gpus: GPUs of each system, in as many domains as they need; None takes those of the largest.
        goal: ``throughput`` or ``latency``: how the layout of each system is chosen.
        target_s: Latency target of a decode step; None sets none.

    Raises:
        InputError: Fewer than two or more than four systems, or a value that cannot be used.
    """
    if not 2 <= len(candidates) <= MOST_SYSTEMS:  # noqa: PLR2004 (a comparison has two sides)
        message = f"systems: two to {MOST_SYSTEMS}, not {len(candidates)}"
        raise InputError(message)
    choice("goal", goal, GOALS)
    count("sequences", sequences)
    optional_number("target_s", target_s, above=0)
    same = count("gpus", gpus) if gpus is not None else max(item.system.gpus for item in candidates)
    load = Load(replace(scenario, tp=1, ep=1), sequences, goal, target_s)
    results = _against_first([_result(load, item, item.gpus or same) for item in candidates])
    able = [result for result in results if result.rate]
    best = max(able, key=lambda result: result.rate, default=None)
    return Comparison(
        model=scenario.model.id,
        sequences=sequences,
        context=scenario.cached,
        goal=goal,
        target_s=target_s,
        results=results,
        best=best.system if best else None,
        headline=headline(scenario, results, sequences, target_s),
        assumptions=(
            f"each system in its best layout for {goal}, all parallelism over its own links and network",
            "decode alone: prefill on other GPUs, requests all of the stated context",
            "cost per token: the price of the GPUs over their tokens, never idle",
        ),
    )


def _result(load: Load, item: Candidate, gpus: int) -> SystemResult:
    """One system, grown to the GPUs it needs; a system that cannot grow is a reason."""
    alone, domains = item.system, domains_for(item.system, gpus)
    if domains > alone.domains and alone.scale_out is None:
        return SystemResult(
            system=alone.id,
            name=alone.name,
            gpus=gpus,
            domains=domains,
            domain_gpus=alone.domain_gpus,
            usd_per_gpu_hour=item.usd_per_gpu_hour,
            target_s=load.target_s,
            reason=f"{gpus} GPUs are {domains} domains, and {alone.name} has no network between them",
        )
    system = grow_to(alone, gpus)
    grown = replace(load, scenario=replace(load.scenario, system=system))
    return system_result(grown, system, gpus, item.usd_per_gpu_hour)


def _against_first(results: Sequence[SystemResult]) -> tuple[SystemResult, ...]:
    """What a GPU-hour of each may cost against the first that serves the load, and the first with a price."""
    able = [result for result in results if result.rate]
    if not able:
        return tuple(results)
    priced = next((result for result in able if result.usd_per_gpu_hour is not None), None)

    def completed(result: SystemResult) -> SystemResult:
        if not result.rate:
            return result
        price = None
        if priced is not None and result is not priced:
            price = (priced.usd_per_gpu_hour or 0.0) * result.rate / priced.rate
        return replace(result, worth=result.rate / able[0].rate, break_even_usd_per_gpu_hour=price)

    return tuple(completed(result) for result in results)
