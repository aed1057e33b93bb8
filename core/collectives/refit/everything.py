"""Fits a whole calibration: domains, engines, networks."""

from collections.abc import Collection, Sequence
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
from core.collectives.refit.anchors import ONLY_PUBLISHED, across, anchors
from core.collectives.refit.data import Sweep
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
    return None if sweep.comm.kind is DomainKind.PCIE and degraded else kind_of_domain(sweep)


def kind_of_domain(sweep: Sweep) -> str | None:
    """The prior whose kind of domain a sweep was measured on."""
    comm = sweep.comm
    priors = [prior for prior in domain_fit.PRIORS if prior.kind is comm.kind]
    if comm.kind in (DomainKind.NVLINK, DomainKind.MESH):
        names = [prior.name for prior in priors if prior.architecture is comm.architecture]
    else:
        names = [prior.name for prior in priors if prior.peer_to_peer is comm.peer_to_peer]
    return names[0] if names else None


def fit_domains(sweeps: Sequence[Sweep], names: Collection[str] = ()) -> dict[str, DomainSet]:
    """One set a kind of domain, or of those named; where nothing was measured the prior stands."""
    measured = [*(kept for sweep in sweeps if (kept := sweep.trusted).size_bytes.size), *anchors()]
    constants = {}
    for prior in domain_fit.PRIORS:
        if names and prior.name not in names:
            continue
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
    return kind_of_domain(sweep) if sweep.comm.kind is not DomainKind.PCIE or pair else None


def _trusted(sweeps: Sequence[Sweep]) -> list[Sweep]:
    """The sweeps without rows that are no part of the fit, and without what disturbed the others."""
    return [kept.undisturbed for sweep in sweeps if (kept := sweep.trusted).size_bytes.size]


def _published(several: Sequence[Sweep]) -> list[Sweep]:
    """Published figures of several domains, none of an operator that is left out."""
    operators = {sweep.operator for sweep in several} | {ONLY_PUBLISHED}
    return [sweep for sweep in across() if sweep.operator in operators]


def fit_calibration(
    sweeps: Sequence[Sweep],
    bands: dict[str, BandSet],
    domains: dict[str, DomainSet] | None = None,
    kernels: dict[str, EngineSet] | None = None,
) -> Calibration:
    """All constants from these sweeps; ``domains`` and ``kernels`` as given where only networks differ."""
    domains = domains or fit_domains(sweeps)
    several = [sweep for sweep in sweeps if sweep.several]
    networks = network_fit.fit_networks(_trusted([*several, *_published(several)]), domains)
    provenance = Provenance(
        tuple(sorted({sweep.site for sweep in several})),
        sum(len(sweep.size_bytes) for sweep in several),
        0.0,
        0.0,
    )
    base = replace(networks.base, provenance=provenance)
    kernels = fit_engines(sweeps, domains) if kernels is None else kernels
    return Calibration(
        domains, base, networks.offsets, network_fit.reach_of(several), kernels, MULTIMEM, bands
    )
