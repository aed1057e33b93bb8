"""The entries of docs/GLOSSARY.md, each with the terms that it explains."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[3] / "docs" / "GLOSSARY.md"
_TERM = re.compile(r"\*\*(.+?)\*\*")
_NEXT = re.compile(r"(?<=[.)]) (?=\*\*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence or two of the glossary in Markdown, and the terms set in bold in it."""

    terms: tuple[str, ...]
    text: str


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry in order; none where the document is not here."""
    if not FILE.is_file():
        return ()
    lines = FILE.read_text(encoding="utf-8").splitlines()
    parts = (part for line in lines if line.startswith("- ") for part in _NEXT.split(line[2:]))
    return tuple(Entry(tuple(_TERM.findall(part)), part) for part in parts if _TERM.match(part))
