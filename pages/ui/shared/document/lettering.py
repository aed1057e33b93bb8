"""Words of a picture at the width at which they were laid out, whatever fonts the reader's machine has."""

import re
from html import unescape

from reportlab.pdfbase.pdfmetrics import stringWidth

REGULAR, BOLD = "Helvetica", "Helvetica-Bold"
"""As wide as Liberation Sans, in which the pictures are laid out."""
_TEXT = re.compile(r'<text (?P<style>[^>]*font-size="(?P<size>[\d.]+)(?:px)?"[^>]*)>(?P<words>[^<]+)</text>')
_HEAVY = re.compile(r'font-weight="(?:600|700|bold)"')
_ENCODING = "cp1252"
"""Letters whose widths are known."""


def fixed(svg: str) -> str:
    """The picture with the width of each label stated: a wider font is squeezed, and nothing cut off."""
    return _TEXT.sub(_fixed, svg)


def _fixed(match: re.Match[str]) -> str:
    style, words = match["style"], unescape(match["words"])
    if not words.strip() or not _known(words):
        return match[0]
    font = BOLD if _HEAVY.search(style) else REGULAR
    width = stringWidth(" ".join(words.split()), font, float(match["size"]))
    return f'<text {style} textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs">{match["words"]}</text>'


def _known(words: str) -> bool:
    try:
        words.encode(_ENCODING)
    except UnicodeEncodeError:
        return False
    return True
