"""The body of `python -m core predict`: a CSV of questions in, the same CSV with answers out."""

import csv
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from core.checks import InputError
from core.collectives.cost_model.columns import (
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

    def write(self, stream: TextIO) -> None:
        """The answered CSV."""
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow([*self.header, *ANSWER_COLUMNS])
        writer.writerows([*row, *cells] for row, cells in zip(self.rows, self.answers, strict=True))

    def objects(self) -> list[dict[str, object]]:
        """One object a row: cells as they came, times as numbers, no answer as None."""
        return [
            {
                **dict(zip(self.header, row, strict=False)),
                **{name: _value(name, cell) for name, cell in zip(ANSWER_COLUMNS, cells, strict=True)},
            }
            for row, cells in zip(self.rows, self.answers, strict=True)
        ]


def answer_table(questions: TextIO, points: TextIO | None = None) -> AnsweredTable:
    """
    Answer the rows of a CSV, adapted to a CSV of measured points where given.

    Raises:
        InputError: One line: a required column is missing, in the questions or in the measured points.
    """
    header, rows = _read(questions, "input", REQUIRED)
    measured = [] if points is None else read_points(points)
    width = len(header)
    padded = [row[:width] + [""] * (width - len(row)) for row in rows]
    names = [name for name in (*REQUIRED, *OPTIONAL) if name in header]
    columns = {name: np.array([row[header.index(name)] for row in padded], dtype=np.str_) for name in names}
    answers = _answer_cells(predict_columns(columns, measured))
    for row, cells in zip(rows, answers, strict=True):
        if len(row) > width:
            cells[:] = ["", "", "", "", f"error: the row has {len(row)} cells, the header {width}"]
    return AnsweredTable(header, padded, answers)


def _answer_cells(answers: ColumnAnswers) -> list[list[str]]:
    times = [answers.time_s, answers.low_s, answers.high_s]
    texts = [[_microseconds(value) for value in column.tolist()] for column in times]
    return [
        list(cells) for cells in zip(*texts, answers.labels().tolist(), answers.basis.tolist(), strict=True)
    ]


def _microseconds(seconds: float) -> str:
    return "" if np.isnan(seconds) else f"{seconds * 1e6:.6g}"


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
    try:
        header = next(reader, [])
        rows = [row for row in reader if row]
    except csv.Error as problem:
        message = f"{what}: line {reader.line_num}: {problem}; is a quotation mark left open?"
        raise InputError(message) from None
    if header:
        header[0] = header[0].removeprefix("\ufeff")
    missing = [name for name in required if name not in header]
    if missing:
        message = f"{what}: missing column {', '.join(missing)}"
        raise InputError(message)
    return header, rows
