"""The devices of a topology matrix and the word for the path between each two of them."""

from dataclasses import dataclass

from core.checks import InputError
from core.measurement import Matrix

PCIE_WORDS = ("PIX", "PXB", "PHB", "NODE", "SYS")
"""From near to far: one switch, several bridges, one host bridge, several in a NUMA node, across sockets."""
NEAR = ("PIX", "PXB")
"""Through PCIe switches alone, no host bridge."""
OLD_WORDS = {"SOC": "SYS", "PSB": "PIX"}
MOST_DEVICES = 512


@dataclass(frozen=True, slots=True)
class Devices:
    """
    GPUs and NICs in the order of the matrix.

    Attributes:
        words: Path word of each pair (first, second) that the matrix shows, in both orders; a row
            that was cut off is filled from its column.
        lopsided: Pairs whose word differs from row to column.
        unknown: Pairs of GPUs of which neither row is there.
    """

    gpus: tuple[str, ...]
    nics: tuple[str, ...]
    words: dict[tuple[str, str], str]
    lopsided: tuple[tuple[str, str], ...]
    unknown: tuple[tuple[str, str], ...]

    def word(self, first: str, second: str) -> str | None:
        """The path between two devices; None where the matrix does not say."""
        return self.words.get((first, second))


def links(word: str | None) -> int:
    """NVLinks of a path word; 0 for every other path."""
    return int(word[2:]) if word is not None and word.startswith("NV") and word[2:].isdigit() else 0


def devices_of(matrix: Matrix) -> Devices:
    """
    The devices of a `topo -m` matrix.

    Raises:
        InputError: Another kind of matrix, no GPU, or too many devices.
    """
    if matrix.kind != "topology" or matrix.name.startswith("topo -p2p"):
        message = f"matrix: a topology of `nvidia-smi topo -m`, not {matrix.name}"
        raise InputError(message)
    gpus = tuple(name for name in matrix.columns if name.startswith("GPU"))
    if not gpus or len(matrix.columns) > MOST_DEVICES:
        message = f"matrix: from 1 GPU to {MOST_DEVICES} devices, not {len(matrix.columns)}"
        raise InputError(message)
    words: dict[tuple[str, str], str] = {}
    lopsided = []
    for name, row in zip(matrix.rows, matrix.values, strict=True):
        for other, cell in zip(matrix.columns, row, strict=True):
            if name == other or not isinstance(cell, str) or cell == "X":
                continue
            word = OLD_WORDS.get(cell, cell)
            if words.get((name, other), word) != word:
                lopsided.append((other, name))
            words[name, other] = word
            words.setdefault((other, name), word)
    nics = tuple(name for name in matrix.columns if not name.startswith("GPU"))
    unknown = tuple(
        (first, second)
        for i, first in enumerate(gpus)
        for second in gpus[i + 1 :]
        if (first, second) not in words
    )
    return Devices(gpus, nics, words, tuple(lopsided), unknown)
