"""What other formulas would answer, for comparison: as published, constants and defects included.

Each takes a Setting and sizes and returns seconds. Sources: the source documents' convention, GenZ
0.0.16 (collective_times.py), llm-analysis 0.2.2 (analysis.py), Calculon (network.py and its system
files), NVIDIA/nccl 5067397c26 (src/graph/tuning.cc). They are all-reduce and ring formulas; other
collectives are scaled by the bytes a ring moves for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model.nccl_tuning import nccl_constants
from core.collectives.cost_model.setting import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from core.collectives.cost_model.line import Floats
    from core.collectives.cost_model.setting import Resolved, Setting

GIB_PER_GB = 2.0**30 / 1e9
MIN_MESSAGE_S = 8e-6
DEFAULT_LATENCY_S = 1e-6
NETWORK_LATENCY_S = 5e-6


@dataclass(frozen=True, slots=True)
class Peer:
    """One formula by name; `answer` takes a checked setting and sizes in bytes."""

    key: str
    title: str
    answer: Callable[[Resolved, Floats], Floats]


def share_of_ring(asked: Resolved) -> float:
    """Bytes a ring moves per byte of size: 2(n-1)/n for all_reduce, (n-1)/n or 1 for the others."""
    n, collective = asked.ranks, asked.setting.collective
    if collective in ("broadcast", "reduce", "send_recv"):
        return 1.0
    return (2.0 if collective == "all_reduce" else 1.0) * (n - 1) / n


def steps_of_ring(asked: Resolved) -> int:
    """Steps of a ring."""
    return (2 if asked.setting.collective == "all_reduce" else 1) * (asked.ranks - 1)


def narrowest(asked: Resolved) -> float:
    """The slowest one-way rate per GPU on the way."""
    if asked.domains == 1:
        return asked.link_bytes_per_s
    return min(asked.link_bytes_per_s, asked.nic_bytes_per_s)


def naive(asked: Resolved, sizes: Floats) -> Floats:
    """Bytes over the bidirectional rate, no latency: the source documents' convention."""
    return sizes / (2 * narrowest(asked))


def ring_alpha_beta(asked: Resolved, sizes: Floats) -> Floats:
    """A ring on one-way datasheet rates, hierarchical over two levels, 1 and 5 us a step."""
    if asked.domains == 1:
        steps = steps_of_ring(asked)
        return steps * DEFAULT_LATENCY_S + share_of_ring(asked) * sizes / asked.link_bytes_per_s
    g, domains = asked.gpus, asked.domains
    passes = 2 if asked.setting.collective == "all_reduce" else 1
    inside = passes * (g - 1) * (DEFAULT_LATENCY_S + sizes / g / asked.link_bytes_per_s)
    across = passes * (domains - 1) * (NETWORK_LATENCY_S + sizes / g / domains / asked.nic_bytes_per_s)
    total: Floats = inside + across
    return total


def genz(asked: Resolved, sizes: Floats) -> Floats:
    """GenZ: 5 us + ring over one flat link, GB taken as GiB."""
    rate = narrowest(asked) * GIB_PER_GB
    return 5e-6 + steps_of_ring(asked) * DEFAULT_LATENCY_S + share_of_ring(asked) * sizes / rate


def llm_analysis(asked: Resolved, sizes: Floats) -> Floats:
    """llm-analysis: ring bytes over the rate, at least 8 us inside a node, no latency across."""
    rate = asked.link_bytes_per_s if asked.ranks <= 8 else asked.nic_bytes_per_s * min(8, asked.gpus)
    time = share_of_ring(asked) * sizes / rate
    return np.maximum(time, MIN_MESSAGE_S) if asked.ranks <= 8 else time


def calculon(asked: Resolved, sizes: Floats) -> Floats:
    """Calculon's shipped systems: constant efficiency, in-network volume on Hopper and later."""
    n = asked.ranks
    reduce_all = asked.setting.collective == "all_reduce"
    if asked.domains > 1:
        volume = 2.0 * (1 - 1 / n) if reduce_all else share_of_ring(asked)
        return 20e-6 + sizes * volume / (0.9 * asked.nic_bytes_per_s)
    in_network = asked.generation in ("hopper", "blackwell", "rubin") and asked.family == "nvlink"
    if reduce_all and in_network:
        return 10e-6 + sizes * (1 + 1 / n) / (0.65 * asked.link_bytes_per_s)
    return 10e-6 + sizes * share_of_ring(asked) / (0.65 * asked.link_bytes_per_s)


PEERS: tuple[Peer, ...] = (
    Peer("naive", "bytes / bidirectional rate", naive),
    Peer("ring-alpha-beta", "ring, datasheet rates one way", ring_alpha_beta),
    Peer("genz", "GenZ", genz),
    Peer("llm-analysis", "llm-analysis", llm_analysis),
    Peer("calculon", "Calculon", calculon),
    Peer("nccl-constants", "NCCL tuning constants", nccl_constants),
)


def peer_answers(setting: Setting, size_bytes: ArrayLike) -> dict[str, Floats]:
    """Every peer's answer in seconds, by key; one rank costs nothing."""
    asked = resolve(setting)
    sizes = np.asarray(size_bytes, np.float64)
    if asked.ranks == 1:
        return {peer.key: np.zeros_like(sizes) for peer in PEERS}
    return {peer.key: np.asarray(peer.answer(asked, sizes), np.float64) for peer in PEERS}
