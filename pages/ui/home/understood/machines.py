"""Systems that a question names, with their number: whole machines, or so many GPUs of a kind."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.catalog import GPUS, SYSTEMS
from pages.ui.home.understood.text import Text, whole

MOST_GPUS = 1_000_000
_RACKS = {
    r"gb300(?: ?-?nvl72)?": "gb300-nvl72",
    r"(?:vera )?rubin(?: ?-?nvl72)?": "vera-rubin-nvl72",
    r"(?:gb200 ?-?)?nvl72|gb200": "gb200-nvl72",
    r"(?:dgx )?gh200": "dgx-gh200-256",
}
_CARDS = {
    r"h100[ -]pcie": "h100-pcie",
    r"h100[ -]nvl": "h100-nvl",
    r"a100(?: 80gb)?[ -]pcie": "a100-pcie-80gb",
    r"(?:rtx ?-?)?pro[ -]6000|rtx[ -]6000 pro": "rtx-pro-6000-server",
    r"rtx[ -]?6000d": "rtx-6000d",
    r"(?:rtx[ -]?|geforce )*4090s?": "rtx-4090",
    r"(?:rtx[ -]?|geforce )*3090s?": "rtx-3090",
    r"l40s": "l40s",
    r"mi355x?": "mi355x",
    r"mi300x?": "mi300x",
}
_USUAL = {"rtx-4090": "rtx-4090-x4"}
"""The system of a card whose number nobody says, where it is not the largest."""
_BOARDS = {
    r"dgx-?2": "dgx-2",
    r"b300": "dgx-b300",
    r"b200": "dgx-b200",
    r"h200": "dgx-h200",
    r"h100": "dgx-h100",
    r"a100": "dgx-a100",
    r"v100": "dgx-1-v100",
    r"p100": "dgx-1-p100",
}
_COUNT = r"(?:(?P<count>\d[\d,]{0,6}) ?x? ?)?"
_MACHINE = r"(?P<machine>(?:dgx|hgx|nodes? of|servers? of)[ -]?)?"
_NODES = r"(?P<nodes>[ -](?:nodes|servers|machines|hosts)\b)?"


@dataclass(frozen=True, slots=True)
class Machine:
    """
    A system as a question names it.

    Attributes:
        key: Id of the catalog; empty for cards in a number that it does not list.
        gpu: Id of its GPU.
        domain_gpus: In one domain.
        domains: How many of it; None where nobody says.
        gpus: How many GPUs in all; None where nobody says.
    """

    key: str
    gpu: str
    domain_gpus: int
    domains: int | None = None
    gpus: int | None = None

    @property
    def name(self) -> str:
        """As the catalog calls it, its number in front."""
        if not self.key:
            return f"{self.domain_gpus} x {GPUS[self.gpu].name}"
        name = SYSTEMS[self.key].name
        return f"{self.domains:,} x {name}" if self.domains and self.domains > 1 else name


def machines(text: Text) -> tuple[Machine, ...]:
    """The systems of a question, each once, in the order of its words."""
    places = [
        *_places(text, _RACKS, _machines),
        *_places(text, _CARDS, _cards),
        *_places(text, _BOARDS, _gpus),
    ]
    ordered = [machine for _, machine in sorted(places, key=lambda place: place[0])]
    return tuple({(item.key, item.gpu): item for item in ordered}.values())


def _places(
    text: Text, names: dict[str, str], read: Callable[[str, int | None], Machine]
) -> Iterator[tuple[int, Machine]]:
    """Where a system stands, and which; behind *DGX* or *nodes of*, or before *nodes*, stands the number of machines."""
    for pattern, key in names.items():
        for place in text.take(rf"\b{_COUNT}{_MACHINE}(?:{pattern})s?\b{_NODES}"):
            machine = (place["machine"] or _counts_nodes(place)) and key in SYSTEMS
            yield place.start(), (_machines if machine else read)(key, _count(place["count"]))


def _counts_nodes(place: re.Match[str]) -> bool:
    """Whether the number is of nodes: ``2 H100 nodes``; in ``8x H100 nodes`` it is of the GPUs in each."""
    return bool(place["nodes"]) and not re.match(r"[\d,]+ ?x", place[0])


def _count(digits: str | None) -> int | None:
    number = whole(digits) if digits else 0
    return number if 0 < number <= MOST_GPUS else None


def _machines(key: str, count: int | None) -> Machine:
    system = SYSTEMS[key]
    return Machine(key, system.gpu.id, system.domain_gpus, domains=count)


def _gpus(key: str, count: int | None) -> Machine:
    """So many GPUs of the boards of a system; eight of eight are one machine."""
    system = SYSTEMS[key]
    if count is None or count == system.domain_gpus:
        return Machine(key, system.gpu.id, system.domain_gpus)
    return Machine(key, system.gpu.id, system.domain_gpus, gpus=count)


def _cards(gpu: str, count: int | None) -> Machine:
    """Cards in one machine, by their number where the catalog lists it."""
    listed = {system.domain_gpus: key for key, system in SYSTEMS.items() if system.gpu.id == gpu}
    if count is None:
        key = _USUAL.get(gpu, listed[max(listed)])
        return Machine(key, gpu, SYSTEMS[key].domain_gpus)
    if count in listed:
        return Machine(listed[count], gpu, count)
    if count > max(listed):
        return Machine(listed[max(listed)], gpu, max(listed), gpus=count)
    return Machine("", gpu, count)
