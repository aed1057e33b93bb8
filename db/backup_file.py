"""Reads a backup and refuses what is cut, altered, or none at all, before anything is done with it."""

import base64
import binascii
import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from core.errors import InputError
from db.backup import FORMAT, FORMAT_VERSION

MOST_LINE = 256_000_000
_INTEGERS = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Head:
    """
    What a backup says of itself.

    Attributes:
        version: Of the program that wrote it.
        schema: The revision of its tables.
        made_at: When, in ISO 8601.
    """

    version: str
    schema: str
    made_at: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """
    The start of a table in a backup.

    Attributes:
        name: The table.
        columns: Name and kind of each column.
        last_id: The highest id ever given; None where ids are not counted.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    last_id: int | None


class BackupFile:
    """
    A backup on disk, found whole.

    Args:
        path: The file; it is read to its end once, so that a cut one is refused at once.

    Raises:
        InputError: It cannot be read, is no backup, is cut or altered, or is of a newer format.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = self._lines()
        self.head = self._head(next(lines, None))
        self.counts: dict[str, int] = {}
        for line in self._body(lines):
            if isinstance(line, TableLine):
                if line.name in self.counts:
                    self._refuse(f"two tables {line.name[:40]!r}")
                self.counts[line.name] = 0
                name = line.name
            else:
                self.counts[name] += 1
        if self.counts != self._end.get("counts"):
            self._refuse("its counts are others")

    def __iter__(self) -> Iterator[TableLine | list[Any]]:
        """Each table, followed by its rows."""
        lines = self._lines()
        next(lines)
        return self._body(lines)

    def _lines(self) -> Iterator[Any]:
        """Every line but the last; the last one's sum is compared with theirs."""
        digest = hashlib.sha256()
        self._end: dict[str, Any] = {}
        try:
            with gzip.open(self.path) as file:
                while line := file.readline(MOST_LINE):
                    value = json.loads(line)
                    if isinstance(value, dict) and value.get("end") is True:
                        self._end = value
                        if value.get("sha256") != digest.hexdigest() or file.read(1):
                            self._refuse("its checksum is another")
                        return
                    digest.update(line)
                    yield value
        except FileNotFoundError:
            message = f"{self.path}: there is no such file"
            raise InputError(message) from None
        except (OSError, EOFError, zlib.error) as error:
            if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
                message = f"{self.path} cannot be read: {error.strerror or error}"
                raise InputError(message) from None
            self._refuse("not a whole gzip file")
        except (ValueError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            self._refuse("a line is no JSON")
        self._refuse("its end is missing")

    def _head(self, value: Any) -> Head:
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            self._refuse("it does not begin as one")
        if value.get("format_version") != FORMAT_VERSION:
            message = f"{self.path} is a backup of a newer format than {FORMAT_VERSION}: update Wirespeed"
            raise InputError(message)
        texts = [value.get(name) for name in ("version", "schema", "made_at")]
        if not all(isinstance(text, str) and text.isprintable() and len(text) < 100 for text in texts):  # noqa: PLR2004
            self._refuse("it does not begin as one")
        return Head(*map(str, texts))

    def _body(self, lines: Iterator[Any]) -> Iterator[TableLine | list[Any]]:
        columns: tuple[tuple[str, str], ...] | None = None
        for value in lines:
            if isinstance(value, dict):
                table = self._table(value)
                columns = table.columns
                yield table
            elif isinstance(value, list) and columns is not None and len(value) == len(columns):
                yield [self._value(kind, part) for (_, kind), part in zip(columns, value, strict=True)]
            else:
                self._refuse("a row does not fit its table")

    def _table(self, value: dict[str, Any]) -> TableLine:
        try:
            name, last_id = value["table"], value["last_id"]
            columns = tuple((str(column), str(kind)) for column, kind in value["columns"])
        except (KeyError, TypeError, ValueError):
            self._refuse("a table is not described")
        if not isinstance(name, str) or not (last_id is None or _is_integer(last_id)):
            self._refuse("a table is not described")
        return TableLine(name, columns, last_id)

    def _value(self, kind: str, value: Any) -> Any:
        if value is None:
            return None
        try:
            return _DECODED[kind](value)
        except (KeyError, TypeError, ValueError, binascii.Error):
            self._refuse(f"{str(value)[:40]!r} is no {kind[:20]}")

    def _refuse(self, why: str) -> NoReturn:
        message = f"{self.path} is no whole backup of Wirespeed: {why}"
        raise InputError(message) from None


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in _INTEGERS


def _integer(value: Any) -> int:
    if not _is_integer(value):
        raise ValueError
    return int(value)


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError
    value.encode()
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _instant(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError
    return moment


_DECODED = {
    "integer": _integer,
    "real": _real,
    "text": _text,
    "boolean": _boolean,
    "instant": _instant,
    "json": lambda value: value,
    "bytes": lambda value: base64.b64decode(_text(value), validate=True),
}
