"""The lines that may answer a question, and what they rest on."""

from dataclasses import dataclass, replace

from core.catalog.calibrations.estimates import HOST_ALLOWANCE, START_IN_TURN
from core.catalog.calibrations.shapes import DomainKind
from core.checks import Floats, InputError
from core.collectives.cost_model import (
    engines,
    in_network,
    one_domain,
    rack,
    remarks,
    several_domains,
    two_level,
)
from core.collectives.cost_model.basis import Basis, Support, calibrated, extrapolated
from core.collectives.cost_model.calibration import Calibration
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.domains import DomainConstants, domain_for
from core.collectives.cost_model.line import Line, started_in_turn, steady
from core.collectives.cost_model.networks import network_for
from core.collectives.cost_model.setting import ENGINES, ONE_PROCESS

MULTIMEM = "nvls-multimem"
ENGINE_RANKS = (2, 4, 6, 8)
RACK_ENGINES = ("mscclpp",)
"""Whose kernels run on the trays of one NVLink domain (SGLang pull 37442)."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """
    Lines over some sizes, with basis, sources and warnings.

    Attributes:
        own: The domain's constants were measured on this architecture (PCIe: on this GPU).
        fitted: Constants of this kind of domain answer; across domains those of this network behind this
            generation, whatever is inside.
        alike: What libraries' own algorithms rest on, where the lines are put together from their parts.
        by_engine: An engine's own kernel answers, not the library in its place.
    """

    lines: tuple[Line, ...]
    basis: Basis
    sources: tuple[str, ...]
    warnings: tuple[str, ...]
    own: bool
    fitted: bool = False
    alike: Basis | None = None
    by_engine: bool = False


def candidates(comm: Communicator, sizes: Floats, calibration: Calibration) -> Candidates:
    """
    All lines of a setting, or those of the algorithm that it names.

    Raises:
        InputError: The algorithm is not one that can run this; the message lists those that can.
    """
    domain = domain_for(comm, calibration.domains)
    if comm.domains > 1:
        options = _across(comm, sizes, domain, calibration)
    elif comm.setting.implementation in ENGINES:
        options = _engine(comm, sizes, domain, calibration)
    else:
        options = _library(comm, sizes, domain)
    if comm.setting.launch == ONE_PROCESS:
        starting_s = comm.gpus * START_IN_TURN.value
        options = replace(options, lines=tuple(started_in_turn(line, starting_s) for line in options.lines))
    basis = options.basis.extrapolated() if remarks.in_graph(comm) else options.basis
    known = (*remarks.of_replaced(comm), *remarks.of_domain(comm, domain.constants))
    fitted = options.fitted if comm.domains > 1 else basis.support is Support.CALIBRATED
    return replace(
        options,
        lines=_of_algorithm(comm, options.lines),
        basis=basis,
        warnings=(*known, *options.warnings),
        fitted=fitted,
    )


def _across(
    comm: Communicator, sizes: Floats, domain: DomainConstants, calibration: Calibration
) -> Candidates:
    """The lines over several domains; no more certain than those inside one, where there is an inside."""
    network, network_basis = network_for(comm, calibration.network, calibration.offsets, calibration.reach)
    inside = _inside_basis(comm, domain)
    certain = comm.gpus == 1 or inside.support is Support.CALIBRATED
    basis = network_basis if certain else network_basis.extrapolated()
    usual = Candidates(
        tuple(several_domains.lines(comm, sizes, domain.constants, network)),
        inside if comm.rate_given else basis,
        (*network.provenance.sites, *domain.constants.provenance.sites),
        remarks.of_reach(comm, network_basis, calibration.reach),
        domain.own,
        network_basis.support is Support.CALIBRATED,
    )
    composed = [
        *two_level.lines(comm, sizes, domain.constants, network),
        *in_network.lines(comm, sizes, domain.constants, network),
    ]
    return _composed(comm, usual, composed)


def _composed(comm: Communicator, usual: Candidates, lines: list[Line]) -> Candidates:
    """
    The parts of a domain and of its network put together, where the setting asks for that.

    With in-network reduction across nodes the library is taken to choose among its algorithms alone: two A100
    nodes with NCCL 2.8 (ABCI) took as long as it where a tree would have been quicker.
    """
    if not lines:
        return usual
    name = lines[0].algorithm
    remark = f"{name}: no measurement of it here; calibrated steps and rates of both levels put together"
    chosen = comm.setting.algorithm == "auto"
    return replace(
        usual,
        lines=tuple(lines) if chosen else (*usual.lines, *lines),
        basis=Basis(Support.PARTS, name),
        warnings=(*usual.warnings, remark),
        fitted=False,
        alike=usual.basis,
    )


def _inside_basis(comm: Communicator, domain: DomainConstants) -> Basis:
    """What an answer inside one domain rests on."""
    larger = comm.gpus > remarks.largest_domain(domain.constants)
    return domain.basis.extrapolated() if larger else domain.basis


def _library(comm: Communicator, sizes: Floats, domain: DomainConstants) -> Candidates:
    """NCCL's or RCCL's lines inside one domain."""
    lines = one_domain.lines(comm, sizes, domain.constants)
    allowance = HOST_ALLOWANCE.value
    scale = comm.link_bytes_per_s / domain.constants.link_bytes_per_s
    return Candidates(
        tuple(steady(replace(line, launch_s=line.launch_s + allowance), sizes, scale) for line in lines),
        _inside_basis(comm, domain),
        domain.constants.provenance.sites,
        (),
        domain.own,
    )


def _instead_of(engine: str, library: Candidates, why: str, vendor: str) -> Candidates:
    """The library's answer where an engine has no kernel, with the reason."""
    name = "RCCL" if vendor == "AMD" else "NCCL"
    return replace(library, warnings=(*library.warnings, f"{engine} {why}: {name} answers"))


