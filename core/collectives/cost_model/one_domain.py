"""Lines inside one domain: ring by protocol, in-switch all-reduce, direct exchange."""

import math

import numpy as np

from core.catalog.calibrations.estimates import (
    CHAIN_WAIT,
    CROWDED_LINK,
    IN_SWITCH_SLICING,
    IN_SWITCH_START,
    MESH_RING_LINKS,
)
from core.catalog.calibrations.shapes import Correction, DomainKind, DomainSet, InSwitchSet, Protocol, RingSet
from core.checks import Floats
from core.collectives.cost_model import rack
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.point_to_point import channels_rate, links_share
from core.hardware.link import NODE_GPUS

IN_SWITCH_FROM_RANKS = 5
IN_SWITCH_MEASURED_RANKS = 8
MESH_LINKS = 7
MESH_RINGS = {3: 2, 5: 1, 6: 1, 7: 1}
"""Rings that RCCL finds on so many GPUs of a mesh; on 2, 4 and 8 they fill every link."""
PASSES = {"all_reduce": 2}
EXCHANGES = ("all_to_all", "gather", "scatter", "send_recv")
CHAINS = ("broadcast", "reduce")
PEER_WAIT = 0.1
"""Of a step that each further peer of an exchange adds: blocks of all peers are under way at once."""
ONLY_RANKS = {"nvlink-volta": 12}
"""GPUs of the one domain that was measured: copies grow with its steps, which nothing tells from them."""


def lines(comm: Communicator, sizes: Floats, constants: DomainSet) -> list[Line]:
    """Every algorithm and protocol that could run this collective inside one domain."""
    collective = comm.setting.collective
    rate = comm.link_bytes_per_s * mesh_share(comm) / constants.link_bytes_per_s
    if collective in EXCHANGES:
        return exchange_lines(comm, sizes, constants.exchange, rate)
    only = ONLY_RANKS.get(constants.name)
    copies = 1.0 if only is None else (comm.ranks - 1) / (only - 1)
    if collective in CHAINS:
        return chain_lines(comm, sizes, constants.ring, rate * ring_share(comm, constants), copies)
    options = ring_lines(comm, sizes, constants.ring, rate * ring_share(comm, constants), copies)
    adds = collective == "all_reduce" and adds_in_switch(comm, constants)
    if constants.in_switch is not None and adds and comm.ranks >= IN_SWITCH_FROM_RANKS:
        options.append(in_switch_line(comm, sizes, constants.in_switch, rate))
    if collective == "all_reduce" and rack.of_hosts(comm):
        launch_s = by_collective(constants.ring.launch_s, collective)
        options += rack.tree_lines(comm, sizes, constants.ring.protocols, rate, launch_s)
    return options


def adds_in_switch(comm: Communicator, constants: DomainSet) -> bool:
    """Whether the switches of the domain can add, and how fast was measured on such switches."""
    return constants.in_switch is not None and comm.in_switch and comm.kind is DomainKind.NVLINK


def mesh_share(comm: Communicator) -> float:
    """Of a full mesh only the links towards ranks taking part carry anything: send_recv has one."""
    if comm.kind is not DomainKind.MESH:
        return 1.0
    peers = 1 if comm.setting.collective == "send_recv" else comm.gpus - 1
    return min(1.0, peers / MESH_LINKS)


def wire(comm: Communicator) -> float:
    """The one-way rate of a GPU's links towards the ranks taking part."""
    return comm.link_bytes_per_s * mesh_share(comm)


def ring_share(comm: Communicator, constants: DomainSet) -> float:
    """Of the links between ranks what rings fill: less of crowded PCIe, and of a mesh with few rings."""
    rings = MESH_RINGS.get(comm.gpus, 0) if comm.kind is DomainKind.MESH else 0
    if rings:
        return rings * MESH_RING_LINKS.value / (comm.gpus - 1)
    return crowd_share(comm, constants)


