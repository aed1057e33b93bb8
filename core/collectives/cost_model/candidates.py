"""The lines that may answer a question, what they rest on, and what the asker should know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.catalog.calibrations.judged import HOST_ALLOWANCE
from core.collectives.cost_model import engines, one_domain, several_domains
from core.collectives.cost_model.domains import domain_for
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.networks import BEYOND, network_for, port_bytes_per_s
from core.collectives.cost_model.setting import ENGINES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.calibrations.shapes import DomainSet, NetworkReach
    from core.collectives.cost_model.calibration import Calibration
    from core.collectives.cost_model.line import Floats, Line
    from core.collectives.cost_model.setting import Resolved

ENGINE_RANKS = (2, 4, 6, 8)
LARGEST_MEASURED_DOMAIN = 8
NO_SWITCH_YET = f"in-switch all-reduce starts at {one_domain.IN_SWITCH_FROM_RANKS} GPUs of a domain"
SWITCH_OF_EIGHT = "in-switch all-reduce below 8 GPUs is that of 8, by the bytes a link carries: not measured"
IN_SWITCH_FACTS = frozenset({NO_SWITCH_YET, SWITCH_OF_EIGHT})
"""What is said of any group of that size: nothing to be warned of."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Lines over some sizes, with basis, sources and warnings."""

    lines: tuple[Line, ...]
    basis: str
    sources: tuple[str, ...]
    warnings: tuple[str, ...]


def candidates(asked: Resolved, sizes: Floats, calibration: Calibration) -> Candidates:
    """All lines, or those of the algorithm that was asked for."""
    domain, basis = domain_for(asked, calibration.domains)
    beyond: tuple[str, ...] = ()
    sources: tuple[str, ...] = domain.provenance.sites
    said = _crowded(asked, domain)
    if asked.domains > 1:
        network, network_basis = network_for(
            asked, calibration.network, calibration.offsets, calibration.reach
        )
        found = several_domains.lines(asked, sizes, domain, network)
        basis = basis if basis.startswith("parts:") else network_basis
        beyond = _beyond(asked, network_basis, calibration.reach)
        sources = (*network.provenance.sites, *sources)
    elif asked.setting.implementation in ENGINES:
        found, basis, why = _engine_lines(asked, sizes, domain, basis, calibration)
        said += why
    else:
        found = _library_lines(asked, sizes, domain)
        if asked.gpus > LARGEST_MEASURED_DOMAIN and basis.startswith("calibrated:"):
            basis = basis.replace("calibrated:", "extrapolated:")
    if in_graph(asked):
        basis = basis.replace("calibrated:", "extrapolated:")
    return Candidates(_wanted(asked, found), basis, sources, _warnings(asked) + said + beyond)


def in_graph(asked: Resolved) -> bool:
    """Whether NCCL is replayed in a CUDA graph, which nobody in the data measured."""
    return asked.setting.launch == "graph" and asked.setting.implementation in ("nccl", "rccl")


def _beyond(asked: Resolved, basis: str, reach: Mapping[str, NetworkReach]) -> tuple[str, ...]:
    known = reach.get(basis.partition(":")[2])
    if known is None:
        return ()
    found = []
    if asked.domains > BEYOND * known.domains:
        found.append(
            f"{asked.domains} domains: at most {known.domains} were measured on such a network, "
            "the rest is physics"
        )
    elif basis.startswith("extrapolated:"):
        found.append(
            f"a port of {port_bytes_per_s(asked) / 1e9:g} GB/s: {known.slowest_bytes_per_s / 1e9:g} to "
            f"{known.fastest_bytes_per_s / 1e9:g} GB/s were measured, the rest is physics"
        )
    return tuple(found)


def _library_lines(asked: Resolved, sizes: Floats, domain: DomainSet) -> list[Line]:
    found = one_domain.lines(asked, sizes, domain)
    return [replace(line, launch_s=line.launch_s + HOST_ALLOWANCE.value) for line in found]


