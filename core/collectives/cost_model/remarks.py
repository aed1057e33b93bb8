"""What the user should know of an answer: a line for each."""

from collections.abc import Mapping

from core.catalog.calibrations.shapes import DomainKind, DomainSet, NetworkReach
from core.collectives.cost_model import engines, one_domain
from core.collectives.cost_model.basis import Basis, Support
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.networks import BEYOND, lone
from core.units import GB

LARGEST_MEASURED_DOMAIN = 8
NO_SWITCH_YET = f"in-switch all-reduce starts at {one_domain.IN_SWITCH_FROM_RANKS} GPUs of a domain"
SWITCH_OF_EIGHT = "in-switch all-reduce below 8 GPUs is that of 8, by the bytes a link carries: not measured"
HALF = (
    "multimem kernel for half of an all-reduce: no published times; its start and rate are the all-reduce's"
)
FUSED = "multimem all-reduce inside a step: fused with the norm that follows, faster than the kernel alone"
IN_SWITCH_FACTS = frozenset({NO_SWITCH_YET, SWITCH_OF_EIGHT, FUSED})
"""Facts of any such group: nothing to be warned of."""


def of_domain(comm: Communicator, domain: DomainSet) -> tuple[str, ...]:
    """Lines on the links between the GPUs, how many take part, and what was measured of such."""
    setting = comm.setting
    warnings = [] if comm.catalogued else [_unknown(comm)]
    if comm.domains == 2 and setting.collective == "all_reduce":
        warnings.append(
            "exactly two domains: each NIC carries half of a tree; with more domains bandwidth is lower"
        )
    if comm.domains == 2 and setting.collective == "send_recv":
        warnings.append(
            "exactly two domains: each rank has one partner; with more domains bandwidth is lower"
        )
    if comm.kind is DomainKind.MESH and 1 < comm.gpus <= one_domain.MESH_LINKS:
        warnings.append(f"full mesh: {comm.gpus} GPUs use {comm.gpus - 1} of {one_domain.MESH_LINKS} links")
        warnings += _few_rings(comm)
    if comm.gpus > (largest := largest_domain(domain)):
        warnings.append(
            f"a domain larger than those of its constants: physics of the parts beyond {largest} GPUs"
        )
    if setting.collective == "all_reduce" and one_domain.adds_in_switch(comm, domain):
        warnings += _in_switch_notes(comm.gpus)
    if comm.kind is DomainKind.PCIE:
        warnings.append("PCIe: peer access, bridges and sockets are not known and change the rate up to 2x")
    if in_graph(comm):
        warnings.append("a CUDA graph: answered as in a stream; small messages were seen to take half of it")
    return (*warnings, *_crowded(comm, domain))


def _crowded(comm: Communicator, domain: DomainSet) -> tuple[str, ...]:
    """A line where the third GPU on PCIe takes rate from the first two."""
    rings = comm.setting.collective not in one_domain.EXCHANGES
    if comm.kind is DomainKind.PCIE and rings and one_domain.crowd_share(comm, domain) < 1:
        return ("more than two GPUs on PCIe share host bridges: the third GPU lowers the rate per GPU",)
    return ()


def _few_rings(comm: Communicator) -> tuple[str, ...]:
    """A line where RCCL finds few rings on the GPUs of a mesh that take part."""
    if comm.setting.collective in one_domain.EXCHANGES or comm.gpus not in one_domain.MESH_RINGS:
        return ()
    seen = "3, 5, 6 and 7 MI355X were seen at 75 to 86 and 38 to 46 GB/s, 4 and 8 at 165 and 380"
    return (f"RCCL has rings of its own for 2, 4 and 8 GPUs of a mesh, not for {comm.gpus}: {seen}",)


def _unknown(comm: Communicator) -> str:
    setting = comm.setting
    inside = f"{setting.gpu} on {setting.scale_up_link}"
    what = inside if comm.domains == 1 else f"{inside} over {setting.scale_out_link or 'a network'}"
    return f"not every part of {what} is in the catalog: answered from rates and constants of other hardware"


def _in_switch_notes(gpus: int) -> list[str]:
    if gpus < one_domain.IN_SWITCH_FROM_RANKS:
        return [NO_SWITCH_YET]
    return [SWITCH_OF_EIGHT] if gpus < one_domain.IN_SWITCH_MEASURED_RANKS else []


def of_replaced(comm: Communicator) -> tuple[str, ...]:
    """A line where an engine has no such collective and its library answers."""
    if not comm.replaced:
        return ()
    setting, where = comm.setting, "between domains" if comm.domains > 1 else "inside a domain"
    return (f"{comm.replaced} has no {setting.collective} {where}: priced as {setting.implementation}.",)


def of_reach(comm: Communicator, basis: Basis, reach: Mapping[str, NetworkReach]) -> tuple[str, ...]:
    """A line where there are more domains, or faster ports, than were measured."""
    measured = reach.get(basis.name)
    if measured is None:
        return ()
    if comm.domains > BEYOND * measured.domains:
        warning = (
            f"{comm.domains:,} domains: at most {measured.domains:,} were measured on such a network, "
            "the rest is physics"
        )
        return (warning,)
    if basis.support is not Support.EXTRAPOLATED or not comm.catalogued:
        return ()
    if lone(comm, measured):
        return (f"one GPU a node: at least {measured.fewest_gpus} were measured on such a network",)
    span = f"{measured.slowest_bytes_per_s / GB:g} to {measured.fastest_bytes_per_s / GB:g} GB/s"
    port = f"a port of {comm.port_bytes_per_s / GB:g} GB/s"
    return (f"{port}: {span} were measured, the rest is physics",)


def of_kin(name: str) -> tuple[str, ...]:
    """A line where the constants are those of another engine."""
    if name not in engines.KIN:
        return ()
    kin = engines.KIN[name]
    return (f"{name}: few published times; {kin}, kernels of the same design, is within 25 % of them",)


def in_graph(comm: Communicator) -> bool:
    """Whether NCCL is replayed in a CUDA graph, which nobody in the data measured."""
    return comm.setting.launch == "graph" and comm.setting.implementation in ("nccl", "rccl")


def largest_domain(domain: DomainSet) -> int:
    """GPUs of the largest domain behind a set of constants."""
    return max(LARGEST_MEASURED_DOMAIN, one_domain.ONLY_RANKS.get(domain.name, 0))