def _engine(
    comm: Communicator, sizes: Floats, domain: DomainConstants, calibration: Calibration
) -> Candidates:
    """An engine's kernel and what it falls back to; the library where it has none, and why."""
    name = comm.setting.implementation
    library = _library(comm, sizes, domain)
    if name == MULTIMEM:
        return _multimem(comm, sizes, domain, calibration, library)
    key, engine = engines.engine_for(comm, domain.constants, calibration.engines)
    if engine is None or not _has_kernel(comm):
        where = f"{comm.ranks} ranks" if engine else f"{comm.ranks} GPUs on this link"
        return _instead_of(name, library, f"has no kernel for {where}", comm.vendor)
    scale = comm.link_bytes_per_s / domain.constants.link_bytes_per_s
    fallback = [steady(line, sizes, scale) for line in one_domain.lines(comm, sizes, domain.constants)]
    known = library.basis.support is Support.CALIBRATED and engine.name == key
    return replace(
        library,
        warnings=(*library.warnings, *remarks.of_kin(name)),
        lines=tuple(engines.lines(comm, sizes, engine, fallback)),
        basis=calibrated(engine.name) if known else extrapolated(engine.name),
        by_engine=True,
    )


def _has_kernel(comm: Communicator) -> bool:
    """Whether an engine's kernel runs on so many GPUs: those of nodes, MSCCL++'s on racks too."""
    return comm.ranks in ENGINE_RANKS or (comm.setting.implementation in RACK_ENGINES and rack.of_hosts(comm))


def _multimem(
    comm: Communicator,
    sizes: Floats,
    domain: DomainConstants,
    calibration: Calibration,
    library: Candidates,
) -> Candidates:
    """The NVLS multimem kernel as it runs inside an engine's step."""
    if domain.constants.in_switch is None or comm.kind is not DomainKind.NVLINK:
        why = "needs in-network reduction (NVSwitch, Hopper and later)"
        return _instead_of(MULTIMEM, library, why, comm.vendor)
    kernel = calibration.multimem[domain.constants.name]
    whole = comm.setting.collective == "all_reduce"
    known = whole and bool(kernel.measured_on) and library.basis.support is Support.CALIBRATED
    name = f"{MULTIMEM}/{domain.constants.name}"
    return replace(
        library,
        lines=(engines.multimem_line(comm, sizes, kernel),),
        warnings=(*library.warnings, remarks.FUSED if whole else remarks.HALF),
        basis=calibrated(name) if known else extrapolated(name),
        by_engine=True,
    )


def _of_algorithm(comm: Communicator, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines of the algorithm that the setting names."""
    algorithm = comm.setting.algorithm
    if algorithm == "auto":
        return lines
    own = tuple(line for line in lines if line.algorithm == algorithm)
    if not own:
        allowed = ", ".join(sorted({line.algorithm for line in lines}))
        message = f"algorithm: {algorithm} cannot run this; one of auto, {allowed}"
        raise InputError(message)
    return own
