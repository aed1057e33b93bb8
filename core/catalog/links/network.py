"""Links between domains: InfiniBand, RoCE, EFA, Slingshot, GPUDirect-TCPX."""

from dataclasses import dataclass

from core.catalog.sources import cite
from core.hardware import Family, Link
from core.provenance import Basis, Confidence, Quoted, Scope
from core.units import GIGABIT_BYTES, US, converted

_INFINIBAND = (
    # generation, year, gigabits net, gigabits a lane raw, coding, confidence
    ("sdr", 2001, 8, 2.5, "8b/10b", Confidence.HIGH),
    ("ddr", 2005, 16, 5, "8b/10b", Confidence.HIGH),
    ("qdr", 2007, 32, 10, "8b/10b", Confidence.HIGH),
    ("fdr", 2011, 54.545, 14.0625, "64b/66b", Confidence.HIGH),
    ("edr", 2014, 100, 25.7812, "64b/66b", Confidence.HIGH),
    ("hdr", 2018, 200, 53.125, "64b/66b, PAM4, FEC", Confidence.HIGH),
    ("ndr", 2022, 400, 106.25, "PAM4, 256b/257b, FEC (a table says 64b/66b)", Confidence.HIGH),
    ("xdr", 2024, 800, 212.5, "PAM4, 200G a lane", Confidence.HIGH),
    ("gdr", 2027, 1600, 425, "roadmap, 400G a lane", Confidence.LOW),
    ("ldr", 2030, 3200, 850, "roadmap, 800G a lane", Confidence.LOW),
)
_ETHERNET = (
    # gigabits, year, coding, confidence
    (100, 2015, "NRZ, 64b/66b", Confidence.HIGH),
    (200, 2019, "PAM4, FEC", Confidence.HIGH),
    (400, 2022, "PAM4, FEC", Confidence.HIGH),
    (800, 2024, "PAM4, FEC", Confidence.HIGH),
    (1600, 2026, "PAM4, FEC", Confidence.MEDIUM),
)
_SHARP_YEAR = 2018
"""SHARP's second generation, which adds messages of any size, came with HDR."""
ROCE_PAYLOAD = 0.955
"""Share of a RoCE v2 line that is payload at an MTU of 4,096 bytes: an assumption, replaceable."""


@dataclass(frozen=True, slots=True)
class _Efa:
    """One generation of EFA on a node: NICs, Gb/s of each, all of them after protocol, what measured it."""

    id: str
    name: str
    year: int
    nics: int
    gigabits: int
    after_gigabits: int | None
    measured_as: str
    note: str = ""
    instances: tuple[str, ...] = ()


_EFA = (
    _Efa("efa-v1", "EFA v1 (P4d)", 2020, 4, 100, 340, "efa-400", "6.25 GB/s a GPU of eight"),
    _Efa("efa-v2", "EFA v2 (P5)", 2023, 32, 100, None, "efa-3200", "50 GB/s a GPU of eight"),
    _Efa("efa-v3", "EFA v3 (P5en, Trn2)", 2025, 16, 200, None, "efa-3200"),
    _Efa("efa-v4-b200", "EFA v4 (P6-B200)", 2025, 8, 400, None, "efa-3200", instances=("p6-b200",)),
    _Efa("efa-v4-b300", "EFA v4 (P6-B300)", 2025, 16, 400, None, "efa-3200", "100 GB/s a GPU of eight"),
)


