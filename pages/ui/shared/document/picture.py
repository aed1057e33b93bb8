"""A chart as a picture that stands alone: title, subject, date and link inside it."""

import re
import textwrap
from datetime import date
from html import escape

from pages.ui.shared.document import charts, drawer, wording
from pages.ui.shared.document.lettering import fixed
from pages.ui.shared.document.links import short_link
from pages.ui.shared.record import DrawnChart, Record

EDGE, GAP = 24, 14
PIXELS = 2
"""Of a PNG per point."""
TITLE, SMALL, TINY = 17, 12, 9.5
WIDTH_PER_SIZE = 0.52
"""Mean width of a letter over its font size, rounded up."""
_SIZE = re.compile(r'<svg [^>]*?width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)"')


def svg(record: Record, chart: DrawnChart, on: date) -> bytes:
    """The picture as SVG."""
    return fixed(_framed(record, chart, on)).encode()


def png(record: Record, chart: DrawnChart, on: date) -> bytes:
    """The picture as PNG, two pixels a point."""
    return drawer.pngs([_framed(record, chart, on)], PIXELS)[0]


def _framed(record: Record, chart: DrawnChart, on: date) -> str:
    inner = charts.svg(chart)
    match = _SIZE.match(inner)
    width, height = (
        (float(match["width"]), float(match["height"])) if match else (charts.PICTURE_WIDTH, 360.0)
    )
    about = " · ".join(part for part in (record.title, wording.subject_line(record)) if part)
    footer = f"Wirespeed, {on:%d %B %Y}. {short_link(record)}"
    head = [*_lines(chart.alt, TITLE, width, bold=True), *_lines(about, SMALL, width)]
    top, head_svg = _text(head, EDGE)
    bottom, foot_svg = _text(_lines(footer, TINY, width), top + GAP + height + GAP)
    total_width, total_height = width + 2 * EDGE, bottom + EDGE
    placed = inner.replace("<svg ", f'<svg x="{EDGE}" y="{top + GAP}" ', 1)
    return drawer.legal(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width:g}" height="{total_height:g}" '
        f'viewBox="0 0 {total_width:g} {total_height:g}" role="img">'
        f"<title>{escape(chart.alt)}</title><desc>{escape(record.link)}</desc>"
        f'<rect width="100%" height="100%" fill="#ffffff"/>{head_svg}{placed}{foot_svg}</svg>'
    )


def _lines(text: str, size: float, width: float, *, bold: bool = False) -> list[tuple[str, float, bool]]:
    """The text wrapped to a width, each line with its size and weight."""
    characters = int(width / (WIDTH_PER_SIZE * size * (1.06 if bold else 1)))
    return [(line, size, bold) for line in textwrap.wrap(text, characters)]


def _text(lines: list[tuple[str, float, bool]], top: float) -> tuple[float, str]:
    """Where the lines end, and their SVG."""
    parts = []
    for line, size, bold in lines:
        top += 1.3 * size
        colour, weight = (charts.INK, 600) if bold else (charts.MUTED, 400)
        parts.append(
            f'<text x="{EDGE}" y="{top:g}" font-family="{charts.FONT}" font-size="{size}" '
            f'font-weight="{weight}" fill="{colour}">{escape(line)}</text>'
        )
    return top, "".join(parts)
