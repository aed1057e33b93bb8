"""Where a rank's time goes: compute, overlapped and exposed communication, and neither."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.traces.records import Job, RankTrace
from core.traces.spans import Spans, covered_s, merged, without

Interval = tuple[float, float]
ROUNDING_S = 1e-12


@dataclass(frozen=True, slots=True)
class TimeShares:
    """
    Seconds of a stretch of one rank's timeline; compute, exposed and idle add up to the whole.

    Attributes:
        rank: Global rank.
        step: Name of the step; "" for the whole trace.
        start_s, end_s: The stretch, on the device.
        compute_s: Union of compute kernels.
        communication_s: Union of collectives.
        overlapped_s: Both at once.
        exposed_s: Collectives without compute.
        idle_s: Neither.
    """

    rank: int
    step: str
    start_s: float
    end_s: float
    compute_s: float
    communication_s: float
    overlapped_s: float
    exposed_s: float
    idle_s: float

    @property
    def duration_s(self) -> float:
        """Length of the stretch."""
        return self.end_s - self.start_s

    @property
    def exposed_share(self) -> float:
        """Exposed communication over the length."""
        return self.exposed_s / self.duration_s if self.duration_s > 0 else 0.0


def on_processors(job: Job) -> bool:
    """Whether a profiler saw no GPU: collectives of gloo, which no system of GPUs prices."""
    return job.format == "kineto" and bool(job.ranks) and all(trace.device < 0 for trace in job.ranks)


def communication(trace: RankTrace) -> Spans:
    """Union of a rank's collectives."""
    calls = trace.collectives
    timed = np.isfinite(calls.start_s) & np.isfinite(calls.duration_s)
    return merged(calls.start_s[timed], calls.end_s[timed])


def has_times(trace: RankTrace) -> bool:
    """Whether a trace says when compute ran: only then can be told what hides behind it."""
    return len(trace.compute) > 0 and bool(np.isfinite(trace.end_s - trace.start_s))


def of_rank(trace: RankTrace) -> TimeShares:
    """The whole trace of a rank."""
    return _shares(trace, "", (trace.start_s, trace.end_s))


def of_steps(trace: RankTrace) -> tuple[TimeShares, ...]:
    """
    Each step of a rank on its device.

    A step begins with its first kernel and ends where the next step's begins; the last with its last kernel.
    """
    edges = step_edges(trace)
    return tuple(
        _shares(trace, step.name, (start, end))
        for step, start, end in zip(trace.steps, edges[:-1], edges[1:], strict=True)
    )


def mean_shares(stretches: Sequence[TimeShares]) -> TimeShares | None:
    """The mean of several steps of one rank, from second 0 on; None for none."""
    if not stretches:
        return None
    mean = {
        name: float(np.mean([getattr(stretch, name) for stretch in stretches]))
        for name in ("compute_s", "communication_s", "overlapped_s", "exposed_s", "idle_s", "duration_s")
    }
    return TimeShares(stretches[0].rank, "mean", 0.0, mean.pop("duration_s"), **mean)


def step_edges(trace: RankTrace) -> list[float]:
    """Where each step begins on the device, and where the last ends; empty without steps."""
    steps = trace.steps
    if not steps:
        return []
    on_device = all(np.isfinite(step.device_start_s) and np.isfinite(step.device_end_s) for step in steps)
    starts = [step.device_start_s if on_device else step.start_s for step in steps]
    end = steps[-1].device_end_s if on_device else steps[-1].end_s
    edges = np.maximum.accumulate([*starts, end])
    return [float(edge) for edge in edges]


def step_time_s(job: Job) -> float | None:
    """Seconds of one step, the mean over steps and ranks; None where no times or steps are told."""
    means = [
        (edges[-1] - edges[0]) / len(trace.steps)
        for trace in job.ranks
        if has_times(trace) and (edges := step_edges(trace))
    ]
    return float(np.mean(means)) if means else None


def _shares(trace: RankTrace, step: str, stretch: Interval) -> TimeShares:
    start, end = stretch
    sent = communication(trace)
    exposed = without(sent, trace.compute)
    inside = [_within(spans, stretch) for spans in (trace.compute, sent, exposed)]
    compute_s, communication_s, exposed_s = inside
    return TimeShares(
        rank=trace.rank,
        step=step,
        start_s=start,
        end_s=end,
        compute_s=compute_s,
        communication_s=communication_s,
        overlapped_s=max(0.0, communication_s - exposed_s),
        exposed_s=exposed_s,
        idle_s=_not_rounding(end - start - compute_s - exposed_s),
    )


def _not_rounding(seconds: float) -> float:
    """The seconds; 0 where they are what rounding leaves."""
    return seconds if seconds > ROUNDING_S else 0.0


def _within(spans: Spans, stretch: Interval) -> float:
    return float(covered_s([stretch[0]], [stretch[1]], spans)[0])
