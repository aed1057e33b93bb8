"""The band around an answer, in log2, over the knots: how unseen sites scatter, less what is known."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.catalog.calibrations.shapes import BandSet, DomainKind
from core.checks import Floats
from core.collectives.cost_model.basis import Support
from core.collectives.cost_model.candidates import Candidates
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.one_domain import EXCHANGES

WIDER = {Support.CALIBRATED: 1.0, Support.EXTRAPOLATED: 1.5, Support.PARTS: 2.0}
"""Times the band inside one domain."""
UNKNOWN_WIDER = 2.0
"""The same where the catalog lacks the GPU or its link."""
PARTS_WIDER_ACROSS = 1.3
FOREIGN_SMALL, FOREIGN_LEAST = (-0.65, 0.8), (-0.1, 0.2)
"""ln of the band that constants of another generation keep, of small and of large messages: Blackwell's
tell H100 up to 64 KiB 1.5 to 1.9 times too slow; Hopper's A100 and B200 from 64 MiB on 2 to 21 % too fast."""
EXCHANGE_EXTRA = 0.1
"""ln more to both sides across domains: of its NIC a host's exchange drives 0.7 to 0.97."""
COMPOSED_EXTRA = 0.4
"""ln more to both sides of an algorithm that nobody measured, put together from measured steps and rates."""
MEASURED_DOMAIN = 8
KIND_EXTRA = {DomainKind.PCIE: (0.12, 0.12), DomainKind.MESH: (0.5, 0.12)}
"""ln more to both sides, of small and of large messages: RCCL on two hosts takes 14 us (MI300X) and 50
(MI350X) for anything up to 64 KiB."""
SMALL_LOG2_BYTES, LARGE_LOG2_BYTES = 20.0, 26.0
REACH_OCTAVES = 6.0


def base_band(
    comm: Communicator, candidates: Candidates, sizes: Floats, bands: Mapping[str, BandSet]
) -> tuple[Floats, Floats]:
    """ln(low) and ln(high) before any measured point."""
    support = (candidates.alike or candidates.basis).support
    if comm.domains == 1:
        band = bands["one"]
        widened = WIDER[support] if comm.catalogued else max(WIDER[support], UNKNOWN_WIDER)
    else:
        band = bands["several" if support is Support.CALIBRATED else "unknown network"]
        widened = PARTS_WIDER_ACROSS if comm.rate_given or not comm.catalogued else 1.0
    position = np.log2(sizes)
    extra = np.interp(position, (SMALL_LOG2_BYTES, LARGE_LOG2_BYTES), KIND_EXTRA.get(comm.kind, (0.0, 0.0)))
    low, high = _at(band, position)
    if comm.domains > 1 and support is not Support.CALIBRATED:
        known_low, known_high = _at(bands["several"], position)
        low, high = np.minimum(low, known_low), np.maximum(high, known_high)
    if comm.domains > 1 and comm.setting.collective in EXCHANGES:
        extra = extra + EXCHANGE_EXTRA
    if candidates.alike is not None:
        extra = extra + COMPOSED_EXTRA
    low, high = low * widened - extra, high * widened + extra
    if comm.domains > 1 or not foreign(comm, candidates):
        return low, high
    known = (SMALL_LOG2_BYTES, LARGE_LOG2_BYTES)
    least, most = (
        np.interp(position, known, ends) for ends in zip(FOREIGN_SMALL, FOREIGN_LEAST, strict=True)
    )
    return np.minimum(low, least - extra), np.maximum(high, most + extra)


def _at(band: BandSet, position: Floats) -> tuple[Floats, Floats]:
    """A band at log2 of sizes."""
    low: Floats = np.interp(position, band.log2_bytes, band.ln_low)
    high: Floats = np.interp(position, band.log2_bytes, band.ln_high)
    return low, high


def foreign(comm: Communicator, candidates: Candidates) -> bool:
    """Whether a domain is answered with constants of another generation, from parts or far beyond eight."""
    if candidates.basis.support is Support.PARTS or not comm.catalogued:
        return True
    another = comm.kind is not DomainKind.PCIE and not candidates.own
    beyond = another or comm.gpus > MEASURED_DOMAIN
    return candidates.basis.support is Support.EXTRAPOLATED and beyond


def reaching(
    low: Floats, high: Floats, sizes: Floats, misses: Sequence[tuple[float, float]]
) -> tuple[Floats, Floats]:
    """The band opened to points that the adapted model does not meet: (size, ln measured / model) each."""
    for size, ln_off in misses:
        part = ln_off * np.exp(-np.abs(np.log2(sizes / size)) / REACH_OCTAVES)
        low, high = np.minimum(low, part), np.maximum(high, part)
    return low, high


def narrowed(low: Floats, high: Floats, kept: Floats) -> tuple[Floats, Floats]:
    """The band of which measured points leave so much: the less, the more symmetric it is."""
    middle, known = (high - low) / 2, np.maximum(1 - kept, 0.0)
    return kept * (low - known * (low + middle)), kept * (high - known * (high - middle))
