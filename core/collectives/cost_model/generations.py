"""Constants of a generation that nobody measured: the mean of all that were.

Generations do not follow one another in their latencies: Hopper's NCCL starts and steps in two thirds of
the time of Ampere and of Blackwell alike. So the nearest in years tells no more than any other.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from core.catalog.calibrations.shapes import Correction, DomainSet, InSwitchSet, Protocol, RingSet


@lru_cache(maxsize=64)
def mean_generation(nearest: DomainSet, measured: tuple[DomainSet, ...]) -> DomainSet:
    """
    The constants of ``nearest`` with the geometric mean of times, shares of the link and bends of all.

    Its name stays, by which engines' kernels are looked up; the sites are those of all.
    """
    scales = [item.link_bytes_per_s / nearest.link_bytes_per_s for item in measured]
    switches = [(item.in_switch, scale) for item, scale in zip(measured, scales, strict=True)]
    return replace(
        nearest,
        ring=_ring([item.ring for item in measured], scales, nearest.ring),
        exchange=_ring([item.exchange for item in measured], scales, nearest.exchange),
        in_switch=_in_switch([(own, scale) for own, scale in switches if own is not None]),
        provenance=replace(
            nearest.provenance,
            sites=tuple(site for item in measured for site in item.provenance.sites),
            rows=sum(item.provenance.rows for item in measured),
        ),
    )


def _mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return float(np.exp(np.mean(np.log(values))))


def _ring(rings: Sequence[RingSet], scales: Sequence[float], nearest: RingSet) -> RingSet:
    """Steps and shares of each protocol, launches and copies of each collective, and the bends."""

    def by_collective(name: str, factors: Sequence[float]) -> tuple[tuple[str, float], ...]:
        pairs = [dict(getattr(ring, name)) for ring in rings]
        return tuple(
            (key, _mean([own[key] * by for own, by in zip(pairs, factors, strict=True)]))
            for key, _ in getattr(nearest, name)
        )

    columns = zip(*(ring.protocols for ring in rings), strict=True)
    return RingSet(
        by_collective("launch_s", [1.0] * len(rings)),
        by_collective("local_s_per_byte", scales),
        tuple(_protocol(column, scales) for column in columns),
        _bend([ring.correction for ring in rings], scales, nearest.correction.log2_bytes),
        _bend(
            [ring.all_reduce_correction for ring in rings],
            scales,
            nearest.all_reduce_correction.log2_bytes,
        ),
    )


def _protocol(alike: Sequence[Protocol], scales: Sequence[float]) -> Protocol:
    """One protocol of several generations, its rate as that of the nearest one's link."""
    rates = [item.bytes_per_s / scale for item, scale in zip(alike, scales, strict=True)]
    return Protocol(alike[0].name, _mean([item.step_s for item in alike]), _mean(rates))


def _in_switch(alike: Sequence[tuple[InSwitchSet, float]]) -> InSwitchSet | None:
    """In-switch reduction of the generations whose switches add."""
    if not alike:
        return None
    scales = [scale for _, scale in alike]
    return InSwitchSet(
        _mean([item.launch_s for item, _ in alike]),
        _mean([item.bytes_per_s / scale for item, scale in alike]),
        _bend([item.correction for item, _ in alike], scales, alike[0][0].correction.log2_bytes),
    )


def _bend(alike: Sequence[Correction], scales: Sequence[float], octaves: tuple[float, ...]) -> Correction:
    """What lines miss, on average; a faster link reaches each regime at more bytes."""
    bends = [
        np.interp(np.array(octaves) + np.log2(scale), item.log2_bytes, item.ln_factor)
        for item, scale in zip(alike, scales, strict=True)
    ]
    return Correction(octaves, tuple(np.mean(bends, axis=0).tolist()))
