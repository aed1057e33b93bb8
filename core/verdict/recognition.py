"""Which system a log describes, as far as it tells, and what had to be assumed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.catalog import GPUS, SYSTEMS, link_name
from core.hardware import System, Topology
from core.measurement import Run
from core.systems import CustomSystem, DomainSpec, NetworkSpec, configure, custom_system
from core.units import GB, MIB
from core.verdict.bridges import lacks_bridges
from core.verdict.cards import own_adapters
from core.verdict.evidence import Evidence, evidence_of, whole
from core.verdict.log_gpu import alike, card_of, gpu_id
from core.verdict.log_network import (
    NetworkMatch,
    adapters_of,
    assumed,
    by_port,
    is_usual_rate,
    network_by_lines,
    network_in_words,
    network_of,
    port_link,
    stated_nics,
)
from core.verdict.ranks import RACK_GPUS
from core.verdict.records import ASSUMED_NICS

_ANY_GPU = "h100-sxm"
"""Of a system of NICs alone, where it plays no part."""
_SLOWEST, _SLOWEST_BYTES_PER_S = "ib-qdr", 1 * GB
"""The slowest network of the catalog, and what ports of 10 Gb/s carry, the slowest of RDMA."""
_BOARD_GPUS = 8
"""From so many GPUs a node has a NIC for each, as those of DGX and HGX boards do."""
_HALVES = {
    "mi250x": "each rank of MI250X is one of the two dies of a card, and the catalog holds whole cards: "
    "whether its rate is right cannot be known without that of another node of this kind"
}
"""Cards that show themselves as two GPUs (rocm.docs.amd.com: reference/gpu-arch/mi250), and what is said."""
_MODULES = (Topology.SWITCH, Topology.FULL_MESH, Topology.CUBE_MESH)
"""How GPUs are joined that come as a board of a known size; cards stand in any number."""


@dataclass(frozen=True, slots=True)
class SystemMatch:
    """The system that a log describes, and what had to be assumed; None with the reason."""

    system: System | None
    remark: str


@dataclass(frozen=True, slots=True)
class _Nodes:
    """What a log tells of its nodes: GPU, GPUs of each, how many there are, their network and NICs."""

    gpu: str
    local: int
    hosts: int
    network: NetworkMatch
    nics: int | None
    shown: int | None


def system_of(run: Run, network: str | None = None, *, beside: Sequence[Run] = ()) -> SystemMatch:
    """
    The system as far as the log tells, and what had to be assumed.

    Args:
        run: A run whose ranks are known.
        network: Catalog id; None: as the log's settings tell.
        beside: The runs of the same file, whose matrices show bridges between cards.
    """
    if run.format == "perftest" or (run.format == "osu" and (network or port_link(run))):
        return _of_port(run, network)
    gpu, ranks = card_of(run), run.ranks or _devices(run)
    if gpu is None or not ranks:
        return SystemMatch(None, f"the log {_named(run)}")
    evidence = evidence_of(run)
    hosts = max(1, len(run.machine.hosts), evidence.nodes or 0)
    hosts = max(hosts, _nodes_of(run, gpu, ranks)) if hosts == 1 else hosts
    stated, told = stated_nics(run)
    link = network or network_of(run) or (told if stated else None)
    match = NetworkMatch(link) if link else network_in_words(run, network_by_lines(run, gpu))
    if match.unknown and hosts > 1:
        return SystemMatch(
            None, f"the log names a network of kind {match.unknown}, not in the catalog: name the network"
        )
    nodes = _Nodes(gpu, -(-ranks // hosts), hosts, match, stated or adapters_of(run), evidence.shown_adapters)
    if own := _with_own_adapters(run, nodes):
        return own
    if gpu in _HALVES and run.samples and hosts == 1:
        return SystemMatch(None, _HALVES[gpu])
    without = hosts == 1 and lacks_bridges([run, *beside], GPUS[gpu])
    answer = (
        _unbridged(nodes) if without else _rack(nodes, evidence) or _catalogued(nodes) or _assembled(nodes)
    )
    if told and match.link == told and hosts > 1 and not (link or nodes.nics or nodes.shown):
        answer = _of_fewest_nics(answer)
    remark = answer.remark + (", ranks are not the same on all hosts" if ranks % hosts else "")
    if run.machine.gpus and gpu_id(run) is None:
        remark += f" for {run.machine.gpus[0].name}, a card on {link_name(GPUS[gpu].pcie_link)}"
    return _with_stated(replace(answer, remark=remark), stated)


def _named(run: Run) -> str:
    """What is said of the GPU of a run that no card of the catalog is, or that tells none."""
    gpus = run.machine.gpus
    return f"names {gpus[0].name}, which is not in the catalog" if gpus else "names no GPU"


def _with_stated(answer: SystemMatch, nics: int | None) -> SystemMatch:
    """The answer with the NICs of a node that words state."""
    system = answer.system
    if not nics or system is None or system.network is None:
        return answer
    system = with_stated_nics(configure(system, domains=system.domains, nics_per_domain=nics))
    told = f"{nics} NIC{'s' if nics > 1 else ''} a node as stated"
    return SystemMatch(system, f"{answer.remark}, {told}")


def _of_fewest_nics(answer: SystemMatch) -> SystemMatch:
    """
    The system with one NIC a node, which the judge widens to as many as a rate needs.

    At the rate that is usual beside boards of such GPUs it keeps the usual number, one for each.
    """
    system = answer.system
    if system is None or (system.domain_gpus >= _BOARD_GPUS and is_usual_rate(system)):
        return answer
    system = configure(system, domains=system.domains, nics_per_domain=1)
    gpus = f"{system.domains} × {system.domain_gpus} × {system.gpu.name}"
    remark = (
        f"{gpus} over {link_name(system.network)}, 1 NIC a node assumed, or as many more as its rate needs"
    )
    return SystemMatch(replace(system, unverified=ASSUMED_NICS), remark)


def _with_own_adapters(run: Run, nodes: _Nodes) -> SystemMatch | None:
    """Machines of one GPU whose NICs come with it; None for other GPUs."""
    name = run.machine.gpus[0].name if run.machine.gpus else ""
    own = own_adapters(name)
    if own is None or nodes.local != 1 or nodes.hosts == 1:
        return None
    link, count = own
    spec = NetworkSpec(link)
    system = custom_system(CustomSystem(nodes.gpu, 1, spec, name=name, domains=nodes.hosts))
    system = configure(system, domains=nodes.hosts, nics_per_domain=count)
    return SystemMatch(system, f"{nodes.hosts} × {name} with {count} × {link_name(link)} each")


def _of_port(run: Run, network: str | None) -> SystemMatch:
    """Two NICs over the network of perftest's port, which its output does not name."""
    link = network or port_link(run)
    if link is None and _is_below_any_port(run):
        remark = f"whatever its port, taken as {link_name(_SLOWEST)}: less than one of 10 Gb/s carries"
        return SystemMatch(_two_adapters(run, _SLOWEST), remark)
    if link is None:
        return SystemMatch(
            None,
            "whether it is right cannot be known without the rate of its port, which the test does not "
            "print: name the network, or add ibstat",
        )
    return SystemMatch(_two_adapters(run, link), f"two NICs over {link_name(link)}")


