"""Flips of serving: at which load, context or wire another layout serves better."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.calculators.layouts.flips import Flip, first_change, with_domain, with_network
from core.calculators.layouts.serve import Served, Serving, served
from core.calculators.tensor_parallel import Scenario
from core.parallel.grow import enough

RIVALS = 6
NOTHING = -1
SPAN = 16.0
CLEAR = 0.01
"""By how much another layout must be better to dethrone the winner: ties are no flips."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is served: the machine with its formats and context, and the sequences of all GPUs."""

    scenario: Scenario
    sequences: int


@dataclass(frozen=True, slots=True)
class Knob:
    """An input of serving: its value now, and the load with it multiplied."""

    name: str
    unit: str
    now: Callable[[Load], float]
    turned: Callable[[Load, float], Load]


def _network_rate(load: Load) -> float:
    leaf = load.scenario.system.scale_out
    return 0.0 if leaf is None or load.scenario.system.domains == 1 else leaf.bytes_per_s


def _network(load: Load, factor: float) -> Load:
    system = with_network(load.scenario.system, factor)
    return replace(load, scenario=replace(load.scenario, system=system))


def _domain(load: Load, factor: float) -> Load:
    system = with_domain(load.scenario.system, factor)
    return replace(load, scenario=replace(load.scenario, system=system))


def _sequences(load: Load, factor: float) -> Load:
    return replace(load, sequences=max(1, round(load.sequences * factor)))


def _context(load: Load, factor: float) -> Load:
    context = max(1, round(load.scenario.cached * factor))
    return replace(load, scenario=replace(load.scenario, context=context))


SERVING_KNOBS = (
    Knob("sequences at once", "sequences", lambda load: float(load.sequences), _sequences),
    Knob("context", "tokens", lambda load: float(load.scenario.cached), _context),
    Knob("network rate per GPU", "B/s", _network_rate, _network),
    Knob("scale-up rate per GPU", "B/s", lambda load: load.scenario.system.scale_up.bytes_per_s, _domain),
)


def serving_flips(scenario: Scenario, gpus: int, sequences: int, found: Serving) -> tuple[Flip, ...]:
    """
    What would dethrone the winner of a ranking, each input turned down and up by at most 16.

    The best few layouts stand for election; one that no longer fits gives up.
    """
    rivals = found.layouts[:RIVALS]
    if len(rivals) < 2:  # noqa: PLR2004 (an election needs two)
        return ()
    load = Load(replace(scenario, system=enough(scenario.system, gpus)), sequences)
    changes = []
    for knob in SERVING_KNOBS:
        now = knob.now(load)
        if now <= 0:
            continue
        for end in (1 / SPAN, SPAN):
            change = first_change(_election(rivals, load, knob, gpus, found.goal), 1.0, end)
            if change is not None:
                factor, other = change
                names = rivals[0].name(), "nothing fits" if other == NOTHING else rivals[other].name()
                changes.append(Flip(knob.name, knob.unit, now, now * factor, factor, *names))
    return tuple(changes)


def _election(
    rivals: tuple[Served, ...], load: Load, knob: Knob, gpus: int, goal: str
) -> Callable[[float], int]:
    """Which layout wins clearly once the knob is turned by a factor, or that none fits any more."""

    def choose(factor: float) -> int:
        at = knob.turned(load, factor)
        able = {}
        for place, one in enumerate(rivals):
            again = served(at.scenario, gpus, at.sequences, one.tp, one.ep, one.pp)
            if again is not None:
                able[place] = again.token_s if goal == "latency" else 1 / again.tokens_per_s_per_gpu
        if not able:
            return NOTHING
        best = min(able, key=able.__getitem__)
        return best if able.get(0, math.inf) * (1 - CLEAR) > able[best] else 0

    return choose
