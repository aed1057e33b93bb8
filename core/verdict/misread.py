"""A rate in words that is right as another metric: algbw for busbw, Gb/s for GB/s, bidirectional."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from core.measurement import Matrix, Run
from core.measurement.bus_factor import bus_factor
from core.verdict.evidence import evidence_of
from core.verdict.headline import headline_of_expected
from core.verdict.next_step import next_step
from core.verdict.posterior import MOST_CAUSES, ranked
from core.verdict.records import Cause, NextTest, Reason, RunVerdict, Status

METRIC_OPEN = "metric_open"
"""Observation of a rate whose words say neither busbw nor algbw."""
_BITS, _BOTH_WAYS = 8.0, 2.0
_LEAST_FACTOR = 1.05
_WEIGHT, _BESIDE_LINES = 0.35, 0.1
"""Of a low number that would be fine: less where a line of the log explains it otherwise."""
_SURE = 0.9
"""Of a number that no link can carry, and that would be fine."""
_TOO_FAST = (Status.IMPOSSIBLE, Status.HIGH)
_TEST = NextTest(
    "<command> with its whole table: algbw and busbw in GB/s, each direction of a copy",
    "the number in the other column or unit, or the sum of two directions",
    "the tool's own table, with its columns and units",
)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Another metric that words may mean: the rate told over that metric's, and how it is said."""

    share: float
    short: str
    code: str = "metric_misread"


def with_readings(run: Run, verdict: RunVerdict, judge: Callable[[Run], RunVerdict]) -> RunVerdict:
    """
    The verdict, its causes among them what the number would be fine as; as it is where a tool's output tells.

    Args:
        run: What was judged.
        verdict: On it.
        judge: The verdict on a run on the same system.
    """
    if verdict.status not in (Status.LOW, *_TOO_FAST) or not _is_told(run):
        return verdict
    causes = [
        _cause(reading, again)
        for reading in _readings(run, verdict)
        if (again := judge(_as(run, reading.share))).status is Status.FINE
    ]
    if not causes:
        return verdict
    return (_too_fast if verdict.status in _TOO_FAST else _low)(run, verdict, causes)


def _is_told(run: Run) -> bool:
    """Whether words tell the rate, and no table."""
    return any(notice.code == "from_prose" and "sentence" in notice.message for notice in run.warnings)


def _readings(run: Run, verdict: RunVerdict) -> Iterator[_Reading]:
    """What else the words may mean, that would make a low rate higher or an impossible one lower."""
    factor = bus_factor(verdict.collective, verdict.ranks) if verdict.collective else None
    if verdict.status is Status.LOW:
        if factor and factor > _LEAST_FACTOR and evidence_of(run).values(METRIC_OPEN):
            yield _Reading(1 / factor, "algbw told as busbw")
        if any(matrix.directions == _BOTH_WAYS for matrix in run.matrices):
            yield _Reading(1 / _BOTH_WAYS, "one direction told as both")
        return
    if not evidence_of(run).values("unit_stated"):
        yield _Reading(_BITS, "Gb/s told as GB/s", "unit_misread")
    if run.matrices:
        yield _Reading(_BOTH_WAYS, "both directions told as one")
    if factor and factor > _LEAST_FACTOR:
        yield _Reading(factor, "busbw told as algbw")


def _as(run: Run, share: float) -> Run:
    """The run with all rates divided by a number."""
    samples = tuple(replace(sample, time_s=sample.time_s * share) for sample in run.samples)
    return replace(run, samples=samples, matrices=tuple(_scaled(matrix, share) for matrix in run.matrices))


def _scaled(matrix: Matrix, share: float) -> Matrix:
    values = tuple(
        tuple(cell / share if isinstance(cell, float) else cell for cell in row) for row in matrix.values
    )
    return replace(matrix, values=values)


def _cause(reading: _Reading, again: RunVerdict) -> Cause:
    text = f"as expected if it is {reading.short}: then {headline_of_expected(again)}"
    return Cause(Reason(reading.code, text, reading.short), _SURE, (), _TEST)


def _too_fast(run: Run, verdict: RunVerdict, causes: list[Cause]) -> RunVerdict:
    """No such machine is so fast: one of the other metrics is meant, all as likely."""
    shared = tuple(replace(cause, weight=_SURE / len(causes)) for cause in causes[:MOST_CAUSES])
    text = f"{verdict.reason.text}; {shared[0].reason.text}"
    reason = Reason(verdict.reason.code, text, shared[0].reason.short)
    return replace(verdict, reason=reason, causes=shared, next_step=next_step(shared, evidence_of(run)))


def _low(run: Run, verdict: RunVerdict, causes: list[Cause]) -> RunVerdict:
    """The other metric among the causes of a slow machine, which lose what it weighs."""
    has_lines = bool(verdict.causes) and bool(verdict.causes[0].lines)
    weight = (_BESIDE_LINES if has_lines else _WEIGHT) / len(causes)
    read = [replace(cause, weight=weight) for cause in causes]
    left = 1 - weight * len(read)
    others = [replace(cause, weight=cause.weight * left) for cause in verdict.causes]
    together = ranked([*read, *others])
    reason = together[0].reason if together[0] in read else verdict.reason
    return replace(verdict, reason=reason, causes=together, next_step=next_step(together, evidence_of(run)))
