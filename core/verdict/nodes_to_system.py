"""Nodes that a log describes as a system: a rack, one of the catalog, or one put together."""

from dataclasses import replace

from core.catalog import GPUS, SYSTEMS, link_name
from core.hardware import System, Topology
from core.systems import CustomSystem, DomainSpec, NetworkSpec, configure, custom_system
from core.verdict.evidence import Evidence
from core.verdict.log_gpu import alike
from core.verdict.log_network import assumed, by_port
from core.verdict.ranks import RACK_GPUS
from core.verdict.records import ASSUMED_NICS
from core.verdict.system_match import Nodes, SystemMatch


def rack_of(nodes: Nodes, evidence: Evidence) -> SystemMatch | None:
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


def catalogued(nodes: Nodes) -> SystemMatch | None:
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


def _with_nics(system: System, nodes: Nodes) -> tuple[System, str]:
    """The system with the NICs that the log names or shows, else marked as assumed; in words."""
    if system.network is None or not by_port(system.network):
        return system, ""
    if nodes.nics:
        return configure(system, domains=system.domains, nics_per_domain=nodes.nics), " as the log names"
    if nodes.shown and nodes.shown < system.nics_per_domain:
        return configure(system, domains=system.domains, nics_per_domain=nodes.shown), " as topo -m shows"
    return replace(system, unverified=ASSUMED_NICS), ", NICs assumed"


def unbridged(nodes: Nodes) -> SystemMatch:
    """Cards that may be bridged in pairs, joined over their slots alone: no pair is faster than a slot."""
    gpu = GPUS[nodes.gpu]
    name = f"{nodes.local} × {gpu.name}"
    domain = DomainSpec(nodes.local, Topology.PCIE_HOST, host_link=gpu.pcie_link)
    remark = f"{name} without NVLink bridges, as no pair is faster than its slot (nvidia-smi nvlink -s tells)"
    if gpu.scale_up_topology is Topology.FULL_MESH:
        remark = f"{name} over their slots, as no bridge joins all of them (rocm-smi --showtopo tells)"
    return SystemMatch(custom_system(CustomSystem(nodes.gpu, domain, name=name)), remark)


def assembled(nodes: Nodes) -> SystemMatch:
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
