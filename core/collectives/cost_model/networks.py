"""Which network constants answer a question: common ones, bent by class, generation and network."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from core.catalog.calibrations.shapes import (
    Correction,
    CrossingSet,
    HopSet,
    NetworkOffset,
    NetworkReach,
    NetworkSet,
)
from core.collectives.cost_model.basis import Basis, calibrated, extrapolated
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.soft_maximum import soft_maximum
from core.hardware import Architecture, Family

HIGHEST_SHARE = 0.98
"""Of a wire's rate that frames of 4 KiB leave for data: the most any cluster was seen to reach is 0.978."""
SHARE_SHARPNESS = 30.0
"""Of the approach to that share, which keeps a slope for the fit."""

BEYOND = 8
"""Times the largest measured number of domains, past which an answer counts as extrapolated."""
OTHER_RATE = 1.5
"""Times the measured port rates, past which a faster or slower port counts as another network."""


@dataclass(frozen=True, slots=True)
class NetworkClass:
    """
    The constants that networks of a family share.

    Attributes:
        name: Of the class: families with the same kind of NIC share one.
        network: Of the constants of all its links; None where each link has its own (clouds).
    """

    name: str
    network: str | None


CLASSES = {
    Family.INFINIBAND: NetworkClass("rdma", "ib"),
    Family.ETHERNET: NetworkClass("rdma", "roce"),
    Family.SLINGSHOT: NetworkClass("slingshot", "slingshot"),
    Family.EFA: NetworkClass("efa", None),
    Family.TCPX: NetworkClass("tcpx", None),
}
OTHER = NetworkClass("rdma", "generic")
"""A network of which only the rate is known."""


class Levels(NamedTuple):
    """The keys of the offsets that add up, from the widest to the narrowest."""

    network_class: str
    generation: str
    network: str
    measured: str
    alone: str = ""


def class_of(comm: Communicator) -> NetworkClass:
    """The class of the network of a communicator."""
    return OTHER if comm.network_family is None else CLASSES.get(comm.network_family, OTHER)


def network_name(comm: Communicator) -> str:
    """The network whose constants answer: of a family, or of one link of a cloud."""
    return class_of(comm).network or comm.network


def levels(comm: Communicator, architecture: Architecture | None = None) -> Levels:
    """The levels of a communicator; ``architecture`` stands for its own where that was not measured."""
    network = network_name(comm)
    return Levels(
        f"class:{class_of(comm).name}",
        f"generation:{architecture or comm.architecture}",
        f"network:{network}",
        f"set:{network}/{comm.architecture}",
        f"alone:{network}" if comm.gpus == 1 else "",
    )


def compose(
    base: NetworkSet, offsets: Mapping[str, NetworkOffset], keys: Iterable[str], name: str
) -> NetworkSet:
    """The constants of one network and generation."""
    return _composed(base, tuple(offsets[key] for key in keys if key in offsets), name)


@lru_cache(maxsize=128)
def _composed(base: NetworkSet, bends: tuple[NetworkOffset, ...], name: str) -> NetworkSet:
    return replace(
        base,
        name=name,
        tree=_bent(base.tree, bends, "tree"),
        ring=_bent(base.ring, bends, "ring"),
        exchange=_bent(base.exchange, bends, "exchange"),
        tree_growth=base.tree_growth * math.prod(bend.tree_growth for bend in bends),
    )


def reached_share(share: float) -> float:
    """A share of the wire under what its frames leave."""
    inverse = soft_maximum(np.array(1 / share), 1 / HIGHEST_SHARE, SHARE_SHARPNESS)
    return float(1 / inverse)


def _bent(crossing: CrossingSet, offsets: tuple[NetworkOffset, ...], algorithm: str) -> CrossingSet:
    hop = float(np.prod([getattr(offset, f"{algorithm}_hop") for offset in offsets]))
    share = float(np.prod([getattr(offset, f"{algorithm}_share") for offset in offsets]))
    protocols = tuple(
        HopSet(protocol.name, protocol.hop_s * hop, reached_share(protocol.share * share))
        for protocol in crossing.protocols
    )
    extra = np.array(crossing.extra.ln_factor)
    for offset in offsets:
        bend = getattr(offset, f"{algorithm}_ln_extra", ())
        if bend:
            extra = extra + np.array(bend)
    return CrossingSet(protocols, Correction(crossing.extra.log2_bytes, tuple(extra.tolist())))


def reaches(comm: Communicator, reach: NetworkReach | None) -> bool:
    """Whether the measurements of a network cover so many domains, such a port and single GPUs."""
    if reach is None or comm.domains > BEYOND * reach.domains or lone(comm, reach):
        return False
    slowest, fastest = reach.slowest_bytes_per_s / OTHER_RATE, reach.fastest_bytes_per_s * OTHER_RATE
    return slowest < comm.port_bytes_per_s < fastest


def lone(comm: Communicator, reach: NetworkReach) -> bool:
    """Whether each GPU has a node of its own, which nobody measured on such a network."""
    return comm.gpus == 1 < reach.fewest_gpus


def network_for(
    comm: Communicator,
    base: NetworkSet,
    offsets: Mapping[str, NetworkOffset],
    reach: Mapping[str, NetworkReach],
) -> tuple[NetworkSet, Basis]:
    """The constants for a network behind a generation of GPU, and what they rest on."""
    keys = levels(comm, comm.architecture.nearest(measured_architectures(offsets)))
    name = f"{network_name(comm)}/{comm.architecture}"
    constants = compose(base, offsets, keys, name)
    if keys.measured in offsets:
        covered = comm.catalogued and reaches(comm, reach.get(name))
        return constants, calibrated(name) if covered else extrapolated(name)
    known = keys.network in offsets
    return constants, extrapolated(network_name(comm) if known else class_of(comm).name)


def measured_architectures(offsets: Mapping[str, NetworkOffset]) -> list[Architecture]:
    """The generations of GPU that networks were measured behind."""
    keys = [key.removeprefix("generation:") for key in offsets if key.startswith("generation:")]
    return [Architecture(key) for key in keys]
