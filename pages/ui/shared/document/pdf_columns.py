"""Widths of a table's columns on paper, by the text in them."""

from collections.abc import Sequence
from math import ceil

LONGEST_WORD, LONGEST_TEXT = 14, 60
PROSE = 95.0
"""Points that a column of sentences takes at least: narrower, one row would fill half a page."""
PADDING, WIDTH_PER_SIZE, BOLDER = 7.0, 0.56, 1.15
"""Points beside a cell's text, the mean width of a letter over its font size, and that of a bold one over it."""


def font_size(columns: int) -> float:
    """Smaller letters for more columns."""
    return 7.6 if columns < 8 else 7.0 if columns < 10 else 6.4


def fitting(header: Sequence[str], rows: Sequence[Sequence[str]], width: float) -> list[float]:
    """
    Widths in points of the first columns, as many as fit without breaking their words.

    Args:
        header: Names of the columns.
        rows: Texts by row.
        width: Of the page in points.
    """
    letter = WIDTH_PER_SIZE * font_size(len(header))
    least, most = [], []
    for place, name in enumerate(header):
        texts = [name, *(row[place] for row in rows)]
        words = max((len(word) for text in texts[1:] for word in text.split()), default=1)
        words = max(words, *(ceil(BOLDER * len(word)) for word in name.split()), 1)
        lines = max(len(text) for text in texts[1:] or [name])
        narrowest = PADDING + letter * min(words, LONGEST_WORD)
        least.append(max(narrowest, PROSE) if lines > LONGEST_TEXT else narrowest)
        most.append(max(least[-1], PADDING + letter * min(lines, LONGEST_TEXT)))
    while len(least) > 1 and sum(least) > width:
        least.pop()
        most.pop()
    spare, wanted = width - sum(least), sum(most) - sum(least)
    share = 1.0 if wanted <= spare else max(0.0, spare / wanted)
    return [low + share * (high - low) for low, high in zip(least, most, strict=True)]
