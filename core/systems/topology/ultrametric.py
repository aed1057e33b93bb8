"""PCIe is a tree, so of three devices the two farthest paths must be equally far."""

from dataclasses import dataclass
from itertools import combinations

from core.systems.topology.devices import PCIE_WORDS, Devices

MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Strange:
    """Three devices whose paths no PCIe tree can have."""

    devices: tuple[str, str, str]
    words: tuple[str, str, str]

    @property
    def text(self) -> str:
        """One sentence: the three paths and why they cannot be."""
        a, b, c = self.devices
        ab, ac, bc = self.words
        near = min(self.words, key=PCIE_WORDS.index)
        return (
            f"{a}-{b} {ab}, {a}-{c} {ac}, {b}-{c} {bc}: the two of {near} must be equally far from the third"
        )


def strange_triples(devices: Devices, most: int = MOST_NAMED) -> tuple[Strange, ...]:
    """
    Triples that contradict a tree, at most so many.

    Distance in a tree is an ultrametric: d(a, c) <= max(d(a, b), d(b, c)). NVLink hides the PCIe
    path of a pair, so triples with NV# say nothing.
    """
    triples: list[Strange] = []
    for names in combinations((*devices.gpus, *devices.nics), 3):
        a, b, c = names
        words = (devices.word(a, b), devices.word(a, c), devices.word(b, c))
        pcie_words = [word for word in words if word in PCIE_WORDS]
        if len(pcie_words) < 3:  # noqa: PLR2004 (a side is not known)
            continue
        far = sorted(PCIE_WORDS.index(word) for word in pcie_words)
        if far[1] != far[2]:
            triples.append(Strange((a, b, c), (pcie_words[0], pcie_words[1], pcie_words[2])))
            if len(triples) >= most:
                break
    return tuple(triples)
