"""Tables in a workbook (.xlsx): its sheets' XML as it streams by, without formulas, links or entities."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from xml.parsers import expat

from core.errors import InputError
from core.traces.tables import IsHeader, Row
from core.traces.unpacking import Source, opened

WORKBOOK_MOST_BYTES = 50_000_000
CELLS_MOST = 6_000_000
"""Cells and places of rows, empty ones too: a filled sheet counts each twice."""
TEXTS_MOST = 1_000_000
TEXT_MOST = 4000
COLUMNS_MOST = 1000
SHEETS_MOST = 100
HEADER_ROWS = 20
"""A header stands in the first rows of its sheet; other sheets are left after these."""
SHARED = "xl/sharedStrings.xml"
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_COLUMN = re.compile(r"([A-Z]{1,3})\d{1,7}")

_PARTS = re.compile(rb"\[Content_Types\]\.xml|docProps/|xl/")
"""Names of a workbook's parts, which a zip's first bytes hold as they are."""
_UNREADABLE = (
    *(zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, expat.ExpatError),
    *(LookupError, ValueError),
)
"""What zip and XML raise of broken files; the last two of character sets that are not read."""


def is_workbook(head: bytes) -> bool:
    """Whether a file that begins so is a workbook."""
    return head.startswith(b"PK") and _PARTS.search(head) is not None


def tables_of(source: Source, is_header: IsHeader) -> Iterator[list[Row]]:
    """
    The table of each sheet that has one, its cells as text; a formula's cell is its stored value.

    Args:
        source: The workbook.
        is_header: Whether these cells are the header.

    Raises:
        InputError: It is no workbook, or holds more than a report would.
    """
    data = source.whole(WORKBOOK_MOST_BYTES)
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        names = [name for name in archive.namelist() if _SHEET.fullmatch(name)][:SHEETS_MOST]
        texts = _texts(archive, source.name) if SHARED in archive.namelist() else []
        for name in names:
            sheet = _Sheet(texts, is_header)
            _parse(archive, name, sheet, source.name)
            if sheet.rows:
                yield sheet.rows
    except InputError:
        raise
    except _UNREADABLE as problem:
        message = f"{source.name}: a workbook that is broken or locked"
        raise InputError(message) from problem


def _texts(archive: zipfile.ZipFile, name: str) -> list[str]:
    shared = _SharedTexts()
    _parse(archive, SHARED, shared, name)
    return shared.texts


def _parse(archive: zipfile.ZipFile, part: str, reader: "_Reader", name: str) -> None:
    """Feed one part of the workbook to its reader, until it has seen enough."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters

    def refuse(*_declared: object) -> None:
        message = f"{name}: a workbook with a document type, which none has"
        raise InputError(message)

    parser.StartDoctypeDeclHandler = refuse
    entry = archive.getinfo(part)
    with archive.open(entry) as stream, opened(part, stream, max(entry.compress_size, 1), None) as source:
        while not reader.is_done:
            chunk = source.read(1 << 16)
            parser.Parse(chunk, not chunk)
            if not chunk:
                return


class _Reader:
    """What one part of a workbook is read by."""

    is_done = False

    def __init__(self) -> None:
        self._text = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def characters(self, data: str) -> None:
        """A piece of text."""
        if len(self._text) < TEXT_MOST:
            self._text += data[:TEXT_MOST]


class _SharedTexts(_Reader):
    """The texts that cells point to by number."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._phonetic = False

    def start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002 - expat's own form
        """A text begins, or a hint on how it is spoken, which is none."""
        plain = name.rpartition(":")[2]
        if plain == "si":
            self.texts.append("")
            if len(self.texts) > TEXTS_MOST:
                message = f"a workbook of more than {TEXTS_MOST // 1_000_000} million texts"
                raise InputError(message)
        self._phonetic = self._phonetic or plain == "rPh"
        self._text = ""

    def end(self, name: str) -> None:
        """A piece of a text ends."""
        plain = name.rpartition(":")[2]
        if plain == "t" and self.texts and not self._phonetic:
            self.texts[-1] += self._text
        if plain == "rPh":
            self._phonetic = False


@dataclass
class _Cell:
    """A cell as it is read: its column from 0, the kind of its value, and its text."""

    column: int
    kind: str
    text: str = ""


@dataclass
class _Line:
    """The cells of one row by column."""

    cells: dict[int, str] = field(default_factory=dict)
    next_column: int = 0


class _Sheet(_Reader):
    """The rows below a sheet's header, by its names."""

    def __init__(self, texts: list[str], is_header: IsHeader) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._texts, self._is_header = texts, is_header
        self._header: list[str] = []
        self._line, self._cell = _Line(), _Cell(0, "")
        self._seen = self._cells = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """A row, a cell or its value begins."""
        plain = name.rpartition(":")[2]
        if plain == "row":
            self._line = _Line()
        elif plain == "c":
            match = _COLUMN.fullmatch(attributes.get("r", ""))
            column = _index(match.group(1)) if match else self._line.next_column
            self._line.next_column = column + 1
            self._cell = _Cell(column, attributes.get("t", "n"))
        self._text = ""

    def end(self, name: str) -> None:
        """A value, a cell or a row ends."""
        plain = name.rpartition(":")[2]
        if plain in ("v", "t"):
            self._cell.text += self._text
        elif plain == "c":
            self._keep(self._cell)
        elif plain == "row":
            self._finish()
        elif plain == "sheetData":
            self.is_done = True
        self._text = ""

    def _keep(self, cell: _Cell) -> None:
        self._count(1)
        if cell.column < COLUMNS_MOST:
            self._line.cells[cell.column] = self._value(cell)

    def _count(self, cells: int) -> None:
        self._cells += cells
        if self._cells > CELLS_MOST:
            message = f"a workbook of more than {CELLS_MOST // 2_000_000} million cells in a sheet"
            raise InputError(message)

    def _value(self, cell: _Cell) -> str:
        if cell.kind == "s":
            return self._texts[int(cell.text)] if _is_place(cell.text, len(self._texts)) else ""
        return _plain_number(cell.text) if cell.kind == "n" else "" if cell.kind == "e" else cell.text

    def _finish(self) -> None:
        cells = self._line.cells
        self._seen += 1
        if self._header:
            if cells:
                self._count(len(self._header))
                row = {name: cells.get(place, "") for place, name in enumerate(self._header) if name}
                self.rows.append(row)
            return
        written = [cells.get(place, "").strip() for place in range(max(cells, default=-1) + 1)]
        if self._is_header(written):
            self._header = written
        self.is_done = not self._header and self._seen >= HEADER_ROWS


def _index(letters: str) -> int:
    place = 0
    for letter in letters:
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def _is_place(text: str, places: int) -> bool:
    return re.fullmatch(r"[0-9]{1,9}", text) is not None and int(text) < places


def _plain_number(text: str) -> str:
    """A whole number without its point or exponent, as a table in text has it."""
    try:
        value = float(text)
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else text
