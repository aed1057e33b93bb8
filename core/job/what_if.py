"""The traced step elsewhere: each call re-priced, the timeline replayed, the answer step by step."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.checks import InputError
from core.job.change import Change
from core.job.compute_factor import SAME, ComputeFactor, from_roofline, stated
from core.job.explain import Explanation, explain
from core.job.kinds import Kind
from core.job.message_sizes import PAIRWISE
from core.job.new_timelines import Term, after, bounds_s, waterfall
from core.job.plan import Plan, plan_of
from core.job.shares import has_times
from core.job.timelines import Timelines, timelines
from core.traces.records import Job
from core.units import HOUR_S

THOUSAND = 1000
DEPENDENCIES = (
    "A call starts once the compute that produced its data and the call before it on its stream have ended; "
    "what hides stays hidden up to where compute needs it."
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    A step on one machine.

    Attributes:
        step_s: Seconds of a step, the mean over ranks; of the whole trace where no steps are marked.
        critical_s: Of these, compute stands still for communication. Less than what is exposed where compute
            does not wait for a call that nothing hides.
        gpus: Ranks of the job; None where the trace does not tell.
        usd_per_1000_steps: None without a price or the number of GPUs.
    """

    step_s: float
    critical_s: float
    gpus: int | None
    usd_per_1000_steps: float | None

    @property
    def critical_share(self) -> float:
        """Communication on the critical path over the step."""
        return self.critical_s / self.step_s if self.step_s > 0 else 0.0


@dataclass(frozen=True, slots=True)
class KindChange:
    """A kind of call here and there: expected seconds, and the ratio that its traced time is scaled by."""

    kind: Kind
    there: Kind
    expected_here_s: float
    expected_there_s: float
    ratio: float


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """
    The step today and there.

    Attributes:
        today: As traced.
        new: Replayed.
        low_s, high_s: Interval of the new step: of the model, of the compute factor, of what cannot be
            told of waiting and of where hidden calls are needed.
        replay_error: Step of the trace replayed with nothing changed over the traced one, less 1.
        free_s: Today's step if all communication took no time.
        best_overlap_s: Today's step if communication overlapped as far as its streams allow.
        only_s: Today's step if communication of this parallelism alone took time, by parallelism.
        terms: From ``today.step_s`` to ``new.step_s``, in the order in which they were applied.
        changes: By kind of call.
        compute: Factor on compute, and what it rests on.
        before, after: Timelines of the ranks.
        basis: What the expected times rest on.
        assumptions, remarks: One sentence each.
    """

    today: Outcome
    new: Outcome
    low_s: float
    high_s: float
    replay_error: float
    free_s: float
    best_overlap_s: float
    only_s: Mapping[str, float]
    terms: tuple[Term, ...]
    changes: tuple[KindChange, ...]
    compute: ComputeFactor
    before: Timelines
    after: Timelines
    basis: tuple[str, ...]
    assumptions: tuple[str, ...]
    remarks: tuple[str, ...]


def what_if(job: Job, change: Change, explanation: Explanation | None = None) -> Answer:
    """
    The traced step with this change.

    Args:
        job: A trace with times.
        change: What is different.
        explanation: Of the job, where it is already there.

    Raises:
        InputError: A trace without times or calls, or a system that cannot hold the job.
    """
    told = explanation or explain(job, change.here)
    if not any(has_times(trace) for trace in job.ranks):
        message = "trace: it tells no times of compute, so there is no step to replay"
        raise InputError(message)
    plan, compute, lines = plan_of(told, change), _compute(change), timelines(told)
    replayed = after(lines, plan, compute.factor)
    step = lines.per_step
    new_price = change.usd_per_gpu_hour_there
    today = _outcome(lines, lines.traced_s, plan.gpus, change.usd_per_gpu_hour)
    new_usd = change.usd_per_gpu_hour if new_price is None else new_price
    new = _outcome(replayed, replayed.total_s, plan.gpus_there, new_usd)
    low_s, high_s = bounds_s(lines, replayed, plan, compute)
    return Answer(
        today=today,
        new=new,
        low_s=low_s * step,
        high_s=high_s * step,
        replay_error=lines.total_s / lines.traced_s - 1,
        free_s=lines.free_s * step,
        best_overlap_s=lines.best_overlap_s * step,
        only_s={name: seconds * step for name, seconds in lines.only_s(told.table.kinds).items()},
        terms=waterfall(lines, replayed, plan, compute.factor),
        changes=_changes(plan),
        compute=compute,
        before=lines,
        after=replayed,
        basis=tuple(dict.fromkeys((*plan.here.basis, *plan.there.basis))),
        assumptions=_assumptions(told, change, compute),
        remarks=plan.remarks,
    )


def _compute(change: Change) -> ComputeFactor:
    """As stated, else from the roofline of both GPUs; the same where no other system is named."""
    if change.compute_factor is not None:
        return stated(change.compute_factor)
    if change.here is None or change.there is None:
        return SAME
    return from_roofline(change.here.system.gpu, change.there.system.gpu)


def _outcome(lines: Timelines, total_s: float, gpus: int | None, usd_per_gpu_hour: float | None) -> Outcome:
    step_s = total_s * lines.per_step
    usd = None
    if usd_per_gpu_hour is not None and gpus is not None:
        usd = THOUSAND * step_s / HOUR_S * gpus * usd_per_gpu_hour
    return Outcome(step_s, lines.exposed_s * lines.per_step, gpus, usd)


def _changes(plan: Plan) -> tuple[KindChange, ...]:
    return tuple(
        KindChange(kind, there, float(here_s), float(there_s), float(ratio))
        for kind, there, here_s, there_s, ratio in zip(
            plan.kinds, plan.kinds_there, plan.here.time_s, plan.there.time_s, plan.ratios.ratio, strict=True
        )
    )


def _assumptions(told: Explanation, change: Change, compute: ComputeFactor) -> tuple[str, ...]:
    """What the new timeline takes for granted, one sentence each."""
    lines = [
        DEPENDENCIES,
        f"Compute and time without any work take {compute.factor:.3g} times as long ({compute.why}).",
        "Each call takes its traced time, times what is expected there over what is expected here.",
    ]
    if told.matches.complete:
        lines.append("Waiting for other ranks comes from their compute and scales with it.")
        if any(kind.operation in PAIRWISE for kind in told.table.kinds):
            lines.append("All of a send or receive is taken for time on the wire.")
    else:
        lines.append(
            "All of a call is taken for time on the wire, and the interval allows for waiting: "
            f"{told.matches.why_not}."
        )
    if change.ranks:
        lines.append("Other group sizes keep compute per GPU and message sizes; else state a compute factor.")
    if change.bucket_bytes is not None:
        lines.append(
            "Buckets are of exactly that size, where DDP ends one with a parameter; "
            "each waits for the slowest rank once."
        )
    if told.step_s is None:
        lines.append("No steps are marked: 'step' is the whole trace.")
    return tuple(lines)
