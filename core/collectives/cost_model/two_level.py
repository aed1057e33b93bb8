"""All-reduce in two levels: reduce-scatter in each domain, each share across the network, all-gather."""

import math
from dataclasses import dataclass

import numpy as np

from core.catalog.calibrations.shapes import DomainSet, HopSet, NetworkSet
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.one_domain import by_collective, wire
from core.collectives.cost_model.several_domains import (
    extra_s,
    inside_step_s,
    ring_rate,
    usable_nic_bytes_per_s,
)

TWO_LEVEL, TREE, PIPELINED = "two-level", "two-level-tree", "two-level-pipelined"
ALGORITHMS = (TWO_LEVEL, TREE, PIPELINED)
"""A ring across, a tree across, and both levels at once. No library in the data runs them by itself."""


@dataclass(frozen=True, slots=True)
class _Across:
    """The share of each GPU over the network: seconds of its hops, rounds of its bytes, their constants."""

    latency_s: Floats
    rounds: float
    hop: HopSet


def lines(comm: Communicator, sizes: Floats, domain: DomainSet, network: NetworkSet) -> list[Line]:
    """The algorithm that the setting names, by protocol; none of any other collective."""
    name = comm.setting.algorithm
    if comm.setting.collective != "all_reduce" or name not in ALGORITHMS:
        return []
    across = _by_tree if name == TREE else _by_ring
    hops = network.tree.protocols if name == TREE else network.ring.protocols
    return [_line(comm, sizes, domain, across(comm, sizes, network, hop)) for hop in hops]


def _by_ring(comm: Communicator, sizes: Floats, network: NetworkSet, hop: HopSet) -> _Across:
    steps = 2 * (comm.domains - 1)
    latency_s = steps * (hop.hop_s + extra_s(network.ring, sizes / comm.ranks))
    return _Across(latency_s, steps / comm.domains, hop)


def _by_tree(comm: Communicator, sizes: Floats, network: NetworkSet, hop: HopSet) -> _Across:
    latency_s = 2 * math.log2(comm.domains) * (hop.hop_s + extra_s(network.tree, sizes / comm.gpus))
    return _Across(latency_s, 1.0 if comm.domains == 2 else 2.0, hop)


def _line(comm: Communicator, sizes: Floats, domain: DomainSet, across: _Across) -> Line:
    """Both levels, one after the other or at once."""
    g, name, protocol = comm.gpus, comm.setting.algorithm, across.hop.name
    join = np.maximum if name == PIPELINED else np.add
    carried = across.rounds * sizes
    across_s = carried / (across.hop.share * usable_nic_bytes_per_s(comm))
    least_s = carried / comm.domain_nic_bytes_per_s
    inside = 2 * (g - 1) / g * sizes
    if g > 1:
        across_s = join(across_s, inside / ring_rate(comm, domain, protocol))
        least_s = join(least_s, inside / wire(comm))
    return make_line(
        sizes,
        name,
        protocol,
        launch_s=by_collective(domain.ring.launch_s, "all_reduce"),
        latency_s=2 * (g - 1) * inside_step_s(domain, protocol) + across.latency_s,
        transfer_s=across_s,
        wire_factor=2 * (g - 1) / g + across.rounds / g,
        least_s=least_s,
    )
