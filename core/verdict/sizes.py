"""Each measured size of a collective against the band of its machine."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.pricing import Scenario, Sweep, sweep
from core.measurement import Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GB
from core.verdict import causes
from core.verdict.finding import Reason, SizeFinding, Word
from core.verdict.floor import Wires, floor_s, wires
from core.verdict.place import Seat

Booleans = NDArray[np.bool_]

MARGIN = 0.05
"""What a time may lie outside the band before it counts: two teams' clocks and hosts differ so much."""
PRINTED = 0.02
"""What a time may lie below the floor before it is impossible: printed digits."""
SPEC_SLACK = 2.0
COLD = 1.8
"""Times slower than the next size that the first one may be before it counts as a cold start."""
ALONE = 1.4
"""Likewise for one size among calm neighbours."""
_LATENCY = 0.5
_LATENCY_BYTES = 1 << 20

FINE = Reason("as_expected", "within the band expected of this machine")
BETTER = Reason("better_than_expected", "faster than calibrated machines of this kind, yet possible")
BLIND = Reason("no_calibration", "datasheet rates say nothing of sizes that latency decides")


@dataclass(frozen=True, slots=True)
class Measured:
    """
    The samples that can be judged, and what is expected of each.

    Attributes:
        floors: Seconds that no machine can beat.
        blind: Sizes of which datasheet rates say nothing: latency decides them.
        before, after: The neighbours of each sample in the sweep of its placement.
    """

    samples: tuple[Sample, ...]
    expected: Sweep
    floors: Floats
    found: Wires
    times: Floats
    low_s: Floats
    high_s: Floats
    blind: Booleans
    before: tuple[int | None, ...]
    after: tuple[int | None, ...]

    def ratio(self, i: int) -> float:
        """Measured over expected time."""
        return float(self.times[i] / self.expected.time_s[i])


def judge_sizes(run: Run, question: Scenario, place: Seat) -> tuple[tuple[SizeFinding, ...], Sweep]:
    """
    A finding for every sample of a collective's run.

    Raises:
        InputError: The question cannot be asked of this machine.
    """
    samples = tuple(s for s in run.samples if s.size_bytes > 0 and s.time_s > 0)
    amounts = np.array([s.size_bytes for s in samples], dtype=np.float64)
    expected = sweep(question, amounts)
    found = wires(place.system, place.local_ranks, place.domains)
    floors = floor_s(question.collective, amounts, place.local_ranks, place.domains, found)
    times = np.array([s.time_s for s in samples], dtype=np.float64)
    band = _band(expected, floors)
    measured = Measured(samples, expected, floors, found, times, *band, *_neighbours(samples))
    words = [_word(measured, i) for i in range(len(samples))]
    cause = _cause(run, question, place, measured, words)
    judged = {id(s): _finding(measured, i, words[i], cause, place) for i, s in enumerate(samples)}
    return tuple(judged.get(id(s)) or _nothing(s) for s in run.samples), expected


def _band(expected: Sweep, floors: Floats) -> tuple[Floats, Floats, Booleans]:
    """The model's band; datasheet rates have none, so a good run may take up to twice their time."""
    calibrated = bool(np.any(expected.high_s > expected.low_s))
    if calibrated:
        return expected.low_s, expected.high_s, np.zeros(len(floors), dtype=bool)
    blind: Booleans = expected.transfer_s < _LATENCY * expected.time_s
    return np.minimum(floors, expected.time_s), SPEC_SLACK * expected.time_s, blind


def _nothing(sample: Sample) -> SizeFinding:
    reason = Reason("nothing_moved", "no bytes or no time: nothing to judge")
    return SizeFinding(
        operation=sample.operation,
        size_bytes=sample.size_bytes,
        placement=sample.placement,
        time_s=sample.time_s,
        expected_s=None,
        low_s=None,
        high_s=None,
        floor_s=None,
        word=Word.UNKNOWN,
        reason=reason,
    )


def _word(measured: Measured, i: int) -> Word:
    sample, time_s = measured.samples[i], measured.times[i]
    if sample.wrong:
        return Word.WRONG
    if time_s < measured.floors[i] * (1 - PRINTED):
        return Word.IMPOSSIBLE
    if measured.blind[i]:
        return Word.UNKNOWN
    if time_s > measured.high_s[i] * (1 + MARGIN):
        return Word.LOW
    return Word.HIGH if time_s < measured.low_s[i] * (1 - MARGIN) else Word.FINE


def _cause(run: Run, question: Scenario, place: Seat, measured: Measured, words: list[Word]) -> Reason | None:
    """One cause for what is slow at large sizes, if any is."""
    slow = [
        i
        for i, word in enumerate(words)
        if word is Word.LOW and measured.samples[i].size_bytes >= causes.LARGE_BYTES
    ]
    if not slow:
        return None
    sizes, times = measured.expected.size_bytes[slow], measured.times[slow]
    factor = bus_factor(question.collective, question.ranks) or 1.0
    found = causes.by_setting(run) or causes.by_nics(question, place, sizes, times)
    if found is None and place.domains == 1:
        found = causes.by_host_path(place.system, factor * sizes / times)
    if found is None and place.domains == 1 and measured.found.switches_add:
        found = causes.without_switches(question, sizes, times)
    return found or causes.forced(run)


