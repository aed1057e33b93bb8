"""The nouns of the fabric: hop, link, GPU, fabric, system."""

from dataclasses import dataclass, field
from enum import StrEnum

from core.provenance import Confidence, Quoted, Source


@dataclass(frozen=True, slots=True)
class Hop:
    """All that an algorithm may know about hardware: seconds a step, bytes/s one way per GPU."""

    latency_s: float
    bytes_per_s: float


class Family(StrEnum):
    """Kinds of link."""

    NVLINK = "NVLink"
    C2C = "NVLink-C2C"
    NVSWITCH = "NVSwitch"
    PCIE = "PCIe"
    INFINIBAND = "InfiniBand"
    ETHERNET = "Ethernet"
    EFA = "EFA"
    SLINGSHOT = "Slingshot"
    TCPX = "GPUDirect-TCPX"
    UALINK = "UALink"
    INFINITY_FABRIC = "Infinity Fabric"


class Topology(StrEnum):
    """How the GPUs of one scale-up domain are wired (decides the rate of a part of them)."""

    SWITCH = "switch"
    FULL_MESH = "full mesh"
    BRIDGE = "bridge"
    CUBE_MESH = "cube mesh"
    SHARED_PCIE = "shared PCIe"
    SINGLE = "single GPU"


@dataclass(frozen=True, slots=True)
class Link:
    """
    A kind of wire, as its catalog row says it.

    Attributes:
        rate: The nominal figure as printed.
        effective: One-way bytes/s after line code or protocol, None where nobody states it.
        raw: One-way bytes/s on the wire before line code, None where unknown.
        latency_s: One small message, lowest and highest as stated; None where nobody states it.
    """

    id: str
    name: str
    family: Family
    year: int
    rate: Quoted | None
    effective_bytes_per_s: float | None
    raw_bytes_per_s: float | None
    latency_low_s: float | None
    latency_high_s: float | None
    latency_kind: str
    links: int | None
    lanes: int | None
    signalling: str
    max_domain: str
    sources: tuple[Source, ...]
    confidence: Confidence
    note: str = ""
    unverified: str = ""

    @property
    def verified(self) -> bool:
        """Trusted, and no figure of it rests on memory alone (``unverified`` names those)."""
        return self.confidence.verified and not self.unverified

    @property
    def latency_s(self) -> float | None:
        """The middle of the stated latency range."""
        if self.latency_low_s is None or self.latency_high_s is None:
            return None
        return (self.latency_low_s + self.latency_high_s) / 2


@dataclass(frozen=True, slots=True)
class Gpu:
    """
    An accelerator, dense peaks only.

    ``scale_up`` is None where it has no GPU-to-GPU link; peaks are None where it lacks the format.
    """

    id: str
    name: str
    vendor: str
    year: int
    architecture: str
    memory_bytes: float
    memory_rate: Quoted
    bf16_flop_per_s: float | None
    fp8_flop_per_s: float | None
    fp4_flop_per_s: float | None
    int8_flop_per_s: float | None
    scale_up: Quoted | None
    scale_up_link: str | None
    scale_up_links: int | None
    pcie_link: str | None
    domain_sizes: str
    in_network_reduction: bool
    sources: tuple[Source, ...]
    confidence: Confidence
    note: str = ""
    unverified: str = ""

    @property
    def verified(self) -> bool:
        """Trusted, and no figure of it rests on memory alone (``unverified`` names those)."""
        return self.confidence.verified and not self.unverified


@dataclass(frozen=True, slots=True)
class Fabric:
    """
    One tier of a system, as its GPUs see it.

    Attributes:
        tier: ``domain`` (scale-up), ``leaf`` or ``spine`` (scale-out).
        link: Catalog id of the wire.
        ranks: GPUs that one instance of this tier joins.
        bytes_per_s: One way per GPU with all GPUs taking part.
        latency_s: One step of a small message.
        oversubscription: Downlink over uplink capacity; 1 is non-blocking.
        taper: Full rate over the rate of GPUs further apart than ``untapered_ranks``; 1 is none.
        untapered_ranks: GPUs that still see the full rate among themselves.
    """

    tier: str
    link: str
    topology: Topology
    ranks: int
    bytes_per_s: float
    latency_s: float
    in_network_reduction: bool = False
    oversubscription: float = 1.0
    taper: float = 1.0
    untapered_ranks: int = 1


@dataclass(frozen=True, slots=True)
class System:
    """
    A machine: its GPU and its fabrics from the inside out.

    Attributes:
        domain_gpus: GPUs of one scale-up domain (a node, or an NVL72 rack).
        domains: How many such domains take part.
        network: Catalog id of the scale-out link, None for a machine without one.
        nics_per_domain: Scale-out NICs of one domain, shared by its GPUs.
        pair_bytes_per_s: One way between two direct neighbours (mesh), best pair (cube mesh).
        wiring: For a cube mesh, links between GPU ``i`` and GPU ``j``; empty elsewhere.
        gpus_per_uplink: For shared PCIe, GPUs behind one uplink.
        yours: True for what the user typed in: labelled so everywhere.
    """

    id: str
    name: str
    gpu: Gpu
    fabrics: tuple[Fabric, ...]
    domain_gpus: int
    domains: int = 1
    network: str | None = None
    nics_per_domain: int = 0
    host_link: str | None = None
    pair_bytes_per_s: float | None = None
    gpus_per_uplink: int = 1
    yours: bool = False
    confidence: Confidence = Confidence.HIGH
    sources: tuple[Source, ...] = field(default=())
    note: str = ""
    wiring: tuple[tuple[int, ...], ...] = ()
    unverified: str = ""

    @property
    def verified(self) -> bool:
        """Trusted, and no figure of it rests on memory alone (``unverified`` names those)."""
        return self.confidence.verified and not self.unverified

    @property
    def scale_up(self) -> Fabric:
        """The innermost fabric: what joins the GPUs of one domain."""
        return self.fabrics[0]

    @property
    def scale_out(self) -> Fabric | None:
        """The first fabric beyond the domain, None for a machine without a network."""
        return self.fabrics[1] if len(self.fabrics) > 1 else None

    @property
    def gpus(self) -> int:
        """GPUs in all domains."""
        return self.domain_gpus * self.domains
