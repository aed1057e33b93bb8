"""``predict``: a CSV of questions in, the same CSV with answers out; it speaks the tools' units."""

import io
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import TextIO

from core.checks import InputError
from core.collectives.cost_model.table import answer_blocks
from core.collectives.moe.rows import ExchangeRows
from core.command_line import Parser
from core.shell.options import add_json
from core.shell.output import PIPE, Reply
from core.shell.read import opened, text_of

NAME = "predict"
HELP = "a CSV of collectives in, the same with predicted times out"


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("input", metavar="IN.csv", help="questions; - reads standard input")
    parser.add_argument(
        "-o", "--output", metavar="OUT.csv", default=PIPE, help="answers; - is standard output"
    )
    parser.add_argument("--measured", metavar="POINTS.csv", help="measured points of your machine: + time_us")
    add_json(parser)


def run(args: Namespace) -> Reply:
    """The answered table; rows without an answer are counted on stderr."""
    points = io.StringIO(text_of(args.measured, "--measured"), newline="") if args.measured else None
    # a row is answered before the next block is read, and nothing is printed before all are
    with (
        _questions(args.input) as questions,
        tempfile.TemporaryFile("w+", newline="", encoding="utf-8") as out,
    ):
        objects: list[dict[str, object]] = []
        failed = 0
        for number, block in enumerate(answer_blocks(questions, points, ExchangeRows())):
            block.write(out, header=number == 0)
            failed += block.failed
            if args.json:
                objects += block.objects()
        out.seek(0)
        if args.output != PIPE:
            _write(args.output, out)
        elif not args.json:
            copyfileobj(out, sys.stdout)
    return Reply(
        {"rows": objects, "without_answer": failed} if args.json else None,
        "",
        verbatim=True,
        remark=f"{failed} {'row' if failed == 1 else 'rows'} without an answer" if failed else "",
    )


@contextmanager
def _questions(path: str) -> Iterator[TextIO]:
    """The rows as they are read; InputError where they cannot be opened or are no text."""
    if path != PIPE:
        with opened(path, "input") as stream:
            yield stream
        return
    try:
        yield io.TextIOWrapper(sys.stdin.buffer, "utf-8-sig", newline="")
    except UnicodeDecodeError:
        message = "input: standard input is no UTF-8 text"
        raise InputError(message) from None


def _write(path: str, answers: TextIO) -> None:
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            copyfileobj(answers, stream)
    except OSError as error:
        message = f"--output: {path}: {(error.strerror or 'cannot be written').lower()}"
        raise InputError(message) from None
