"""Fits a whole calibration: domains, engines, networks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.catalog.calibrations.shapes import Correction, DomainSet, InSwitchSet, Provenance
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.domains import PEERLESS_GPUS
from core.collectives.refit import domain_fit, engine_fit, network_fit
from core.collectives.refit.anchors import anchors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.catalog.calibrations.shapes import BandSet, EngineSet
    from core.collectives.refit.data import Series

# TokenWeave's multimem kernel on 8x H100 (figure 7, 4 CTAs, isolated): 3.86 us a MiB after 12.6 us.
# Blackwell is not measured: its start as NCCL's, its rate that of NVLS.
MULTIMEM = {
    "nvlink-hopper": InSwitchSet(12.6e-6, 475e9, Correction()),
    "nvlink-blackwell": InSwitchSet(15e-6, 830e9, Correction()),
}
DEGRADED = ("l40s",)


def domain_name(one: Series) -> str | None:
    """The domain set a one-domain NCCL series belongs to; none for hosts known to be degraded."""
    if one.several or one.setting.implementation not in ("nccl", "rccl"):
        return None
    if one.asked.family == "nvlink":
        return f"nvlink-{one.asked.generation}"
    if one.asked.family == "mesh":
        return "mesh"
    if one.setting.gpu in DEGRADED and one.setting.domain_gpus > 2:
        return None
    return "pcie-staged" if one.setting.gpu in PEERLESS_GPUS else "pcie-peer"


def fit_domains(series: Sequence[Series]) -> dict[str, DomainSet]:
    """One set a kind of domain; where nothing was measured the prior stands."""
    known = [*series, *anchors()]
    found = {}
    for name, prior in domain_fit.PRIORS.items():
        own = [one for one in known if domain_name(one) == name]
        found[name] = domain_fit.fit_domain(prior, own) if own else domain_fit.prior_set(prior)
    return found


def fit_engines(series: Sequence[Series], domains: dict[str, DomainSet]) -> dict[str, EngineSet]:
    """One set an engine and kind of domain; on PCIe the engines' kernels serve two ranks only."""
    found = {}
    for engine in engine_fit.LIMITS:
        for name, domain in domains.items():
            own = [
                one for one in series if one.setting.implementation == engine and _engine_domain(one) == name
            ]
            if own:
                found[f"{engine}/{name}"] = engine_fit.fit_engine(f"{engine}/{name}", own, domain)
    return found


def _engine_domain(one: Series) -> str | None:
    if one.asked.family == "nvlink":
        return f"nvlink-{one.asked.generation}"
    return "pcie-peer" if one.setting.domain_gpus == 2 else None


def generations(domains: dict[str, DomainSet]) -> dict[str, DomainSet]:
    """The domain constants behind each generation that a network was measured with."""
    return {
        "volta": domains["nvlink-ampere"],
        "ampere": domains["nvlink-ampere"],
        "hopper": domains["nvlink-hopper"],
        "blackwell": domains["nvlink-blackwell"],
    }


def fit_calibration(
    series: Sequence[Series], bands: dict[str, BandSet], domains: dict[str, DomainSet] | None = None
) -> Calibration:
    """All constants from these series; `domains` may be given when only networks are left out."""
    domains = domains or fit_domains(series)
    several = [one for one in series if one.several]
    networks = network_fit.fit_networks(several, generations(domains))
    provenance = Provenance(
        tuple(sorted({one.site for one in several})),
        sum(len(one.size_bytes) for one in several),
        0.0,
        0.0,
    )
    base = replace(networks.base, provenance=provenance)
    engines = fit_engines(series, domains)
    return Calibration(
        domains, base, networks.offsets, network_fit.reach_of(several), engines, MULTIMEM, bands
    )
