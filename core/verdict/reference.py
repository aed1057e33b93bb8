"""What the asker's other machine reaches, or this one did: a yardstick narrower than an interval."""

from collections.abc import Sequence

from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.units import GB, format_rate
from core.verdict.evidence import evidence_of
from core.verdict.reasons import LARGE_BYTES
from core.verdict.records import Status
from core.verdict.sweep import MeasuredSweep

LOW_SHARE = 0.85
"""Below this share of the reference a run is low; repeats of one machine differ less at large sizes."""


def below_reference(run: Run, measured: MeasuredSweep, statuses: Sequence[Status]) -> list[Status]:
    """
    Statuses of a run that is fine as such systems go and low beside its reference; empty where it is not.

    Args:
        run: With the references that the words beside it tell.
        measured: Its sizes.
        statuses: As the interval gives them.
    """
    reference = max(evidence_of(run).references, default=0.0)
    expected = measured.expected
    factor = bus_factor(expected.collective, expected.ranks)
    if not reference or factor is None:
        return []
    large = [index for index, item in enumerate(measured.samples) if item.size_bytes >= LARGE_BYTES]
    rates = [factor * measured.samples[index].size_bytes / measured.times_s[index] for index in large]
    if not rates or max(rates) >= LOW_SHARE * reference:
        return []
    return [
        Status.LOW if status is Status.FINE and index in large else status
        for index, status in enumerate(statuses)
    ]


def reference_warnings(run: Run) -> tuple[str, ...]:
    """What the words beside a run tell of its reference."""
    said = (value.partition(" ") for value in evidence_of(run).values("reference"))
    return tuple(
        f"compared with {format_rate(float(rate) * GB)} as told ({words})" for rate, _, words in said
    )
