"""Which network constants answer a question: common ones, bent by class, generation and network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.catalog.calibrations.shapes import Correction, CrossingSet, HopSet, NetworkOffset, NetworkSet
from core.collectives.cost_model import facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.calibrations.shapes import NetworkReach
    from core.collectives.cost_model.setting import Resolved

CLASSES = {
    "ib": "rdma",
    "roce": "rdma",
    "generic": "rdma",
    "slingshot": "slingshot",
    "efa": "efa",
    "tcpx": "tcpx",
}
SIBLINGS = {"turing": "volta", "pascal": "volta", "ada": "ampere", "rubin": "blackwell"}
HIGHEST_SHARE = 0.99

BEYOND = 8
"""Times the largest measured number of domains, past which an answer counts as extrapolated."""
OTHER_RATE = 1.5
"""Times the measured port rates, past which a faster or slower port counts as another network."""


def variant_of(family: str, link: str | None) -> str:
    """Networks that share constants: all InfiniBand, all RoCE, but each cloud network by itself."""
    if family == "efa":
        return EFA_ALIASES.get(link or "", link or "")
    return (link or family) if family == "tcpx" else family


EFA_ALIASES = {
    "efa-v1": "efa-400",
    "efa-v2": "efa-3200",
    "efa-v3": "efa-3200",
    "efa-v4-b200": "efa-3200",
    "efa-v4-b300": "efa-3200",
    "efa-6400": "efa-3200",
}


def levels(family: str, variant: str, generation: str) -> tuple[str, str, str, str]:
    """The four levels whose offsets add up, from the widest to the narrowest."""
    return (
        f"class:{CLASSES[family]}",
        f"generation:{SIBLINGS.get(generation, generation)}",
        f"network:{variant}",
        f"set:{variant}/{generation}",
    )


def compose(
    base: NetworkSet, offsets: Mapping[str, NetworkOffset], wanted: tuple[str, ...], name: str
) -> NetworkSet:
    """The constants of one network and generation."""
    found = [offsets[level] for level in wanted if level in offsets]
    return NetworkSet(
        name,
        _bent(base.tree, found, "tree"),
        _bent(base.ring, found, "ring"),
        _bent(base.exchange, found, "exchange"),
        base.point_to_point_share,
        base.tree_inside_share,
        base.ring_inside_share,
        base.provenance,
    )


def _bent(crossing: CrossingSet, found: list[NetworkOffset], algorithm: str) -> CrossingSet:
    hop = float(np.prod([getattr(one, f"{algorithm}_hop") for one in found]))
    share = float(np.prod([getattr(one, f"{algorithm}_share") for one in found]))
    protocols = tuple(
        HopSet(one.name, one.hop_s * hop, min(HIGHEST_SHARE, one.share * share)) for one in crossing.protocols
    )
    extra = np.array(crossing.extra.ln_factor)
    for one in found:
        bend = getattr(one, f"{algorithm}_ln_extra", ())
        if bend:
            extra = extra + np.array(bend)
    return CrossingSet(protocols, Correction(crossing.extra.log2_bytes, tuple(extra.tolist())))


def reaches(asked: Resolved, reach: NetworkReach | None) -> bool:
    """Whether the measurements of a network cover this many domains and this rate of a port."""
    if reach is None or asked.domains > BEYOND * reach.domains:
        return False
    port = port_bytes_per_s(asked)
    return reach.slowest_bytes_per_s / OTHER_RATE < port < reach.fastest_bytes_per_s * OTHER_RATE


def port_bytes_per_s(asked: Resolved) -> float:
    """The one-way rate of a port of the asked network; of the share of a GPU where it is not known."""
    known = facts.NETWORKS.get(asked.setting.scale_out_link or "")
    return known.bytes_per_s if known else asked.nic_bytes_per_s


def network_for(
    asked: Resolved,
    base: NetworkSet,
    offsets: Mapping[str, NetworkOffset],
    reach: Mapping[str, NetworkReach],
) -> tuple[NetworkSet, str]:
    """The constants for a network behind a generation of GPU, and what they rest on."""
    family, generation = asked.network_family, asked.generation
    variant = variant_of(family, asked.setting.scale_out_link)
    wanted = levels(family, variant, generation)
    name = f"{variant}/{generation}"
    if wanted[3] in offsets and reaches(asked, reach.get(name)):
        basis = f"calibrated:{name}"
    elif wanted[3] in offsets:
        basis = f"extrapolated:{name}"
    elif wanted[2] in offsets:
        basis = f"extrapolated:{variant}"
    else:
        basis = f"extrapolated:{CLASSES[family]}"
    return compose(base, offsets, wanted, name), basis