def _two_adapters(run: Run, link: str) -> System:
    name = f"2 NICs over {link_name(link)}"
    return custom_system(CustomSystem(gpu_id(run) or _ANY_GPU, 1, NetworkSpec(link), name=name, domains=2))


def _is_below_any_port(run: Run) -> bool:
    """Whether large messages by RDMA are slower than any port of RDMA."""
    rates = [item.size_bytes / item.time_s for item in run.samples if item.size_bytes >= MIB]
    names = {item.operation or "" for item in run.samples}
    by_rdma = all(name.startswith("rdma_") and not name.endswith("_latency") for name in names)
    return bool(rates) and by_rdma and max(rates) < _SLOWEST_BYTES_PER_S


def with_stated_nics(system: System) -> System:
    """The system without the mark that its NICs are assumed: an option or field states them."""
    return replace(system, unverified="") if system.unverified == ASSUMED_NICS else system


def _nodes_of(run: Run, gpu: str, ranks: int) -> int:
    """Nodes that hold so many ranks where the largest of the catalog holds fewer: one host named twice."""
    members = alike(gpu)
    boards = [item for item in SYSTEMS.values() if item.gpu.id in members]
    largest = max((item.domain_gpus for item in boards), default=0)
    if not any(item.scale_up.topology in _MODULES for item in boards) or _device_ids(run) >= ranks:
        return 1
    return ranks // largest if ranks > largest and ranks % largest == 0 else 1


def _device_ids(run: Run) -> int:
    """How many different numbers of GPUs a log lists; 0 where it does not."""
    counts = [whole(item.value) or 0 for item in run.observations if item.kind == "devices"]
    return max(counts, default=0)


def system_of_file(runs: Sequence[Run], network: str | None = None) -> SystemMatch:
    """The system that the runs of one file describe: of the run with most ranks that names one."""
    largest_first = sorted(runs, key=lambda run: -(run.ranks or 0))
    matches = [system_of(_by_its_rates(run), network, beside=runs) for run in largest_first]
    return next((match for match in matches if match.system is not None), matches[0])


def _by_its_rates(run: Run) -> Run:
    return run if run.ranks else replace(run, ranks=run.ranks_guess)


def _devices(run: Run) -> int:
    """GPUs of a run without ranks: those that it names, or the rows of its matrices."""
    named = sum(gpu.count for gpu in run.machine.gpus)
    return max([named, *(len(matrix.columns) for matrix in run.matrices if matrix.kind == "bandwidth")])


