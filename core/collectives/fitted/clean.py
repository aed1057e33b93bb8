"""Clean: the samples of a sweep that a fit may rest on, and why the others may not."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.fitted.fit import LeftOut

Mask = NDArray[np.bool_]
FASTER = "faster than the wire"
ROUNDING_TOLERANCE = 0.02
"""What a time may lie below the bare wire's: printed digits."""
COLD_START_TIME_RATIO = 1.1
"""So many times slower than the two next larger ones, a first size was still warming up."""
OUTLIER_TIME_RATIO = 2.0
"""So many times slower than both neighbours, the model's shape taken away, a size was disturbed."""
JITTER = 1.1
"""A fall of time with size by less than this is noise and levelled; a deeper one is followed."""
LEAST_TO_TELL = 4


def by_size(samples: Iterable[tuple[float, float]]) -> tuple[Floats, Floats]:
    """Sizes in order, each with the median of its times."""
    times_of: dict[float, list[float]] = {}
    for size, time_s in samples:
        times_of.setdefault(float(size), []).append(float(time_s))
    ordered = sorted(times_of)
    return np.array(ordered), np.array([float(np.median(times_of[size])) for size in ordered])


@dataclass(frozen=True, slots=True)
class Cleaned:
    """
    A sweep that a fit may rest on.

    Attributes:
        size_bytes, time_s: The usable samples, sizes rising, small falls of time levelled.
        left_out: The others, each with its reason.
    """

    size_bytes: Floats
    time_s: Floats
    left_out: tuple[LeftOut, ...]


def cleaned(sizes: Floats, times: Floats, modelled: Floats, least_s: Floats) -> Cleaned:
    """
    The sweep without what no machine can do, cold first sizes and lone disturbed ones.

    Args:
        sizes: Bytes, rising.
        times: Seconds measured.
        modelled: Seconds that the model expects: the shape against which a lone size is an outlier.
        least_s: Seconds that the bare wire needs.
    """
    why = np.full(len(sizes), "", dtype=object)
    why[times < least_s * (1 - ROUNDING_TOLERANCE)] = FASTER
    for reason, is_odd in (("still warming up", _cold), ("disturbed", _lone)):
        kept = np.flatnonzero(why == "")
        why[kept[is_odd(times[kept], modelled[kept])]] = reason
    left_out = tuple(
        LeftOut(float(sizes[i]), float(times[i]), str(why[i])) for i in np.flatnonzero(why != "").tolist()
    )
    usable = why == ""
    return Cleaned(sizes[usable], _levelled(times[usable]), left_out)


def _cold(times: Floats, _: Floats) -> Mask:
    """The first two sizes at most, where the larger ones after them were faster."""
    cold = np.zeros(len(times), dtype=bool)
    for i in range(min(2, len(times) - LEAST_TO_TELL)):
        if (i and not cold[i - 1]) or times[i] <= COLD_START_TIME_RATIO * max(times[i + 1], times[i + 2]):
            break
        cold[i] = True
    return cold


def _lone(times: Floats, modelled: Floats) -> Mask:
    """Which sizes are much slower than both neighbours."""
    ratio, lone = times / modelled, np.zeros(len(times), dtype=bool)
    if len(ratio) >= LEAST_TO_TELL:
        lone[1:-1] = (ratio[1:-1] > OUTLIER_TIME_RATIO * ratio[:-2]) & (
            ratio[1:-1] > OUTLIER_TIME_RATIO * ratio[2:]
        )
    return lone


def _levelled(times: Floats) -> Floats:
    """Small falls of time with size pooled to their median; larger ones stay as measured."""
    pools: list[list[float]] = []
    for value in np.log(times).tolist():
        pool = [value]
        while pools and 0 < np.median(pools[-1]) - np.median(pool) < np.log(JITTER):
            pool = pools.pop() + pool
        pools.append(pool)
    return np.exp([float(np.median(pool)) for pool in pools for _ in pool])
