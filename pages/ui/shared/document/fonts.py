"""Text of a PDF as reportlab's markup, every letter in a font that has it."""

from functools import lru_cache
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

import fontpkg
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

from pages.ui.shared.document.spans import Span

FAMILY, REGULAR, BOLD = "Fira Sans", "Fira", "Fira-Bold"
EAST_ASIAN = "STSong-Light"
"""Of the reader's own viewer: no font of that size is shipped for a name in Chinese."""
LINK = "#0b62c4"
_ALIKE = str.maketrans("◆●◐○▲▼", "◊•··↑↓")
"""Marks of the pages that the embedded font lacks; the word beside each says the same."""


@lru_cache(maxsize=1)
def register() -> frozenset[int]:
    """Make the fonts known to reportlab; the characters that the embedded ones have."""
    regular = TTFont(REGULAR, str(fontpkg.path(FAMILY, weight=400)))
    pdfmetrics.registerFont(regular)
    pdfmetrics.registerFont(TTFont(BOLD, str(fontpkg.path(FAMILY, weight=600))))
    pdfmetrics.registerFont(UnicodeCIDFont(EAST_ASIAN))
    pdfmetrics.registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)
    return frozenset(regular.face.charToGlyph)


def markup(text: str) -> str:
    """A text from outside, escaped."""
    known = register()
    runs = groupby(_printable(text), lambda letter: ord(letter) in known)
    parts = []
    for embedded, letters in runs:
        run = escape("".join(letters))
        parts.append(run if embedded else f'<font name="{EAST_ASIAN}">{run}</font>')
    return "".join(parts)


def _printable(text: str) -> str:
    """The text without control characters and those beyond the first plane, which a viewer's fonts lack."""
    return "".join(
        letter if letter.isprintable() and ord(letter) < 0x10000 else " " if letter.isspace() else "?"
        for letter in text.translate(_ALIKE)
    )


def line(parts: tuple[Span, ...]) -> str:
    """A line with its bold words and links."""
    return "".join(_span(part) for part in parts)


def _span(part: Span) -> str:
    text = markup(part.text)
    if part.link.startswith(("http://", "https://")):
        return f"<a href={quoteattr(part.link)} color={quoteattr(LINK)}>{text}</a>"
    return f"<b>{text}</b>" if part.bold else text
