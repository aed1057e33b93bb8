"""Which domain constants answer a question, and what that answer rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.calibrations.shapes import DomainSet
    from core.collectives.cost_model.setting import Resolved

NEAREST_GENERATION = {
    "pascal": "ampere",
    "volta": "ampere",
    "turing": "ampere",
    "ada": "hopper",
    "rubin": "blackwell",
    "unknown": "hopper",
}
PEERLESS_GPUS = ("rtx-3090", "rtx-4090", "rtx-5090")


def domain_for(asked: Resolved, domains: Mapping[str, DomainSet]) -> tuple[DomainSet, str]:
    """The constants for a kind of domain and the basis of the answer."""
    name, calibrated = _name(asked, domains)
    constants = domains[name]
    same_rate = abs(asked.link_bytes_per_s / constants.link_bytes_per_s - 1) < 0.02
    if not asked.known_link or asked.setting.scale_up_bytes_per_s is not None:
        return constants, f"parts:link rate with the steps of {name}"
    if calibrated and (same_rate or asked.family == "pcie"):
        return constants, f"calibrated:{name}"
    return constants, f"extrapolated:{name}"


def _name(asked: Resolved, domains: Mapping[str, DomainSet]) -> tuple[str, bool]:
    if asked.family == "pcie":
        staged = asked.setting.gpu in PEERLESS_GPUS
        return ("pcie-staged" if staged else "pcie-peer"), asked.setting.gpu in (
            "rtx-4090",
            "l40s",
            "rtx-pro-6000-server",
        )
    if asked.family == "mesh":
        return "mesh", asked.generation == "cdna4"
    known = f"nvlink-{asked.generation}"
    if known in domains:
        return known, True
    return f"nvlink-{NEAREST_GENERATION.get(asked.generation, 'hopper')}", False
