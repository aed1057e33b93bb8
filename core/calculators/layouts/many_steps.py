"""Steps of many scenarios of one job at once: those alike in kind are computed as columns."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.calculators.training import Exposed, Scenario, Step, memory, step
from core.calculators.training.columns import Columns, columns
from core.checks import Floats

Change = Callable[[Scenario], Scenario]


@dataclass(frozen=True, slots=True)
class Alike:
    """Scenarios of one strategy, recomputation and EP degree side by side, and their places in the list."""

    side_by_side: Columns
    places: tuple[int, ...]


def alike(scenarios: Sequence[Scenario]) -> tuple[Alike, ...]:
    """Scenarios of one job in as few columns as their kinds allow."""
    kinds: dict[tuple[str, str, int], list[int]] = {}
    for place, scenario in enumerate(scenarios):
        kinds.setdefault((scenario.strategy, scenario.recompute, scenario.layout.ep), []).append(place)
    return tuple(_alike(scenarios, places) for places in kinds.values())


def _alike(scenarios: Sequence[Scenario], places: Sequence[int]) -> Alike:
    members = [scenarios[place] for place in places]
    layouts, sizes = [member.layout for member in members], [member.micro_batch for member in members]
    return Alike(columns(members[0], layouts, sizes), tuple(places))


def steps_s(groups: Sequence[Alike], change: Change | None = None) -> Floats:
    """Step time of every scenario in its place, each changed first where a change is given."""
    seconds = np.zeros(sum(len(group.places) for group in groups))
    for group in groups:
        job = change(group.side_by_side) if change else group.side_by_side
        seconds[list(group.places)] = step(job).total_s
    return seconds


def steps(groups: Sequence[Alike]) -> list[Step]:
    """Every part of the step of every scenario, in its place."""
    parts: dict[int, Step] = {}
    for group in groups:
        rows = _rows(step(group.side_by_side), len(group.places))
        parts.update(zip(group.places, rows, strict=True))
    return [parts[place] for place in range(len(parts))]


def memory_bytes(groups: Sequence[Alike]) -> Floats:
    """Memory of the fullest GPU of every scenario, in its place."""
    size_bytes = np.zeros(sum(len(group.places) for group in groups))
    for group in groups:
        size_bytes[list(group.places)] = memory(group.side_by_side).total_bytes
    return size_bytes


def _rows(parts: Step, count: int) -> Iterator[Step]:
    """One step a row of the columns."""
    names = "compute_s", "optimizer_s", "bubble_s", "waiting_s", "offload_s", "host_s"
    figures = tuple(getattr(parts, name) for name in names)
    exposed, comm = _split(_kinds(parts.exposed), count), _split(_kinds(parts.comm), count)
    for own, waited, sent in zip(_split(figures, count), exposed, comm, strict=True):
        compute_s, optimizer_s, bubble_s, waiting_s, offload_s, host_s = own
        kinds = Exposed(*waited), Exposed(*sent)
        yield Step(compute_s, optimizer_s, bubble_s, *kinds, waiting_s, parts.notes, offload_s, host_s)


def _kinds(seconds: Exposed) -> tuple[float, ...]:
    return seconds.tp, seconds.dp, seconds.pp, seconds.cp, seconds.ep


def _split(figures: Sequence[float], count: int) -> Iterator[tuple[float, ...]]:
    """Rows of several columns; a figure that all share is repeated."""
    return zip(*(np.broadcast_to(figure, count).tolist() for figure in figures), strict=True)