def crowd_share(comm: Communicator, constants: DomainSet) -> float:
    """More than two ranks on PCIe share host bridges, which a slow link does not fill."""
    if comm.gpus <= 2:
        return 1.0
    unfilled = max(1.0, CROWDED_LINK.value / comm.link_bytes_per_s)
    return min(1.0, constants.crowd_share * unfilled)


def factor(correction: Correction, size: Floats, rate: float) -> Floats:
    """The correction at these bytes; a slower link reaches each regime at fewer bytes."""
    position = np.log2(np.maximum(size / rate, 1.0))
    result: Floats = np.exp(np.interp(position, correction.log2_bytes, correction.ln_factor))
    return result


def by_collective(pairs: tuple[tuple[str, float], ...], collective: str) -> float:
    """The value for a collective; the first one where it has none of its own."""
    return dict(pairs).get(collective, pairs[0][1])


def ring_lines(comm: Communicator, sizes: Floats, ring: RingSet, rate: float, copies: float) -> list[Line]:
    """N - 1 steps of a block (twice for all_reduce), and so many local copies of one."""
    return [_ring_line(comm, sizes, ring, protocol, rate, copies) for protocol in ring.protocols]


def _ring_line(
    comm: Communicator, sizes: Floats, ring: RingSet, protocol: Protocol, rate: float, copies: float
) -> Line:
    n, collective = comm.ranks, comm.setting.collective
    block = sizes / n
    steps = PASSES.get(collective, 1) * (n - 1)
    bend = _ring_bend(comm, sizes, ring, protocol, rate)
    local = copies * by_collective(ring.local_s_per_byte, collective) * block * mesh_share(comm) / rate
    return make_line(
        sizes,
        "ring",
        protocol.name,
        launch_s=by_collective(ring.launch_s, collective),
        latency_s=steps * protocol.step_s * bend,
        transfer_s=steps * block / (protocol.bytes_per_s * rate) * bend,
        reduction_s=local * bend,
        wire_factor=steps / n,
        least_s=steps * block / wire(comm),
    )


def _ring_bend(comm: Communicator, sizes: Floats, ring: RingSet, protocol: Protocol, rate: float) -> Floats:
    """
    What the straight line of a ring misses.

    Where protocols switch late a rack loses the seconds that a node of eight loses with the same message: no
    more, as a ring over its network loses nothing, and no less, so that more GPUs never gather faster.
    """
    n, node_gpus = comm.ranks, _node_gpus(comm)
    bend = _bend_on(n, comm, sizes, ring, rate)
    if n == node_gpus:
        return bend
    node, own = (
        (gpus - 1) * (protocol.step_s + sizes / gpus / (protocol.bytes_per_s * rate))
        for gpus in (node_gpus, n)
    )
    lost = np.maximum(_bend_on(node_gpus, comm, sizes, ring, rate) - 1.0, 0.0) * node / own
    bent: Floats = np.minimum(bend, 1.0) + lost
    return bent


def _node_gpus(comm: Communicator) -> int:
    """GPUs whose messages switch protocols as those of a domain do: all of it, of a rack at most a node's."""
    return min(comm.ranks, NODE_GPUS) if rack.of_hosts(comm) else comm.ranks


def _bend_on(gpus: int, comm: Communicator, sizes: Floats, ring: RingSet, rate: float) -> Floats:
    """The corrections of blocks of a message on so many GPUs."""
    bend = factor(ring.correction, sizes / gpus, rate)
    if comm.setting.collective == "all_reduce":
        bend = bend * factor(ring.all_reduce_correction, sizes / gpus, rate)
    return bend


