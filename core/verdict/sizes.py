"""Each measured size of a collective against the expected band of its system."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.collectives.pricing import Scenario, Sweep
from core.measurement import Run, Sample
from core.units import whole_percent
from core.verdict.collapse import kept_share, with_collapse
from core.verdict.evidence import evidence_of
from core.verdict.hypotheses import Case
from core.verdict.late import late_s
from core.verdict.network_limit import RING_TIMES, forced_rings, ring_between_two_s
from core.verdict.posterior import UNKNOWN, as_expected_weight, likely_causes
from core.verdict.ranks import RankMapping
from core.verdict.reasons import LARGE_BYTES, LATENCY_BOUND_MOST_BYTES, reason_for
from core.verdict.records import Cause, Reason, SizeVerdict, Status
from core.verdict.reference import below_reference
from core.verdict.sweep import BAND_TOLERANCE, MeasuredSweep, measured_sweep

NAMED_WEIGHT = 0.3
"""A cause is named as the reason from this weight on, and where none of those listed is no likelier."""
TOLERATED_SMALL_SHARE = 0.2
"""Share of sizes that may be slow where all large ones are fine: in the middle libraries switch protocols."""
NEAR_LIMIT_RATIO = 1.15
"""Up to so many times the slow end of its interval a size is near it."""
_P90_SPREADS = 1.28
_NIC_CODES = ("fewer_nics", "slow_port")
_TOLD_CODES = ("tcp_sockets", "network_off", "no_gpudirect")
_TOLD_RATIO, _TOLD_WEIGHT = 1.4, 0.8
"""So many times slower than expected is low within the interval where a line names a cause so surely."""


@dataclass(frozen=True, slots=True)
class JudgedSizes:
    """
    The verdicts on all samples of a run.

    Attributes:
        sizes: One per sample, in the order of the run.
        expected: The model's sweep over those with bytes and a time.
        causes: Of the slow sizes.
        near_limit: Whether every slow size is near the slow end of its interval, and a run as
            expected is likelier than all causes together.
    """

    sizes: tuple[SizeVerdict, ...]
    expected: Sweep
    causes: tuple[Cause, ...]
    near_limit: bool


def judge_sizes(run: Run, scenario: Scenario, ranks: RankMapping) -> JudgedSizes:
    """
    A verdict for every sample of a run, and the likely causes of the slow ones.

    Raises:
        InputError: The scenario cannot be priced on this system.
    """
    measured = measured_sweep(run, scenario, ranks)
    statuses = with_collapse(measured, [measured.status(index) for index in range(len(measured.samples))])
    statuses = _with_log(run, scenario, ranks, measured, statuses)
    case = _case(run, scenario, ranks, measured, statuses)
    causes = () if case is None else likely_causes(case)
    cause = reason_of(causes)
    verdicts = {
        id(sample): _size_verdict(measured, index, statuses[index], cause, ranks)
        for index, sample in enumerate(measured.samples)
    }
    return JudgedSizes(
        tuple(verdicts.get(id(sample)) or _nothing_moved(sample) for sample in run.samples),
        measured.expected,
        causes,
        _near_limit(
            measured, statuses, _case(run, scenario, ranks, measured, _with_all_large(measured, statuses))
        ),
    )


def reason_of(causes: Sequence[Cause]) -> Reason | None:
    """The cause to name: the likeliest, where curve or lines speak for it; else its candidates."""
    if not causes:
        return None
    named = [cause for cause in causes if cause.reason.code != UNKNOWN.code]
    if not named:
        return UNKNOWN
    none_of_them = 1 - sum(cause.weight for cause in named)
    if named[0].weight >= max(NAMED_WEIGHT, none_of_them):
        return named[0].reason
    candidates = [f"{cause.reason.short} ({whole_percent(cause.weight)})" for cause in named]
    text = f"slower than systems of this kind; nothing in the log names one cause: {', '.join(candidates)}"
    return Reason(UNKNOWN.code, text, UNKNOWN.short)


def _with_log(
    run: Run, scenario: Scenario, ranks: RankMapping, measured: MeasuredSweep, statuses: list[Status]
) -> list[Status]:
    """Large sizes within the tolerance of the slow end are low where the log makes a defect likelier."""
    if Status.LOW not in statuses and (below := below_reference(run, measured, statuses)):
        return below
    if Status.LOW not in statuses and (by_tree := _short_of_nics(run, scenario, ranks, measured, statuses)):
        return by_tree
    beyond = [
        Status.LOW
        if status is Status.FINE
        and measured.samples[index].size_bytes >= LARGE_BYTES
        and measured.times_s[index] > measured.high_s[index]
        else status
        for index, status in enumerate(statuses)
    ]
    if Status.LOW not in statuses and (told := _told(run, scenario, ranks, measured, statuses)):
        return told
    by_rings = ranks.domains == 2 and forced_rings(evidence_of(run))  # noqa: PLR2004 (rings of two nodes)
    if by_rings or Status.LOW in statuses or Status.LOW not in beyond:
        return statuses
    case = _case(run, scenario, ranks, measured, beyond)
    likely = case is not None and as_expected_weight(case) < 0.5  # noqa: PLR2004 (a defect is likelier)
    return beyond if likely else statuses


def _told(
    run: Run, scenario: Scenario, ranks: RankMapping, measured: MeasuredSweep, statuses: list[Status]
) -> list[Status]:
    """
    Statuses of a run over the network within a wide interval whose log says why it is slow; empty elsewhere.

    An interval of several times holds TCP in place of RDMA too: where lines say so, and the curve agrees.
    """
    slower = [
        Status.LOW
        if status is Status.FINE
        and measured.samples[index].size_bytes >= LARGE_BYTES
        and measured.ratio(index) > _TOLD_RATIO
        else status
        for index, status in enumerate(statuses)
    ]
    case = _case(run, scenario, ranks, measured, slower) if Status.LOW in slower else None
    if case is None or not case.several_nodes:
        return []
    first = likely_causes(case)[0]
    told = first.reason.code in _TOLD_CODES and bool(first.lines) and first.weight >= _TOLD_WEIGHT
    return slower if told and as_expected_weight(case) < 1 - _TOLD_WEIGHT else []


def _short_of_nics(
    run: Run, scenario: Scenario, ranks: RankMapping, measured: MeasuredSweep, statuses: list[Status]
) -> list[Status]:
    """
    Statuses of a run between two nodes that is fine as rings over all NICs; empty where it is so indeed.

    A tree over half of the NICs shows the same rate: where the log names fewer of them, it is that.
    """
    slow_end_s = measured.expected.high_s * (1 + BAND_TOLERANCE)
    slower = [
        Status.LOW
        if status is Status.FINE
        and measured.samples[index].size_bytes >= LARGE_BYTES
        and measured.high_s[index] > measured.times_s[index] > slow_end_s[index]
        else status
        for index, status in enumerate(statuses)
    ]
    case = _case(run, scenario, ranks, measured, slower) if Status.LOW in slower else None
    causes = () if case is None or not case.several_nodes else likely_causes(case)
    named = bool(causes) and causes[0].reason.code in _NIC_CODES and bool(causes[0].lines)
    return slower if named else []


def _case(
    run: Run, scenario: Scenario, ranks: RankMapping, measured: MeasuredSweep, statuses: Sequence[Status]
) -> Case | None:
    """The slow sizes from 32 MiB on, where there are none those above a megabyte; None without any."""
    low = [index for index, status in enumerate(statuses) if status is Status.LOW]
    slow = [index for index in low if measured.samples[index].size_bytes >= LARGE_BYTES]
    slow = slow or [index for index in low if measured.samples[index].size_bytes > LATENCY_BOUND_MOST_BYTES]
    if not slow:
        return None
    spread = np.log(measured.high_s[slow] / measured.low_s[slow]) / 2 / _P90_SPREADS
    return Case(
        scenario=scenario,
        ranks=ranks,
        links=measured.links,
        evidence=evidence_of(run),
        size_bytes=measured.expected.size_bytes[slow],
        times_s=measured.times_s[slow],
        expected_s=measured.expected.time_s[slow],
        ln_spread=float(np.median(spread)),
        kept_share=kept_share(measured),
        late_s=late_s(measured, statuses),
        rings_s=ring_between_two_s(scenario, ranks, measured.expected.size_bytes[slow]) / RING_TIMES,
    )


def _with_all_large(measured: MeasuredSweep, statuses: Sequence[Status]) -> list[Status]:
    """
    The statuses, all large sizes low where one is.

    Whether a run is as expected is asked of its whole curve: of its slowest sizes alone, the fewer
    there are the less it would seem so.
    """
    large = [sample.size_bytes >= LARGE_BYTES for sample in measured.samples]
    slow = any(is_large and status is Status.LOW for is_large, status in zip(large, statuses, strict=True))
    return [
        Status.LOW if slow and is_large else status for is_large, status in zip(large, statuses, strict=True)
    ]


def _near_limit(measured: MeasuredSweep, statuses: Sequence[Status], case: Case | None) -> bool:
    """
    Whether the large sizes that are slow, or all where only smaller ones are, are near the slow end.

    Not where rings between two nodes set the slow end: it lies a tolerance beyond their time already.
    """
    low = [index for index, status in enumerate(statuses) if status is Status.LOW]
    large = [index for index in low if measured.samples[index].size_bytes >= LARGE_BYTES]
    if large and len(low) - len(large) <= TOLERATED_SMALL_SHARE * len(statuses):
        low = large
    by_rings = bool(np.any(measured.high_s[low] > measured.expected.high_s[low] * (1 + BAND_TOLERANCE)))
    if not low or by_rings or float(np.max(measured.times_s[low] / measured.high_s[low])) > NEAR_LIMIT_RATIO:
        return False
    return case is None or as_expected_weight(case) >= 0.5  # noqa: PLR2004 (likelier than not)


def _size_verdict(
    measured: MeasuredSweep, index: int, status: Status, cause: Reason | None, ranks: RankMapping
) -> SizeVerdict:
    sample = measured.samples[index]
    return SizeVerdict(
        operation=sample.operation,
        size_bytes=sample.size_bytes,
        placement=sample.placement,
        time_s=sample.time_s,
        expected_s=float(measured.expected.time_s[index]),
        low_s=float(measured.low_s[index]),
        high_s=float(measured.high_s[index]),
        floor_s=float(measured.floors_s[index]),
        status=status,
        reason=reason_for(measured, index, status, cause, ranks),
    )


def _nothing_moved(sample: Sample) -> SizeVerdict:
    return SizeVerdict(
        operation=sample.operation,
        size_bytes=sample.size_bytes,
        placement=sample.placement,
        time_s=sample.time_s,
        expected_s=None,
        low_s=None,
        high_s=None,
        floor_s=None,
        status=Status.UNKNOWN,
        reason=Reason("nothing_moved", "no bytes or no time: nothing to judge"),
    )