def _infiniband(
    generation: str, year: int, gigabits: float, lane: float, coding: str, confidence: Confidence
) -> Link:
    sources = cite("infiniband-jp", "ml-network", "aicplight-ib")
    rate = Quoted(gigabits, GIGABIT_BYTES, Basis.ONE_WAY, Scope.PORT, sources[0], "4 lanes, after line code")
    roadmap = "; on the roadmap" if confidence is Confidence.LOW else ""
    return Link(
        id=f"ib-{generation}",
        name=f"InfiniBand {generation.upper()} 4x",
        family=Family.INFINIBAND,
        year=year,
        rate=rate,
        effective_bytes_per_s=rate.bytes_per_s,
        raw_bytes_per_s=4 * lane * GIGABIT_BYTES,
        latency_low_s=1 * US,
        latency_high_s=1.6 * US,
        latency_kind="small message end to end (another source: 1-5 us); a switch hop about 0.13 us",
        links=1,
        lanes=4,
        signalling=f"{lane:g} Gb/s a lane, {coding}",
        max_domain="fabric",
        sources=(*sources, *cite("briefing-001", "briefing-000", "pingdo-hops")),
        confidence=confidence,
        note=f"net {gigabits:g} Gb/s a port; GDR here is a rate, not GPUDirect RDMA{roadmap}",
        in_network_reduction=year >= _SHARP_YEAR,
    )


def _roce(gigabits: int, year: int, coding: str, confidence: Confidence) -> Link:
    sources = cite("briefing-000", "briefing-001", "ml-network")
    rate = Quoted(gigabits, GIGABIT_BYTES, Basis.ONE_WAY, Scope.PORT, sources[-1])
    return Link(
        id=f"roce-{gigabits}",
        name=f"RoCEv2 {gigabits}GbE",
        family=Family.ETHERNET,
        year=year,
        rate=rate,
        effective_bytes_per_s=rate.bytes_per_s * ROCE_PAYLOAD,
        raw_bytes_per_s=None,
        latency_low_s=5 * US,
        latency_high_s=6 * US,
        latency_kind="small message end to end (another source: 2-10 us); a switch hop about 0.5 us",
        links=1,
        lanes=None,
        signalling=f"{gigabits} Gb/s, {coding}",
        max_domain="fabric",
        sources=(*sources, *cite("pingdo-hops")),
        confidence=confidence,
        note="effective: 4,096 B of payload in about 4,290 B on the wire (assumption)",
        unverified="the effective rate, an assumption",
    )


def _efa(row: _Efa) -> Link:
    gigabits = row.nics * row.gigabits
    rate = Quoted(
        gigabits, GIGABIT_BYTES, Basis.ONE_WAY, Scope.NODE, cite("ml-network")[0], "a node of 8 GPUs"
    )
    return _stated(
        row.id,
        row.name,
        Family.EFA,
        row.year,
        rate,
        "ml-network",
        links=row.nics,
        signalling=f"{row.nics} x {row.gigabits} Gb/s, SRD",
        effective_bytes_per_s=converted(row.after_gigabits, GIGABIT_BYTES),
        note=row.note,
        measured_as=row.measured_as,
        instances=row.instances,
    )


def _stated(
    link_id: str,
    name: str,
    family: Family,
    year: int,
    rate: Quoted,
    *keys: str,
    links: int,
    signalling: str,
    effective_bytes_per_s: float | None = None,
    confidence: Confidence = Confidence.HIGH,
    note: str = "",
    unverified: str = "",
    measured_as: str | None = None,
    instances: tuple[str, ...] = (),
) -> Link:
    """A network whose sources state a rate and no latency."""
    return Link(
        id=link_id,
        name=name,
        family=family,
        year=year,
        rate=rate,
        effective_bytes_per_s=effective_bytes_per_s,
        raw_bytes_per_s=None,
        latency_low_s=None,
        latency_high_s=None,
        latency_kind="",
        links=links,
        lanes=None,
        signalling=signalling,
        max_domain="fabric",
        sources=cite(*keys),
        confidence=confidence,
        note=note,
        unverified=unverified,
        measured_as=measured_as,
        instances=instances,
    )


def _known_network(
    link_id: str,
    name: str,
    family: Family,
    year: int,
    gigabits: float,
    scope: Scope,
    *keys: str,
    links: int,
    note: str,
    measured_as: str | None = None,
    unverified: str = "",
    instances: tuple[str, ...] = (),
) -> Link:
    """A network known from the systems that have it: a rate a port, GPU or node."""
    sources = cite(*keys)
    rate = Quoted(gigabits, GIGABIT_BYTES, Basis.ONE_WAY, scope, sources[0])
    return _stated(
        link_id,
        name,
        family,
        year,
        rate,
        *keys,
        links=links,
        signalling=f"{gigabits:g} Gb/s",
        confidence=Confidence.MEDIUM,
        note=note,
        unverified=unverified,
        measured_as=measured_as,
        instances=instances,
    )


