"""Which network constants answer a question: common ones, bent by class, generation and network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.catalog.calibrations.shapes import (
    Correction,
    CrossingSet,
    HopSet,
    NetworkOffset,
    NetworkSet,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.cost_model.setting import Resolved

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

MOST_DOMAINS = {"ib/hopper": 10, "slingshot/hopper": 16, "slingshot/ampere": 540}
"""Largest node counts of the calibration, from its sites; two elsewhere."""
BEYOND = 8
"""Times the largest measured number of domains, past which an answer counts as extrapolated."""


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
    growth = np.array(crossing.growth.ln_factor)
    for one in found:
        bend = getattr(one, f"{algorithm}_ln_growth", ())
        if bend:
            growth = growth + np.array(bend)
    return CrossingSet(
        crossing.launch_s,
        protocols,
        Correction(crossing.growth.log2_bytes, tuple(growth.tolist())),
    )


def most_domains(name: str) -> int:
    """The largest number of domains measured on a network behind a generation of GPU."""
    return MOST_DOMAINS.get(name, 2)


def network_for(
    asked: Resolved, base: NetworkSet, offsets: Mapping[str, NetworkOffset]
) -> tuple[NetworkSet, str]:
    """The constants for a network behind a generation of GPU, and what they rest on."""
    family, generation = asked.network_family, asked.generation
    variant = variant_of(family, asked.setting.scale_out_link)
    wanted = levels(family, variant, generation)
    name = f"{variant}/{generation}"
    if wanted[3] in offsets and asked.domains <= BEYOND * most_domains(name):
        basis = f"calibrated:{name}"
    elif wanted[3] in offsets:
        basis = f"extrapolated:{name}"
    elif wanted[2] in offsets:
        basis = f"extrapolated:{variant}"
    else:
        basis = f"extrapolated:{CLASSES[family]}"
    return compose(base, offsets, wanted, name), basis