def chain_lines(comm: Communicator, sizes: Floats, ring: RingSet, rate: float, copies: float) -> list[Line]:
    """Broadcast and reduce: the whole buffer through a pipeline of n - 1 hops, and local copies as of a ring.

    Ranks do not wait for each other between calls, so little of the hops' latency is seen. A hump of the
    ring's rate at some size is not the pipeline's. Nothing is cut by rank: as much is copied on few GPUs as
    on those of a node.
    """
    hops, node_gpus = comm.ranks - 1, _node_gpus(comm)
    bend = factor(ring.correction, sizes / node_gpus, rate)
    flat = np.maximum(bend, math.exp(ring.correction.ln_factor[-1]))
    copied = copies * sizes / max(node_gpus, NODE_GPUS) * mesh_share(comm)
    local = by_collective(ring.local_s_per_byte, comm.setting.collective) * copied
    return [
        make_line(
            sizes,
            "ring",
            protocol.name,
            launch_s=by_collective(ring.launch_s, comm.setting.collective),
            latency_s=CHAIN_WAIT.value * hops * protocol.step_s * bend,
            transfer_s=sizes / (protocol.bytes_per_s * rate) * flat,
            reduction_s=local / rate * flat,
            wire_factor=1.0,
            least_s=sizes / wire(comm),
        )
        for protocol in ring.protocols
    ]


def exchange_lines(comm: Communicator, sizes: Floats, ring: RingSet, rate: float) -> list[Line]:
    """Every rank sends a block straight to every other rank (send_recv: everything to one)."""
    n, collective = comm.ranks, comm.setting.collective
    single = collective == "send_recv"
    block = sizes if single else sizes / n
    peers = 1 if single else n - 1
    bend = factor(ring.correction, block, rate)
    local = (
        0.0 if single else by_collective(ring.local_s_per_byte, collective) * block * mesh_share(comm) / rate
    )
    return [
        make_line(
            sizes,
            "direct",
            protocol.name,
            launch_s=by_collective(ring.launch_s, collective),
            latency_s=(1.0 + PEER_WAIT * (peers - 1)) * protocol.step_s * bend,
            transfer_s=_exchanged(comm, sizes, protocol, rate, bend),
            reduction_s=local * bend,
            wire_factor=peers * (1.0 if single else 1.0 / n),
            least_s=peers * block / wire(comm),
        )
        for protocol in ring.protocols
    ]


def _exchanged(comm: Communicator, sizes: Floats, protocol: Protocol, rate: float, bend: Floats) -> Floats:
    """Seconds on the links: send_recv's whole message on a few channels, else a block to every peer."""
    links = protocol.bytes_per_s * rate
    if comm.setting.collective != "send_recv":
        every: Floats = (comm.ranks - 1) * (sizes / comm.ranks) / links * bend
        return every
    if protocol.name != "Simple":
        return sizes / links * bend
    pair: Floats = np.maximum(sizes / (links_share(comm) * links) * bend, sizes / channels_rate(comm, sizes))
    return pair


def in_switch_share(gpus: int) -> float:
    """
    Bus bandwidth of the in-switch all-reduce on so many GPUs, of that measured on 8.

    On fewer a link still carries (n + 1) / n of the message, so the bus bandwidth falls; with more it
    stays, as measured on 72.
    """
    measured = IN_SWITCH_MEASURED_RANKS
    return min(1.0, (gpus - 1) / (gpus + 1) * (measured + 1) / (measured - 1))


def in_switch_line(comm: Communicator, sizes: Floats, in_switch: InSwitchSet, rate: float) -> Line:
    """NVLS: the switch reduces and multicasts, so each byte crosses a GPU's link about once."""
    n = comm.ranks
    beyond = max(math.log2(n / IN_SWITCH_MEASURED_RANKS), 0.0)
    slices = sizes * (IN_SWITCH_MEASURED_RANKS / n) ** IN_SWITCH_SLICING.value
    reached = in_switch.bytes_per_s * in_switch_share(n) * rate / factor(in_switch.correction, slices, rate)
    return make_line(
        sizes,
        "nvls",
        "",
        launch_s=in_switch.launch_s * (1 + IN_SWITCH_START.value * beyond),
        transfer_s=2 * (n - 1) / n * sizes / reached,
        wire_factor=(n + 1) / n,
        least_s=(n + 1) / n * sizes / wire(comm),
    )
