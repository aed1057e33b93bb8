"""Fits a whole calibration: domains, engines, networks."""

from collections.abc import Sequence
from dataclasses import replace

from core.catalog.calibrations.shapes import (
    BandSet,
    DomainKind,
    DomainSet,
    EngineSet,
    MultimemSet,
    Provenance,
)
from core.collectives.cost_model import engines
from core.collectives.cost_model.calibration import Calibration
from core.collectives.refit import domain_fit, engine_fit, network_fit
from core.collectives.refit.anchors import anchors
from core.collectives.refit.data import Sweep
from core.hardware import Architecture
from core.units import GB

FUSED = 0.85
"""Time of the multimem all-reduce inside an engine's step over the kernel alone: fitted on TokenWeave's
prefill with and without it (arXiv:2505.11329)."""

# TokenWeave's multimem kernel on 8x H100 (figure 7, 4 CTAs, isolated): 3.86 us a MiB after 12.6 us.
# Blackwell is not measured: its start as NCCL's, its rate that of NVLS.
MULTIMEM = {
    "nvlink-hopper": MultimemSet(12.6e-6, 475 * GB, 450 * GB, 8, FUSED, ("h100-sxm",)),
    "nvlink-blackwell": MultimemSet(15e-6, 830 * GB, 900 * GB, 8, FUSED, ()),
}
DEGRADED, DEGRADED_FROM = ("l40s",), 2
"""GPUs whose measured hosts share their bridges badly, beyond so many GPUs."""


def domain_name(sweep: Sweep) -> str | None:
    """The domain set a one-domain NCCL sweep belongs to; None for hosts known to be degraded."""
    if sweep.several or sweep.setting.implementation not in ("nccl", "rccl"):
        return None
    degraded = sweep.setting.gpu in DEGRADED and sweep.setting.domain_gpus > DEGRADED_FROM
    return None if sweep.comm.kind is DomainKind.PCIE and degraded else _kind_of_domain(sweep)


def _kind_of_domain(sweep: Sweep) -> str | None:
    """The prior whose kind of domain a sweep was measured on."""
    comm = sweep.comm
    priors = [prior for prior in domain_fit.PRIORS if prior.kind is comm.kind]
    if comm.kind is DomainKind.NVLINK:
        names = [prior.name for prior in priors if prior.architecture is comm.architecture]
    else:
        names = [prior.name for prior in priors if prior.peer_to_peer is comm.peer_to_peer]
    return names[0] if names else None


def fit_domains(sweeps: Sequence[Sweep]) -> dict[str, DomainSet]:
    """One set a kind of domain; where nothing was measured the prior stands."""
    measured = [*sweeps, *anchors()]
    constants = {}
    for prior in domain_fit.PRIORS:
        own = [sweep for sweep in measured if domain_name(sweep) == prior.name]
        constants[prior.name] = domain_fit.fit_domain(prior, own) if own else domain_fit.prior_set(prior)
    return constants


def fit_engines(sweeps: Sequence[Sweep], domains: dict[str, DomainSet]) -> dict[str, EngineSet]:
    """One set an engine and kind of domain; on PCIe the engines' kernels serve two ranks only."""
    constants = {}
    for engine in engine_fit.LIMITS:
        for name, domain in domains.items():
            own = [
                sweep
                for sweep in sweeps
                if sweep.setting.implementation == engine and _engine_domain(sweep) == name
            ]
            if own:
                constants[f"{engine}/{name}"] = engine_fit.fit_engine(f"{engine}/{name}", own, domain)
    return constants


def _engine_domain(sweep: Sweep) -> str | None:
    """The domain set behind an engine's sweep."""
    pair = sweep.setting.domain_gpus == engines.PCIE_RANKS
    return _kind_of_domain(sweep) if sweep.comm.kind is not DomainKind.PCIE or pair else None


def generations(domains: dict[str, DomainSet]) -> dict[Architecture, DomainSet]:
    """The domain constants behind each generation that a network was measured with."""
    return {
        Architecture.VOLTA: domains["nvlink-ampere"],
        Architecture.AMPERE: domains["nvlink-ampere"],
        Architecture.HOPPER: domains["nvlink-hopper"],
        Architecture.BLACKWELL: domains["nvlink-blackwell"],
    }


def fit_calibration(
    sweeps: Sequence[Sweep], bands: dict[str, BandSet], domains: dict[str, DomainSet] | None = None
) -> Calibration:
    """All constants from these sweeps; `domains` may be given when only networks are left out."""
    domains = domains or fit_domains(sweeps)
    several = [sweep for sweep in sweeps if sweep.several]
    networks = network_fit.fit_networks(several, generations(domains))
    provenance = Provenance(
        tuple(sorted({sweep.site for sweep in several})),
        sum(len(sweep.size_bytes) for sweep in several),
        0.0,
        0.0,
    )
    base = replace(networks.base, provenance=provenance)
    kernels = fit_engines(sweeps, domains)
    return Calibration(
        domains, base, networks.offsets, network_fit.reach_of(several), kernels, MULTIMEM, bands
    )
