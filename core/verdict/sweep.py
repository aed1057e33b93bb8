"""The measured sizes of a collective beside what the model expects of each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.pricing import Scenario, Sweep, sweep
from core.hardware import Family
from core.hardware.link import NODE_GPUS
from core.measurement import Run, Sample
from core.units import US
from core.verdict.evidence import Evidence, evidence_of, whole
from core.verdict.floor import floor_s
from core.verdict.links import LinkRates, link_rates, scale_up_family
from core.verdict.network_limit import (
    exchange_at_ports_s,
    forced_rings,
    names_rings,
    own_nic_s,
    ring_between_two_s,
    slowest_on_network_s,
)
from core.verdict.ranks import RankMapping
from core.verdict.records import Status

Booleans = NDArray[np.bool_]

BAND_TOLERANCE = 0.05
"""Share by which a time may lie outside the band: clocks and hosts of two teams differ so much."""
ROUNDING_TOLERANCE = 0.02
"""Share by which a time may lie below the floor before it is impossible: printed digits."""
DATASHEET_BAND = 2.0
"""Datasheet rates have no band: times up to so many times theirs are fine."""
_NEXT_GPU_S = 3 * US
"""
For each GPU more that one thread starts kernels on: tables of two boards of eight A100 by ``-g 8`` show 35 to
40 us at small sizes, by one process a GPU 18 to 25.
"""
LATENCY_BOUND_SHARE = 0.5
"""A size is latency-bound where less than this share of its time is transfer."""


@dataclass(frozen=True)
class MeasuredSweep:
    """
    Samples with bytes and a time, and what is expected of each, entry by entry.

    Attributes:
        samples: The samples, in the order of the run.
        expected: The model's answer for their sizes.
        links: Rates of the links that the ranks have.
        times_s: Measured seconds.
        floors_s: Seconds that no system of this kind can beat.
        low_s, high_s: The expected band in seconds.
        unpredicted: Latency-bound sizes for which datasheet rates predict nothing.
        rings_named: Whether the log names all NICs, or rings as the algorithm.
        staged: Whether the band is that of copies through host memory, which a modified driver avoids.
        previous, following: Index of the neighbouring size of the same operation, placement and
            detail; None at an end.
    """

    samples: tuple[Sample, ...]
    expected: Sweep
    links: LinkRates
    times_s: Floats
    floors_s: Floats
    low_s: Floats
    high_s: Floats
    unpredicted: Booleans
    rings_named: bool
    staged: bool
    previous: tuple[int | None, ...]
    following: tuple[int | None, ...]

    def ratio(self, index: int) -> float:
        """Measured over expected time."""
        return float(self.times_s[index] / self.expected.time_s[index])

    def latency_bound(self, index: int) -> bool:
        """Whether latency and launch decide the expected time of this size."""
        return bool(self.expected.transfer_s[index] < LATENCY_BOUND_SHARE * self.expected.time_s[index])

    def status(self, index: int) -> Status:
        """How the time of this size compares with its floor and band."""
        time_s = self.times_s[index]
        if self.samples[index].wrong:
            return Status.WRONG
        if time_s < self.floors_s[index] * (1 - ROUNDING_TOLERANCE):
            return Status.IMPOSSIBLE
        if self.unpredicted[index]:
            return Status.UNKNOWN
        if time_s > self.high_s[index] * (1 + BAND_TOLERANCE):
            return Status.LOW
        return Status.HIGH if self.faster(index) and not self.staged else Status.FINE

    def faster(self, index: int) -> bool:
        """Whether this size is faster than its band."""
        return bool(self.times_s[index] < self.low_s[index] * (1 - BAND_TOLERANCE))


def measured_sweep(run: Run, scenario: Scenario, ranks: RankMapping) -> MeasuredSweep:
    """
    The samples of a run beside the model's answers.

    Raises:
        InputError: The scenario cannot be priced on this system.
    """
    samples = tuple(sample for sample in run.samples if sample.size_bytes > 0 and sample.time_s > 0)
    size_bytes = np.array([sample.size_bytes for sample in samples], dtype=np.float64)
    expected = sweep(scenario, size_bytes)
    links = link_rates(ranks.system, ranks.local_ranks, ranks.domains)
    floors_s = floor_s(scenario.collective, size_bytes, ranks.local_ranks, ranks.domains, links)
    times_s = np.array([sample.time_s for sample in samples], dtype=np.float64)
    band, neighbours = _band(expected, floors_s), _neighbours(samples)
    slowest_s = slowest_on_network_s(scenario.collective, scenario.ranks, size_bytes, ranks, links)
    evidence = evidence_of(run)
    rings_s = ring_between_two_s(scenario, ranks, size_bytes, forced=forced_rings(evidence))
    ports_s = exchange_at_ports_s(scenario, size_bytes, ranks, links)
    if evidence.setting("NCCL_NCHANNELS_PER_NET_PEER"):
        ports_s = np.zeros(len(size_bytes))
    return MeasuredSweep(
        samples=samples,
        expected=expected,
        links=links,
        times_s=times_s,
        floors_s=floors_s,
        low_s=np.minimum(band.low_s, own_nic_s(scenario.collective, size_bytes, ranks, links)),
        high_s=np.maximum.reduce([expected.time_s, np.minimum(band.high_s, slowest_s), rings_s, ports_s])
        + _launches_s(evidence),
        unpredicted=band.unpredicted,
        rings_named=names_rings(evidence, ranks),
        staged=_staged(ranks),
        previous=neighbours.previous,
        following=neighbours.following,
    )


def _launches_s(evidence: Evidence) -> float:
    """Seconds until one thread has started its kernels on all GPUs that it drives (``-g 8``)."""
    gpus = max((whole(value) or 1 for value in evidence.values("gpus_per_thread")), default=1)
    return _NEXT_GPU_S * (min(gpus, NODE_GPUS) - 1)


def _staged(ranks: RankMapping) -> bool:
    """Whether all copies are within a host, of cards whose driver makes them through its memory."""
    system = ranks.system
    return ranks.domains == 1 and not system.gpu.peer_to_peer and scale_up_family(system) is Family.PCIE


@dataclass(frozen=True, slots=True)
class _Band:
    """Low and high seconds by size, and which sizes have no prediction: datasheet rates cannot tell them."""

    low_s: Floats
    high_s: Floats
    unpredicted: Booleans


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """For each sample the index of the one before and of the one after it in its own series."""

    previous: tuple[int | None, ...]
    following: tuple[int | None, ...]


def _band(expected: Sweep, floors_s: Floats) -> _Band:
    """The band of the model, or around datasheet rates from the floor to so many times their time."""
    calibrated = bool(np.any(expected.high_s > expected.low_s))
    if calibrated:
        return _Band(expected.low_s, expected.high_s, np.zeros(len(floors_s), dtype=bool))
    unpredicted: Booleans = expected.transfer_s < LATENCY_BOUND_SHARE * expected.time_s
    low_s = np.minimum(floors_s, expected.time_s)
    return _Band(low_s, DATASHEET_BAND * expected.time_s, unpredicted)


def _neighbours(samples: tuple[Sample, ...]) -> _Neighbours:
    """Neighbouring sizes of the same operation, placement and detail."""
    last_index: dict[tuple[str | None, str | None, str | None], int] = {}
    previous: list[int | None] = []
    following: list[int | None] = [None] * len(samples)
    for index, sample in enumerate(samples):
        series = (sample.operation, sample.placement, sample.detail)
        before = last_index.get(series)
        previous.append(before)
        if before is not None:
            following[before] = index
        last_index[series] = index
    return _Neighbours(tuple(previous), tuple(following))
