"""Two runs compared: per size the ratio of their times with its noise, and whether they differ."""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.checks import Floats, InputError
from core.measurement import GpuCount, Run, Sample
from core.measurement.speedup import Speedup

REPEAT_NOISE = 0.017
"""Median |ln| between a time and its repeat, as published repeats show: the least noise of a size."""
SIGMAS = 2.0
"""Two times differ where |ln ratio| is more than so many standard deviations of the noise."""
_MEDIAN_OF_NORMAL = 0.6745
"""Median of the absolute value of a normal variable, in standard deviations."""
_JUMP_VARIANCE = 1.5
"""Variance of one size against the mean of its two neighbours, in variances of one size."""
SPREAD_SIGMAS = 2.56
"""Slowest minus fastest of some ten repeats, in standard deviations (p10 to p90 as if normal)."""
LEAST_SIZES = 5
"""Sizes from which the scatter of a sweep can be told."""


class Change(StrEnum):
    """How the second time compares with the first."""

    SAME = "same"
    FASTER = "faster"
    SLOWER = "slower"


@dataclass(frozen=True, slots=True)
class SweepKey:
    """What tells one sweep of a run from another: samples of one key may be compared over size."""

    operation: str | None
    placement: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class SizeChange:
    """
    One size of one operation in both runs.

    Attributes:
        operation, placement, detail: The sweep that the size belongs to.
        size_bytes: Message size as nccl-tests counts it.
        first_s, second_s: Median times.
        ratio: Second over first; below 1 is faster.
        noise: Standard deviation of ln ratio that the scatter of the two runs explains.
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
class SettingChange:
    """A fact of machine, software or settings that is not the same in both runs, as text."""

    setting: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    Two runs of the same collective on as many ranks and hosts.

    Attributes:
        ranks: Ranks of the first run; None where its log does not tell.
        changes: What both measured, by operation, placement and size.
        settings: What differs between the two machines, their software or settings.
        left_out: What was not compared, and why: one sentence each.
    """

    ranks: int | None
    changes: tuple[SizeChange, ...]
    settings: tuple[SettingChange, ...]
    left_out: tuple[str, ...] = ()

    def count(self, change: Change) -> int:
        """Sizes that changed in this way."""
        return sum(size.change is change for size in self.changes)

    @property
    def speedup(self) -> Speedup:
        """How much faster the second run is, over everything that both measured."""
        return Speedup.of(
            [change.size_bytes for change in self.changes], [change.ratio for change in self.changes]
        )


def compare_runs(first: Run, second: Run) -> Comparison:
    """
    Compare a second run with a first one, size by size.

    Compared is only what has the same operation, placement and size, on the same number of ranks,
    hosts and with the same data type; anything else would be another question. A size differs
    where its times are further apart than twice the noise, in logarithms. The noise is the larger
    of what the repeats of both runs (1.7 % each where a log has none) and what the scatter of the
    ratio from size to size show.

    Raises:
        InputError: The two runs are of different operations, ranks, hosts or data types, or share
            no size.
    """
    _refuse_other_question(first, second)
    first_sweeps, first_dropped = _sweeps(first)
    second_sweeps, second_dropped = _sweeps(second)
    changes = tuple(
        change
        for key, sizes in first_sweeps.items()
        if key in second_sweeps
        for change in _changes(key, sizes, second_sweeps[key])
    )
    if not changes:
        message = "runs: they share no operation, placement and size"
        raise InputError(message)
    left_out = []
    if first_dropped + second_dropped:
        text = "samples with wrong results or without bytes or time"
        left_out.append(f"{first_dropped + second_dropped} {text}")
    unpaired = _size_count(first_sweeps) + _size_count(second_sweeps) - 2 * len(changes)
    if unpaired:
        left_out.append(f"{unpaired} samples that only one of the runs has")
    return Comparison(first.ranks, changes, _setting_changes(first, second), tuple(left_out))


def _refuse_other_question(first: Run, second: Run) -> None:
    facts = (
        ("collective", first.collective_or_guess, second.collective_or_guess),
        ("ranks", first.ranks_or_guess, second.ranks_or_guess),
        ("hosts", len(first.machine.hosts) or None, len(second.machine.hosts) or None),
        ("data type", first.dtype, second.dtype),
    )
    for name, before, after in facts:
        if before is not None and after is not None and before != after:
            message = f"{name}: {before} against {after} is never compared"
            raise InputError(message)


