"""Which system a log describes, as far as it tells, and what had to be assumed."""

from collections.abc import Sequence
from dataclasses import replace

from core.catalog import GPUS, SYSTEMS, link_name
from core.hardware import Gpu, System, Topology
from core.measurement import Run
from core.systems import CustomSystem, NetworkSpec, configure, custom_system
from core.verdict.bridges import lacks_bridges
from core.verdict.cards import own_adapters
from core.verdict.evidence import evidence_of, whole
from core.verdict.log_gpu import alike, card_of, gpu_id, instance_of
from core.verdict.log_network import (
    NetworkMatch,
    adapters_of,
    is_usual_rate,
    network_by_lines,
    network_in_words,
    network_of,
    port_link,
    stated_nics,
)
from core.verdict.nodes_to_system import assembled, catalogued, rack_of, unbridged
from core.verdict.port_match import match_of_port
from core.verdict.records import ASSUMED_NICS
from core.verdict.system_match import Nodes, SystemMatch

_SPLIT_LEAST = 4
"""Ranks of one host that are a node each to NCCL: two may be two machines of one name."""
_BOARD_GPUS = 8
"""From so many GPUs a node has a NIC for each, as those of DGX and HGX boards do."""
_MODULES = (Topology.SWITCH, Topology.FULL_MESH, Topology.CUBE_MESH)
"""How GPUs are joined that come as a board of a known size; cards stand in any number."""


def system_of(run: Run, network: str | None = None, *, beside: Sequence[Run] = ()) -> SystemMatch:
    """
    The system as far as the log tells, and what had to be assumed.

    Args:
        run: A run whose ranks are known.
        network: Catalog id; None: as the log's settings tell.
        beside: The runs of the same file, whose matrices show bridges between cards.
    """
    if run.format == "perftest" or (run.format == "osu" and (network or port_link(run))):
        return match_of_port(run, network, beside)
    gpu, ranks = card_of(run), run.ranks or _devices(run)
    if gpu is None or not ranks:
        return SystemMatch(None, f"the log {_named(run)}")
    evidence = evidence_of(run)
    hosts = max(1, len(run.machine.hosts), 0 if _is_split(run, ranks) else evidence.nodes or 0)
    hosts = max(hosts, _nodes_of(run, gpu, ranks)) if hosts == 1 else hosts
    stated, told = stated_nics(run)
    link = network or network_of(run) or (told if stated else None)
    match = NetworkMatch(link) if link else network_in_words(run, network_by_lines(run, gpu))
    if match.unknown and hosts > 1:
        return SystemMatch(
            None, f"the log names a network of kind {match.unknown}, not in the catalog: name the network"
        )
    nodes = Nodes(gpu, -(-ranks // hosts), hosts, match, stated or adapters_of(run), evidence.shown_adapters)
    if own := _with_own_adapters(run, nodes):
        return own
    if GPUS[gpu].dies > 1 and run.samples and hosts == 1:
        return SystemMatch(None, _of_dies(GPUS[gpu]))
    without = hosts == 1 and lacks_bridges([run, *beside], GPUS[gpu])
    answer = (
        unbridged(nodes) if without else rack_of(nodes, evidence) or catalogued(nodes) or assembled(nodes)
    )
    if told and match.link == told and hosts > 1 and not (link or nodes.nics or nodes.shown):
        answer = _of_fewest_nics(answer)
    remark = answer.remark + (", ranks are not the same on all hosts" if ranks % hosts else "")
    if card := _stood_for(run):
        remark += f" for {card}, a card on {link_name(GPUS[gpu].pcie_link)}"
    return _with_stated(replace(answer, remark=remark), stated)


def _stood_for(run: Run) -> str:
    """The run's card where the catalog lacks it and another stands for it; empty where it does not."""
    if not run.machine.gpus:
        instance = instance_of(run)
        return instance.card if instance else ""
    return run.machine.gpus[0].name if gpu_id(run) is None else ""


def _of_dies(gpu: Gpu) -> str:
    """What is said of cards whose dies are GPUs to their driver (rocm.docs.amd.com: gpu-arch/mi250)."""
    name = gpu.name.split(" (")[0]
    return (
        f"each rank of {name} is one of the {gpu.dies} dies of a card, and the catalog holds whole cards: "
        "whether its rate is right cannot be known without that of another node of this kind"
    )


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


def _with_own_adapters(run: Run, nodes: Nodes) -> SystemMatch | None:
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


def with_stated_nics(system: System) -> System:
    """The system without the mark that its NICs are assumed: an option or field states them."""
    return replace(system, unverified="") if system.unverified == ASSUMED_NICS else system


def _is_split(run: Run, ranks: int) -> bool:
    """Whether NCCL counts a node for each of several ranks that the list of devices places on one host."""
    one_host = len(run.machine.hosts) == 1
    return one_host and ranks >= _SPLIT_LEAST and evidence_of(run).nodes == ranks


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
