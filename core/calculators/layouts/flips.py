"""Flips: where along one input the best choice changes, found backwards."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.calculators.layouts.train import Ranked, winner
from core.calculators.training import Scenario
from core.checks import InputError, number
from core.hardware import System
from core.parallel.prices import Latency
from core.units import format_rate

Choice = TypeVar("Choice")
STEPS = 12
REFINED = 24
ELECTED = 16
"""Halvings of the step in which a sign changes, and of the one in which a winner does."""
RIVALS = 8


@dataclass(frozen=True, slots=True)
class Flip:
    """Beyond ``value`` of ``input`` (``factor`` times what it is now) another layout wins."""

    input: str
    unit: str
    now: float
    value: float
    factor: float
    before: str
    to: str

    @property
    def where(self) -> str:
        """The condition in words, such as ``network rate per GPU below 12 GB/s``."""
        side = "below" if self.factor < 1 else "above"
        if self.unit == "B/s":
            return f"{self.input} {side} {format_rate(self.value)}"
        if self.unit == "times":
            return f"{self.input} {side} {self.factor:.3g} times what it is"
        return f"{self.input} {side} {self.value:,.0f} {self.unit}"


def crossing(difference: Callable[[float], float], low: float, high: float) -> float | None:
    """
    Where ``difference`` changes its sign between ``low`` and ``high``, on a logarithmic scale.

    None where it has the same sign at every point looked at; the first change otherwise.
    """
    least = number("low", low, above=0)
    most = number("high", high, above=0)
    if most <= least:
        message = f"high: above low {least:g}, not {most:g}"
        raise InputError(message)
    ratio = (most / least) ** (1 / STEPS)
    before, sign = least, difference(least) > 0
    for step in range(1, STEPS + 1):
        here = least * ratio**step
        if (difference(here) > 0) != sign:
            return _refine(lambda value: (difference(value) > 0) == sign, before, here)
        before = here
    return None


def first_change(choose: Callable[[float], Choice], now: float, end: float) -> tuple[float, Choice] | None:
    """Going from ``now`` to ``end``, where the choice first changes and to what; None if it never does."""
    settled = choose(now)
    ratio = (end / now) ** (1 / STEPS)
    before = now
    for step in range(1, STEPS + 1):
        here = now * ratio**step
        if choose(here) != settled:
            value = _refine(lambda item: choose(item) == settled, before, here, ELECTED)
            return value, choose(value)
        before = here
    return None


def _refine(same: Callable[[float], bool], inside: float, outside: float, halvings: int = REFINED) -> float:
    for _ in range(halvings):
        middle = math.sqrt(inside * outside)
        inside, outside = (middle, outside) if same(middle) else (inside, middle)
    return outside


@dataclass(frozen=True, slots=True)
class Knob:
    """An input of a training scenario: its value now, and the scenario with it multiplied."""

    name: str
    unit: str
    now: Callable[[Scenario], float]
    turned: Callable[[Scenario, float], Scenario]


def _network(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_network(scenario.system, factor))


def _latency(scenario: Scenario, factor: float) -> Scenario:
    now = scenario.latency
    return replace(scenario, latency=Latency(now.inside, now.across * factor))


def _latency_inside(scenario: Scenario, factor: float) -> Scenario:
    now = scenario.latency
    return replace(scenario, latency=Latency(now.inside * factor, now.across))


def _domain(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_domain(scenario.system, factor))


def with_domain(system: System, rate: float = 1.0) -> System:
    """The same machine with its domain's wires faster by a factor."""
    inside = replace(system.scale_up, bytes_per_s=system.scale_up.bytes_per_s * rate)
    pair = None if system.pair_bytes_per_s is None else system.pair_bytes_per_s * rate
    return replace(system, fabrics=(inside, *system.fabrics[1:]), pair_bytes_per_s=pair, yours=True)


def with_network(system: System, rate: float = 1.0) -> System:
    """The same machine with every tier beyond the domain faster by a factor."""
    inside, *outside = system.fabrics
    tiers = (replace(tier, bytes_per_s=tier.bytes_per_s * rate) for tier in outside)
    return replace(system, fabrics=(inside, *tiers))


def _batch(scenario: Scenario, factor: float) -> Scenario:
    each = scenario.micro_batch * scenario.layout.dp
    return replace(scenario, global_batch=max(1, round(scenario.global_batch * factor / each)) * each)


def _outside(scenario: Scenario) -> float:
    leaf = scenario.system.scale_out
    return 0.0 if leaf is None else leaf.bytes_per_s


KNOBS = (
    Knob("network rate per GPU", "B/s", _outside, _network),
    Knob("scale-up rate per GPU", "B/s", lambda job: job.system.scale_up.bytes_per_s, _domain),
    Knob("global batch", "sequences", lambda job: float(job.global_batch), _batch),
    Knob("network latency", "times", lambda job: job.latency.across if _outside(job) else 0.0, _latency),
    Knob("scale-up latency", "times", lambda job: job.latency.inside, _latency_inside),
)
"""Latencies are turned by a factor on what each exchange spends before its bytes flow."""


def flips(ranked: Sequence[Ranked], *, span: float = 16.0) -> tuple[Flip, ...]:
    """
    What would dethrone the winner: each knob turned down and up by at most ``span``.

    Only the best few layouts stand for election; each must still be able to run.
    """
    rivals = list(ranked[:RIVALS])
    scenarios = [item.scenario for item in rivals]
    found = []
    for knob in KNOBS:
        now = knob.now(scenarios[0])
        if now <= 0 or len(scenarios) < 2:  # noqa: PLR2004 (an election needs two)
            continue
        for end in (1 / span, span):
            change = first_change(_election(scenarios, knob), 1.0, end)
            if change is not None:
                factor, other = change
                names = rivals[0].name(), rivals[other].name()
                found.append(Flip(knob.name, knob.unit, now, now * factor, factor, *names))
    return tuple(found)


def _election(scenarios: Sequence[Scenario], knob: Knob) -> Callable[[float], int]:
    """Which of the layouts wins once the knob is turned by a factor."""
    return lambda factor: winner(scenarios, lambda job: knob.turned(job, factor))
