"""NVSwitch anatomy: chips and ports of each switched machine, and why a mesh stops."""

from dataclasses import dataclass

from core.catalog.sources import cite
from core.checks import count
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Anatomy:
    """
    The switch level of one machine.

    Attributes:
        id: Catalog id of the machine.
        switch: Catalog id of the chip.
        trunk_ports: Ports between chips (the two boards of a DGX-2).
        unverified: What rests on memory.
    """

    id: str
    switch: str
    gpus: int
    links_per_gpu: int
    chips: int
    ports_per_chip: int
    sources: tuple[Source, ...]
    trunk_ports: int = 0
    unverified: str = ""

    @property
    def gpu_ports(self) -> int:
        """Ports that face GPUs: GPUs x links."""
        return self.gpus * self.links_per_gpu

    @property
    def ports(self) -> int:
        """Ports of all chips."""
        return self.chips * self.ports_per_chip

    @property
    def ports_used(self) -> int:
        """Ports facing GPUs or other chips."""
        return self.gpu_ports + self.trunk_ports

    @property
    def gpu_ports_per_chip(self) -> float:
        """GPU links that end on one chip."""
        return self.gpu_ports / self.chips


def _anatomy(
    system_id: str,
    switch: str,
    gpus: int,
    links: int,
    chips: int,
    ports: int,
    *sources: str,
    trunk_ports: int = 0,
    unverified: str = "",
) -> Anatomy:
    documents = cite(*sources)
    return Anatomy(system_id, switch, gpus, links, chips, ports, documents, trunk_ports, unverified)


_MACHINES = (
    _anatomy(
        "dgx-2", "nvswitch1", 16, 6, 12, 18, "anandtech-nvswitch", "recall", trunk_ports=96,
        unverified="12 chips, 8 links between the boards a chip",
    ),
    _anatomy("dgx-a100", "nvswitch2", 8, 12, 6, 36, "nvidia-hgx-a100-blog", "ml-network"),
    _anatomy("dgx-h100", "nvswitch3", 8, 18, 4, 64, "nvidia-nvswitch3-blog", "faraday-nvswitch"),
    _anatomy("dgx-h200", "nvswitch3", 8, 18, 4, 64, "nvidia-nvswitch3-blog", "faraday-nvswitch"),
    _anatomy("dgx-b200", "nvswitch4", 8, 18, 2, 72, "dgx-b200-guide", "nvlink-switch-page"),
    _anatomy(
        "dgx-b300", "nvswitch4", 8, 18, 2, 72, "nvlink-switch-page", "recall",
        unverified="two chips, as in the DGX B200",
    ),
    _anatomy("gb200-nvl72", "nvswitch4", 72, 18, 18, 72, "nvlink-switch-page", "briefing-000"),
    _anatomy("gb300-nvl72", "nvswitch4", 72, 18, 18, 72, "nvlink-switch-page", "nvl72-era"),
)  # fmt: skip

SWITCHES = {machine.id: machine for machine in _MACHINES}
"""Anatomy by system id; two-level systems are left out: their counts are not printed."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """
    What wiring every GPU to every other would take.

    Attributes:
        links: Pairs, hence links with one a pair.
        links_per_gpu: Links that each GPU would need.
        possible: Whether a GPU has that many.
        pair_share: Share of its bandwidth that a GPU could use towards one peer, with all its
            links spread evenly; behind a switch it is all of it.
    """

    gpus: int
    links: int
    links_per_gpu: int
    possible: bool
    pair_share: float


def mesh(gpus: int, links_of_gpu: int) -> Mesh:
    """A point-to-point mesh of ``gpus`` with ``links_of_gpu`` links each; InputError below 2 GPUs."""
    gpus = count("gpus", gpus, least=2)
    links_of_gpu = count("links_of_gpu", links_of_gpu)
    needed = gpus - 1
    return Mesh(gpus, gpus * needed // 2, needed, needed <= links_of_gpu, 1 / needed)
