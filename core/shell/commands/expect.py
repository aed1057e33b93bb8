"""``expect``: an acceptance sheet: what each collective should reach, and how to measure it."""

import csv
import io
from argparse import Namespace
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from core import units
from core.calculators.question import Question
from core.checks import InputError
from core.collectives.formulas import COLLECTIVES, busbw_bytes_per_s
from core.collectives.nccl_tests import command
from core.collectives.pricing import Scenario, sweep
from core.collectives.question import AUTO
from core.collectives.rates import Rates
from core.command_line import Parser
from core.provenance import Origin
from core.shell import options
from core.shell.output import PIPE, Reply, page, remarks, table
from core.shell.question import question

NAME = "expect"
HELP = "acceptance sheet: floor, expected and ceiling of busbw, with the command to measure it"
FIRST, LAST = 8, 8 * 1024**3

HEADER = (
    "operation",
    "ranks",
    "size_bytes",
    "expected_us",
    "floor_busbw_GBps",
    "expected_busbw_GBps",
    "ceiling_busbw_GBps",
    "spec_busbw_GBps",
    "algorithm",
    "basis",
    "command",
)
SHOWN = HEADER[:-2]


@dataclass(frozen=True, slots=True)
class Row:
    """One size of the sheet, in the order of ``HEADER``: microseconds and GB/s of bus bandwidth."""

    operation: str
    ranks: int
    size_bytes: int
    expected_us: float | None
    floor_busbw: float | None
    expected_busbw: float | None
    ceiling_busbw: float | None
    spec_busbw: float | None
    algorithm: str
    basis: str
    command: str


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("--collective", choices=("all", *COLLECTIVES), default="all")
    parser.add_argument("--ranks", type=options.whole, metavar="N", help="ranks (default all GPUs)")
    parser.add_argument("--from-size", type=options.size, default=FIRST, metavar="SIZE", help="smallest size")
    parser.add_argument("--to-size", type=options.size, default=LAST, metavar="SIZE", help="largest size")
    parser.add_argument(
        "-o", "--output", metavar="sheet.csv", help="sheet to write as CSV; - is standard output"
    )
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser, dtype=True)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """Every operation by size, in the tools' units."""
    collectives = COLLECTIVES if args.collective == "all" else (args.collective,)
    sizes = doubling(args.from_size, args.to_size)
    shared = question(args)
    rows: list[Row] = []
    notes: dict[str, None] = {}
    refusal = None
    for collective in collectives:
        try:
            more, warnings = _rows(args, shared, collective, sizes)
        except InputError as problem:
            if args.collective != "all" or args.algorithm == AUTO:
                raise
            refusal = problem
            more, warnings = [], (f"{collective} is left out: {problem}",)
        rows += more
        notes |= dict.fromkeys(warnings)
    if refusal is not None and not rows:
        raise refusal
    data = {"rows": _objects(rows), "warnings": list(notes)}
    if args.output == PIPE:
        return Reply(data, _csv(rows), verbatim=True)
    return Reply(data, _text(args, rows, list(notes)))


def _text(args: Namespace, rows: list[Row], notes: list[str]) -> str:
    """The sheet for people, or where it was written."""
    if args.output is not None:
        _write(args.output, rows)
        return page(f"{len(rows)} rows in {args.output}", remarks("Note", notes))
    shown = [
        (row.operation, row.ranks, units.format_size(row.size_bytes), *astuple(row)[3 : len(SHOWN)])
        for row in rows
    ]
    commands = dict.fromkeys(row.command for row in rows)
    return page(table(SHOWN, shown), remarks("Measure with", filter(None, commands)), remarks("Note", notes))


def doubling(first: int, last: int) -> list[int]:
    """Sizes from ``first``, each twice the one before, up to ``last``."""
    if not 0 < first <= last:
        message = f"--from-size: at least 1 byte and at most --to-size {last}, not {first}"
        raise InputError(message)
    steps = int(np.floor(np.log2(last / first) + 1e-9))
    return [first * 2**step for step in range(steps + 1)]


def _rows(
    args: Namespace, shared: Question, collective: str, sizes: list[int]
) -> tuple[list[Row], tuple[str, ...]]:
    ranks = shared.system.gpus if args.ranks is None else args.ranks
    scenario = shared.scenario(Scenario, collective=collective, ranks=ranks, dtype=args.dtype)
    amounts = np.array(sizes, np.float64)
    expected = sweep(scenario, amounts)
    datasheet = sweep(_datasheet(scenario), amounts)
    times = (expected.high_s, expected.time_s, expected.low_s, datasheet.time_s)
    floor, middle, ceiling, spec = (
        busbw_bytes_per_s(collective, ranks, amounts, seconds) / units.GB for seconds in times
    )
    line = command(scenario, sizes[0], sizes[-1])
    rows = [
        Row(
            collective,
            ranks,
            size,
            _six(expected.time_s[row] / units.US),
            _six(floor[row]),
            _six(middle[row]),
            _six(ceiling[row]),
            _six(spec[row]),
            str(expected.algorithms[row]),
            expected.basis,
            line,
        )
        for row, size in enumerate(sizes)
    ]
    return rows, expected.warnings


def _datasheet(scenario: Scenario) -> Scenario:
    """The same on datasheet rates, by the library's own choice of algorithm."""
    return Scenario(
        scenario.system,
        scenario.collective,
        scenario.ranks,
        rates=Rates(Origin.SPEC),
        dtype=scenario.dtype,
    )


def _six(value: float) -> float | None:
    """Six digits; None where undefined."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def _objects(rows: list[Row]) -> list[dict[str, object]]:
    return [dict(zip(HEADER, astuple(row), strict=True)) for row in rows]


def _csv(rows: list[Row]) -> str:
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet)
    writer.writerow(HEADER)
    writer.writerows(map(astuple, rows))
    return sheet.getvalue()


def _write(path: str, rows: list[Row]) -> None:
    try:
        Path(path).write_text(_csv(rows), encoding="utf-8", newline="")
    except OSError as error:
        message = f"--output: {path}: {(error.strerror or 'cannot be written').lower()}"
        raise InputError(message) from None
