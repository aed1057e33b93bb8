"""Plain tables on the screen, ready for a Markdown file."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """One printed table: what it shows, its header, its rows."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


PRINTED: list[Table] = []
"""Every table of this run in order, for the file that the docs site is made from."""


def percent(share: float) -> str:
    """Three figures at most: 5.1 %, 43 %."""
    value = 100 * share
    return f"{value:.1f} %" if value < 10 else f"{value:.0f} %"


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A Markdown table with its title above."""
    PRINTED.append(Table(title, tuple(header), tuple(tuple(str(cell) for cell in row) for row in rows)))
    widths = [max(len(str(row[i])) for row in (header, *rows)) for i in range(len(header))]
    print(f"\n{title}\n")
    for row in (header, ["-" * width for width in widths], *rows):
        cells = (str(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
        print("| " + " | ".join(cells) + " |", flush=True)
