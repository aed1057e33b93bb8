"""The communication of a job as a model of it: bytes and calls of a step by group, operation and size."""

from dataclasses import dataclass

from core.job.explain import Explanation, KindTotal
from core.job.kinds import Kind


@dataclass(frozen=True, slots=True)
class StepTraffic:
    """
    Calls of one kind in a step of one rank.

    Attributes:
        kind: Parallelism, ranks, operation, message size as nccl-tests counts it.
        calls: In a step; in the whole trace where no steps are marked.
        bytes: Of all of them; None where the trace tells no size.
        exposed_s: Of a step, all of them together; NaN where not told.
    """

    kind: Kind
    calls: float
    bytes: float | None
    exposed_s: float


def traffic(told: Explanation) -> tuple[StepTraffic, ...]:
    """What a step of one rank sends, in the order of the totals."""
    steps = _steps(told)
    return tuple(_of(total, steps) for total in told.totals)


def _steps(told: Explanation) -> float:
    """Steps in the trace of a rank, those at its edges in part."""
    if not told.step_s or not told.ranks:
        return 1.0
    lengths = [shares.duration_s for shares in told.ranks]
    return max(1.0, round(sum(lengths) / len(lengths) / told.step_s))


def _of(total: KindTotal, steps: float) -> StepTraffic:
    calls = total.calls / steps
    size = total.kind.size_bytes
    return StepTraffic(total.kind, calls, None if size < 0 else calls * size, total.exposed_s / steps)
