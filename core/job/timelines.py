"""The replays of all ranks of a job, and what is summed up over them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats, InputError
from core.job.dependencies import Dependencies, dependencies
from core.job.durations import Durations, Ratios, durations
from core.job.explain import Explanation, timed_ranks
from core.job.kinds import Kind
from core.job.replay import Replay, replay
from core.traces.records import Integers

MOST_CALLS = 60_000
"""Calls that are replayed; of a larger job as many ranks as that allows, from the first to the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """
    One rank's timeline.

    Attributes:
        rank: Global rank.
        known: Its calls and their dependencies.
        kinds: The kind of each call.
        wire_s: Its part on the wire; NaN where it cannot be told.
        steps: For each call the step that issued it; -1 unknown.
        stream: Of each call.
        replayed: The timeline.
    """

    rank: int
    known: Dependencies
    kinds: Integers
    wire_s: Floats
    steps: Integers
    stream: Integers
    replayed: Replay


@dataclass(frozen=True, slots=True, eq=False)
class Timelines:
    """
    Timelines of the ranks that are replayed.

    Attributes:
        lines: One a rank.
        per_step: What turns seconds of a timeline into seconds of a step.
        ranks: Traced ranks with times, replayed or not.
    """

    lines: tuple[Line, ...]
    per_step: float
    ranks: int

    @property
    def total_s(self) -> float:
        """Length of the timelines, the mean over ranks."""
        return _mean(line.replayed.total_s for line in self.lines)

    @property
    def traced_s(self) -> float:
        """Length of the traces, the mean over ranks."""
        return _mean(line.known.end_s - line.known.begin_s for line in self.lines)

    @property
    def exposed_s(self) -> float:
        """How long compute stands still for calls, the mean over ranks."""
        return _mean(line.replayed.exposed_s for line in self.lines)

    @property
    def free_s(self) -> float:
        """Length where no call takes any time."""
        return _mean(line.replayed.total_s - line.replayed.exposed_s for line in self.lines)

    @property
    def best_overlap_s(self) -> float:
        """Length where compute and the calls of each stream run side by side and never wait."""
        return _mean(_best_overlap(line) for line in self.lines)

    def only_s(self, kinds: Sequence[Kind]) -> dict[str, float]:
        """Length where the calls of one parallelism alone take time, by parallelism."""
        present = dict.fromkeys(kind.parallelism for kind in kinds)
        ours = np.array([kind.parallelism for kind in kinds])
        return {name: self.with_durations(_only(ours == name)).total_s for name in present}

    def with_durations(self, seconds: Callable[[Line], Floats], compute_factor: float = 1.0) -> "Timelines":
        """Replayed with these durations."""
        lines = tuple(
            replace(line, replayed=replay(line.known, seconds(line), compute_factor)) for line in self.lines
        )
        return replace(self, lines=lines)

    def bound_s(self, change: Ratios, compute_factor: float, *, late: bool) -> float:
        """Length at one end of the interval: calls long and needed early, or short and needed late."""
        lengths = []
        for line in self.lines:
            seconds = new_durations(line, change, compute_factor)
            if late:
                needed = line.known.start_s + line.known.duration_s
                lengths.append(replay(line.known, seconds.high_s, compute_factor, needed).total_s)
            else:
                lengths.append(replay(line.known, seconds.low_s, compute_factor, line.known.window_s).total_s)
        return _mean(lengths)


def timelines(told: Explanation) -> Timelines:
    """The job replayed as it was; InputError for a trace of no length."""
    traces = timed_ranks(told.job)
    places = [place for place, trace in enumerate(told.job.ranks) if trace in traces]
    calls = max([1, *(len(told.job.ranks[place].collectives) for place in places)])
    chosen = places[:: max(1, -(-len(places) * calls // MOST_CALLS))]
    lines = tuple(_line(told, place) for place in chosen)
    mean_s = _mean(line.known.end_s - line.known.begin_s for line in lines)
    if not mean_s > 0:
        message = "trace: it has no length, so there is no step to replay"
        raise InputError(message)
    return Timelines(lines, told.step_s / mean_s if told.step_s else 1.0, len(places))


def new_durations(line: Line, change: Ratios, compute_factor: float) -> Durations:
    """Durations of a rank's calls with these ratios."""
    return durations(line.known, line.kinds, line.wire_s, change, compute_factor)


def _line(told: Explanation, place: int) -> Line:
    trace = told.job.ranks[place]
    known = dependencies(trace)
    return Line(
        rank=trace.rank,
        known=known,
        kinds=told.table.of_rank[place][known.rows],
        wire_s=told.matches.wire_s[place][known.rows],
        steps=trace.collectives.step[known.rows],
        stream=trace.collectives.stream[known.rows],
        replayed=replay(known, known.duration_s),
    )


def _only(chosen: NDArray[np.bool_]) -> Callable[[Line], Floats]:
    """Durations of the calls of these kinds, 0 for all others."""
    return lambda line: np.where(chosen[line.kinds], line.known.duration_s, 0.0)


def _best_overlap(line: Line) -> float:
    """Compute, or the stream whose calls take longest; never more than as traced."""
    length_s = line.replayed.total_s
    return min(length_s, max(length_s - line.replayed.exposed_s, _longest_queue(line)))


def _longest_queue(line: Line) -> float:
    """The most that the calls of one stream take together."""
    busy = line.replayed.end_s - line.replayed.start_s
    sums = [float(busy[line.stream == number].sum()) for number in np.unique(line.stream)]
    return max(sums, default=0.0)


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
