"""Process groups on a system: which ranks communicate, and the links and NIC share that each group gets."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import numpy as np

from core.checks import count
from core.hardware import System, Topology
from core.parallel.columns import is_column, larger
from core.systems import scale_up_path


@dataclass(frozen=True, slots=True)
class Group:
    """A process group: ``size`` ranks, ``stride`` ranks apart."""

    size: int
    stride: int


@lru_cache(maxsize=4096)
def group_view(system: System, stride: int) -> System:
    """
    The system as a group of every ``stride``-th rank sees it while all such groups communicate.

    A domain then has the group's own GPUs only, each with the NIC rate that is left when all GPUs
    of the domain use the NICs, and the scale-up rate of so many ranks. With a stride of a whole
    domain or more, each domain has one GPU of the group.

    A PCIe switch gives such a group the slot as long as its ranks are behind one switch; a larger one
    has its part of the uplink that all GPUs of the switch then use.

    Raises:
        InputError: A stride below one.
    """
    stride = count("stride", stride)
    if stride == 1 or system.domain_gpus == 1:
        return system
    local_ranks = max(1, system.domain_gpus // stride)
    joined = Topology.FULL_MESH if system.scale_up.topology is Topology.FULL_MESH else Topology.SWITCH
    behind_a_switch = min(local_ranks, _behind_a_switch(system, stride))
    crosses = 1 < behind_a_switch < local_ranks
    domain = replace(
        system.scale_up,
        ranks=local_ranks,
        topology=joined if local_ranks > 1 else Topology.SINGLE,
        bytes_per_s=_scale_up_rate(system, local_ranks, stride),
        in_network_reduction=system.scale_up.in_network_reduction and local_ranks > 1,
        taper=float(system.gpus_per_uplink) if crosses else 1.0,
        untapered_ranks=behind_a_switch,
    )
    return replace(
        system,
        domain_gpus=local_ranks,
        nics_per_domain=local_ranks if system.scale_out else 0,
        fabrics=(domain, *system.fabrics[1:]),
        gpus_per_uplink=1,
        wiring=(),
        bridge=None,
    )


@lru_cache(maxsize=16384)
def group_system(system: System, group: Group) -> System:
    """
    The part of the system that a group uses, so that what it does not use leaves its time alone.

    A group inside a domain sees no network; one with a single GPU in each domain no scale-up link.
    """
    view = group_view(system, group.stride)
    domain, *outside = view.fabrics
    if group.size <= view.domain_gpus:
        return replace(view, domains=1, network=None, nics_per_domain=0, fabrics=(domain,))
    view = replace(view, domains=-(-group.size // view.domain_gpus))
    if view.domain_gpus > 1 or not outside:
        return view
    single = replace(domain, bytes_per_s=outside[0].bytes_per_s)
    return replace(view, fabrics=(single, *outside), pair_bytes_per_s=None)


@lru_cache(maxsize=4096)
def split_group_system(system: System, group: Group) -> System:
    """The same for a group that the edge of a domain cuts: half of its ranks in each of two domains."""
    view = group_view(system, group.stride)
    domain, *outside = view.fabrics
    half = -(-group.size // 2)
    inside = replace(
        domain,
        ranks=half,
        topology=domain.topology if half > 1 else Topology.SINGLE,
        in_network_reduction=domain.in_network_reduction and half > 1,
    )
    return replace(view, domain_gpus=half, domains=2, nics_per_domain=half, fabrics=(inside, *outside))


def straddles(span: int, gpus: int, domain_gpus: int, domains: int) -> bool:
    """
    Whether the edge of a domain cuts some group of ``span`` neighbouring ranks that would fit into it.

    Groups are placed so that none is cut, GPUs left idle where there are domains to spare: 16
    neighbours use 64 of a rack's 72 GPUs, but 144 GPUs in two racks leave none idle.
    """
    fits = (gpus > domain_gpus) & (span > 1) & (span <= domain_gpus)
    usable_gpus = larger(1, domain_gpus // span * span)
    return fits & (-(-gpus // usable_gpus) > domains)


def shard_group(strategy: str, group: Group, domain_gpus: int) -> Group:
    """
    Ranks of a data-parallel group that share one copy of the model states.

    All of them, or with ``hsdp`` as many neighbours as fit into a domain and divide the group.
    """
    if strategy != "hsdp":
        return group
    if is_column(group.size, group.stride):
        pairs = zip(*np.broadcast_arrays(group.size, group.stride), strict=True)
        sizes = [_shard_size(int(size), domain_gpus // int(stride)) for size, stride in pairs]
        return Group(cast("int", np.array(sizes)), group.stride)
    return Group(_shard_size(group.size, domain_gpus // group.stride), group.stride)


def _shard_size(ranks: int, inside: int) -> int:
    """The most neighbours inside a domain that divide the ranks."""
    return max(n for n in range(1, min(max(1, inside), ranks) + 1) if ranks % n == 0)


def replica_group(group: Group, shard: Group) -> Group:
    """Ranks that hold the same shard in the different copies of a data-parallel group."""
    return Group(group.size // shard.size, group.stride * shard.size)


def _behind_a_switch(system: System, stride: int) -> int:
    """Ranks of a strided group that copy to each other through one PCIe switch; 1 where none do."""
    switched = system.scale_up.topology is Topology.PCIE_SWITCH and system.gpu.peer_to_peer
    return max(1, system.gpus_per_uplink // stride) if switched else 1


def _scale_up_rate(system: System, local_ranks: int, stride: int) -> float:
    """Bytes/s one way per GPU of a group with so many ranks in a domain, every ``stride``-th GPU."""
    fabric = system.scale_up
    if _behind_a_switch(system, stride) > 1:
        return fabric.bytes_per_s
    if fabric.topology.pcie or (fabric.topology is Topology.BRIDGE and system.bridge):
        return fabric.bytes_per_s / system.gpus_per_uplink
    return scale_up_path(system, local_ranks, stride=stride if local_ranks > 1 else 1).bytes_per_s
