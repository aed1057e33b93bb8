"""``expect``: an acceptance sheet: what each collective should reach, and how to measure it."""

import csv
import io
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from core import units
from core.checks import InputError
from core.collectives.formulas import COLLECTIVES, busbw_bytes_per_s
from core.collectives.pricing import Scenario, sweep
from core.collectives.rates import Rates
from core.command_line import Parser
from core.provenance import Origin
from core.shell import chosen, options
from core.shell.output import Reply, page, remarks, table

NAME = "expect"
HELP = "acceptance sheet: floor, expected and ceiling of busbw, with the command to measure it"
FIRST, LAST = 8, 8 * 1024**3
Row = tuple[Any, ...]

COMMANDS = {
    "all_reduce": "all_reduce_perf",
    "all_gather": "all_gather_perf",
    "reduce_scatter": "reduce_scatter_perf",
    "all_to_all": "alltoall_perf",
    "broadcast": "broadcast_perf",
    "reduce": "reduce_perf",
    "send_recv": "sendrecv_perf",
}
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


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("--collective", choices=("all", *COLLECTIVES), default="all")
    parser.add_argument("--ranks", type=options.whole, metavar="N", help="GPUs taking part (default all)")
    parser.add_argument("--from-size", type=options.size, default=FIRST, metavar="SIZE", help="smallest size")
    parser.add_argument("--to-size", type=options.size, default=LAST, metavar="SIZE", help="largest size")
    parser.add_argument("-o", "--output", metavar="sheet.csv", help="write the sheet as CSV")
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser, dtype=True)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """Every operation by size, in the tools' units."""
    asked = COLLECTIVES if args.collective == "all" else (args.collective,)
    sizes = doubling(args.from_size, args.to_size)
    rows: list[Row] = []
    notes: dict[str, None] = {}
    refused = None
    for collective in asked:
        try:
            found, warnings = _rows(args, collective, sizes)
        except InputError as problem:
            if args.collective != "all" or args.algorithm == "auto":
                raise
            refused = problem
            warnings, found = (f"{collective} is left out: {problem}",), []
        rows += found
        notes |= dict.fromkeys(warnings)
    if refused is not None and not rows:
        raise refused
    if args.output is not None:
        _write(args.output, rows)
        text = page(f"{len(rows)} rows in {args.output}", remarks("Note", notes))
        return Reply({"rows": _objects(rows), "warnings": list(notes)}, text)
    shown = [(*row[:2], units.format_size(row[2]), *row[3:-2]) for row in rows]
    commands = dict.fromkeys(str(row[-1]) for row in rows)
    text = page(table(HEADER[:-2], shown), remarks("Measure with", commands), remarks("Note", notes))
    return Reply({"rows": _objects(rows), "warnings": list(notes)}, text)


def doubling(first: int, last: int) -> list[int]:
    """Sizes from ``first``, each twice the one before, up to ``last``."""
    if not 0 < first <= last:
        message = f"--from-size: at least 1 byte and at most --to-size {last}, not {first}"
        raise InputError(message)
    steps = int(np.floor(np.log2(last / first) + 1e-9))
    return [first * 2**step for step in range(steps + 1)]


def _rows(args: Namespace, collective: str, sizes: list[int]) -> tuple[list[Row], tuple[str, ...]]:
    system = chosen.system(args)
    asked = Scenario(
        system=system,
        collective=collective,
        ranks=system.gpus if args.ranks is None else args.ranks,
        rates=chosen.rates(args),
        algorithm=args.algorithm,
        implementation=args.implementation or "nccl",
        launch=args.launch,
        dtype=args.dtype,
    )
    amounts = np.array(sizes, np.float64)
    found = sweep(asked, amounts)
    sheet = sweep(_spec(asked), amounts)
    times = (found.high_s, found.time_s, found.low_s, sheet.time_s)
    floor, expected, ceiling, spec = (
        busbw_bytes_per_s(collective, asked.ranks, amounts, seconds) / units.GB for seconds in times
    )
    command = _command(collective, sizes, asked.ranks)
    rows: list[Row] = [
        (
            collective,
            asked.ranks,
            size,
            _six(found.time_s[row] / units.US),
            _six(floor[row]),
            _six(expected[row]),
            _six(ceiling[row]),
            _six(spec[row]),
            str(found.algorithms[row]),
            found.basis,
            command,
        )
        for row, size in enumerate(sizes)
    ]
    return rows, found.warnings


def _spec(asked: Scenario) -> Scenario:
    """The same on datasheet rates, by the library's own choice of algorithm."""
    return Scenario(asked.system, asked.collective, asked.ranks, rates=Rates(Origin.SPEC), dtype=asked.dtype)


def _command(collective: str, sizes: list[int], ranks: int) -> str:
    """nccl-tests with one process per GPU."""
    return f"mpirun -np {ranks} {COMMANDS[collective]} -b {sizes[0]} -e {sizes[-1]} -f 2 -g 1"


def _six(value: float) -> float | None:
    """Six digits; None where undefined."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def _objects(rows: list[Row]) -> list[dict[str, object]]:
    return [dict(zip(HEADER, row, strict=True)) for row in rows]


def _write(path: str, rows: list[Row]) -> None:
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet)
    writer.writerow(HEADER)
    writer.writerows(rows)
    try:
        Path(path).write_text(sheet.getvalue(), encoding="utf-8", newline="")
    except OSError as error:
        message = f"--output: {path}: {(error.strerror or 'cannot be written').lower()}"
        raise InputError(message) from None
