"""A kind of link, as its catalog row says it."""

from dataclasses import dataclass
from enum import StrEnum

from core.provenance import Confidence, Quoted, Source


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