def _engine_lines(
    asked: Resolved, sizes: Floats, domain: DomainSet, basis: str, calibration: Calibration
) -> tuple[list[Line], str, tuple[str, ...]]:
    """An engine's kernel and what it falls back to; the library where it has none, and why."""
    name = asked.setting.implementation
    library = "RCCL" if asked.vendor == "amd" else "NCCL"
    if name == "nvls-multimem":
        if domain.in_switch is None or asked.family != "nvlink":
            why = f"{name} needs switches that add (NVSwitch, Hopper and later): {library} answers"
            return _library_lines(asked, sizes, domain), basis, (why,)
        line = engines.multimem_line(asked, sizes, calibration.multimem, domain.name)
        measured = domain.name == "nvlink-hopper" and basis.startswith("calibrated:")
        kind = "calibrated" if measured else "extrapolated"
        return [line], f"{kind}:nvls-multimem/{domain.name}", ()
    engine, engine_basis = engines.engine_for(asked, domain.name, calibration.engines)
    if engine is None or asked.ranks not in ENGINE_RANKS:
        where = f"{asked.ranks} ranks" if engine else f"{asked.ranks} {asked.setting.gpu} on this link"
        why = f"{name} has no kernel for {where}: {library} answers"
        return _library_lines(asked, sizes, domain), basis, (why,)
    fallback = one_domain.lines(asked, sizes, domain)
    if not basis.startswith("calibrated:"):
        engine_basis = engine_basis.replace("calibrated:", "extrapolated:")
    return engines.lines(asked, sizes, engine, fallback), engine_basis, ()


def _wanted(asked: Resolved, found: list[Line]) -> tuple[Line, ...]:
    wanted = asked.setting.algorithm
    if wanted == "auto":
        return tuple(found)
    chosen = tuple(line for line in found if line.algorithm == wanted)
    if not chosen:
        allowed = ", ".join(sorted({line.algorithm for line in found}))
        msg = f"algorithm must be one of auto, {allowed} here, not {wanted}"
        raise CostModelError(msg)
    return chosen


def _crowded(asked: Resolved, domain: DomainSet) -> tuple[str, ...]:
    """A line where the third GPU on PCIe takes rate from the first two."""
    rings = asked.setting.collective not in one_domain.EXCHANGES
    if asked.family == "pcie" and rings and one_domain.crowd_share(asked, domain) < 1:
        return ("more than two GPUs on PCIe share host bridges: the rate falls from 2 to 3",)
    return ()


def _warnings(asked: Resolved) -> tuple[str, ...]:
    setting = asked.setting
    found = []
    if asked.domains == 2 and setting.collective in ("all_reduce", *one_domain.CHAINS):
        found.append("exactly two domains: each NIC carries half of a tree, so the rate falls from 2 to 3")
    if asked.domains == 2 and setting.collective == "send_recv":
        found.append("exactly two domains: each rank has one partner, so the rate falls from 2 to 3")
    if asked.family == "mesh" and 1 < asked.gpus <= one_domain.MESH_LINKS:
        found.append(f"full mesh: {asked.gpus} GPUs use {asked.gpus - 1} of {one_domain.MESH_LINKS} links")
    if asked.gpus > LARGEST_MEASURED_DOMAIN:
        found.append("a domain larger than any measured: physics of the parts beyond 8 GPUs")
    in_switch = asked.generation in ("hopper", "blackwell", "rubin") and asked.family == "nvlink"
    if setting.collective == "all_reduce" and in_switch:
        found += _in_switch_notes(asked.gpus)
    if asked.family == "pcie":
        found.append("PCIe: peer access, bridges and sockets are not known and change the rate up to 2x")
    if in_graph(asked):
        found.append("no measurement of NCCL in a CUDA graph: answered as in a stream")
    return tuple(found)


def _in_switch_notes(gpus: int) -> list[str]:
    if gpus < one_domain.IN_SWITCH_FROM_RANKS:
        return [NO_SWITCH_YET]
    return [SWITCH_OF_EIGHT] if gpus < one_domain.IN_SWITCH_MEASURED_RANKS else []