def _rack(nodes: _Nodes, evidence: Evidence) -> SystemMatch | None:
    """A rack whose scale-up domain spans hosts; None for a GPU of nodes, or hosts of several domains."""
    own = [item for item in SYSTEMS.values() if item.gpu.id == nodes.gpu]
    racks = [item for item in own if item.domain_gpus > RACK_GPUS]
    if not racks or (len(own) > len(racks) and nodes.local <= RACK_GPUS):
        return None
    rack = min(racks, key=lambda item: item.domain_gpus)
    gpus = nodes.local * nodes.hosts
    if gpus <= rack.domain_gpus and nodes.hosts > 1 and evidence.over_network:
        return None
    system = configure(rack, domains=-(-gpus // rack.domain_gpus))
    return SystemMatch(system, f"{gpus} GPUs, taken as {rack.name}")


def _catalogued(nodes: _Nodes) -> SystemMatch | None:
    """The smallest system of the catalog with so many of these GPUs in a domain."""
    known = _holding(nodes.gpu, nodes.local)
    network = nodes.network.link
    if not known or (nodes.hosts > 1 and known[0].domain_gpus != nodes.local):
        return None
    if not known[0].nics_per_domain:
        if nodes.hosts > 1:
            return None
        network = None
    system = configure(known[0], domains=nodes.hosts, network=network)
    remark = f"{nodes.hosts} × {nodes.local} GPUs, taken as {system.name}"
    if nodes.hosts == 1:
        return SystemMatch(system, remark)
    if "NIC" in system.unverified:
        system, counted = _with_nics(system, nodes)
    else:
        counted = ""
    remark += f" with {system.nics_per_domain} × {link_name(system.network)}{counted}"
    return SystemMatch(system, remark + (f": {nodes.network.remark}" if nodes.network.remark else ""))


def _holding(gpu: str, local: int) -> list[System]:
    """
    Systems of the catalog with so many of these GPUs in a domain, the likeliest first.

    A part of a domain is of one with switches where such GPUs come with them: a mesh lends a part fewer
    links, and ``topo -m`` shows it.
    """
    members = alike(gpu)
    known = [item for item in SYSTEMS.values() if item.gpu.id in members and item.domain_gpus >= local]
    switched = any(item.scale_up.topology is Topology.SWITCH for item in known)
    known = [
        item
        for item in known
        if item.domain_gpus == local or not switched or item.scale_up.topology is not Topology.FULL_MESH
    ]
    return sorted(known, key=lambda item: (item.gpu.id != gpu, item.domain_gpus))


def _with_nics(system: System, nodes: _Nodes) -> tuple[System, str]:
    """The system with the NICs that the log names or shows, else marked as assumed; in words."""
    if system.network is None or not by_port(system.network):
        return system, ""
    if nodes.nics:
        return configure(system, domains=system.domains, nics_per_domain=nodes.nics), " as the log names"
    if nodes.shown and nodes.shown < system.nics_per_domain:
        return configure(system, domains=system.domains, nics_per_domain=nodes.shown), " as topo -m shows"
    return replace(system, unverified=ASSUMED_NICS), ", NICs assumed"


def _unbridged(nodes: _Nodes) -> SystemMatch:
    """Cards that may be bridged in pairs, joined over their slots alone: no pair is faster than a slot."""
    gpu = GPUS[nodes.gpu]
    name = f"{nodes.local} × {gpu.name}"
    domain = DomainSpec(nodes.local, Topology.PCIE_HOST, host_link=gpu.pcie_link)
    remark = f"{name} without NVLink bridges, as no pair is faster than its slot (nvidia-smi nvlink -s tells)"
    if gpu.scale_up_topology is Topology.FULL_MESH:
        remark = f"{name} over their slots, as no bridge joins all of them (rocm-smi --showtopo tells)"
    return SystemMatch(custom_system(CustomSystem(nodes.gpu, domain, name=name)), remark)


def _assembled(nodes: _Nodes) -> SystemMatch:
    """A system of these GPUs, with a NIC each where there are several hosts and the log names none."""
    name = f"{nodes.local} × {GPUS[nodes.gpu].name}"
    remark = f"{nodes.hosts} × {name}"
    if nodes.hosts == 1:
        spec = NetworkSpec(nodes.network.link) if nodes.network.link else None
        return SystemMatch(custom_system(CustomSystem(nodes.gpu, nodes.local, spec, name=name)), remark)
    network = nodes.network if nodes.network.link else assumed(nodes.gpu)
    spec = NetworkSpec(network.link)
    system = custom_system(CustomSystem(nodes.gpu, nodes.local, spec, name=name, domains=nodes.hosts))
    system, counted = _with_nics(system, nodes)
    remark += f" with {system.nics_per_domain} × {link_name(system.network)}{counted}"
    return SystemMatch(system, remark + (f"; {network.remark}" if network.remark else ""))
