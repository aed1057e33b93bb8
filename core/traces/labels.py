"""A column of texts of which few differ: codes into a list of names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """
    A column of texts.

    Attributes:
        codes: Index into ``names``, one a row.
        names: The different texts.
    """

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    def __len__(self) -> int:
        """How many rows."""
        return len(self.codes)

    def __iter__(self) -> Iterator[str]:
        """The texts, row by row."""
        return (self.names[code] for code in self.codes)

    def __getitem__(self, row: int) -> str:
        """The text of one row."""
        return self.names[int(self.codes[row])]

    def equals(self, name: str) -> NDArray[np.bool_]:
        """Which rows bear this text."""
        code = self.names.index(name) if name in self.names else -1
        rows: NDArray[np.bool_] = self.codes == code
        return rows


def labels(texts: Iterable[str]) -> Labels:
    """A column of these texts, names in the order in which they first occur."""
    index: dict[str, int] = {}
    codes = np.fromiter((index.setdefault(text, len(index)) for text in texts), dtype=np.int32)
    return Labels(codes, tuple(index))
