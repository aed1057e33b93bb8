"""What a decision document says, the same in every format: made of the records of its questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from core.collectives.cost_model.version import MODEL_VERSION
from core.version import VERSION
from pages.ui.shared.answer import ORIGINS
from pages.ui.shared.document import cells, charts, drawer, wording
from pages.ui.shared.document.spans import Span, cited, spans
from pages.ui.shared.navigation import HOME, SECTIONS
from pages.ui.shared.record import DrawnChart, DrawnTable, Record

MOST_ROWS = 40
Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """
    A chart.

    Attributes:
        title: What it shows.
        svg: Empty where it could not be drawn.
        full: Whether it takes the full width.
        tall: Whether it is a map of many cells.
    """

    title: str
    svg: str
    full: bool
    tall: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table as text; ``left_out`` counts the rows that are not shown."""

    title: str
    header: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    left_out: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """An input by label, its value, and its default where the two differ."""

    label: str
    value: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """
    One question and its answer.

    Attributes:
        title: Of the page.
        question: What the page answers, in a sentence.
        subject: System, model and rates.
        text: The answer; empty where the page gives none.
        details: Reason, crossovers, findings and note.
        origin: What the rates are.
        figures: Label and value.
        changed, usual: Inputs that differ from their defaults, and those at them.
        empty: Labels of the inputs without a value.
        link: Opens the question.
    """

    title: str
    question: Line
    subject: str
    text: str
    details: list[Line]
    origin: str
    figures: list[tuple[str, str]]
    warnings: list[Line]
    changed: list[Chosen]
    usual: list[Chosen]
    empty: list[str]
    pictures: list[Picture]
    tables: list[Table]
    assumptions: list[Line]
    sources: list[Line]
    link: str


@dataclass(frozen=True, slots=True)
class Memo:
    """A decision document: its title, its answers, and what made it when."""

    title: str
    made: str
    versions: str
    answers: list[Answer]


def memo(records: Sequence[Record], on: date) -> Memo:
    """The document of these questions, in their order."""
    titles = dict.fromkeys(record.title for record in records)
    title = " and ".join(titles) or "Wirespeed"
    if len(records) > len(titles):
        title = f"{title}: {len(records)} questions"
    pictures = iter(_pictures(records))
    answers = [_answer(record, list(islice(pictures, len(record.charts)))) for record in records]
    return Memo(title, f"{on.day} {on:%B %Y}", f"Wirespeed {VERSION}, model {MODEL_VERSION}", answers)


def _answer(record: Record, pictures: list[Picture]) -> Answer:
    inputs = record.question()
    return Answer(
        title=record.title,
        question=spans(_question(record.page)),
        subject=wording.subject_line(record),
        text=record.text,
        details=[
            spans(line) for line in (record.reason, record.crossovers, *record.findings, record.note) if line
        ],
        origin=ORIGINS.get(record.origin, (f"{record.origin} rates", ""))[0] if record.origin else "",
        figures=[("".join(span.text for span in spans(name)), value) for name, value in record.figures],
        warnings=[(Span(line),) for line in dict.fromkeys(record.warnings)],
        changed=[
            Chosen(item.label, wording.value(item.value), wording.value(item.default))
            for item in inputs
            if wording.differs(item)
        ],
        usual=[
            Chosen(item.label, wording.value(item.value))
            for item in inputs
            if not wording.differs(item) and not wording.empty(item)
        ],
        empty=list(
            dict.fromkeys(item.label for item in inputs if wording.empty(item) and not wording.differs(item))
        ),
        pictures=pictures,
        tables=[_table(table) for table in record.tables if len(table.frame)],
        assumptions=[spans(line) for line in dict.fromkeys(record.assumptions)],
        sources=[cited(line) for line in record.sources],
        link=record.link,
    )


def _question(page: str) -> str:
    pages = (HOME, *(item for items in SECTIONS.values() for item in items))
    return next((item.question for item in pages if item.name == page), "")


def _pictures(records: Sequence[Record]) -> list[Picture]:
    """The charts of all questions, drawn in one go."""
    drawn = [chart for record in records for chart in record.charts]
    full = [whole for record in records for whole in _full(record.charts)]
    try:
        svgs = charts.page_svgs(drawn, full)
    except drawer.DrawingError:
        svgs = [""] * len(drawn)
    return [
        Picture(chart.alt, svg, whole, charts.wide(chart))
        for chart, svg, whole in zip(drawn, svgs, full, strict=True)
    ]


def _full(drawn: Sequence[DrawnChart]) -> list[bool]:
    """Which charts take the full width: maps of many cells, and one of an odd number, as two stand in a row."""
    narrow = [chart for chart in drawn if not charts.wide(chart)]
    alone = narrow[0] if len(narrow) % 2 else None
    return [charts.wide(chart) or chart is alone for chart in drawn]


def _table(table: DrawnTable) -> Table:
    table = cells.readable(table)
    return Table(
        title=table.alt,
        header=cells.header(table),
        rows=cells.rows(table, MOST_ROWS),
        numeric=cells.numeric(table),
        left_out=max(0, len(table.frame) - MOST_ROWS),
    )