_Sizes = dict[int, list[Sample]]
"""Repeats by size in bytes."""


def _sweeps(run: Run) -> tuple[dict[SweepKey, _Sizes], int]:
    """Usable samples by sweep and size, and how many are not usable."""
    sweeps: dict[SweepKey, _Sizes] = {}
    dropped = 0
    for sample in run.samples:
        if sample.wrong or sample.size_bytes <= 0 or sample.time_s <= 0:
            dropped += 1
            continue
        key = SweepKey(sample.operation or run.collective_or_guess, sample.placement, sample.detail)
        sweeps.setdefault(key, {}).setdefault(sample.size_bytes, []).append(sample)
    return sweeps, dropped


def _size_count(sweeps: dict[SweepKey, _Sizes]) -> int:
    return sum(len(sizes) for sizes in sweeps.values())


def _changes(key: SweepKey, first: _Sizes, second: _Sizes) -> list[SizeChange]:
    """The sizes that both sweeps have, in order of size."""
    shared = sorted(first.keys() & second.keys())
    first_s = np.array([_median_s(first[size]) for size in shared])
    second_s = np.array([_median_s(second[size]) for size in shared])
    ln_ratios: Floats = np.log(second_s / first_s)
    scatter = _scatter(ln_ratios)
    changes = []
    for size, before_s, after_s, ln_ratio in zip(
        shared, first_s.tolist(), second_s.tolist(), ln_ratios.tolist(), strict=True
    ):
        noise = max(math.hypot(_noise(first[size]), _noise(second[size])), scatter)
        change = Change.SAME
        if abs(ln_ratio) > SIGMAS * noise:
            change = Change.FASTER if ln_ratio < 0 else Change.SLOWER
        changes.append(
            SizeChange(
                key.operation,
                key.placement,
                key.detail,
                size,
                before_s,
                after_s,
                after_s / before_s,
                noise,
                change,
            )
        )
    return changes


def _median_s(samples: list[Sample]) -> float:
    return float(np.median([sample.time_s for sample in samples]))


def _noise(samples: list[Sample]) -> float:
    """Standard deviation of ln time of one size, from its repeats where there are any."""
    ln_times = np.log([sample.time_s for sample in samples])
    stated = [
        math.log(sample.high_s / sample.low_s) / SPREAD_SIGMAS
        for sample in samples
        if sample.low_s and sample.high_s and sample.high_s >= sample.low_s
    ]
    repeated = [float(np.std(ln_times, ddof=1))] if len(ln_times) > 1 else []
    return max([REPEAT_NOISE, *stated, *repeated])


def _scatter(ln_ratios: Floats) -> float:
    """
    Standard deviation of ln ratio from size to size: a true change is smooth over size, noise is not.

    From each inner size against the mean of its neighbours; 0 for sweeps of few sizes.
    """
    if len(ln_ratios) < LEAST_SIZES:
        return 0.0
    jumps = np.abs(ln_ratios[1:-1] - (ln_ratios[:-2] + ln_ratios[2:]) / 2)
    return float(np.median(jumps)) / _MEDIAN_OF_NORMAL / math.sqrt(_JUMP_VARIANCE)


def _setting_changes(first: Run, second: Run) -> tuple[SettingChange, ...]:
    """What of machine, software and settings is not the same; what one log does not tell is left out."""
    facts = [
        (name, _text(getattr(first.machine, name)), _text(getattr(second.machine, name)))
        for name in ("gpus", "hosts", "driver", "cuda", "nccl")
    ]
    facts.append(("tool", _text(first.tool_version), _text(second.tool_version)))
    changes = [SettingChange(*fact) for fact in facts if all(fact) and fact[1] != fact[2]]
    first_env, second_env = first.machine.env, second.machine.env
    for name in sorted({*first_env, *second_env}):
        before, after = (env.get(name, "not set") for env in (first_env, second_env))
        if before != after:
            changes.append(SettingChange(name, before, after))
    return tuple(changes)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(
            f"{part.count} x {part.name}" if isinstance(part, GpuCount) else str(part) for part in value
        )
    return "" if value is None else str(value)
