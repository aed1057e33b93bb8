"""The decision document as PDF on A4."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from io import BytesIO
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Spacer
from reportlab.platypus.flowables import CallerMacro

from pages.ui.shared.document import fonts, pdf_parts
from pages.ui.shared.document.content import Answer, Memo, memo
from pages.ui.shared.document.pdf_parts import MARGIN, PAGE, WIDTH, heading, text
from pages.ui.shared.document.spans import Span
from pages.ui.shared.record import Record

FOOT = 12 * mm
FEW = 0.3
"""Of a page: a last one with less is nearly empty."""
SMALLER = (0.9, 0.8)
"""Shares of the width that charts may shrink to."""


def document(records: Sequence[Record], on: date) -> bytes:
    """A memo for these questions."""
    return render(memo(records, on))


def render(content: Memo) -> bytes:
    """The memo as a file; with smaller charts where that spares a last page that is nearly empty."""
    fonts.register()
    paper = _laid_out(content, 1.0)
    if paper.pages > 1 and paper.filled < FEW:
        tighter = (_laid_out(content, scale) for scale in SMALLER)
        return next((other for other in tighter if other.pages < paper.pages), paper).file
    return paper.file


@dataclass(frozen=True, slots=True)
class _Paper:
    """A file, its pages, and how much of the last one is filled, as a share."""

    file: bytes
    pages: int
    filled: float


def _laid_out(content: Memo, scale: float) -> _Paper:
    """The memo with charts of so much of their full width."""
    buffer = BytesIO()
    template = BaseDocTemplate(
        buffer,
        pagesize=PAGE,
        title=f"{content.title} · Wirespeed",
        author=content.versions,
        subject="; ".join(answer.text for answer in content.answers),
        lang="en",
    )
    height = PAGE[1] - 2 * MARGIN - FOOT / 2
    frame = Frame(MARGIN, MARGIN + FOOT / 2, WIDTH, height, 0, 0, 0, 0, id="text")
    left: list[float] = []
    end = CallerMacro(wrapCallable=lambda _, _width, height: left.append(height))
    template.addPageTemplates(
        PageTemplate("memo", [frame], onPage=lambda canvas, page: _footer(canvas, page, content))
    )
    canvas = partial(Canvas, initialFontName=fonts.REGULAR)
    template.build([*_story(content, scale), end], canvasmaker=canvas)
    return _Paper(buffer.getvalue(), template.page, 1 - left[-1] / height)


def _footer(canvas: Any, page: Any, content: Memo) -> None:
    canvas.saveState()
    canvas.setFont(fonts.REGULAR, 7.5)
    canvas.setFillColor(pdf_parts.MUTED)
    canvas.drawString(MARGIN, MARGIN - 6 * mm, f"{content.title} · {content.versions} · {content.made}")
    canvas.drawRightString(PAGE[0] - MARGIN, MARGIN - 6 * mm, f"{page.page}")
    canvas.restoreState()


def _story(content: Memo, scale: float) -> Iterator[Flowable]:
    yield text(fonts.markup(content.title), "title")
    yield text(fonts.markup(f"{content.made} · {content.versions}"), "muted")
    yield pdf_parts.rule()
    for number, answer in enumerate(content.answers, start=1):
        if len(content.answers) > 1:
            yield Spacer(1, 4 * mm)
            yield text(fonts.markup(f"{number}. {answer.title}"), "section")
        yield from _answer(answer, scale)


def _answer(answer: Answer, scale: float) -> Iterator[Flowable]:
    yield text(fonts.line(answer.question), "muted")
    if answer.subject:
        yield text(fonts.line((Span(answer.subject, bold=True),)), "body")
    if answer.text:
        yield pdf_parts.answer_box(answer)
    if answer.figures:
        yield pdf_parts.figures(answer.figures)
    yield from (pdf_parts.warning(parts) for parts in answer.warnings)
    if answer.changed:
        yield heading("Question")
        yield pdf_parts.inputs(answer.changed)
    if answer.link:
        yield text(fonts.line((Span("Live: "), Span(answer.link, link=answer.link))), "tiny")
    yield from pdf_parts.pictures("Charts", [item for item in answer.pictures if not item.tall], scale)
    for place, table in enumerate(answer.tables):
        yield from pdf_parts.table(table, under="" if place else "Numbers")
    yield from pdf_parts.pictures("Maps", [item for item in answer.pictures if item.tall], scale)
    for name, lines in (("Assumptions", answer.assumptions), ("Sources", answer.sources)):
        yield from pdf_parts.bullets(name, lines)
    yield from _other_inputs(answer)


def _other_inputs(answer: Answer) -> Iterator[Flowable]:
    """What nobody changed: at the end, so that the charts follow the answer."""
    if answer.usual or answer.empty:
        yield heading("Other inputs")
    if answer.usual:
        listed = "; ".join(f"{item.label}: {item.value}" for item in answer.usual)
        yield text(fonts.markup(f"At their defaults: {listed}."), "small")
    if answer.empty:
        yield text(fonts.markup(f"Left empty: {'; '.join(answer.empty)}."), "small")
