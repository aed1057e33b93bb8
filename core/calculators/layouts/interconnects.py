"""Interconnects that a kind of parallelism may run on: the system's own links and others in their place."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.calculators.layouts.pcie import on_pcie
from core.catalog.networks import WITH_A_SLOW_ONE
from core.hardware import System, Topology
from core.parallel.groups import group_view
from core.systems import configure

PCIE = "PCIe 5 x16"


@dataclass(frozen=True, slots=True)
class Interconnect:
    """
    One interconnect for all communication.

    Attributes:
        system: A system on which every group uses it.
        most_gpus: GPUs that it can join; None without a limit.
        hypothetical_above: GPUs beyond which one domain is imagined larger than it is; None if never.
    """

    name: str
    system: System
    most_gpus: int | None = None
    hypothetical_above: int | None = None

    def refusal(self, gpus: int) -> str:
        """Why it cannot join so many GPUs; empty where it can."""
        if self.most_gpus is None or gpus <= self.most_gpus:
            return ""
        return f"{self.name} joins {self.most_gpus} GPUs, not {gpus}"

    def note(self, gpus: int) -> str:
        """What an answer for so many GPUs assumes; empty where nothing."""
        if self.hypothetical_above is None or gpus <= self.hypothetical_above:
            return ""
        return f"as if one domain joined {gpus} GPUs, not {self.hypothetical_above}"


def interconnects(
    system: System, gpus: int, networks: Iterable[str] = WITH_A_SLOW_ONE
) -> tuple[Interconnect, ...]:
    """
    The system's own scale-up link, PCIe in its place, its scale-out network, and other networks.

    Raises:
        InputError: An unknown network.
    """
    options = [_scale_up(system, gpus)]
    if not system.scale_up.topology.pcie:
        options.append(Interconnect(PCIE, _one_domain(on_pcie(system), gpus), system.domain_gpus))
    own = [system.network] if system.network else []
    return (*options, *(_network(system, gpus, name) for name in dict.fromkeys([*own, *networks])))


def _scale_up(system: System, gpus: int) -> Interconnect:
    """The scale-up link, imagined beyond the domain's GPUs only where switches join them."""
    domain = system.scale_up
    most_gpus = None if domain.topology is Topology.SWITCH else system.domain_gpus
    return Interconnect(domain.link, _one_domain(system, gpus), most_gpus, system.domain_gpus)


def _network(system: System, gpus: int, name: str) -> Interconnect:
    nics = system.nics_per_domain
    if name != system.network:
        nics = nics or system.domain_gpus
    cluster = configure(system, domains=max(2, gpus), network=name, nics_per_domain=nics or None)
    return Interconnect(name, group_view(cluster, cluster.domain_gpus))


def _one_domain(system: System, gpus: int) -> System:
    """One domain that joins so many GPUs, and no network."""
    size = max(system.domain_gpus, gpus)
    fabrics = (replace(system.scale_up, ranks=size),)
    return replace(system, domain_gpus=size, domains=1, network=None, nics_per_domain=0, fabrics=fabrics)
