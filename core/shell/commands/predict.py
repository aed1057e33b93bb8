"""``predict``: a CSV of questions in, the same CSV with answers out; it speaks the tools' units."""

import io
import sys
from argparse import Namespace
from pathlib import Path

from core.checks import InputError
from core.collectives.cost_model.columns import REQUIRED
from core.collectives.cost_model.table import answer_table
from core.command_line import Parser
from core.shell.options import add_json
from core.shell.output import Reply
from core.shell.read import text_of

NAME = "predict"
HELP = "a CSV of collectives in, the same with predicted times out"
PIPE = "-"


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
    questions = io.StringIO(_filled(_input(args.input), args.input), newline="")
    points = io.StringIO(text_of(args.measured, "--measured"), newline="") if args.measured else None
    table = answer_table(questions, points)
    answers = io.StringIO(newline="")
    table.write(answers)
    elsewhere = args.output != PIPE
    if elsewhere:
        _write(args.output, answers.getvalue())
    failed = table.failed
    return Reply(
        {"rows": table.objects(), "without_answer": failed} if args.json else None,
        "" if elsewhere else answers.getvalue(),
        verbatim=True,
        remark=f"{failed} {'row' if failed == 1 else 'rows'} without an answer" if failed else "",
    )


def _filled(text: str, path: str) -> str:
    if text.strip():
        return text
    message = f"input: {path}: empty; a CSV with the columns {', '.join(REQUIRED)} is needed"
    raise InputError(message)


def _input(path: str) -> str:
    if path != PIPE:
        return text_of(path, "input")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        message = "input: standard input is no UTF-8 text"
        raise InputError(message) from None


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        message = f"--output: {path}: {(error.strerror or 'cannot be written').lower()}"
        raise InputError(message) from None
