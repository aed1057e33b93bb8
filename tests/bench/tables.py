"""Plain tables on the screen, ready for a Markdown file."""

from collections.abc import Sequence


def percent(share: float) -> str:
    """Three figures at most: 5.1 %, 43 %."""
    value = 100 * share
    return f"{value:.1f} %" if value < 10 else f"{value:.0f} %"


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A Markdown table with its title above."""
    widths = [max(len(str(row[i])) for row in (header, *rows)) for i in range(len(header))]
    print(f"\n{title}\n")
    for row in (header, ["-" * width for width in widths], *rows):
        cells = (str(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
        print("| " + " | ".join(cells) + " |", flush=True)
