"""The scale-up path: which link some GPUs of a domain talk over, and its rate."""

from dataclasses import dataclass

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.checks import count
from core.errors import InputError
from core.hardware import Fabric, Hop, System, Topology
from core.systems.cube_mesh import ring_links

_PAIR = 2


@dataclass(frozen=True, slots=True)
class ScaleUpPath:
    """
    What GPUs of one domain talk over.

    Attributes:
        link: Catalog id of the link, ``yours`` for one of your own.
        topology: How it joins these GPUs: PCIe where they have no direct links.
        bytes_per_s: Unidirectional, per GPU with all of them taking part.
        latency_s: One step.
        full_bytes_per_s: The same with all links of a GPU (or its slot alone) in use: more than
            ``bytes_per_s`` where only some links lead to these GPUs, a taper holds or an uplink is shared.
    """

    link: str
    topology: Topology
    bytes_per_s: float
    latency_s: float
    full_bytes_per_s: float

    @property
    def hop(self) -> Hop:
        """One step, as the algorithms' formulas take it."""
        return Hop(self.latency_s, self.bytes_per_s)


def scale_up_path(system: System, ranks: int, *, stride: int = 1) -> ScaleUpPath:
    """
    The path among ``ranks`` GPUs of one domain, neighbours or every ``stride``-th.

    Switch: the GPU's total. Full mesh: one pair link to each other rank. Bridge: neighbours in
    pairs, else PCIe. Cube mesh: all links of all GPUs, the pair's links for two, the links of the
    best placed ring between, else PCIe. PCIe through switches: the slot behind one switch, beyond it
    the uplink shared by the GPUs of a switch. PCIe through the host: the uplink shared by those of
    these GPUs that are behind it.

    Raises:
        InputError: ``ranks`` is not from 1 to the domain's GPUs, or has neither link nor slot.
    """
    ranks = count("ranks", ranks, most=system.domain_gpus)
    fabric = system.scale_up
    if ranks == 1 or fabric.topology in (Topology.SWITCH, Topology.SINGLE):
        taper = fabric.taper if ranks > fabric.untapered_ranks else 1.0
        return _over(fabric, fabric.bytes_per_s / taper)
    if fabric.topology is Topology.FULL_MESH:
        pair = system.pair_bytes_per_s or fabric.bytes_per_s / (system.domain_gpus - 1)
        return _over(fabric, (ranks - 1) * pair / fabric.taper)
    if fabric.topology is Topology.BRIDGE:
        return _bridged(system, ranks, stride)
    if fabric.topology is Topology.CUBE_MESH:
        return _cube_mesh(system, ranks)
    return _over(fabric, fabric.bytes_per_s / _sharing(system, ranks, ranks * stride))


def _over(fabric: Fabric, bytes_per_s: float, topology: Topology | None = None) -> ScaleUpPath:
    """A path over the link of a fabric."""
    return ScaleUpPath(
        fabric.link, topology or fabric.topology, bytes_per_s, fabric.latency_s, fabric.bytes_per_s
    )


def _sharing(system: System, ranks: int, span: int) -> int:
    """GPUs that share one slot's rate: none behind one switch where the driver lets peers copy."""
    switched = system.scale_up.topology is Topology.PCIE_SWITCH and system.gpu.peer_to_peer
    return 1 if switched and span <= system.gpus_per_uplink else min(ranks, system.gpus_per_uplink)


def _bridged(system: System, ranks: int, stride: int) -> ScaleUpPath:
    """Over the bridge for two neighbours, else over PCIe."""
    if ranks == _PAIR and stride == 1:
        pair = system.bridge or system.scale_up
        return _over(pair, pair.bytes_per_s)
    slot = system.scale_up
    return _over(slot, slot.bytes_per_s / _sharing(system, ranks, ranks * stride), Topology.PCIE_HOST)


def _cube_mesh(system: System, ranks: int) -> ScaleUpPath:
    """Direct links where the ranks have them, else through the host."""
    fabric = system.scale_up
    if ranks == _PAIR:
        return _over(fabric, system.pair_bytes_per_s or fabric.bytes_per_s)
    if ranks == system.domain_gpus:
        return _over(fabric, fabric.bytes_per_s)
    links = ring_links(system.wiring, ranks) if system.wiring else 0
    if links:
        return _over(fabric, fabric.bytes_per_s * links / sum(system.wiring[0]))
    return _through_the_host(system, ranks)


def _through_the_host(system: System, ranks: int) -> ScaleUpPath:
    """The detour over the slot, shared by the GPUs behind one uplink."""
    slot = LINKS.get(system.host_link or "")
    if slot is None or slot.rate is None:
        message = f"ranks: {ranks} GPUs of {system.id} have no direct link and no host link is given"
        raise InputError(message)
    rate = slot.rate.bytes_per_s
    shared = rate / min(ranks, system.gpus_per_uplink)
    return ScaleUpPath(slot.id, Topology.PCIE_HOST, shared, step_latency_s(slot), rate)
