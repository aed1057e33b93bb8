"""Each kind of call against what its system should do: fine, slow or impossible, and why."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.checks import Floats, InputError
from core.collectives.question import FabricQuestion
from core.hardware import System
from core.job.kinds import Kind
from core.job.prices import Series, by_series, placed_system, system_for
from core.measurement import Machine, Run, Sample
from core.measurement.run import GpuCount
from core.verdict import Reason, SizeVerdict, Status, judge_run
from core.verdict.ranks import gpu_mismatch

ANOTHER_GPU = "another_gpu"
WAITING = Reason(
    "waiting_or_slow",
    "longer than expected even in its fastest call: a slow link, or every call waits for other ranks; "
    "one rank's trace cannot tell which",
    "slow link or waiting",
)
NOTHING_EXPECTED = Reason("nothing_expected", "the model expects nothing of this operation")
NOT_TOLD = Reason("bytes_unknown", "the trace does not tell how many bytes or ranks")
NO_TIME = Reason("no_time", "the trace tells no time")


def judge_kinds(
    kinds: Sequence[Kind],
    times_s: Floats,
    question: FabricQuestion,
    *,
    world_size: int | None,
    device_name: str = "",
    on_wire: Sequence[bool],
) -> tuple[SizeVerdict, ...]:
    """
    A verdict on each kind of call.

    Args:
        kinds: What was called.
        times_s: Seconds of each on the wire; with one rank the fastest call's. NaN where not told.
        question: System, rates and software that it is compared with.
        world_size: Ranks of the job; None where not told.
        device_name: GPU that the trace names; another than the system's is never fine.
        on_wire: Whether the time of each is that of the wire, without waiting for other ranks.

    Raises:
        InputError: The job needs several domains of a system without a network.
    """
    system = system_for(question.system, kinds, world_size)
    verdicts = [_without(kind, float(time_s)) for kind, time_s in zip(kinds, times_s, strict=True)]
    for series, indices in by_series(kinds).items():
        timed = [index for index in indices if np.isfinite(times_s[index]) and kinds[index].size_bytes > 0]
        timed.sort(key=lambda index: kinds[index].size_bytes)
        if not timed or series.ranks == 1:
            continue
        judged = _judge(
            series,
            [(kinds[at].size_bytes, float(times_s[at])) for at in timed],
            question,
            system,
            device_name,
        )
        for index, verdict in zip(timed, judged, strict=False):
            verdicts[index] = verdict if on_wire[index] else _with_waiting(verdict)
    return tuple(verdicts)


def _judge(
    series: Series,
    measured: Sequence[tuple[int, float]],
    question: FabricQuestion,
    system: System,
    device_name: str,
) -> tuple[SizeVerdict, ...]:
    samples = tuple(Sample(series.operation, size, time_s) for size, time_s in measured)
    gpus = (GpuCount(device_name, series.ranks),) if device_name else ()
    run = Run("trace", "wirespeed-run", series.operation, series.ranks, Machine(gpus), samples)
    try:
        verdict = judge_run(
            run,
            placed_system(system, series),
            rates=question.rates,
            implementation=question.implementation,
            launch=question.launch,
        )
    except InputError:
        return ()
    mismatch = gpu_mismatch(run, system)
    if not mismatch:
        return verdict.sizes
    reason = Reason(
        ANOTHER_GPU, f"{mismatch}: name the system that was traced".replace("the log", "the trace")
    )
    return tuple(replace(size, status=Status.UNKNOWN, reason=reason) for size in verdict.sizes)


def _with_waiting(verdict: SizeVerdict) -> SizeVerdict:
    """One rank's verdict: what is slow may have waited."""
    if verdict.status is not Status.LOW:
        return verdict
    return replace(verdict, reason=WAITING)


def _without(kind: Kind, time_s: float) -> SizeVerdict:
    """The verdict on a kind that the model says nothing of."""
    reason = NOTHING_EXPECTED
    if kind.size_bytes < 0 or kind.ranks is None:
        reason = NOT_TOLD
    elif not np.isfinite(time_s):
        reason = NO_TIME
    return SizeVerdict(
        kind.operation, kind.size_bytes, None, time_s, None, None, None, None, Status.UNKNOWN, reason
    )
