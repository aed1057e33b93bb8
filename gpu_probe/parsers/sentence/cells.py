"""Cells of a table in prose that tell copies, transfers between NICs or DeepEP's rates, as sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpu_probe.parsers.sentence.grid import Grid, grids

_VALUE = re.compile(
    r"^[~≈*`\s]*(\d{1,6}(?:\.\d{1,6})?)[*`]* ?"
    r"((?:G|M|T)i?(?:B|b|Bytes|bit|bits)/s(?:ec)?|GBps|[GM]bps)?[*`]*"
    r"(?: ?[=(] ?\d{1,6}(?:\.\d{1,4})? ?[GMT]i?[Bb]/s\)?| \([^()]{1,24}\))?[*`]*(?: ?(?:←|<-|#)[^|]{0,60})?$"
)
_UNIT = re.compile(r"\b(?:[GMT]i?(?:B|b|bit|bits)/s(?:ec)?|GBps|[GM]bps)(?![\w/])")
_SPAN = re.compile(r"^\d{1,7}(?:\.\d{1,8})? ?(?:-|\u2013|to|\.\.) ?\d{1,7}(?:\.\d{1,8})?\D{0,12}$")
"""A confidence interval, or the least and the most."""
_NOT_MEASURED = re.compile(
    r"(?i)expect|theor|ideal|target|line rate|spec\b|refer|baseline|\bbefore\b|previous|publish|official"
    r"|claim|advertised|\bpapers?\b|should|increase|delta|diff|%|ratio|speed-?up|efficien|latenc|\btime\b"
    r"|require|minimum|limit|\bpeak\b"
)


@dataclass(frozen=True, slots=True)
class CellSentence:
    """A measured cell as a sentence, with the name of its row."""

    label: str
    text: str


def cell_sentences(lines: Sequence[str]) -> Iterator[CellSentence]:
    """Each measured rate of the tables in a text, behind the other words of its row and column."""
    for grid in grids(lines):
        for row in grid.rows:
            label = next((cell for cell in row if cell), "")
            if _NOT_MEASURED.match(label):
                continue
            for column, cell in enumerate(row):
                if text := _sentence(grid, row, column, cell):
                    yield CellSentence(label, text)


def _sentence(grid: Grid, row: tuple[str, ...], column: int, cell: str) -> str:
    header = grid.header[column] if column < len(grid.header) else ""
    match, above = _VALUE.match(cell), _UNIT.search(header)
    if match is None or _NOT_MEASURED.search(header) or not (match[2] or above):
        return ""
    unit = match[2] or (above.group() if above else "")
    words = [
        other
        for index, other in enumerate(row)
        if index != column and other and not (_VALUE.match(other) or _SPAN.match(other))
    ]
    return f"{', '.join(words)}, {_UNIT.sub('', header).strip(' ()')}: {match[1]} {unit}"
