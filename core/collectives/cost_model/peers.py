"""What other formulas would answer, for comparison: as published, constants and defects included.

Each takes a Setting and sizes and returns seconds. Sources: the source documents' convention, GenZ
0.0.16 (collective_times.py), llm-analysis 0.2.2 (analysis.py), Calculon (network.py and its system
files), NVIDIA/nccl 5067397c26 (src/graph/tuning.cc). They are all-reduce and ring formulas; other
collectives are scaled by the bytes a ring moves for them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.shapes import DomainKind
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator, resolve
from core.collectives.cost_model.nccl_tuning import nccl_constants
from core.collectives.cost_model.setting import Setting
from core.measurement.bus_factor import bus_factor

GIB_PER_GB = 2.0**30 / 1e9
MIN_MESSAGE_S = 8e-6
DEFAULT_LATENCY_S = 1e-6
NETWORK_LATENCY_S = 5e-6


@dataclass(frozen=True, slots=True)
class Peer:
    """One formula by name; `answer` takes a checked setting and sizes in bytes."""

    key: str
    title: str
    answer: Callable[[Communicator, Floats], Floats]


def share_of_ring(comm: Communicator) -> float:
    """Bytes a ring moves per byte of size: 2(n-1)/n for all_reduce, (n-1)/n or 1 for the others."""
    return bus_factor(comm.setting.collective, comm.ranks) or 0.0


def steps_of_ring(comm: Communicator) -> int:
    """Steps of a ring."""
    return (2 if comm.setting.collective == "all_reduce" else 1) * (comm.ranks - 1)


def narrowest(comm: Communicator) -> float:
    """The slowest one-way rate per GPU on the way."""
    if comm.domains == 1:
        return comm.link_bytes_per_s
    return min(comm.link_bytes_per_s, comm.nic_bytes_per_s)


def naive(comm: Communicator, sizes: Floats) -> Floats:
    """Bytes over the bidirectional rate, no latency: the source documents' convention."""
    return sizes / (2 * narrowest(comm))


def ring_alpha_beta(comm: Communicator, sizes: Floats) -> Floats:
    """A ring on one-way datasheet rates, hierarchical over two levels, 1 and 5 us a step."""
    if comm.domains == 1:
        steps = steps_of_ring(comm)
        return steps * DEFAULT_LATENCY_S + share_of_ring(comm) * sizes / comm.link_bytes_per_s
    g, domains = comm.gpus, comm.domains
    passes = 2 if comm.setting.collective == "all_reduce" else 1
    inside = passes * (g - 1) * (DEFAULT_LATENCY_S + sizes / g / comm.link_bytes_per_s)
    across = passes * (domains - 1) * (NETWORK_LATENCY_S + sizes / g / domains / comm.nic_bytes_per_s)
    total: Floats = inside + across
    return total


def genz(comm: Communicator, sizes: Floats) -> Floats:
    """GenZ: 5 us + ring over one flat link, GB taken as GiB."""
    rate = narrowest(comm) * GIB_PER_GB
    return 5e-6 + steps_of_ring(comm) * DEFAULT_LATENCY_S + share_of_ring(comm) * sizes / rate


def llm_analysis(comm: Communicator, sizes: Floats) -> Floats:
    """llm-analysis: ring bytes over the rate, at least 8 us inside a node, no latency across."""
    rate = comm.link_bytes_per_s if comm.ranks <= 8 else comm.nic_bytes_per_s * min(8, comm.gpus)
    time = share_of_ring(comm) * sizes / rate
    return np.maximum(time, MIN_MESSAGE_S) if comm.ranks <= 8 else time


def calculon(comm: Communicator, sizes: Floats) -> Floats:
    """Calculon's shipped systems: constant efficiency, in-network volume on Hopper and later."""
    n = comm.ranks
    reduce_all = comm.setting.collective == "all_reduce"
    if comm.domains > 1:
        volume = 2.0 * (1 - 1 / n) if reduce_all else share_of_ring(comm)
        return 20e-6 + sizes * volume / (0.9 * comm.nic_bytes_per_s)
    in_network = comm.in_switch and comm.kind is DomainKind.NVLINK
    if reduce_all and in_network:
        return 10e-6 + sizes * (1 + 1 / n) / (0.65 * comm.link_bytes_per_s)
    return 10e-6 + sizes * share_of_ring(comm) / (0.65 * comm.link_bytes_per_s)


PEERS: tuple[Peer, ...] = (
    Peer("naive", "bytes / bidirectional rate", naive),
    Peer("ring-alpha-beta", "ring, unidirectional datasheet rates", ring_alpha_beta),
    Peer("genz", "GenZ", genz),
    Peer("llm-analysis", "llm-analysis", llm_analysis),
    Peer("calculon", "Calculon", calculon),
    Peer("nccl-constants", "NCCL tuning constants", nccl_constants),
)


def peer_answers(setting: Setting, size_bytes: ArrayLike) -> dict[str, Floats]:
    """Every peer's answer in seconds, by key; one rank costs nothing."""
    comm = resolve(setting)
    sizes = np.asarray(size_bytes, np.float64)
    if comm.ranks == 1:
        return {peer.key: np.zeros_like(sizes) for peer in PEERS}
    return {peer.key: np.asarray(peer.answer(comm, sizes), np.float64) for peer in PEERS}
