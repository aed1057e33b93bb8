"""The band around an answer, in log2, over the knots: how unseen sites scatter, less what is known."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.catalog.calibrations.estimates import EXCHANGE_PORT
from core.catalog.calibrations.shapes import BandSet, DomainKind
from core.checks import Floats
from core.collectives.cost_model import in_network
from core.collectives.cost_model.basis import Support
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.candidates import Candidates
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.networks import class_of
from core.collectives.cost_model.one_domain import EXCHANGES
from core.collectives.cost_model.remarks import in_graph
from core.collectives.cost_model.several_domains import rack_part

WIDER = {Support.CALIBRATED: 1.0, Support.EXTRAPOLATED: 1.15, Support.PARTS: 2.0}
"""Times the band inside one domain."""
ENGINE_WIDER = 1.5
"""The same for an engine's kernels that nobody measured on such GPUs."""
HALF_WIDER = 2.0
"""The same for half of an engine's all-reduce, which nobody measured anywhere."""
UNKNOWN_WIDER = 2.0
"""The same where the catalog lacks the GPU or its link."""
PARTS_WIDER_ACROSS = 1.3
FOREIGN_LOG2_BYTES = (16.0, 20.0, 26.0)
FOREIGN_LOW, FOREIGN_HIGH = (-0.5, -0.42, -0.22), (0.62, 0.5, 0.28)
"""ln of the band that constants of another generation keep: Blackwell's tell H100 up to 64 KiB 1.5 to 1.9
times too slow, Ampere's Volta 1.5 to 2.7 too fast; from 64 MiB on racks of one kind differ by 1.4 times."""
PCIE_FASTER = -0.76
"""ln of the band's fast end on PCIe that was not measured, at any size: hosts of one link rate reach 0.29 to
0.64 of it, and those measured are the slow ones."""
EXCHANGE_EXTRA = 0.1
"""ln more to both sides across domains: of its NIC a host's exchange drives 0.7 to 0.97."""
COMPOSED_EXTRA = 0.4
"""ln more to both sides of an algorithm that nobody measured, put together from measured steps and rates."""
CHAIN_EXTRA = 0.1
"""The same of a chain with in-network reduction from 64 MiB on: four clusters lie within 19 % of it."""
MEASURED_DOMAIN = 8
VARYING = ("slingshot", "tcpx")
"""Classes of network whose identical nodes differ up to 3.7 times in the same rows, by settings that the data
do not name among others: a band of their own."""
KIND_EXTRA = {DomainKind.PCIE: (0.0, 0.26), DomainKind.MESH: (0.5, 0.08)}
"""ln more to both sides, of small and of large messages: RCCL on two hosts takes 14 us (MI300X) and 50
(MI350X) for anything up to 64 KiB; hosts of one PCIe link reach 0.29 to 0.64 of it."""
KIND_EXTRA_ACROSS = KIND_EXTRA | {DomainKind.MESH: (0.12, 0.08)}
SMALL_LOG2_BYTES, LARGE_LOG2_BYTES = 20.0, 26.0
UNMEASURED_OCTAVES, UNMEASURED_EXTRA = (0.0, 2.0), (0.0, 0.07)
"""ln more to both sides inside NVLink domains, by octaves beyond the largest message that was measured: eight
A100 show a hump of 232, 273 and 242 GB/s at 512 MiB, 2 and 8 GiB, and gathers of H100 one."""
GRAPH_LOG2_BYTES, GRAPH_FASTER = (16.0, 20.0), (0.7, 0.0)
"""ln less to the fast end of a library in a CUDA graph, by size: 8 MI300X and 32 GB200 of a rack take half of
what such hosts take from a stream for up to 16 to 64 KiB; 8 and 32 H200 take as long."""
KEPT_LOG2_BYTES, KEPT = (16.0, 18.0, 26.0, 28.0), (0.85, 1.15, 1.0, 0.5)
"""Of what points leave of a band, by size: protocols switch in the middle, where neighbours tell least."""
REACH_OCTAVES = 6.0


