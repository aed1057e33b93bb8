"""Cards that the catalog lacks, and the one in it with the same slot that stands for them."""

import re
from itertools import pairwise

_BRIDGED = ("a40", "a5000", "a5500", "a4500", "3090ti")
"""PCIe 4 with an NVLink bridge for two."""
_STAND_INS = {
    "l40s": (
        *(*_BRIDGED, "a30", "a10", "a10g", "a16", "a4000", "a2000", "3060", "3070", "3080"),
        *("4070", "4080", "4090d", "l2", "l40"),
    ),
    "rtx-5090": ("5070", "5080", "5090d"),
    "t4": (
        *("p4", "p40", "1080", "2070", "2080", "5000", "6000", "8000", "titan", "m40", "m60"),
        *("gv100", "gp100", "k40", "k80"),
    ),
}
"""By PCIe generation 4, 5 and 3, of 16 lanes: the slot decides what such cards exchange."""
_WITH_BRIDGE = {"rtx-a6000": _BRIDGED}
_OTHER_BRIDGES = ("a30", "2080", "2080ti", "titan", "5000", "6000", "8000", "gv100", "gp100")
"""Cards with NVLink of other rates than those of the catalog: none of it stands for a pair."""
_CARDS_WHERE_PCIE = {"t4": ("v100", "v100s", "p100")}
"""Names that are cards where they say PCIe, and modules otherwise."""
_SUPERCHIPS = {"gb10": ("rtx-5090", "roce-100", 2)}
"""
One GPU to a machine, with its own NICs: the card that stands for it, their network and number. GB10 (DGX
Spark) has one ConnectX-7 behind two PCIe endpoints of some 100 Gb/s each, 109 Gb/s measured on each and 218
on both (github.com/NVIDIA/dgx-spark-playbooks/issues/102, github.com/defilantech/LLMKube/issues/1423).
"""
_SLOT_NAME = re.compile(r"card on pcie (\d)\.0")
"""A card of which only the slot is told, as readers of prose name it."""
_BY_SLOT = {"3": "t4", "4": "l40s", "5": "rtx-5090"}
_WORDS = re.compile(r"[^a-z0-9]+")
_OTHER_GENERATION = ("ada", "pro", "blackwell", "laptop", "sxm", "sxm2", "sxm3", "sxm4")
_OTHER_MAKERS = ("amd", "radeon", "intel", "arc")
"""Their numbers are those of NVIDIA's cards too."""


def own_adapters(name: str) -> tuple[str, int] | None:
    """Network and number of the NICs that come with a GPU, by its name; None where it has none of its own."""
    words = _WORDS.split(name.lower())
    return next((_SUPERCHIPS[word][1:] for word in words if word in _SUPERCHIPS), None)


def stand_in(name: str, *, bridged: bool = False, above_slot: bool = False) -> str | None:
    """
    Catalog id of the card that exchanges data as this one does; None for a GPU that is no such card.

    Args:
        name: As a tool prints it, such as ``NVIDIA A40`` or ``Tesla V100-PCIE-32GB``.
        bridged: Whether a log shows NVLink between the cards that ran.
        above_slot: Whether they exchanged more than their slots carry.
    """
    if slot := _SLOT_NAME.fullmatch(name.lower()):
        return _BY_SLOT.get(slot.group(1))
    words = [word for word in _WORDS.split(name.lower()) if word]
    if any(word in (*_OTHER_GENERATION, *_OTHER_MAKERS) for word in words):
        return None
    if card := next((_SUPERCHIPS[word][0] for word in words if word in _SUPERCHIPS), None):
        return card
    joined = {*words, *(first + second for first, second in pairwise(words))}
    if above_slot and joined & set(_OTHER_BRIDGES):
        return None
    tables = (
        _WITH_BRIDGE if bridged else {},
        _STAND_INS,
        _CARDS_WHERE_PCIE if "pcie" in words else {},
    )
    return next((card for table in tables for card, names in table.items() if joined & set(names)), None)
