"""A traced step beside calculated ones: step, compute, and what each kind of parallelism leaves exposed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite

from core.calculators.layouts import RankedLayout
from core.calculators.training import Answer
from core.checks import InputError
from core.job.change import CHANGEABLE
from core.job.explain import Explanation
from core.job.message_sizes import size_of
from core.job.new_groups import groups_shown
from core.job.shares import TimeShares
from core.job.traffic import traffic


@dataclass(frozen=True, slots=True)
class StepPart:
    """
    A part of a step, in seconds.

    Attributes:
        name: What it is, such as ``exposed TP``.
        measured_s: In the trace, the mean over steps and ranks; None where it does not tell.
        calculated_s: In each calculated step; None where that has no such part.
    """

    name: str
    measured_s: float | None
    calculated_s: tuple[float | None, ...]


def beside(told: Explanation, steps: Sequence[Answer]) -> tuple[StepPart, ...]:
    """
    The parts of a traced step with those of calculated ones.

    Compute, exposed communication, idle or bubble, and offload add up to the step; a trace does not tell
    the wait for the host from idle time.

    Args:
        told: The job explained.
        steps: Answers of the page Training step.

    Raises:
        InputError: The trace tells no times of compute.
    """
    shares = told.per_step
    if not shares:
        message = "trace: it tells no times of compute, so no step to lay beside a calculated one"
        raise InputError(message)
    by_kind = exposed_by_parallelism(told)
    calculated = [{kind.upper(): time_s for kind, time_s in asdict(step.exposed_s).items()} for step in steps]
    parts = [
        StepPart("step", _mean(shares, "duration_s"), tuple(step.step_s for step in steps)),
        StepPart("compute", _mean(shares, "compute_s"), tuple(step.compute_s for step in steps)),
        StepPart(
            "exposed communication",
            _mean(shares, "exposed_s"),
            tuple(sum(exposed.values()) for exposed in calculated),
        ),
    ]
    names = dict.fromkeys((*CHANGEABLE, *by_kind))
    parts += [
        StepPart(f"exposed {name}", by_kind.get(name), tuple(each.get(name) for each in calculated))
        for name in names
        if by_kind.get(name) or any(each.get(name) for each in calculated)
    ]
    parts.append(
        StepPart("idle, pipeline bubble", _mean(shares, "idle_s"), tuple(step.bubble_s for step in steps))
    )
    if any(step.offload_s for step in steps):
        parts.append(StepPart("offload", None, tuple(step.offload_s for step in steps)))
    return tuple(parts)


def exposed_by_parallelism(told: Explanation) -> dict[str, float]:
    """
    Exposed seconds of a mean step by the parallelism of the groups, as far as they can be told.

    They add up to the exposed communication of the step: calls that run at once share their time.
    """
    exposed: dict[str, float] = {}
    for part in traffic(told):
        if isfinite(part.exposed_s):
            name = part.kind.parallelism
            exposed[name] = exposed.get(name, 0.0) + part.exposed_s
    whole = sum(exposed.values())
    shared = _mean(told.per_step, "exposed_s") / whole if told.ranks and whole > 0 else 1.0
    return {name: time_s * shared for name, time_s in exposed.items()}


def degrees(told: Explanation) -> dict[str, int]:
    """Ranks of the largest group of each parallelism that the trace shows, such as ``{"TP": 8}``."""
    sizes = {name: size_of(groups[0]) for name, groups in groups_shown(told).items()}
    return {name: size for name, size in sizes.items() if name in CHANGEABLE and size is not None}


def as_traced(layouts: Sequence[RankedLayout], told: Explanation) -> RankedLayout | None:
    """The fastest layout with the degrees of the trace's groups, 1 where it shows none."""
    sizes = degrees(told)
    wanted = tuple(sizes.get(name, 1) for name in ("TP", "PP", "CP", "EP"))
    for ranked in layouts:
        layout = ranked.scenario.layout
        if (layout.tp, layout.pp, layout.cp, layout.ep) == wanted:
            return ranked
    return None


def unlike(told: Explanation, step: Answer) -> tuple[str, ...]:
    """What the traced job and a calculated one do not share, one sentence each."""
    lines = [] if told.step_s else ["The trace marks no steps: its whole length stands in their place."]
    gpus = told.job.world_size
    if gpus is not None and gpus != step.gpus:
        lines.append(f"The traced job has {gpus:,} ranks, the calculated one {step.gpus:,} GPUs.")
    calculated: Mapping[str, int] = {name: getattr(step, name.lower()) for name in CHANGEABLE}
    lines += [
        f"The traced {name} group has {size:,} ranks, the calculated one {calculated[name]:,}."
        for name, size in degrees(told).items()
        if size != calculated[name]
    ]
    return tuple(lines)


def _mean(shares: Sequence[TimeShares], name: str) -> float:
    return sum(float(getattr(each, name)) for each in shares) / len(shares)
