"""Placement of ranks: how many in how many domains, and the two links that they see."""

from dataclasses import dataclass, replace

from core.checks import InputError
from core.collectives.cost_model import ENGINES, engine_runs
from core.collectives.pricing.scenario import Scenario
from core.collectives.question import AUTO
from core.collectives.rates import Rates
from core.hardware import Hop, Topology
from core.provenance import Origin
from core.systems import outer_hop, split
from core.systems.scale_up import ScaleUpPath, scale_up_path

PAIR = 2


@dataclass(frozen=True, slots=True)
class Placement:
    """
    The ranks of a scenario on its system.

    Attributes:
        path: What the ranks of a domain talk over.
        inner, outer: Hop inside a domain and across; outer None with one domain.
        in_switch, in_network: Whether the switches inside and across can add.
        implementation: The library that runs it: RCCL on AMD, NCCL or RCCL where an engine has no kernel.
        remarks: Warnings about the placement.
        rate_scale: Factor on the rate of the limiting link (for crossovers).
    """

    local_ranks: int
    domains: int
    path: ScaleUpPath
    inner: Hop
    outer: Hop | None
    in_switch: bool
    in_network: bool
    implementation: str
    remarks: tuple[str, ...]
    rate_scale: float = 1.0

    @property
    def ranks(self) -> int:
        """GPUs in all domains."""
        return self.local_ranks * self.domains

    def on(self, rates: Rates) -> "Placement":
        """The same placement at these rates: both directions added up, or replaced by the user."""
        if self.outer is None:
            return replace(self, inner=_hop(self.inner, rates, self.rate_scale))
        outer = _hop(self.outer, rates.across, self.rate_scale)
        return replace(self, inner=_hop(self.inner, rates), outer=outer)


def placement_of(scenario: Scenario) -> Placement:
    """Where the ranks sit, at datasheet rates; raises InputError where they do not fit."""
    system = scenario.system
    spread = _spread(scenario)
    outer = outer_hop(system, spread.local_ranks) if spread.domains > 1 else None
    if spread.domains > 1 and outer is None:
        message = f"ranks: at most {system.domain_gpus} without a network, not {scenario.ranks}"
        raise InputError(message)
    library = _library(scenario, spread.domains)
    scale_out, path = system.scale_out, scale_up_path(system, _reached(scenario, spread))
    return Placement(
        local_ranks=spread.local_ranks,
        domains=spread.domains,
        path=path,
        inner=path.hop,
        outer=outer,
        in_switch=_adds(scenario, path),
        in_network=scale_out is not None and scale_out.in_network_reduction,
        implementation=library.implementation,
        remarks=spread.remarks + library.remarks,
    )


def _adds(scenario: Scenario, path: ScaleUpPath) -> bool:
    """Whether the switches of a domain add: as the system has it, unless the question says."""
    system = scenario.system
    if scenario.nvls == AUTO:
        return system.scale_up.in_network_reduction
    able = path.topology is Topology.SWITCH and system.gpu.in_network_reduction
    if scenario.nvls == "on" and not able:
        message = f"nvls: off or auto, not on: the switches of {system.id} cannot add"
        raise InputError(message)
    return scenario.nvls == "on"


@dataclass(frozen=True, slots=True)
class _Spread:
    """Ranks in each domain, the domains, and warnings where the last one is not full."""

    local_ranks: int
    domains: int
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Library:
    """Who runs the collective, and a warning where it is not the one named."""

    implementation: str
    remarks: tuple[str, ...]


def _spread(scenario: Scenario) -> _Spread:
    """The ranks over the domains, as the scenario places them or filled in order."""
    system = scenario.system
    if scenario.per_domain is None:
        local, domains = split(system, scenario.ranks, uneven=True)
    else:
        local = min(scenario.per_domain, scenario.ranks)
        domains = -(-scenario.ranks // local)
        if domains > system.domains:
            most = system.domains * scenario.per_domain
            shape = f"{scenario.per_domain} in each of {system.domains} domains"
            message = f"ranks: at most {most} ({shape}), not {scenario.ranks}"
            raise InputError(message)
    if local * domains == scenario.ranks:
        return _Spread(local, domains, ())
    remark = (
        f"{scenario.ranks} ranks do not fill {domains} domains evenly: "
        f"priced as {domains} x {local} = {domains * local}."
    )
    return _Spread(local, domains, (remark,))


def _reached(scenario: Scenario, spread: _Spread) -> int:
    """Ranks that share the path: in one full mesh send_recv has the links to its one peer."""
    mesh = scenario.system.scale_up.topology is Topology.FULL_MESH
    single = mesh and scenario.collective == "send_recv" and spread.domains == 1
    return min(spread.local_ranks, PAIR) if single else spread.local_ranks


def _library(scenario: Scenario, domains: int) -> _Library:
    engine = scenario.implementation
    library = "rccl" if scenario.system.gpu.vendor == "AMD" else "nccl"
    if engine == "nccl":
        return _Library(library, ())
    if engine in ENGINES and (domains > 1 or not engine_runs(engine, scenario.collective)):
        where = "between domains" if domains > 1 else "inside a domain"
        remark = f"{engine} has no {scenario.collective} {where}: priced as {library}."
        return _Library(library, (remark,))
    return _Library(engine, ())


def _hop(hop: Hop, rates: Rates, scale: float = 1.0) -> Hop:
    published = rates.origin is Origin.PUBLISHED
    latency_s = rates.latency_s if rates.latency_s is not None else (0.0 if published else hop.latency_s)
    one_way = hop.bytes_per_s if rates.bytes_per_s is None else rates.bytes_per_s
    return Hop(latency_s, one_way * (2 if published else 1) * scale)
