"""Tables of other tools: comma-separated text with a header somewhere near its top."""

import csv
import io
import re
from collections.abc import Callable, Iterator

from core.errors import InputError
from core.traces.json_text import concatenated, entries
from core.traces.unpacking import Source

TABLE_MOST_BYTES = 20_000_000
ROWS_MOST = 200_000
HEADER_LINES = 5000
COMMAS = (",", "\t", ";")

Row = dict[str, str]


def rows(source: Source, is_header: Callable[[list[str]], bool]) -> list[Row]:
    """
    The rows below the header, by its names; rows of another width are left out.

    Columns may stand between commas, tabs or semicolons, or between runs of blanks over a ruler of dashes;
    or the rows are the objects of a JSON list.

    Args:
        source: The file.
        is_header: Whether these cells are the header.

    Raises:
        InputError: There is no such header, or no row below it.
    """
    text = source.whole(TABLE_MOST_BYTES).decode("utf-8-sig", "replace").replace("\0", "")
    if text.lstrip().startswith("["):
        return _of_json(text, source.name, is_header)
    lines = text.splitlines()
    for index, line in enumerate(lines[:HEADER_LINES]):
        ruler = lines[index + 1] if index + 1 < len(lines) else ""
        ruled = set(ruler) == {"-", " "}
        for comma in (",",) if ruled else COMMAS:
            cells = _cut(line, ruler) if ruled else next(iter(_read([line], comma)), [])
            if not is_header(cells):
                continue
            body = _until_blank(lines[index + 2 :] if ruled else lines[index + 1 :])
            table = [_cut(entry, ruler) for entry in body] if ruled else _read(body, comma)
            whole = [entry for entry in table[:ROWS_MOST] if len(entry) == len(cells)]
            if whole:
                return [dict(zip(cells, entry, strict=True)) for entry in whole]
    message = f"{source.name}: a table without rows that can be read"
    raise InputError(message)


def cut(line: str) -> Iterator[list[str]]:
    """The cells of a line in every way that tables are written."""
    for comma in COMMAS:
        yield from _read([line], comma)
    yield re.split(r"\s{2,}", line.strip())


def _of_json(text: str, name: str, is_header: Callable[[list[str]], bool]) -> list[Row]:
    """The rows of a list of objects, each with the columns' names as its keys."""
    listed = [row for value in concatenated(text, name) for row in entries(value)]
    found = [
        {key: str(value).strip() for key, value in row.items()}
        for row in listed[:ROWS_MOST]
        if is_header(list(row))
    ]
    if not found:
        message = f"{name}: a table without rows that can be read"
        raise InputError(message)
    return found


def _until_blank(lines: list[str]) -> list[str]:
    """The lines of one table of a report: an empty line ends it."""
    end = next((index for index, line in enumerate(lines) if index and not line.strip()), len(lines))
    return lines[:end]


def _read(lines: list[str], comma: str) -> list[list[str]]:
    try:
        table = csv.reader(io.StringIO("\n".join(lines)), delimiter=comma)
        return [[cell.strip() for cell in row] for row in table]
    except csv.Error:
        return []


def _cut(line: str, ruler: str) -> list[str]:
    """The cells of a line under a ruler of dashes; the last one goes on to the end."""
    edges = [match.span() for match in re.finditer(r"-+", ruler)]
    if not line.strip():
        return []
    return [line[start : end if end < edges[-1][1] else None].strip() for start, end in edges]
