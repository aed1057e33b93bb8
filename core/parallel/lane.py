"""A lane: the machine as one of many groups sees it that talk at the same time over the same wires."""

from dataclasses import replace
from functools import lru_cache

from core.checks import count
from core.hardware import System, Topology
from core.systems import scale_up_path


@lru_cache(maxsize=4096)
def lane(system: System, stride: int) -> System:
    """
    The system for a group of every ``stride``-th rank, while the other groups talk too.

    A domain then has the group's own GPUs only, each with the NIC rate that is left when all GPUs
    of the domain use the NICs, and the domain rate of so many ranks. With a stride of a whole
    domain or more, each domain has one GPU of the group.
    """
    stride = count("stride", stride)
    if stride == 1 or system.domain_gpus == 1:
        return system
    local = max(1, system.domain_gpus // stride)
    joined = Topology.FULL_MESH if system.scale_up.topology is Topology.FULL_MESH else Topology.SWITCH
    domain = replace(
        system.scale_up,
        ranks=local,
        topology=joined if local > 1 else Topology.SINGLE,
        bytes_per_s=_rate(system, local, stride),
        in_network_reduction=system.scale_up.in_network_reduction and local > 1,
        taper=1.0,
    )
    return replace(
        system,
        domain_gpus=local,
        nics_per_domain=local if system.scale_out else 0,
        fabrics=(domain, *system.fabrics[1:]),
        gpus_per_uplink=1,
        wiring=(),
        bridge=None,
    )


def straddles(span: int, gpus: int, domain_gpus: int, domains: int) -> bool:
    """
    Whether the edge of a domain cuts some group of ``span`` neighbouring ranks that would fit into one.

    Groups are laid out so that none is cut, GPUs left idle where there are domains to spare: 16
    neighbours use 64 of a rack's 72 GPUs, but 144 GPUs in two racks leave none idle.
    """
    if gpus <= domain_gpus or not 1 < span <= domain_gpus:
        return False
    usable = domain_gpus // span * span
    return -(-gpus // usable) > domains


def _rate(system: System, local: int, stride: int) -> float:
    """Bytes/s one way per GPU of a lane with so many GPUs in a domain."""
    fabric = system.scale_up
    if fabric.topology.pcie or (fabric.topology is Topology.BRIDGE and system.bridge):
        return fabric.bytes_per_s / system.gpus_per_uplink
    return scale_up_path(system, local, stride=stride if local > 1 else 1).bytes_per_s
