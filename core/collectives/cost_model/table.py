"""The body of `python -m core predict`: a CSV of questions in, the same CSV with answers out."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TextIO

import numpy as np

from core.checks import Floats, InputError
from core.collectives.cost_model.columns import (
    ALGORITHM,
    ASKED_ALGORITHM,
    OPTIONAL,
    REQUIRED,
    ColumnAnswers,
    in_columns,
    predict_columns,
    row_setting,
)
from core.collectives.cost_model.setting import Point
from core.units import US

TIME_COLUMNS = ("predicted_us", "low_us", "high_us")
ANSWER_COLUMNS = (*TIME_COLUMNS, "algorithm", "basis")
BLOCK_ROWS = 100_000
SIZE, TOKENS = "size_bytes", "tokens"
"""Of every collective, and what may stand in its place where tokens are exchanged."""


class Reader(Iterator[list[str]], Protocol):
    """A CSV reader that knows its line."""

    @property
    def line_num(self) -> int:
        """Lines read so far."""


@dataclass(frozen=True, slots=True)
class AnsweredTable:
    """
    The rows of a CSV with their answers.

    Attributes:
        rows: Cells as they came, padded to the header.
        answers: The cells of ``ANSWER_COLUMNS`` of each row; all but the basis empty without an answer.
    """

    header: list[str]
    rows: list[list[str]]
    answers: list[list[str]]

    @property
    def failed(self) -> int:
        """Rows without an answer."""
        return sum(cells[-1].startswith("error") for cells in self.answers)

    def write(self, stream: TextIO, *, header: bool = True) -> None:
        """The answered CSV, or its rows alone."""
        writer = csv.writer(stream, lineterminator="\r\n")
        if header:
            writer.writerow([*self.header, *ANSWER_COLUMNS])
        writer.writerows([*row, *cells] for row, cells in zip(self.rows, self.answers, strict=True))

    def objects(self) -> list[dict[str, object]]:
        """One object a row: cells as they came, times as numbers, no answer as None; names are told apart."""
        asked = [
            ASKED_ALGORITHM if name == ALGORITHM and not _answers(self.header, name) else name
            for name in self.header
        ]
        return [
            {
                **dict(zip(asked, row, strict=False)),
                **{name: _value(name, cell) for name, cell in zip(ANSWER_COLUMNS, cells, strict=True)},
            }
            for row, cells in zip(self.rows, self.answers, strict=True)
        ]


class RowPrices(Protocol):
    """Answers rows that are no collectives of the cost model, such as MoE dispatches."""

    def answers(self, collective: str) -> bool:
        """Whether such rows are theirs."""

    def cells(self, row: Mapping[str, str], points: tuple[Point, ...]) -> list[str]:
        """The cells of ``ANSWER_COLUMNS`` of one row."""


def answer_table(
    questions: TextIO, points: TextIO | None = None, others: RowPrices | None = None
) -> AnsweredTable:
    """
    Answer the rows of a CSV, adapted to a CSV of measured points where given.

    Raises:
        InputError: One line: a required column is missing, in the questions or in the measured points.
    """
    blocks = list(answer_blocks(questions, points, others))
    rows = [row for block in blocks for row in block.rows]
    return AnsweredTable(blocks[0].header, rows, [cells for block in blocks for cells in block.answers])


def answer_blocks(
    questions: TextIO, points: TextIO | None = None, others: RowPrices | None = None
) -> Iterator[AnsweredTable]:
    """
    The answers of ``answer_table`` a block of rows at a time, the first even without rows: memory is bounded.

    Raises:
        InputError: As ``answer_table``, at the block where it is met.
    """
    reader = csv.reader(questions)
    header = _header(reader, "input", REQUIRED, optional=others is not None)
    measured = [] if points is None else read_points(points)
    rows = _block(reader, "input")
    while True:
        yield _answered(header, rows, measured, others)
        rows = _block(reader, "input")
        if not rows:
            return


def _answered(
    header: list[str], rows: list[list[str]], measured: list[Point], others: RowPrices | None
) -> AnsweredTable:
    width = len(header)
    padded = [row if len(row) == width else row[:width] + [""] * (width - len(row)) for row in rows]
    names = [name for name in (*REQUIRED, *OPTIONAL) if name in header and not _answers(header, name)]
    by_column = list(zip(*padded, strict=True)) or [()] * width
    columns = {name: np.array(by_column[header.index(name)], dtype=np.str_) for name in names}
    columns.setdefault(SIZE, np.full(len(rows), ""))
    answers = _answer_cells(predict_columns(columns, measured))
    if others is not None:
        theirs = [name for name in np.unique(columns["collective"]).tolist() if others.answers(name)]
        for index in np.flatnonzero(np.isin(columns["collective"], theirs)).tolist():
            cells = dict(zip(header, padded[index], strict=True))
            answers[index] = others.cells(cells, tuple(measured))
    for row, answer in zip(rows, answers, strict=True):
        if len(row) > width:
            answer[:] = ["", "", "", "", f"error: the row has {len(row)} cells, the header {width}"]
    return AnsweredTable(header, padded, answers)


def _answers(header: list[str], name: str) -> bool:
    """Whether a column holds answers of an earlier table, behind its times, and no question."""
    first = TIME_COLUMNS[0]
    return name in ANSWER_COLUMNS and first in header and header.index(first) < header.index(name)


def _answer_cells(answers: ColumnAnswers) -> list[list[str]]:
    texts = [_microseconds(column) for column in (answers.time_s, answers.low_s, answers.high_s)]
    return [
        list(cells) for cells in zip(*texts, answers.labels().tolist(), answers.basis.tolist(), strict=True)
    ]


def cells_of(time_s: float, low_s: float, high_s: float, algorithm: str, basis: str) -> list[str]:
    """One answer as the cells of ``ANSWER_COLUMNS``."""
    return [*_microseconds(np.array([time_s, low_s, high_s])), algorithm, basis]


def _microseconds(seconds: Floats) -> list[str]:
    """Six digits of each time in microseconds; empty where there is none."""
    texts = " ".join(["%.6g"] * len(seconds)) % tuple((seconds * 1e6).tolist())
    return ["" if text == "nan" else text for text in texts.split(" ")] if len(seconds) else []


def _value(name: str, cell: str) -> object:
    return float(cell) if cell and name in TIME_COLUMNS else cell or None


def read_points(stream: TextIO) -> list[Point]:
    """Measured points from a CSV with the same columns plus `time_us`."""
    header, rows = _read(stream, "measured points", (*REQUIRED, "time_us"))
    points = []
    for line, row in enumerate(rows, start=2):
        cells = dict(zip(header, row, strict=False))
        try:
            setting = row_setting({name: cells.get(name, "") for name in (*REQUIRED, *OPTIONAL)})
            points.append(Point(setting, _positive(cells, "size_bytes"), _positive(cells, "time_us") * US))
        except InputError as problem:
            message = f"measured points, line {line}: {in_columns(problem)}"
            raise InputError(message) from None
    return points


def _positive(cells: dict[str, str], name: str) -> float:
    try:
        value = float(cells.get(name, ""))
    except ValueError:
        value = np.nan
    if not (np.isfinite(value) and value > 0):
        message = f"{name}: a number above 0, not {cells.get(name)!r}"
        raise InputError(message)
    return value


def _read(stream: TextIO, what: str, required: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    reader = csv.reader(stream)
    header = _header(reader, what, required)
    rows: list[list[str]] = []
    while block := _block(reader, what):
        rows += block
    return header, rows


def _header(reader: Reader, what: str, required: tuple[str, ...], *, optional: bool = False) -> list[str]:
    """The names of the columns; with ``optional`` the size may be left out where there are tokens."""
    header = _next(reader, what, 1)
    names = header[0] if header else []
    if names:
        names[0] = names[0].removeprefix("\ufeff")
    if not any(name.strip() for name in names):
        message = f"{what}: empty; a CSV with the columns {', '.join(required)} is needed"
        raise InputError(message)
    spare = (SIZE,) if optional and TOKENS in names else ()
    missing = [name for name in required if name not in names and name not in spare]
    if missing:
        message = f"{what}: missing column {', '.join(missing)}"
        raise InputError(message)
    return names


def _block(reader: Reader, what: str) -> list[list[str]]:
    """The next rows that hold anything; none at the end."""
    while lines := _next(reader, what, BLOCK_ROWS):
        if rows := [row for row in lines if row]:
            return rows
    return []


def _next(reader: Reader, what: str, count: int) -> list[list[str]]:
    try:
        return list(islice(reader, count))
    except csv.Error as problem:
        message = f"{what}: line {reader.line_num}: {problem}; is a quotation mark left open?"
        raise InputError(message) from None
