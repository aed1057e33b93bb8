"""Totals of a traced rank: time in collectives, and the part of it that no compute hides."""

from dataclasses import dataclass

import numpy as np

from core.traces.records import RankTrace
from core.traces.spans import merged, union, without


@dataclass(frozen=True, slots=True)
class Totals:
    """
    Times of one rank on one device over its whole capture, in seconds.

    Attributes:
        calls: Number of collectives.
        sum_s: Durations added up; calls that overlap count twice.
        union_s: Time in which at least one collective ran.
        exposed_s: Part of ``union_s`` in which no compute kernel ran.
        exposed_beside_copies_s: The same where copies hide collectives too.
        compute_s: Time in which a compute kernel ran.
    """

    calls: int
    sum_s: float
    union_s: float
    exposed_s: float
    exposed_beside_copies_s: float
    compute_s: float


def totals(trace: RankTrace) -> Totals:
    """The totals of a rank; calls without times count as calls alone."""
    calls = trace.collectives
    timed = np.isfinite(calls.start_s) & np.isfinite(calls.duration_s)
    during = merged(calls.start_s[timed], calls.end_s[timed])
    return Totals(
        calls=len(calls),
        sum_s=float(np.nansum(calls.duration_s)),
        union_s=during.total_s,
        exposed_s=without(during, trace.compute).total_s,
        exposed_beside_copies_s=without(during, union(trace.compute, trace.copies)).total_s,
        compute_s=trace.compute.total_s,
    )
