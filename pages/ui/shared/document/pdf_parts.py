"""The parts of a PDF memo: answer box, figures, charts, tables, lists."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    HRFlowable,
    Image,
    KeepTogether,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from pages.ui.shared.document import content, drawer, fonts, pdf_columns
from pages.ui.shared.document.fonts import BOLD, REGULAR

PAGE = A4
MARGIN = 16 * mm
WIDTH = PAGE[0] - 2 * MARGIN
GUTTER = 6 * mm
INK, MUTED, RULE, SOFT, ACCENT = map(HexColor, ("#1b2430", "#4a5766", "#d5dde7", "#f3f6fa", "#0b62c4"))
AMBER, PALE = HexColor("#a85b00"), HexColor("#fff6e5")
PIXELS = 1.8
"""Of a chart per point of its SVG: about 220 an inch on paper."""
NOT_DRAWN = "This chart could not be drawn; the page shows it."
MOST_FIGURES = 6
MOST_LETTERS = 240
TALLEST = 145 * mm
ROOM = 42 * mm
"""A table does not begin with less than this left on a page."""


def _style(name: str, size: float, **more: Any) -> ParagraphStyle:
    options = {"fontName": REGULAR, "textColor": INK, "leading": 1.32 * size, "spaceAfter": 3, **more}
    return ParagraphStyle(name, fontSize=size, splitLongWords=1, **options)


STYLES = {
    "title": _style("title", 19, fontName=BOLD, spaceAfter=1),
    "section": _style("section", 14, fontName=BOLD, spaceBefore=10),
    "heading": _style("heading", 11, fontName=BOLD, spaceBefore=9, spaceAfter=3),
    "answer": _style("answer", 12.5, fontName=BOLD, spaceAfter=4),
    "body": _style("body", 9.2),
    "muted": _style("muted", 9.2, textColor=MUTED),
    "small": _style("small", 8, textColor=MUTED),
    "tiny": _style("tiny", 6.8, textColor=MUTED, wordWrap="CJK"),
    "caption": _style("caption", 8.4, fontName=BOLD),
    "figure": _style("figure", 11.5, fontName=BOLD, spaceAfter=0),
    "badge": _style("badge", 8, textColor=ACCENT),
}


def text(markup: str, style: str = "body") -> Paragraph:
    """A paragraph of reportlab's markup."""
    return Paragraph(markup, STYLES[style])


def heading(name: str) -> Flowable:
    """A heading that stays with what follows."""
    style = STYLES["heading"].clone("heading", keepWithNext=1)
    return Paragraph(fonts.markup(name), style)


def rule() -> Flowable:
    """The line under the title."""
    return HRFlowable(width="100%", thickness=2, color=ACCENT, spaceBefore=1, spaceAfter=6)


def answer_box(answer: content.Answer) -> Flowable:
    """The answer with its reason, crossovers and origin."""
    lines = [text(fonts.markup(answer.text), "answer")]
    lines += [text(fonts.line(part)) for part in answer.details]
    if answer.origin:
        lines.append(text(fonts.markup(answer.origin), "badge"))
    return _box([[lines]], SOFT, ACCENT)


def warning(parts: content.Line) -> Flowable:
    """One warning."""
    return _box([[text(fonts.line(parts))]], PALE, AMBER)


