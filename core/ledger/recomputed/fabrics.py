"""Domains, switch ports, meshes and sums over a domain, from catalog and capacity calculator; SI."""

from core.calculators.capacity import FabricFigures, fabric_figures, ports
from core.catalog import SWITCHES, mesh, system
from core.systems import configure


def domain(system_id: str) -> float:
    """GPUs of one scale-up domain."""
    return float(system(system_id).domain_gpus)


def chips(system_id: str) -> float:
    """Switch chips of a machine."""
    return float(SWITCHES[system_id].chips)


def chip_ports(system_id: str) -> float:
    """Ports of one of its switch chips."""
    return float(SWITCHES[system_id].ports_per_chip)


def gpu_ports(system_id: str) -> float:
    """Ports that face GPUs, of all chips: GPUs times links."""
    switches = SWITCHES[system_id]
    return float(ports(switches.gpus, switches.links_per_gpu, switches.chips).total)


def gpu_ports_per_chip(system_id: str) -> float:
    """GPU links that end on one chip."""
    switches = SWITCHES[system_id]
    return ports(switches.gpus, switches.links_per_gpu, switches.chips).per_chip


def links_to_each_chip(system_id: str) -> float:
    """Links of one GPU that end on one chip."""
    return gpu_ports_per_chip(system_id) / SWITCHES[system_id].gpus


def trays(system_id: str, chips_per_tray: int = 2) -> float:
    """Switch trays that a machine needs for its GPUs' links."""
    return gpu_ports(system_id) / (chips_per_tray * chip_ports(system_id))


def mesh_links_per_gpu(gpus: int, links_of_gpu: int) -> float:
    """Links that each GPU needs to reach every other directly."""
    return float(mesh(gpus, links_of_gpu).links_per_gpu)


def mesh_pairs(gpus: int) -> float:
    """Pairs of GPUs, hence links of a mesh with one a pair."""
    return float(mesh(gpus, gpus).links)


def links_per_peer(gpus: int, links_of_gpu: int) -> float:
    """Links of a GPU over its peers."""
    return links_of_gpu * mesh(gpus, links_of_gpu).pair_share


def aggregate(system_id: str, ways: int = 2) -> float:
    """Bytes/s of all GPUs of a domain together."""
    figures = _figures(system_id)
    return ways * figures.aggregate_one_way_bytes_per_s


def bisection(system_id: str, ways: int = 2) -> float:
    """Bytes/s between the two halves of a domain."""
    return ways * _figures(system_id).bisection_one_way_bytes_per_s


def memory_aggregate(system_id: str) -> float:
    """Bytes/s of all memories of a domain together."""
    return _figures(system_id).hbm_bytes_per_s


def gpus_per_nic(system_id: str) -> float:
    """GPUs of a domain over its network cards."""
    machine = configure(system(system_id))
    return machine.domain_gpus / machine.nics_per_domain


def dies(packages: int, dies_of_package: int) -> float:
    """GPU dies of a domain, where a maker counts those."""
    return float(packages * dies_of_package)


def _figures(system_id: str) -> FabricFigures:
    machine = system(system_id)
    memory = machine.gpu.memory_rate.bytes_per_s
    return fabric_figures(machine.domain_gpus, machine.scale_up.bytes_per_s, memory)
