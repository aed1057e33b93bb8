"""A kind of link, as its catalog entry states it."""

from dataclasses import dataclass
from enum import StrEnum

from core.provenance import Confidence, Quoted, Scope, Source

NODE_GPUS = 8
"""GPUs of a node of most systems, and of those whose network is quoted per node (EFA)."""


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

    @property
    def scale_up(self) -> bool:
        """Whether it joins the GPUs of one domain to each other."""
        return self in _SCALE_UP

    @property
    def scale_out(self) -> bool:
        """Whether it is a network that joins domains."""
        return self in _SCALE_OUT


_SCALE_UP = (Family.NVLINK, Family.PCIE, Family.UALINK, Family.INFINITY_FABRIC)
_SCALE_OUT = (Family.INFINIBAND, Family.ETHERNET, Family.EFA, Family.SLINGSHOT, Family.TCPX)


@dataclass(frozen=True, slots=True)
class Link:
    """
    A kind of link, scale-up or scale-out. Rates count one direction, in bytes/s, in the scope of ``rate``.

    Attributes:
        rate: The nominal figure as printed, with its scope (per GPU, port, slot, node ...).
        effective_bytes_per_s: After line code or protocol; None where nobody states it.
        raw_bytes_per_s: On the wire before line code; None where unknown.
        latency_low_s, latency_high_s: One small message, lowest and highest as stated; None where
            nobody states it.
        links: Links of one GPU or NICs of one node, as ``rate`` counts them.
        lanes: Lanes of one link and direction.
        max_domain: Most GPUs that it joins, in words.
        in_network_reduction: The switches of this network add messages of any size (SHARP).
        measured_as: Id of the link whose measurements stand for this one; None for itself.
        nccl_bytes_per_s: What NCCL counts on one link, where that is not the figure of the GPU's
            architecture; None where it is.
        instances: Cloud instance types whose network it is, as logs name them.
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
    in_network_reduction: bool = False
    measured_as: str | None = None
    nccl_bytes_per_s: float | None = None
    instances: tuple[str, ...] = ()

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

    @property
    def scale_up(self) -> bool:
        """Whether it joins the GPUs of one domain to each other."""
        return self.family.scale_up

    @property
    def scale_out(self) -> bool:
        """Whether it is a network that joins domains."""
        return self.family.scale_out

    @property
    def one_way_bytes_per_s(self) -> float | None:
        """
        Bytes/s of one direction that models reckon with, per GPU taking part.

        After line code for PCIe, nominal elsewhere; a rate per node is shared by its eight GPUs, a
        port is taken as one per GPU. None where no rate is printed or it is that of a switch chip.
        """
        if self.rate is None or self.rate.scope is Scope.CHIP:
            return None
        if self.family is Family.PCIE and self.effective_bytes_per_s is not None:
            return self.effective_bytes_per_s
        gpus = NODE_GPUS if self.rate.scope is Scope.NODE else 1
        return self.rate.bytes_per_s / gpus