def _finding(measured: Measured, i: int, word: Word, cause: Reason | None, place: Seat) -> SizeFinding:
    sample, expected = measured.samples[i], measured.expected
    return SizeFinding(
        operation=sample.operation,
        size_bytes=sample.size_bytes,
        placement=sample.placement,
        time_s=sample.time_s,
        expected_s=float(expected.time_s[i]),
        low_s=float(measured.low_s[i]),
        high_s=float(measured.high_s[i]),
        floor_s=float(measured.floors[i]),
        word=word,
        reason=_reason(measured, i, word, cause, place),
    )


def _reason(measured: Measured, i: int, word: Word, cause: Reason | None, place: Seat) -> Reason:
    sample = measured.samples[i]
    if word is Word.WRONG:
        text = f"{sample.wrong} wrong values: the result is false, its time is no measurement"
        return Reason("wrong_results", text)
    if word is Word.IMPOSSIBLE:
        return _impossible(measured, i, place)
    if word is Word.LOW:
        return _slow(measured, i, cause)
    plain = {Word.UNKNOWN: BLIND, Word.HIGH: BETTER, Word.FINE: FINE}[word]
    return _above_wire(measured, i, place) or plain


def _impossible(measured: Measured, i: int, place: Seat) -> Reason:
    across = measured.found.domain_bytes_per_s
    wire = measured.found.inner_bytes_per_s if across is None else across / place.local_ranks
    text = (
        f"less than the {measured.floors[i] * 1e6:.4g} us that the bytes need at {wire / GB:.4g} GB/s "
        "one way per GPU: another machine, both directions counted, or not all data moved"
    )
    return Reason("faster_than_the_wire", text)


def _slow(measured: Measured, i: int, cause: Reason | None) -> Reason:
    if _cold(measured, i):
        text = (
            "the first size of the sweep, slower than the next: connections and clocks were still warming up"
        )
        return Reason("cold", text)
    if _alone(measured, i):
        return Reason("outlier", "its neighbours in size are as expected: one disturbed measurement")
    if cause is not None and measured.samples[i].size_bytes >= causes.LARGE_BYTES:
        return cause
    sweep_s = measured.expected
    if (
        measured.samples[i].size_bytes <= _LATENCY_BYTES
        and sweep_s.transfer_s[i] < _LATENCY * sweep_s.time_s[i]
    ):
        text = (
            f"latency-bound: {measured.ratio(i):.2g}x the usual time, which host and network latency decide"
        )
        return Reason("latency_bound", text)
    return cause or Reason("below_the_band", "slower than machines of this kind; no known cause fits")


def _neighbours(samples: tuple[Sample, ...]) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """For each sample the one before and the one after it in the sweep of its placement."""
    last: dict[tuple[str | None, str | None, str | None], int] = {}
    before: list[int | None] = []
    after: list[int | None] = [None] * len(samples)
    for i, sample in enumerate(samples):
        key = (sample.operation, sample.placement, sample.detail)
        previous = last.get(key)
        before.append(previous)
        if previous is not None:
            after[previous] = i
        last[key] = i
    return tuple(before), tuple(after)


def _cold(measured: Measured, i: int) -> bool:
    following = measured.after[i]
    first = measured.before[i] is None and following is not None
    return first and following is not None and measured.ratio(i) > COLD * measured.ratio(following)


def _alone(measured: Measured, i: int) -> bool:
    before, after = measured.before[i], measured.after[i]
    if before is None or after is None:
        return False
    calm = all(_word(measured, k) is not Word.LOW for k in (before, after))
    return calm and measured.ratio(i) > ALONE * max(measured.ratio(before), measured.ratio(after))


def _above_wire(measured: Measured, i: int, place: Seat) -> Reason | None:
    """Why a bus bandwidth above 100 % of the wire is right."""
    expected = measured.expected
    factor = bus_factor(expected.collective, expected.ranks)
    if factor is None:
        return None
    busbw = factor * measured.samples[i].size_bytes / measured.times[i]
    if measured.found.domain_bytes_per_s is None:
        wire = measured.found.inner_bytes_per_s
        if busbw > wire and measured.found.switches_add:
            text = f"{busbw / wire:.0%} of the {wire / GB:.4g} GB/s wire, rightly: the switches add (NVLS)"
            return Reason("nvls_above_wire", text)
        return None
    total = measured.found.domain_bytes_per_s
    tree = expected.collective == "all_reduce" and place.domains == 2  # noqa: PLR2004 (only with two domains)
    if tree and total < busbw:
        text = (
            f"above the {total / GB:.4g} GB/s of all NICs, rightly: with two domains each carries half a tree"
        )
        return Reason("two_domains_share", text)
    return None


def settled(question: Scenario, dtype: str | None) -> Scenario:
    """The question with the run's own data type where it is one of ours."""
    known = ("half", "bfloat16", "float", "double", "int8")
    return replace(question, dtype=dtype) if dtype in known else question
