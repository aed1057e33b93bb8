"""The cost model's tables of errors, made from the file that the benchmark writes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[2] / "docs" / "data" / "cost-model.json"

OPENING = """# Accuracy of the cost model

Every table of `{command}`, model {model_version}, {date}. What the model asks and how sure it is stands in
[Cost model](../COST-MODEL.md), how it is made in [How the cost model works](../COST-MODEL-METHOD.md).

*Error* is |predicted / measured - 1| of each row, *median* and *p90* over rows, a *site* an operator's
machines of one type; *in band* is the share of rows inside the interval. *Left out* means refitted without
these rows.
"""


def reference() -> str:
    """The page in Markdown: a section for each table."""
    written = json.loads(FILE.read_text(encoding="utf-8"))
    opening = OPENING.format(**{key: written[key] for key in ("command", "model_version", "date")})
    return "\n".join([opening, *(line for table in written["tables"] for line in _table(table))]) + "\n"


def _table(table: dict[str, Any]) -> Iterator[str]:
    yield f"## {table['title']}\n"
    yield _row(table["header"])
    yield _row(["---"] * len(table["header"]))
    yield from (_row(row) for row in table["rows"])
    yield ""


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
