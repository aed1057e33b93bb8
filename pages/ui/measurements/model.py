"""The model beside a measured run: its system, its curve, its ceilings."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.calculators.question import Question
from core.collectives.pricing import Scenario
from core.collectives.rates import Rates
from core.parallel.grow import grow_to
from core.verdict import RunVerdict, judge_runs
from core.verdict.recognition import system_of
from core.verdict.system_match import SystemMatch
from pages.ui.measurements.inputs import LOG, Inputs
from pages.ui.shared import ceilings, machine
from pages.ui.shared.measured import Shown
from pages.ui.shared.overlay import Ceiling

MOST_CURVES = 3
MOST_JUDGED = 40
"""Runs that are judged; the first few are drawn."""


@dataclass(frozen=True, slots=True)
class Modelled:
    """A measured run and the scenario that models it; None for an unknown system, with the reason."""

    shown: Shown
    scenario: Scenario | None
    remark: str


def of(shown: Sequence[Shown], inputs: Inputs) -> list[Modelled]:
    """The runs that are judged, each with its model."""
    return [modelled(item, inputs) for item in shown[:MOST_JUDGED]]


def verdicts_on(models: Sequence[Modelled]) -> list[RunVerdict | None]:
    """
    The verdict on each run, those of one machine judged together; None for an unknown system.

    Runs on fewer nodes, and other pairs of nodes, tell what is at fault where a run is low.
    """
    machines: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for place, item in enumerate(models):
        if item.scenario is not None:
            system = item.scenario.system
            machines[system.gpu.id, system.domain_gpus, system.network, system.nics_per_domain].append(place)
    verdicts: list[RunVerdict | None] = [None] * len(models)
    for places in machines.values():
        scenarios = [item.scenario for place in places if (item := models[place]).scenario is not None]
        widest = max(scenarios, key=lambda scenario: scenario.system.domains)
        runs = [models[place].shown.run for place in places]
        together = judge_runs(runs, widest.system, rates=widest.rates)
        for place, verdict in zip(places, together, strict=True):
            verdicts[place] = verdict
    return verdicts


def modelled(shown: Shown, inputs: Inputs) -> Modelled:
    """A run with the scenario that models it."""
    run = shown.run
    match = system_for(shown, inputs)
    if match.system is None or run.collective is None or run.ranks is None:
        return Modelled(shown, None, match.remark)
    rates = inputs.rates.on(match.system, run.ranks)
    question = Question(system=match.system, rates=rates)
    scenario = question.scenario(Scenario, collective=run.collective, ranks=run.ranks)
    return Modelled(shown, scenario, match.remark)


def system_for(shown: Shown, inputs: Inputs) -> SystemMatch:
    """The system as chosen, with enough domains, or as the log tells."""
    system_choice, run = inputs.system, shown.run
    if system_choice.option != LOG:
        system = grow_to(system_choice.system(), run.ranks or 1)
        return SystemMatch(system, machine.describe(system).rstrip("."))
    match = system_of(run, system_choice.configuration.network)
    if match.system is None:
        return replace(match, remark=f"{match.remark}: choose a system above to see the model")
    if system_choice.configuration.replaces_fabric:
        configuration = replace(system_choice.configuration, domains=match.system.domains)
        return replace(match, system=configuration.applied_to(match.system))
    return match


def datasheet(scenario: Scenario) -> Scenario:
    """The same scenario at datasheet rates, without what the reader typed."""
    return replace(scenario, rates=Rates())


@dataclass(frozen=True, slots=True)
class Best:
    """The sample of a run with the highest bus bandwidth."""

    size_bytes: float
    bytes_per_s: float


def best(shown: Shown, points: pd.DataFrame) -> Best | None:
    """The best sample of a run among the drawn points; None where none is left."""
    own = points[points["run"] == shown.name]
    if own.empty:
        return None
    rates = own["busbw"].to_numpy(dtype=float)
    place = int(rates.argmax())
    return Best(float(own["size_bytes"].to_numpy(dtype=float)[place]), float(rates[place]))


def short_name(scenario: Scenario) -> str:
    """The GPU without what its name adds in brackets."""
    return scenario.system.gpu.name.partition(" (")[0]


def links(scenarios: Sequence[Scenario]) -> list[Ceiling]:
    """The ceilings of one system; of several, the link rate of each under its GPU's name."""
    names = [short_name(scenario) for scenario in scenarios]
    if len(set(names)) <= 1:
        return ceilings.of(scenarios[0]) if scenarios else []
    named = [
        Ceiling(f"{name}: {ceiling.name}", ceiling.bytes_per_s)
        for name, scenario in zip(names, scenarios, strict=True)
        for ceiling in ceilings.of(scenario)[-1:]
    ]
    return list(dict.fromkeys(named))