def base_band(
    comm: Communicator, candidates: Candidates, sizes: Floats, calibration: Calibration
) -> tuple[Floats, Floats]:
    """ln(low) and ln(high) before any measured point, wider beyond the largest message that was measured."""
    support = (candidates.alike or candidates.basis).support
    bands = calibration.bands
    if comm.domains == 1:
        band = bands["one"]
        widened = max(WIDER[support], *_unmeasured(comm, candidates, support))
    else:
        band = _across(comm, bands, known=support is Support.CALIBRATED)
        widened = PARTS_WIDER_ACROSS if comm.rate_given or not comm.catalogued else 1.0
    position = np.log2(sizes)
    kinds = KIND_EXTRA if comm.domains == 1 else KIND_EXTRA_ACROSS
    extra = np.interp(position, (SMALL_LOG2_BYTES, LARGE_LOG2_BYTES), kinds.get(comm.kind, (0.0, 0.0)))
    if comm.domains == 1 and comm.kind is DomainKind.NVLINK:
        largest_bytes = calibration.largest_bytes(candidates.basis, comm.setting.collective)
        beyond = position - np.log2(largest_bytes)
        extra = extra + np.interp(beyond, UNMEASURED_OCTAVES, UNMEASURED_EXTRA)
    low, high = _at(band, position)
    if comm.domains > 1 and support is not Support.CALIBRATED:
        known_low, known_high = _at(_across(comm, bands, known=True), position)
        low, high = np.minimum(low, known_low), np.maximum(high, known_high)
    if comm.domains > 1 and comm.setting.collective in EXCHANGES:
        extra = extra + EXCHANGE_EXTRA
    if candidates.alike is not None:
        extra = extra + _composed(candidates, position)
    low, high = low * widened - extra - _faster_ports(comm), high * widened + extra
    if comm.domains > 1 or not foreign(comm, candidates):
        return low, high
    low = low - _graph_faster(comm, position)
    least, most = (np.interp(position, FOREIGN_LOG2_BYTES, ends) for ends in (FOREIGN_LOW, FOREIGN_HIGH))
    if comm.kind is DomainKind.PCIE:
        least = np.minimum(least, PCIE_FASTER + extra)
    return np.minimum(low, least - extra), np.maximum(high, most + extra)


def _composed(candidates: Candidates, position: Floats) -> Floats | float:
    """Ln more to both sides of an algorithm put together from its parts; less where such was measured."""
    if candidates.basis.name != in_network.CHAIN:
        return COMPOSED_EXTRA
    ends = (SMALL_LOG2_BYTES, LARGE_LOG2_BYTES)
    return np.asarray(np.interp(position, ends, (COMPOSED_EXTRA, CHAIN_EXTRA)))


def _graph_faster(comm: Communicator, position: Floats) -> Floats:
    """How much faster, in ln, the library may be in a CUDA graph than from a stream, by log2 of size."""
    faster: Floats = np.interp(position, GRAPH_LOG2_BYTES, GRAPH_FASTER) * in_graph(comm)
    return faster


def _faster_ports(comm: Communicator) -> float:
    """How much faster, in ln, an exchange between racks may be over ports faster than any that one drove."""
    exchange = comm.setting.collective in EXCHANGES and comm.setting.collective != "send_recv"
    if comm.domains == 1 or not exchange:
        return 0.0
    port = comm.port_bytes_per_s * comm.setting.scale_out_port_share
    return max(0.0, math.log(port / EXCHANGE_PORT.value)) * rack_part(comm)


def _unmeasured(comm: Communicator, candidates: Candidates, support: Support) -> Iterator[float]:
    """By how much more an answer inside one domain is open: hardware or kernels that nobody measured."""
    engine = candidates.by_engine and support is not Support.CALIBRATED
    yield ENGINE_WIDER if engine else 1.0
    yield HALF_WIDER if engine and comm.setting.collective != "all_reduce" else 1.0
    yield 1.0 if comm.catalogued else UNKNOWN_WIDER


def _across(comm: Communicator, bands: Mapping[str, BandSet], *, known: bool) -> BandSet:
    """The band of a class of network, measured behind such GPUs or not."""
    name = "several" if known else "unknown network"
    return bands[f"{name}, varying" if class_of(comm).name in VARYING else name]


def _at(band: BandSet, position: Floats) -> tuple[Floats, Floats]:
    """A band at log2 of sizes."""
    low: Floats = np.interp(position, band.log2_bytes, band.ln_low)
    high: Floats = np.interp(position, band.log2_bytes, band.ln_high)
    return low, high


def foreign(comm: Communicator, candidates: Candidates) -> bool:
    """Whether a domain is answered with constants of other hardware, from parts or far beyond eight GPUs."""
    if candidates.basis.support is Support.PARTS or not comm.catalogued:
        return True
    if candidates.basis.support is Support.CALIBRATED:
        return False
    other_generation = comm.kind is not DomainKind.PCIE and not candidates.own
    other_link = comm.usual_switching and not candidates.by_engine
    return comm.gpus > MEASURED_DOMAIN or other_generation or other_link


def reaching(
    low: Floats, high: Floats, sizes: Floats, misses: Sequence[tuple[float, float]]
) -> tuple[Floats, Floats]:
    """The band opened to points that the adapted model does not meet: (size, ln measured / model) each."""
    for size, ln_off in misses:
        part = ln_off * np.exp(-np.abs(np.log2(sizes / size)) / REACH_OCTAVES)
        low, high = np.minimum(low, part), np.maximum(high, part)
    return low, high


def left_by_points(sizes: Floats, kept: Floats) -> Floats:
    """Of a band of which points keep so much in the posterior, what rows left out need."""
    near: Floats = np.interp(np.log2(sizes), KEPT_LOG2_BYTES, KEPT)
    return kept * np.maximum(near, near + (1 - near) * np.minimum(kept, 1.0))


def narrowed(low: Floats, high: Floats, kept: Floats) -> tuple[Floats, Floats]:
    """The band of which measured points leave so much: the less, the more symmetric it is."""
    middle, known = (high - low) / 2, np.maximum(1 - kept, 0.0)
    return kept * (low - known * (low + middle)), kept * (high - known * (high - middle))
