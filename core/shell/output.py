"""What the shell prints: JSON in SI units with null for what is absent, or an aligned table."""

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from core.provenance import Source

PIPE = "-"
"""Names standard input and output where a file is named."""


@dataclass(frozen=True, slots=True)
class Reply:
    """
    The answer of a command.

    Attributes:
        data: For ``--json``.
        text: For people; printed as it is where ``verbatim``.
        remark: One line on stderr that is no error.
        code: Exit status.
    """

    data: Any
    text: str
    verbatim: bool = False
    remark: str = ""
    code: int = 0


def plain(value: Any) -> Any:
    """
    A value of JSON: dataclasses become objects, arrays lists, sources lines, NaN and infinity null.

    A whole number of bytes or ranks that is held as a float stays a float.
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, Source):
        return f"{value.title} ({value.where})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else str(value)


def as_json(value: Any) -> str:
    """Strict JSON, indented."""
    return json.dumps(plain(value), indent=2, allow_nan=False, ensure_ascii=False)


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns aligned: the first to the left, the rest to the right; two spaces between."""
    cells = [list(header), *[[_cell(value) for value in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [
        "  ".join(
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def facts(pairs: Iterable[tuple[str, object]]) -> str:
    """Names and values in two columns; a pair without a value is left out."""
    rows = [(name, _cell(value)) for name, value in pairs if value is not None]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"  {name.ljust(width)}  {value}" for name, value in rows)


def remarks(title: str, items: Iterable[str]) -> str:
    """Lines under a title; nothing for none."""
    lines = [f"  - {item}" for item in items]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def page(*parts: str | None) -> str:
    """Paragraphs with an empty line between; empty ones are left out."""
    return "\n\n".join(part for part in parts if part)


def percent(share: float | None) -> str | None:
    """A share as a percentage with three digits."""
    return None if share is None else f"{100 * share:.3g} %"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
