"""The unidirectional rate that the word for a path lets expect."""

from dataclasses import dataclass

from core.catalog import LINKS
from core.hardware import Gpu, Link
from core.systems.topology.devices import PCIE_WORDS, links
from core.units import counted

NVLINK_SHARE = (0.82, 0.88, 0.94)
"""Of the links of an NVLink pair, what one copy reaches: low, expected, high. p2pBandwidthLatencyTest gave
0.93 on A100 (4 links a pair), 0.84 on H100 and 0.83 on GB200 through switches, 0.86 on a bridge."""
PCIE_SHARE = {
    "PIX": (0.80, 0.85, 0.90),
    "PXB": (0.78, 0.85, 0.90),
    "PHB": (0.60, 0.80, 0.88),
    "NODE": (0.50, 0.78, 0.88),
    "SYS": (0.30, 0.70, 0.80),
}
"""Likewise of a PCIe slot, by distance, one copy at a time. Behind one switch 0.84 (P100, PCIe 3),
0.83 (RTX 6000 Ada, PCIe 4), 0.88 (RTX PRO 6000, PCIe 5); across host bridges and sockets newer
servers lose a fifth to a quarter, older ones more than half."""


@dataclass(frozen=True, slots=True)
class Path:
    """A word with its meaning."""

    word: str
    meaning: str


@dataclass(frozen=True, slots=True)
class PathRate:
    """Unidirectional bytes/s between two devices: the link, and what one copy over it can expect."""

    link_bytes_per_s: float
    low_bytes_per_s: float
    expected_bytes_per_s: float
    high_bytes_per_s: float


MEANINGS = {
    "PIX": "one PCIe switch",
    "PXB": "several PCIe switches, no host bridge",
    "PHB": "a PCIe host bridge, the CPU",
    "NODE": "host bridges of one NUMA node",
    "SYS": "another NUMA node, across the sockets' link",
}


def meaning(word: str) -> Path:
    """What a path word says."""
    count = links(word)
    if count:
        return Path(word, counted(count, "NVLink"))
    return Path(word, MEANINGS.get(word, "unknown"))


def path_rate(word: str | None, gpu: Gpu, pcie: str | None = None) -> PathRate | None:
    """
    The unidirectional rate of a path between two GPUs of this kind.

    NV# is so many links of the GPU's own rate a link; a switched GPU shows all its links towards
    each other one. PCIe words are the slot's rate and what distance leaves of it. None where the
    word or the rate of a link is unknown.

    Args:
        word: Of the topology matrix.
        gpu: Of the catalog, or custom.
        pcie: Link id of the slot; None takes the GPU's own.
    """
    if word is None:
        return None
    count = links(word)
    if count:
        link = link_rate(gpu)
        return None if link is None else _rate(count * link, NVLINK_SHARE)
    slot = _slot(gpu, pcie)
    if word not in PCIE_WORDS or slot is None or slot.rate is None:
        return None
    return _rate(slot.rate.bytes_per_s, PCIE_SHARE[word])


def link_rate(gpu: Gpu) -> float | None:
    """Unidirectional bytes/s of one NVLink of a GPU."""
    if gpu.scale_up is None or not gpu.scale_up_links:
        return None
    return gpu.scale_up.bytes_per_s / gpu.scale_up_links


def _slot(gpu: Gpu, pcie: str | None) -> Link | None:
    return LINKS.get(pcie or gpu.pcie_link or "")


def _rate(link: float, shares: tuple[float, float, float]) -> PathRate:
    low, expected, high = shares
    return PathRate(link, low * link, expected * link, high * link)
