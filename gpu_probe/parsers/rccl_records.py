"""rccl-tests' own records (``-Z json`` and ``-Z csv``): one for each size and placement."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from core.measurement import Observation, Run
from gpu_probe.parsers import guess
from gpu_probe.parsers.limits import RANKS_MOST, SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.names import collective_of
from gpu_probe.parsers.nccl_block import remark_on_rates, samples_of
from gpu_probe.parsers.nccl_table import Figures, Row, real, whole, wrong_of
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

_KEYS = frozenset({"numCycle", "name", "ranks", "size", "inPlace", "time", "busBw"})
_SETTINGS = ("numCycle", "name", "nodes", "ranks", "ranksPerNode", "gpusPerRank")
"""What is the same for all records of one execution; a cycle is one of its repetitions."""
_CSV_MOST = 40


def is_rccl_record(value: Any) -> bool:
    """Whether a JSON value is one record."""
    return isinstance(value, dict) and set(value) >= _KEYS


def read_rccl_records(
    file: str, records: Sequence[Mapping[str, Any]], form: str = "rccl-tests-json"
) -> list[Run]:
    """
    The runs of a list of records, one for each cycle and collective.

    Raises:
        ParseError: No complete record, or too many.
    """
    if len(records) > SAMPLES_MOST:
        refuse(f"more than {SAMPLES_MOST:,} records in one file")
    runs = [
        run
        for _, group in groupby(records, key=lambda record: tuple(str(record.get(key)) for key in _SETTINGS))
        if (run := _run(file, list(group), form)) is not None
    ]
    return runs or refuse("rccl-tests' records without a whole one: the run failed or the file was cut")


def _run(file: str, records: list[Mapping[str, Any]], form: str) -> Run | None:
    rows = [row for index, record in enumerate(records) if (row := _row(index, record)) is not None]
    if not rows:
        return None
    first = records[0]
    collective = collective_of(str(first.get("name"))[:60])
    samples = samples_of(rows, collective)
    ranks = _ranks(first, guess.printed_ratio(samples), collective)
    notices = Notices()
    if collective is None:
        notices.add("collective_unknown", f"{str(first.get('name'))[:60]} is none of our names")
    if ranks is None:
        notices.add("ranks_unknown", "the records do not say how many ranks ran")
    remark_on_rates(notices, rows, collective, ranks)
    nodes = _whole(first.get("nodes")) or 1
    dtypes = {row.dtype for row in rows}
    return Run(
        file=file,
        format=form,
        collective=collective,
        ranks=ranks,
        samples=samples,
        warnings=notices.all(),
        dtype=dtypes.pop() if len(dtypes) == 1 else None,
        observations=(Observation("nodes", str(nodes)),) if nodes > 1 else (),
    )


def _row(index: int, record: Mapping[str, Any]) -> Row | None:
    size, time_us = _whole(record.get("size")), real(str(record.get("time")).strip())
    algbw, busbw = (real(str(record.get(key)).strip()) for key in ("algBw", "busBw"))
    dtype = str(record.get("type", "unknown")).strip()[:40]
    if size is None or time_us is None or not dtype[:1].isalpha():
        return None
    in_place = str(record.get("inPlace")).strip().lower() in ("1", "true")
    wrong = wrong_of(str(record.get("wrong", record.get("#wrong"))).strip())
    figures = Figures("in-place" if in_place else "out-of-place", time_us, algbw, busbw, wrong)
    return Row(index + 1, size, dtype, str(record.get("redop", "")).strip()[:40] or None, None, (figures,))


def _ranks(record: Mapping[str, Any], ratio: guess.Ratio | None, collective: str | None) -> int | None:
    """GPUs taking part: a rank may drive several, which the printed rates then show."""
    ranks, each = _whole(record.get("ranks")), _whole(record.get("gpusPerRank")) or 1
    if not ranks or ranks * each > RANKS_MOST:
        return None
    if each > 1 and collective and ratio is not None and guess.fits(ratio, collective, ranks):
        return ranks
    return ranks * each


def _whole(value: Any) -> int | None:
    return whole(str(value).strip())


@dataclass(slots=True)
class _Csv:
    line: int
    columns: list[str]
    records: list[dict[str, str]] = field(default_factory=list)


class RcclCsv(BlockReader[_Csv]):
    """Reader of the records as lines of CSV below their header."""

    def feed(self, line: Line) -> bool:
        """Take the header or a record."""
        if "," not in line.text:
            return False
        cells = [cell.strip().strip('"') for cell in line.text.split(",")]
        if cells[0] == "numCycle" and set(cells) >= _KEYS and len(cells) <= _CSV_MOST:
            self._close()
            self._block = _Csv(line.number, cells)
            return True
        block = self._block
        if block is None or len(cells) != len(block.columns) or not cells[0].isdigit() or line.last:
            return False
        if len(block.records) >= SAMPLES_MOST:
            refuse(f"more than {SAMPLES_MOST:,} records in one file", line.number)
        block.records.append(dict(zip(block.columns, cells, strict=True)))
        return True

    def _parsed(self, block: _Csv, /) -> Iterator[ParsedRun]:
        try:
            for run in read_rccl_records(self._file, block.records, "rccl-tests-csv"):
                yield ParsedRun(block.line, run)
        except ParseError as error:
            empty = Run(self._file, "rccl-tests-csv", None, None)
            yield ParsedRun(block.line, empty, ParseError(error.message, block.line))