def _box(rows: list[list[Any]], ground: Any, edge: Any) -> Flowable:
    style = [
        ("BACKGROUND", (0, 0), (-1, -1), ground),
        ("LINEBEFORE", (0, 0), (0, -1), 3, edge),
        ("LEFTPADDING", (0, 0), (-1, -1), 10),
        ("TOPPADDING", (0, 0), (-1, -1), 6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
    ]
    return Table(rows, [WIDTH], style=TableStyle(style), spaceBefore=4, spaceAfter=6)


def figures(items: Sequence[tuple[str, str]]) -> Flowable:
    """Secondary numbers in boxes, at most six in a row."""
    lines = ceil(len(items) / MOST_FIGURES)
    columns = ceil(len(items) / lines)
    boxes: list[Any] = [
        [text(fonts.markup(label), "small"), text(fonts.markup(value), "figure")] for label, value in items
    ]
    boxes += [""] * (lines * columns - len(boxes))
    rows = [boxes[start : start + columns] for start in range(0, len(boxes), columns)]
    style = [
        ("INNERGRID", (0, 0), (-1, -1), 0.6, RULE),
        ("BOX", (0, 0), (-1, -1), 0.6, RULE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 3),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
    ]
    return Table(rows, [WIDTH / columns] * columns, style=TableStyle(style), spaceAfter=6)


def inputs(items: Sequence[content.Chosen]) -> Flowable:
    """Inputs that differ from their defaults."""
    rows = [[item.label, item.value, item.default] for item in items]
    header = ["input", "value", "default"]
    return _grid(header, rows, [False] * 3, pdf_columns.fitting(header, rows, WIDTH))


def pictures(name: str, items: Sequence[content.Picture], scale: float = 1.0) -> Iterator[Flowable]:
    """Charts two in a row, wide ones alone, under a heading; a row stays on one page. ``scale`` shrinks them, wide ones twice."""
    titled: Any = heading(name)
    files = _files(tuple(item.svg for item in items if item.svg))
    row: list[content.Picture] = []
    for place, item in enumerate(items):
        row.append(item)
        ahead = items[place + 1] if place + 1 < len(items) else None
        if item.full or len(row) == 2 or ahead is None or ahead.full:
            yield KeepTogether(
                [
                    *([titled] if titled else []),
                    _row([(entry, files.get(entry.svg, b"")) for entry in row], scale),
                ]
            )
            titled, row = None, []


def _files(svgs: tuple[str, ...]) -> dict[str, bytes]:
    """The pictures as PNG by their SVG; none where they cannot be drawn."""
    try:
        return _drawn(svgs)
    except drawer.DrawingError:
        return {}


@lru_cache(maxsize=4)
def _drawn(svgs: tuple[str, ...]) -> dict[str, bytes]:
    """Remembered while a memo is laid out more than once."""
    return dict(zip(svgs, drawer.pngs(svgs, PIXELS), strict=True))


def _row(items: Sequence[tuple[content.Picture, bytes]], scale: float) -> Flowable:
    full = items[0][0].full
    width = WIDTH if full else (WIDTH - GUTTER) / 2
    cells = [
        [
            text(fonts.markup(item.title), "caption"),
            _image(png, scale ** (1 + full) * width) if png else text(NOT_DRAWN, "small"),
        ]
        for item, png in items
    ]
    widths = [width] if full else [width + GUTTER, width]
    style = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-2, -1), GUTTER),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
    ]
    return Table([cells], widths[: len(cells)], style=TableStyle(style), hAlign="LEFT")


def _image(png: bytes, width: float) -> Flowable:
    image = Image(BytesIO(png))
    scale = min(width / image.imageWidth, TALLEST / image.imageHeight)
    image.drawWidth, image.drawHeight = scale * image.imageWidth, scale * image.imageHeight
    image.hAlign = "LEFT"
    return image


def table(item: content.Table, *, under: str = "") -> Iterator[Flowable]:
    """A table with its title, the first under a heading; its header comes again on every page."""
    columns = pdf_columns.fitting(item.header, item.rows, WIDTH)
    left_out = len(item.header) - len(columns)
    notes = [f"first {len(item.rows)} of {len(item.rows) + item.left_out} rows"] if item.left_out else []
    notes += [f"first {len(columns)} of {len(item.header)} columns"] if left_out else []
    note = f" ({', '.join(notes)})" if notes else ""
    yield CondPageBreak(ROOM)
    if under:
        yield text(fonts.markup(under), "heading")
    yield text(fonts.markup(item.title + note), "caption")
    kept = slice(0, len(columns))
    yield _grid(item.header[kept], [row[kept] for row in item.rows], item.numeric[kept], columns)
    yield Spacer(1, 3 * mm)


def shorten(part: str) -> str:
    """A cell's text, cut where it would fill a page."""
    return part if len(part) <= MOST_LETTERS else f"{part[:MOST_LETTERS].rstrip()} …"


def _grid(header: list[str], rows: list[list[str]], numeric: list[bool], widths: list[float]) -> Flowable:
    size = pdf_columns.font_size(len(header))
    flushed = [_style(f"cell {flush}", size, spaceAfter=0, alignment=2 * flush) for flush in (False, True)]
    bold = [style.clone("bold", fontName=BOLD) for style in flushed]
    lines = [(bold, header), *((flushed, row) for row in rows)]
    cells = [
        [
            Paragraph(fonts.markup(shorten(part)), styles[flush])
            for part, flush in zip(parts, numeric, strict=True)
        ]
        for styles, parts in lines
    ]
    style = [
        ("BACKGROUND", (0, 0), (-1, 0), SOFT),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
    return Table(cells, widths, repeatRows=1, style=TableStyle(style), hAlign="LEFT", spaceAfter=4)


def bullets(name: str, lines: Sequence[content.Line]) -> Iterator[Flowable]:
    """A list under a heading; nothing where it is empty."""
    if not lines:
        return
    yield heading(name)
    style = STYLES["small"].clone(
        "bullet", leftIndent=9, bulletIndent=0, bulletFontName=REGULAR, spaceAfter=1
    )
    yield from (Paragraph(fonts.line(part), style, bulletText="•") for part in lines)
