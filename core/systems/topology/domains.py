"""Which GPUs NVLink joins, how, and which share a PCIe switch."""

from collections.abc import Callable
from dataclasses import dataclass

from core.catalog.wiring import WIRINGS
from core.hardware import Gpu, Topology
from core.systems.topology.devices import NEAR, Devices, links


@dataclass(frozen=True, slots=True)
class Domain:
    """GPUs that reach each other over one kind of path, and its name."""

    kind: str
    gpus: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """
    How the GPUs of a scale-up domain are joined.

    Attributes:
        gpus: Those of the largest NVLink domain; all GPUs where there is no NVLink.
        pair_links: NVLinks of a joined pair; 0 without NVLink.
        wiring: Catalog name of a known cube mesh, None elsewhere.
        why: One sentence on how the matrix shows it.
    """

    topology: Topology
    gpus: tuple[str, ...]
    pair_links: int
    wiring: str | None
    why: str


def domains_of(devices: Devices) -> tuple[Domain, ...]:
    """NVLink domains, groups behind one PCIe switch, NUMA groups: each with more than one GPU."""
    tests: tuple[tuple[str, Callable[[str | None], bool]], ...] = (
        ("NVLink", lambda word: links(word) > 0),
        ("PCIe switch", lambda word: word in NEAR),
        ("NUMA node", lambda word: word in ("PIX", "PXB", "PHB", "NODE")),
    )
    domains = []
    for kind, joined in tests:
        groups = components(devices, joined)
        if kind == "NUMA node" and (len(groups) < 2 or any(links(w) for w in devices.words.values())):  # noqa: PLR2004
            continue
        domains += [Domain(kind, group) for group in groups if len(group) > 1]
    return tuple(domains)


def components(devices: Devices, joined: Callable[[str | None], bool]) -> list[tuple[str, ...]]:
    """Groups of GPUs that a path leads through, in the order of the matrix."""
    remaining, groups = list(devices.gpus), []
    while remaining:
        group, edge = [], [remaining.pop(0)]
        while edge:
            gpu = edge.pop()
            group.append(gpu)
            near = [other for other in remaining if joined(devices.word(gpu, other))]
            edge += near
            remaining = [other for other in remaining if other not in near]
        groups.append(tuple(sorted(group, key=devices.gpus.index)))
    return groups


def layout_of(devices: Devices, gpu: Gpu) -> Layout:
    """How the GPUs are joined: switch, full mesh, cube mesh, bridge or PCIe."""
    if len(devices.gpus) == 1:
        return Layout(Topology.SINGLE, devices.gpus, 0, None, "one GPU alone")
    groups = components(devices, lambda word: links(word) > 0)
    largest = max(groups, key=len)
    if len(largest) == 1:
        return _pcie(devices)
    counts = [
        links(devices.word(a, b))
        for i, a in enumerate(largest)
        for b in largest[i + 1 :]
        if devices.word(a, b) is not None
    ]
    most = max(counts)
    if not all(counts):
        return _partial(devices, largest, most)
    if len(largest) == 2:  # noqa: PLR2004 (a pair)
        return _pair(devices, largest, most)
    alike = min(counts) == most
    total = gpu.scale_up_links or 0
    if alike and (most >= total or most * (len(largest) - 1) > total):
        why = f"every pair shows all {most} links of a GPU: they end at switches"
        return Layout(Topology.SWITCH, largest, most, None, why)
    why = f"every pair has links of its own, NV{min(counts)}" + ("" if alike else f" to NV{most}")
    return Layout(Topology.FULL_MESH, largest, min(counts), None, why)


def _pcie(devices: Devices) -> Layout:
    """Through switches where one joins two GPUs or more, else through the host."""
    switched = any(len(group) > 1 for group in components(devices, lambda word: word in NEAR))
    topology = Topology.PCIE_SWITCH if switched else Topology.PCIE_HOST
    return Layout(topology, devices.gpus, 0, None, "no NVLink: every path is PCIe")


def _pair(devices: Devices, largest: tuple[str, ...], most: int) -> Layout:
    if len(devices.gpus) > 2:  # noqa: PLR2004 (other GPUs beside the pair)
        why = f"NV{most} joins pairs, PCIe the rest: bridges"
        return Layout(Topology.BRIDGE, devices.gpus, most, None, why)
    return Layout(Topology.FULL_MESH, largest, most, None, f"the two GPUs share {most} links")


def _partial(devices: Devices, largest: tuple[str, ...], most: int) -> Layout:
    seen = tuple(tuple(links(devices.word(a, b)) for b in largest) for a in largest)
    for name, wiring in WIRINGS.items():
        if seen == wiring:
            return Layout(Topology.CUBE_MESH, largest, most, name, f"the links of {name}, pair by pair")
    why = "some pairs have NVLink and some only PCIe: rated by its pairs, else PCIe"
    return Layout(Topology.BRIDGE, largest, most, None, why)
