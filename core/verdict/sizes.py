"""Each measured size of a collective against the expected band of its system."""

from collections.abc import Sequence

from core.collectives.pricing import Scenario, Sweep
from core.measurement import Run, Sample
from core.measurement.bus_factor import bus_factor
from core.verdict import causes
from core.verdict.ranks import RankMapping
from core.verdict.reasons import reason_for
from core.verdict.records import Reason, SizeVerdict, Status
from core.verdict.sweep import MeasuredSweep, measured_sweep


def judge_sizes(run: Run, scenario: Scenario, ranks: RankMapping) -> tuple[tuple[SizeVerdict, ...], Sweep]:
    """
    A verdict for every sample of a run, and the model's sweep over those with bytes and a time.

    Raises:
        InputError: The scenario cannot be priced on this system.
    """
    measured = measured_sweep(run, scenario, ranks)
    statuses = [measured.status(index) for index in range(len(measured.samples))]
    cause = _cause_at_large_sizes(run, scenario, ranks, measured, statuses)
    verdicts = {
        id(sample): _size_verdict(measured, index, statuses[index], cause, ranks)
        for index, sample in enumerate(measured.samples)
    }
    return tuple(
        verdicts.get(id(sample)) or _nothing_moved(sample) for sample in run.samples
    ), measured.expected


def _cause_at_large_sizes(
    run: Run, scenario: Scenario, ranks: RankMapping, measured: MeasuredSweep, statuses: Sequence[Status]
) -> Reason | None:
    """The cause that all slow large sizes share, if one is known; the surest is looked for first."""
    slow = [
        index
        for index, status in enumerate(statuses)
        if status is Status.LOW and measured.samples[index].size_bytes >= causes.LARGE_BYTES
    ]
    if not slow:
        return None
    size_bytes, times_s = measured.expected.size_bytes[slow], measured.times_s[slow]
    factor = bus_factor(scenario.collective, scenario.ranks) or 1.0
    cause = causes.disabled_feature(run) or causes.fewer_nics(scenario, ranks, size_bytes, times_s)
    if cause is None and ranks.domains == 1:
        cause = causes.slower_path(ranks.system, factor * size_bytes / times_s)
    if cause is None and ranks.domains == 1 and measured.links.in_network_reduction:
        cause = causes.no_in_network_reduction(scenario, size_bytes, times_s)
    return cause or causes.forced_setting(run)


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