_CLOUD_AND_HPC = (
    _known_network(
        "slingshot-200",
        "Slingshot 11",
        Family.SLINGSHOT,
        2020,
        200,
        Scope.PORT,
        "alps-gh200",
        "alcf-nccl",
        links=1,
        note="25 GB/s a NIC; Alps has a NIC a GPU, Polaris two for four",
    ),
    _known_network(
        "slingshot-400",
        "Slingshot 400",
        Family.SLINGSHOT,
        2025,
        400,
        Scope.PORT,
        "klockwood-slingshot",
        links=1,
        note="50 GB/s a NIC; announced in November 2024",
    ),
    _known_network(
        "spectrum-x-400",
        "Spectrum-X Ethernet, BlueField-3 (400 Gb/s)",
        Family.ETHERNET,
        2023,
        400,
        Scope.PORT,
        "weka-spectrum-x",
        links=1,
        note="RoCE with adaptive routing over Spectrum-4 switches; steps assumed as RoCE",
        measured_as="roce-400",
    ),
    _known_network(
        "spectrum-x-800",
        "Spectrum-X Ethernet, ConnectX-8 (800 Gb/s)",
        Family.ETHERNET,
        2025,
        800,
        Scope.PORT,
        "hotchips-cx8",
        "weka-spectrum-x",
        links=1,
        note="RoCE with adaptive routing over Spectrum-4 switches; steps assumed as RoCE",
        measured_as="roce-800",
    ),
    _known_network(
        "efa-100",
        "EFA of p3dn (100 Gb/s)",
        Family.EFA,
        2018,
        100,
        Scope.NODE,
        "calibration-set",
        links=1,
        note="the instance's total, shared by 8 GPUs",
        instances=("p3dn",),
    ),
    _known_network(
        "efa-400",
        "EFA of p4d and p4de (400 Gb/s)",
        Family.EFA,
        2020,
        400,
        Scope.NODE,
        "calibration-set",
        links=4,
        note="the instance's total, shared by 8 GPUs",
        instances=("p4d", "p4de"),
    ),
    _known_network(
        "efa-3200",
        "EFA of p5 and p5en (3,200 Gb/s)",
        Family.EFA,
        2023,
        3200,
        Scope.NODE,
        "p5-nccl",
        "ml-network",
        links=32,
        note="the instance's total, shared by 8 GPUs; v2 on p5 (32 NICs), v3 on p5en (16)",
        instances=("p5", "p5e", "p5en"),
    ),
    _known_network(
        "efa-6400",
        "EFA of p6-b300 (6,400 Gb/s)",
        Family.EFA,
        2025,
        6400,
        Scope.NODE,
        "ml-network",
        links=16,
        note="the instance's total, shared by 8 GPUs",
        measured_as="efa-3200",
        instances=("p6-b300",),
    ),
    _known_network(
        "tcpx-100",
        "GPUDirect-TCPX of a3-highgpu (100 Gb/s a GPU)",
        Family.TCPX,
        2023,
        100,
        Scope.GPU,
        "calibration-set",
        links=1,
        note="800 Gb/s a node of 8 GPUs",
    ),
    _known_network(
        "tcpxo-200",
        "GPUDirect-TCPXO of a3-megagpu (200 Gb/s a GPU)",
        Family.TCPX,
        2024,
        200,
        Scope.GPU,
        "calibration-set",
        links=1,
        note="1,600 Gb/s a node of 8 GPUs",
    ),
)

NETWORK_LINKS = (
    *(_infiniband(*row) for row in _INFINIBAND),
    *(_roce(*row) for row in _ETHERNET),
    *(_efa(row) for row in _EFA),
    *_CLOUD_AND_HPC,
)
