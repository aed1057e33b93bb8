"""Crossovers: the nearest size, number of ranks and rate at which another algorithm takes over."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats, InputError
from core.collectives.pricing.placement import Placement, placement_of
from core.collectives.pricing.scenario import Scenario
from core.collectives.pricing.sweep import by_formula_only, priced

LARGEST_BYTES = 2.0**40
PER_OCTAVE = 4
ROUNDS = 3
POINTS = 33
Labels = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Crossover:
    """With ``input`` at ``value`` and all else the same, ``to`` is the cheapest algorithm."""

    input: str
    value: float
    to: str


def crossovers(scenario: Scenario, placement: Placement) -> tuple[Crossover, ...]:
    """The nearest change below and above, of each input, all else left alone."""
    if scenario.size_bytes <= 0 or placement.ranks <= 1:
        return ()
    sizes = by_size(scenario, placement)
    return (*sizes, *by_rate(scenario, placement, sizes), *by_ranks(scenario, placement))


def by_size(scenario: Scenario, placement: Placement) -> tuple[Crossover, ...]:
    """Scan all sizes at once, then narrow the two nearest changes."""

    def labels(amounts: Floats) -> Labels:
        return priced(scenario, placement, amounts).algorithms

    octaves = np.log2(LARGEST_BYTES)
    grid = np.exp2(np.linspace(0, octaves, int(octaves) * PER_OCTAVE + 1))
    changes = nearest_changes(scenario.size_bytes, grid, labels)
    rounded = [
        (np.floor(value) if value < scenario.size_bytes else np.ceil(value), to) for value, to in changes
    ]
    return tuple(Crossover("size_bytes", float(value), to) for value, to in rounded)


def by_rate(scenario: Scenario, placement: Placement, sizes: tuple[Crossover, ...]) -> tuple[Crossover, ...]:
    """Scale the link that limits: the NIC where the ranks span domains, else the scale-up link."""
    wired = placement.on(scenario.rates)
    if wired.outer is None and by_formula_only(scenario):
        return _from_sizes(scenario, wired, sizes)
    name, hop = (
        ("bytes_per_s", wired.inner) if wired.outer is None else ("scale_out_bytes_per_s", wired.outer)
    )
    amounts = np.array([scenario.size_bytes])

    def labels(scales: Floats) -> Labels:
        places = [replace(placement, rate_scale=float(scale)) for scale in scales]
        return np.array([_label(scenario, scaled, amounts) for scaled in places])

    changes = nearest_changes(1.0, np.exp2(np.arange(-4.0, 5.0)), labels, points=5, rounds=4)
    return tuple(Crossover(name, scale * hop.bytes_per_s, to) for scale, to in changes)


def by_ranks(scenario: Scenario, placement: Placement) -> tuple[Crossover, ...]:
    """Price each number of ranks that fills the system evenly, nearest first."""
    amounts = np.array([scenario.size_bytes])
    now = _label(scenario, placement, amounts)
    candidates = rank_steps(scenario)
    nearest = []
    for side in (
        [n for n in candidates if n < scenario.ranks][::-1],
        [n for n in candidates if n > scenario.ranks],
    ):
        same = scenario.ranks
        for n in side:
            to = _label_of_ranks(scenario, n, amounts)
            if to not in ("", now):
                nearest.append(_nearest_rank(scenario, amounts, now, same, n, to))
                break
            same = n
    return tuple(nearest)


def rank_steps(scenario: Scenario) -> list[int]:
    """Powers of two inside a domain, then whole domains, doubling."""
    system = scenario.system
    most = scenario.per_domain or system.domain_gpus
    inside = [2**k for k in range(1, 12) if 2**k < most]
    domains = [2**k for k in range(20) if 2**k < system.domains]
    return [*inside, *(most * d for d in domains), most * system.domains]


def _nearest_rank(scenario: Scenario, amounts: Floats, now: str, same: int, other: int, to: str) -> Crossover:
    """Halve the gap, as long as both ends sit in one domain: across, only full domains count."""
    one_domain = scenario.per_domain or scenario.system.domain_gpus
    while abs(other - same) > 1 and max(same, other) <= one_domain:
        middle = (same + other) // 2
        label = _label_of_ranks(scenario, middle, amounts)
        if label in ("", now):
            same = middle
        else:
            other, to = middle, label
    return Crossover("ranks", other, to)


def _from_sizes(scenario: Scenario, wired: Placement, sizes: tuple[Crossover, ...]) -> tuple[Crossover, ...]:
    """
    On one level the winner depends on M/(aB) alone: twice the size is half the rate or half the latency.

    So the crossovers of rate and latency follow from those of size.
    """
    rate, latency_s = wired.inner.bytes_per_s, wired.inner.latency_s
    crossovers = []
    for crossover in sizes:
        factor = scenario.size_bytes / crossover.value
        crossovers.append(Crossover("bytes_per_s", rate * factor, crossover.to))
        crossovers.append(Crossover("latency_s", latency_s * factor, crossover.to))
    return tuple(crossovers)


def nearest_changes(
    value: float,
    grid: Floats,
    labels: Callable[[Floats], Labels],
    *,
    points: int = POINTS,
    rounds: int = ROUNDS,
) -> list[tuple[float, str]]:
    """The nearest value below and above at which the label is another one, and that label."""
    at = np.unique(np.append(grid, value))
    names_at = labels(at)
    here = int(np.searchsorted(at, value))
    now = names_at[here]
    changes = []
    for step in (-1, 1):
        side = at[here::step] if step > 0 else at[here::-1]
        names = names_at[here::step] if step > 0 else names_at[here::-1]
        changed = np.flatnonzero((names != now) & (names != ""))
        if changed.size:
            first = int(changed[0])
            ends = (float(side[first - 1]), float(side[first]))
            changes.append(_narrow(ends, now, str(names[first]), labels, points, rounds))
    return changes


def _narrow(
    ends: tuple[float, float],
    now: str,
    to: str,
    labels: Callable[[Floats], Labels],
    points: int,
    rounds: int,
) -> tuple[float, str]:
    """Between a value with the label ``now`` and one with the label ``to``, which are not priced again."""
    same, other = ends
    for _ in range(rounds):
        between = np.geomspace(same, other, points)
        inner = labels(between[1:-1])
        changed = np.flatnonzero(inner != now)
        first = int(changed[0]) + 1 if changed.size else points - 1
        to = str(inner[first - 1]) if changed.size else to
        same, other = float(between[first - 1]), float(between[first])
    return other, to


def _label_of_ranks(scenario: Scenario, ranks: int, amounts: Floats) -> str:
    other = replace(scenario, ranks=ranks)
    try:
        return _label(other, placement_of(other), amounts)
    except InputError:
        return ""


def _label(scenario: Scenario, placement: Placement, amounts: Floats) -> str:
    return str(priced(scenario, placement, amounts).algorithms[0])
