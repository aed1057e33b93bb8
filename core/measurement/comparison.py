"""Two runs compared: per size the ratio of their times with its noise, and whether they differ."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from core.checks import Floats, InputError
from core.measurement import Run, Sample

REPEAT_NOISE = 0.017
"""Ln by which one time differs from its own repeat at the median, as published repeats show."""
SIGMAS = 2.0
LARGE_BYTES = 32 * 2**20
SMALL_BYTES = 64 * 2**10
SPREAD_SIGMAS = 2.56
"""Slowest minus fastest of some ten repeats, in standard deviations (p10 to p90 as if normal)."""
LEAST_TO_TELL = 5
Key = tuple[str | None, str | None, str | None, int]


class Change(StrEnum):
    """How the second time stands to the first."""

    SAME = "same"
    FASTER = "faster"
    SLOWER = "slower"


@dataclass(frozen=True, slots=True)
class SizeChange:
    """
    One size of one operation in both runs.

    Attributes:
        first_s, second_s: Median times.
        ratio: Second over first; below 1 is faster.
        noise: Standard deviation of ln ratio that the two runs' own unrest explains.
        change: Different only where |ln ratio| is more than twice the noise.
    """

    operation: str | None
    placement: str | None
    detail: str | None
    size_bytes: int
    first_s: float
    second_s: float
    ratio: float
    noise: float
    change: Change


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    Two runs of the same question.

    Attributes:
        changes: What both measured, by operation, placement and size.
        apart: What differs between the two machines or their settings: (what, first, second).
        left_out: What was not compared, and why.
    """

    ranks: int | None
    changes: tuple[SizeChange, ...]
    apart: tuple[tuple[str, str, str], ...]
    left_out: tuple[str, ...] = field(default=())

    def count(self, change: Change) -> int:
        """Sizes of one verdict."""
        return sum(one.change is change for one in self.changes)

    def middle(self, low_bytes: float, high_bytes: float) -> float | None:
        """Median ratio over a range of sizes; None where nothing is in it."""
        found = [one.ratio for one in self.changes if low_bytes <= one.size_bytes <= high_bytes]
        return float(np.median(found)) if found else None

    @property
    def large(self) -> float | None:
        """Median ratio of messages of 32 MiB and more."""
        return self.middle(LARGE_BYTES, math.inf)

    @property
    def small(self) -> float | None:
        """Median ratio of messages up to 64 KiB."""
        return self.middle(0, SMALL_BYTES)


def compare_runs(first: Run, second: Run) -> Comparison:
    """
    Set a second run against a first one, size by size.

    Compared is only what has the same operation, placement and size, on the same number of ranks,
    hosts and with the same data type; anything else would be another question. A size differs
    where its times are further apart than twice the noise, in logarithms. The noise is the larger
    of what the repeats of both runs (or, unsaid, 1.7 % each) and what the restlessness of the ratio
    from size to size show.

    Raises:
        InputError: The two runs are of different operations, ranks, hosts or data types, or share
            no size.
    """
    _same_question(first, second)
    before, dropped = _by_key(first)
    after, gone = _by_key(second)
    shared = [key for key in before if key in after]
    if not shared:
        message = "runs: they share no operation, placement and size"
        raise InputError(message)
    changes = [change for group in _groups(shared) for change in _changes(group, before, after)]
    said = []
    if dropped + gone:
        said.append(f"{dropped + gone} samples with wrong results or without bytes or time")
    alone = len(before) + len(after) - 2 * len(shared)
    if alone:
        said.append(f"{alone} samples that only one of the runs has")
    return Comparison(first.ranks, tuple(changes), _apart(first, second), tuple(said))


def _same_question(first: Run, second: Run) -> None:
    kinds = [_collective(run) for run in (first, second)]
    pairs = (
        ("collective", kinds[0], kinds[1]),
        ("ranks", _ranks(first), _ranks(second)),
        ("hosts", len(first.machine.hosts) or None, len(second.machine.hosts) or None),
        ("data type", first.dtype, second.dtype),
    )
    for what, one, other in pairs:
        if one is not None and other is not None and one != other:
            message = f"{what}: {one} against {other} is never compared"
            raise InputError(message)


