"""Rates of the links that a run can use: of a GPU in its domain, of a domain to the others, to the host."""

from dataclasses import dataclass

from core.catalog import LINKS
from core.hardware import Family, System
from core.systems import hop_for, outer_hop


@dataclass(frozen=True, slots=True)
class LinkRates:
    """
    Unidirectional rates that the ranks of a run have.

    Attributes:
        gpu_bytes_per_s: Of one GPU inside its scale-up domain; infinite for one rank per domain.
        domain_bytes_per_s: Of all of a domain's NICs together; None inside one domain.
        in_network_reduction: Whether the switches of the domain can reduce (NVLS).
    """

    gpu_bytes_per_s: float
    domain_bytes_per_s: float | None
    in_network_reduction: bool


def link_rates(system: System, local_ranks: int, domains: int) -> LinkRates:
    """The links of a system with so many ranks in each of so many domains."""
    scale_out = outer_hop(system, local_ranks) if domains > 1 else None
    domain = None if scale_out is None else scale_out.bytes_per_s * local_ranks
    gpu = hop_for(system, local_ranks).bytes_per_s if local_ranks > 1 else float("inf")
    return LinkRates(gpu, domain, system.scale_up.in_network_reduction)


def nics_in_use(system: System, local_ranks: int) -> int:
    """NICs that so many ranks of a domain can use: the nearest ones, or their share where there are more."""
    share = local_ranks * max(1.0, system.nics_per_domain / system.domain_gpus)
    return min(system.nics_per_domain, int(share))


def host_link_rate(system: System) -> float | None:
    """Unidirectional bytes/s of the link between a GPU and the host; None where the catalog has none."""
    link = LINKS.get(system.host_link or "")
    return None if link is None or link.rate is None else link.rate.bytes_per_s


def pcie_rate(system: System) -> float | None:
    """Unidirectional bytes/s of a GPU's PCIe slot, be it the link to the host or not; None where unknown."""
    link = LINKS.get(system.host_link or "")
    if link is None or link.rate is None or link.family is not Family.PCIE:
        link = LINKS.get(system.gpu.pcie_link or "")
    return None if link is None or link.rate is None else link.rate.bytes_per_s


def scale_up_family(system: System) -> Family | None:
    """The family of the link between the GPUs of a domain; None where the catalog does not know it."""
    link = LINKS.get(system.scale_up.link)
    return None if link is None else link.family
