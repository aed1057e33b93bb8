"""Tables of other tools: comma-separated text with a header somewhere near its top."""

import csv
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from core.errors import InputError
from core.traces.json_text import JSON_MOST_BYTES, concatenated, entries, is_list
from core.traces.unpacking import Source

ROWS_MOST = 200_000
HEADER_LINES = 5000
COMMAS = (",", "\t", ";")

Row = dict[str, str]
IsHeader = Callable[[list[str]], bool]


def rows(source: Source, is_header: IsHeader) -> list[Row]:
    """
    The rows below the header, by its names; rows of another width are left out.

    Args:
        source: The file.
        is_header: Whether these cells are the header.

    Raises:
        InputError: There is no such header, no row below it, or more rows than a summary has.
    """
    table = list(islice(streamed(source, is_header), ROWS_MOST + 1))
    if len(table) > ROWS_MOST:
        message = f"{source.name}: a table of more than {ROWS_MOST:,} rows"
        raise InputError(message)
    return table


def streamed(source: Source, is_header: IsHeader) -> Iterator[Row]:
    """
    As ``rows``, one by one and however many.

    Columns may stand between commas, tabs or semicolons, or between runs of blanks over a ruler of dashes;
    or the rows are the objects of a JSON list.
    """
    if is_list(source.head.lstrip()):
        yield from _of_json(source, is_header)
        return
    lines = _Lines(source)
    for line in islice(lines, HEADER_LINES):
        header, comma = _header(line, lines.next, is_header)
        if not header:
            continue
        cut_ = _under(next(lines)) if comma is None else partial(_read, comma=comma)
        count = 0
        for cells in cut_(_until_blank(lines)):
            if len(cells) == len(header):
                count += 1
                yield dict(zip(header, cells, strict=True))
        if count:
            return
    message = f"{source.name}: a table without rows that can be read"
    raise InputError(message)


class _Lines:
    """The lines of a file as text, with a look at the one that follows."""

    def __init__(self, source: Source) -> None:
        self._lines = (line.decode("utf-8", "replace").replace("\0", "") for line in source.lines())
        self.next = next(self._lines, None)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self.next
        if line is None:
            raise StopIteration
        self.next = next(self._lines, None)
        return line


def _header(line: str, after: str | None, is_header: IsHeader) -> tuple[list[str], str | None]:
    """The header in a line, empty where it is none, and what parts its cells (None: a ruler below)."""
    if after is not None and set(after) == {"-", " "}:
        cells = next(_under(after)(iter((line,))), [])
        return (cells, None) if is_header(cells) else ([], None)
    for comma in COMMAS:
        cells = next(_read(iter((line,)), comma), [])
        if is_header(cells):
            return cells, comma
    return [], None


def cut(line: str) -> Iterator[list[str]]:
    """The cells of a line in every way that tables are written."""
    for comma in COMMAS:
        yield from _read(iter((line,)), comma)
    yield re.split(r"\s{2,}", line.strip())


def _of_json(source: Source, is_header: IsHeader) -> Iterator[Row]:
    """The rows of a list of objects, each with the columns' names as its keys, which may differ by row."""
    count = 0
    for value in concatenated(source.whole(JSON_MOST_BYTES), source.name):
        for row in entries(value):
            if is_header(list(row)):
                count += 1
                yield {key: "" if cell is None else str(cell).strip() for key, cell in row.items()}
    if not count:
        message = f"{source.name}: a table without rows that can be read"
        raise InputError(message)


def _until_blank(lines: Iterator[str]) -> Iterator[str]:
    """The lines of one table of a report: an empty line that follows one of them ends it."""
    for index, line in enumerate(lines):
        if index and not line.strip():
            return
        yield line


def _read(lines: Iterator[str], comma: str) -> Iterator[list[str]]:
    try:
        for row in csv.reader((f"{line}\n" for line in lines), delimiter=comma):
            yield [cell.strip() for cell in row]
    except csv.Error:
        return


def _under(ruler: str) -> Callable[[Iterator[str]], Iterator[list[str]]]:
    """Cuts lines into cells under a ruler of dashes."""
    return lambda lines: (_cut(line, ruler) for line in lines)


def _cut(line: str, ruler: str) -> list[str]:
    """The cells of a line under a ruler of dashes; the last one goes on to the end."""
    edges = [match.span() for match in re.finditer(r"-+", ruler)]
    if not line.strip():
        return []
    return [line[start : end if end < edges[-1][1] else None].strip() for start, end in edges]
