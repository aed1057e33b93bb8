"""Tables in prose: cells between bars, or named columns of sizes and rates, as people write results."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_RULE = re.compile(r"^[\s|:=+-]+$")
_COLUMNS_LEAST, _ROWS_MOST = 2, 40
_RATE_NAME = re.compile(r"(?i)^(?:bus|alg(?:o|orithm)?)[ _]?(?:bw|bandwidth)\b")
SIZE_NAME = re.compile(r"(?i)^(?:msg|message)?[ _]?(?:size|bytes)(?:[ _]?\(?(?:B|bytes)\)?)?$")
"""The name of a column of message sizes in bytes."""
_UNITS = re.compile(r"^\(\w")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table in words: the text above it, its header, its rows."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def grids(lines: Sequence[str]) -> list[Grid]:
    """The tables of a text."""
    return [*_barred(lines), *_named(lines)]


def _barred(lines: Sequence[str]) -> Iterator[Grid]:
    """Those whose cells stand between bars."""
    caption, table = "", []
    for line in [*lines, ""]:
        if "|" in line:
            table.append(line)
            continue
        if _RULE.match(line) and table and line.strip():
            continue
        if table:
            rows = [_cells(row) for row in table if not _RULE.match(row)]
            if len(rows) > 1 and len(rows[0]) >= _COLUMNS_LEAST:
                yield Grid(caption, rows[0], tuple(rows[1:_ROWS_MOST]))
            table = []
        caption = line if line.strip() else caption


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().strip("*`").strip() for cell in line.strip().strip("|").split("|"))


def _named(lines: Sequence[str]) -> Iterator[Grid]:
    """Those whose columns are named size and busbw or algbw, apart by tabs, commas or blanks."""
    for index, line in enumerate(lines):
        separator = _separator(line)
        header = _words(line, separator)
        if not any(map(SIZE_NAME.match, header)) or not any(map(_RATE_NAME.match, header)) or "|" in line:
            continue
        rows: list[tuple[str, ...]] = []
        for below in lines[index + 1 : index + _ROWS_MOST]:
            cells = _words(below, separator)
            if len(cells) == len(header) and cells[0][:1].isdigit():
                rows.append(cells)
            elif rows or not (_UNITS.match(below.lstrip(" #")) or _RULE.match(below)):
                break
        if rows:
            yield Grid(" ".join(lines[max(0, index - 2) : index]), header, tuple(rows))


def _separator(line: str) -> str | None:
    return "\t" if "\t" in line else "," if line.count(",") >= _COLUMNS_LEAST - 1 else None


def _words(line: str, separator: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in line.strip().lstrip("#").split(separator))
