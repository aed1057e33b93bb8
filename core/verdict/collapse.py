"""A rate that collapses as sizes grow: low over a network, whatever the width of the interval."""

import statistics
from collections import defaultdict
from collections.abc import Sequence

from core.units import MIB
from core.verdict.records import Status
from core.verdict.sweep import MeasuredSweep

COLLAPSED_SHARE = 0.6
"""Of the best rate at a smaller size: rates of sound networks never fall so far."""
_LARGE_BYTES = 64 * MIB
_LEAST = 2
_NEIGHBOURS, _SMOOTHED = 3, 6


def with_collapse(measured: MeasuredSweep, statuses: Sequence[Status]) -> list[Status]:
    """
    The statuses, where large sizes over a network are low that have lost much of a smaller size's rate.

    So they are where the largest size and one more have: a single one is a disturbed measurement.
    """
    if measured.links.domain_bytes_per_s is None:
        return list(statuses)
    series: dict[tuple[str | None, str | None, str | None], list[int]] = defaultdict(list)
    for index, sample in enumerate(measured.samples):
        series[sample.operation, sample.placement, sample.detail].append(index)
    fallen = {index for indices in series.values() for index in _fallen(measured, indices)}
    return [
        Status.LOW if index in fallen and status is Status.FINE else status
        for index, status in enumerate(statuses)
    ]


def _fallen(measured: MeasuredSweep, indices: Sequence[int]) -> list[int]:
    """Of one series the large sizes below their share of the best rate before them."""
    ordered = sorted(indices, key=lambda index: measured.samples[index].size_bytes)
    best, fallen = 0.0, []
    for index in ordered:
        rate = measured.samples[index].size_bytes / measured.samples[index].time_s
        if measured.samples[index].size_bytes >= _LARGE_BYTES and rate < COLLAPSED_SHARE * best:
            fallen.append(index)
        best = max(best, rate)
    whole = len(fallen) >= _LEAST and fallen[-1] == ordered[-1]
    return fallen if whole else []


def kept_share(measured: MeasuredSweep) -> float:
    """
    Rate of the largest size over the best of any; 1 where no smaller size has a better one.

    Each is the median of three neighbouring sizes where there are enough: one noisy size is no fall.
    """
    best: dict[int, float] = {}
    for sample in measured.samples:
        rate = sample.size_bytes / sample.time_s
        best[sample.size_bytes] = max(rate, best.get(sample.size_bytes, 0.0))
    rates = [best[size] for size in sorted(best)]
    if len(rates) >= _SMOOTHED:
        rates = [
            statistics.median(rates[at : at + _NEIGHBOURS]) for at in range(len(rates) - _NEIGHBOURS + 1)
        ]
    return rates[-1] / max(rates) if rates else 1.0
