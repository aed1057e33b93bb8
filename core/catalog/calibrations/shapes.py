"""The shapes of calibrated constants; times in seconds, rates in unidirectional bytes/s per GPU."""

from dataclasses import dataclass, field
from enum import StrEnum

from core.hardware import Architecture


class DomainKind(StrEnum):
    """How the GPUs of a domain reach each other, as far as calibrations tell it apart."""

    NVLINK = "nvlink"
    """Through switches, at one rate whichever GPUs take part."""
    PCIE = "pcie"
    MESH = "mesh"
    """A link to each peer: those to GPUs that take no part stay idle."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a set of constants comes from: measured sites, rows, spread of the fit, sources."""

    sites: tuple[str, ...]
    rows: int
    median_error: float
    p90_error: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """What the straight lines miss: ln(factor) over log2(bytes), flat beyond both ends."""

    log2_bytes: tuple[float, ...] = (0.0,)
    ln_factor: tuple[float, ...] = (0.0,)


@dataclass(frozen=True, slots=True)
class Protocol:
    """One protocol on one step: what the step costs at least, and the rate it reaches."""

    name: str
    step_s: float
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class RingSet:
    """Steps of blocks inside one domain: ring, or direct exchange for all-to-all.

    `launch_s` and `local_s_per_byte` (the block a rank copies to itself) go by collective.
    `correction` is over the block's bytes at the reference link rate; NCCL switches protocols of an
    all-reduce at other sizes than of an all-gather, so that has one more.
    """

    launch_s: tuple[tuple[str, float], ...]
    local_s_per_byte: tuple[tuple[str, float], ...]
    protocols: tuple[Protocol, ...]
    correction: Correction
    all_reduce_correction: Correction = field(default_factory=Correction)


@dataclass(frozen=True, slots=True)
class InSwitchSet:
    """All-reduce in the switch (NVLS): a start and a rate, corrected over the block's bytes."""

    launch_s: float
    bytes_per_s: float
    correction: Correction


@dataclass(frozen=True, slots=True)
class MultimemSet:
    """
    The NVLS multimem all-reduce of an engine: it adds in the switch without NCCL.

    Attributes:
        launch_s, bytes_per_s: Of the kernel alone, on ``ranks`` GPUs.
        link_bytes_per_s: Unidirectional, per GPU, where it was measured.
        measured_on: Catalog ids of the GPUs; empty where it is derived.
        in_step: Time inside an engine's step over that of the kernel alone: it is fused with the
            norm that follows and starts where the matrix product ends.
    """

    launch_s: float
    bytes_per_s: float
    link_bytes_per_s: float
    ranks: int
    in_step: float
    measured_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DomainSet:
    """
    Everything calibrated for one kind of domain, at the link rate it was measured on.

    Attributes:
        architecture: Of the GPUs it was measured on; None where the host decides (PCIe).
        peer_to_peer: GPUs copy to each other without host memory.
        measured_on: Catalog ids of those GPUs.
        crowd_share: What the ring keeps of its rate when more than two ranks share host bridges.
    """

    name: str
    kind: DomainKind
    architecture: Architecture | None
    peer_to_peer: bool
    measured_on: tuple[str, ...]
    link_bytes_per_s: float
    ring: RingSet
    exchange: RingSet
    in_switch: InSwitchSet | None
    crowd_share: float
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Residual:
    """
    What machines of one kind of domain share beyond its lines, for one curve.

    Attributes:
        ranks: GPUs that take part.
        correction: ln(measured / calibrated) over log2 of the message's bytes.
    """

    collective: str
    implementation: str
    launch: str
    ranks: int
    correction: Correction


@dataclass(frozen=True, slots=True)
class HopSet:
    """One protocol across the network: what a hop costs at least, and the share of W it reaches."""

    name: str
    hop_s: float
    share: float


@dataclass(frozen=True, slots=True)
class CrossingSet:
    """An algorithm across domains: its protocols, and what the bytes of a piece add to a hop.

    `extra` is ln(microseconds) over log2(bytes): all networks take about the same longer for larger
    pieces, however slow their smallest hop is. The exchange's is ln(factor) on the hop instead.
    """

    protocols: tuple[HopSet, ...]
    extra: Correction


@dataclass(frozen=True, slots=True)
class NetworkSet:
    """Everything calibrated for one kind of network and GPU generation.

    `tree_inside_share` and `ring_inside_share` say what part of the domain's own rate the tree and
    the ring keep while they cross domains; `point_to_point_share` is of the NIC, with two domains
    (each rank has one partner) and with more (it sends and receives at once). `exchange_fade` is the
    exponent by which an exchange loses rate as domains grow beyond two, `exchange_rack` as a domain
    grows beyond a node of eight.
    """

    name: str
    tree: CrossingSet
    ring: CrossingSet
    exchange: CrossingSet
    point_to_point_share: tuple[float, float]
    tree_inside_share: float
    ring_inside_share: float
    exchange_fade: float
    exchange_rack: float
    provenance: Provenance
    tree_growth: float = 1.0
    ring_growth: float = 1.0


@dataclass(frozen=True, slots=True)
class NetworkOffset:
    """What one level (a class of networks, a generation, one network) adds: factors and ln bends."""

    tree_hop: float
    ring_hop: float
    exchange_hop: float
    tree_share: float
    ring_share: float
    exchange_share: float
    tree_ln_extra: tuple[float, ...] = ()
    ring_ln_extra: tuple[float, ...] = ()
    tree_growth: float = 1.0


@dataclass(frozen=True, slots=True)
class NetworkReach:
    """
    How far the measurements of a network behind a generation reach.

    Attributes:
        domains: The most measured.
        slowest_bytes_per_s, fastest_bytes_per_s: Rates of a port.
        fewest_gpus: Of a domain: with one GPU a node a network is of another kind.
    """

    domains: int
    slowest_bytes_per_s: float
    fastest_bytes_per_s: float
    fewest_gpus: int


@dataclass(frozen=True, slots=True)
class ShotSet:
    """One kernel of an engine: a start, a wait a peer, and the rate of the bytes it moves."""

    start_s: float
    peer_s: float
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class EngineSet:
    """A serving engine's own all-reduce, and what it adds when launched eagerly in a stream.

    The engine hands over to NCCL above `limit_bytes`. In a stream nothing is faster than
    `host_floor_s`, and the result is copied out at `copy_bytes_per_s`.
    """

    name: str
    link_bytes_per_s: float
    one_shot: ShotSet
    two_shot: ShotSet
    correction: Correction
    limit_bytes: float
    host_floor_s: float
    copy_bytes_per_s: float
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class BandSet:
    """How far measurements of unseen sites lie from the answer: ln(measured / predicted).

    `ln_low` and `ln_high` are the 10th and 90th percentile over log2(bytes).
    """

    log2_bytes: tuple[float, ...]
    ln_low: tuple[float, ...]
    ln_high: tuple[float, ...]