def _collective(run: Run) -> str | None:
    return run.collective or run.collective_guess


def _ranks(run: Run) -> int | None:
    return run.ranks if run.ranks is not None else run.ranks_guess


def _by_key(run: Run) -> tuple[dict[Key, list[Sample]], int]:
    """Usable samples by what they measured, and how many are not usable."""
    found: dict[Key, list[Sample]] = {}
    dropped = 0
    for sample in run.samples:
        if sample.wrong or sample.size_bytes <= 0 or sample.time_s <= 0:
            dropped += 1
            continue
        operation = sample.operation or _collective(run)
        key = (operation, sample.placement, sample.detail, sample.size_bytes)
        found.setdefault(key, []).append(sample)
    return found, dropped


def _groups(keys: Iterable[Key]) -> list[list[Key]]:
    """Sweeps: keys that differ in size alone, in order of size."""
    found: dict[tuple[str | None, ...], list[Key]] = {}
    for key in keys:
        found.setdefault(key[:3], []).append(key)
    return [sorted(group, key=lambda key: key[3]) for group in found.values()]


def _changes(
    group: list[Key], before: dict[Key, list[Sample]], after: dict[Key, list[Sample]]
) -> list[SizeChange]:
    one = np.array([_median(before[key]) for key in group])
    two = np.array([_median(after[key]) for key in group])
    logs: Floats = np.log(two / one)
    restless = _restless(logs)
    found = []
    for key, a, b, ln_ratio in zip(group, one.tolist(), two.tolist(), logs.tolist(), strict=True):
        own = math.hypot(_noise(before[key]), _noise(after[key]))
        noise = max(own, restless)
        change = Change.SAME
        if abs(ln_ratio) > SIGMAS * noise:
            change = Change.FASTER if ln_ratio < 0 else Change.SLOWER
        found.append(SizeChange(*key, a, b, b / a, noise, change))
    return found


def _median(samples: list[Sample]) -> float:
    return float(np.median([sample.time_s for sample in samples]))


def _noise(samples: list[Sample]) -> float:
    """Standard deviation of ln time of one size, from its repeats where there are any."""
    times = np.log([sample.time_s for sample in samples])
    stated = [
        math.log(sample.high_s / sample.low_s) / SPREAD_SIGMAS
        for sample in samples
        if sample.low_s and sample.high_s and sample.high_s >= sample.low_s
    ]
    repeated = [float(np.std(times, ddof=1))] if len(times) > 1 else []
    return max([REPEAT_NOISE, *stated, *repeated])


def _restless(logs: Floats) -> float:
    """
    How far the ratio jumps from size to size: a true change is smooth, noise is not.

    Each inner size against the mean of its neighbours has 1.5 times the variance of one size; the
    median of its absolute value is 0.6745 standard deviations.
    """
    if len(logs) < LEAST_TO_TELL:
        return 0.0
    jumps = np.abs(logs[1:-1] - (logs[:-2] + logs[2:]) / 2)
    return float(np.median(jumps)) / 0.6745 / math.sqrt(1.5)


def _apart(first: Run, second: Run) -> tuple[tuple[str, str, str], ...]:
    """What of machine, software and settings is not the same."""
    found = []
    for what in ("gpus", "hosts", "driver", "cuda", "nccl"):
        one, other = (_words(getattr(run.machine, what)) for run in (first, second))
        if one != other and one and other:
            found.append((what, one, other))
    if first.tool_version and second.tool_version and first.tool_version != second.tool_version:
        found.append(("tool", first.tool_version, second.tool_version))
    env = first.machine.env, second.machine.env
    for name in sorted({*env[0], *env[1]}):
        one, other = (kept.get(name, "not set") for kept in env)
        if one != other:
            found.append((name, one, other))
    return tuple(found)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{one.count} x {one.name}" if hasattr(one, "name") else str(one) for one in value)
    return "" if value is None else str(value)
