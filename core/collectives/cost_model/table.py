"""The body of `python -m core predict`: a CSV of questions in, the same CSV with answers out."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

import numpy as np

from core.collectives.cost_model.columns import OPTIONAL, REQUIRED, in_columns, predict_columns, row_setting
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.setting import Point

if TYPE_CHECKING:
    from core.collectives.cost_model.columns import ColumnAnswers

ANSWER_COLUMNS = ("predicted_us", "low_us", "high_us", "algorithm", "basis")


def run_predict(in_stream: TextIO, out_stream: TextIO, points_stream: TextIO | None = None) -> int:
    """Write the rows of `in_stream` with their answers; returns how many could not be answered.

    Raises CostModelError with one line when a required column is missing, in the questions or in
    the measured points.
    """
    header, rows = _read(in_stream, "input", REQUIRED)
    points = [] if points_stream is None else read_points(points_stream)
    width = len(header)
    padded = [row[:width] + [""] * (width - len(row)) for row in rows]
    wanted = [name for name in (*REQUIRED, *OPTIONAL) if name in header]
    columns = {name: np.array([row[header.index(name)] for row in padded], dtype=np.str_) for name in wanted}
    answers = predict_columns(columns, points)
    writer = csv.writer(out_stream, lineterminator="\r\n")
    writer.writerow([*header, *ANSWER_COLUMNS])
    found = _answer_cells(answers)
    for row, cells in zip(rows, found, strict=True):
        if len(row) > width:
            cells[:] = ["", "", "", "", f"error: the row has {len(row)} cells, the header {width}"]
    writer.writerows([*row, *cells] for row, cells in zip(padded, found, strict=True))
    return sum(cells[-1].startswith("error") for cells in found)


def _answer_cells(answers: ColumnAnswers) -> list[list[str]]:
    times = [answers.time_s, answers.low_s, answers.high_s]
    texts = [[_microseconds(value) for value in column.tolist()] for column in times]
    return [
        list(cells) for cells in zip(*texts, answers.labels().tolist(), answers.basis.tolist(), strict=True)
    ]


def _microseconds(seconds: float) -> str:
    return "" if np.isnan(seconds) else f"{seconds * 1e6:.6g}"


def read_points(stream: TextIO) -> list[Point]:
    """Measured points from a CSV with the same columns plus `time_us`."""
    header, rows = _read(stream, "measured points", (*REQUIRED, "time_us"))
    found = []
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(header, row, strict=False))
        try:
            setting = row_setting({name: cells.get(name, "") for name in (*REQUIRED, *OPTIONAL)})
            found.append(Point(setting, _number(cells, "size_bytes"), _number(cells, "time_us") / 1e6))
        except CostModelError as problem:
            msg = f"measured points, line {number}: {in_columns(problem)}"
            raise CostModelError(msg) from None
    return found


def _number(cells: dict[str, str], name: str) -> float:
    try:
        number = float(cells.get(name, ""))
    except ValueError:
        number = np.nan
    if not (np.isfinite(number) and number > 0):
        msg = f"{name} must be a positive number, not {cells.get(name)!r}"
        raise CostModelError(msg)
    return number


def _read(stream: TextIO, what: str, required: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    reader = csv.reader(stream)
    try:
        header = next(reader, [])
        rows = [row for row in reader if row]
    except csv.Error as problem:
        msg = f"{what}: line {reader.line_num}: {problem}; is a quotation mark left open?"
        raise CostModelError(msg) from None
    if header:
        header[0] = header[0].removeprefix("\ufeff")
    missing = [name for name in required if name not in header]
    if missing:
        msg = f"{what}: missing column {', '.join(missing)}"
        raise CostModelError(msg)
    return header, rows
