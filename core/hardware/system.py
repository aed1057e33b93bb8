"""A system: its GPU and its fabrics from the inside out."""

from dataclasses import dataclass, field

from core.hardware.gpu import Gpu
from core.hardware.topology import Topology
from core.provenance import Confidence, Source


@dataclass(frozen=True, slots=True)
class Fabric:
    """
    One tier of a system, as its GPUs see it. Rates count one direction per GPU.

    Attributes:
        tier: ``bridge`` or ``domain`` (scale-up), ``leaf`` or ``spine`` (scale-out).
        link: Catalog id of the link, ``yours`` for one of your own.
        ranks: GPUs that one instance of this tier joins.
        bytes_per_s: With all GPUs of the tier taking part.
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
    GPUs of one kind and the fabrics that join them, from the inside out.

    Attributes:
        domain_gpus: GPUs of one scale-up domain (a node, or an NVL72 rack).
        domains: How many such domains take part.
        network: Catalog id of the scale-out link, None for a system without one.
        nics_per_domain: Scale-out NICs of one domain, shared by its GPUs.
        host_link: Catalog id of the link between a GPU and its host.
        pair_bytes_per_s: Unidirectional, between two direct neighbours (mesh, bridge), best pair (cube mesh).
        gpus_per_uplink: GPUs behind one PCIe switch or host bridge, whose uplink they share.
        yours: True for a custom system: labelled so everywhere.
        wiring: For a cube mesh, links between GPU ``i`` and GPU ``j``; empty elsewhere.
        bridge: The fabric of a bridged pair in a domain of more than two GPUs, whose own fabric is
            then PCIe; None elsewhere.
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
    bridge: Fabric | None = None

    def __hash__(self) -> int:
        """Of what tells systems apart: every cached price hashes its system, whose sources are many words."""
        return hash((self.id, self.domain_gpus, self.domains, self.nics_per_domain, self.fabrics))

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
        """The first fabric beyond the domain, None for a system without a network."""
        return self.fabrics[1] if len(self.fabrics) > 1 else None

    @property
    def gpus(self) -> int:
        """GPUs in all domains."""
        return self.domain_gpus * self.domains
