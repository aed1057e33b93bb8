"""Files named on a command line: read one by one, each problem told in one line."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.command_line import one_line
from core.measurement import COLLECTIVES_MEASURED, Run
from gpu_probe.parsers import ParseError, read
from gpu_probe.parsers.answer import answered
from gpu_probe.parsers.limits import FILE_MOST_BYTES


def add_file_options(parser: ArgumentParser) -> None:
    """The files, and the answers to what a log may leave open."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a tool's output or a run file; - for stdin")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--collective", metavar="NAME", help=f"where the log names none: {', '.join(COLLECTIVES_MEASURED)}"
    )
    parser.add_argument("--ranks", type=int, metavar="N", help="where the log lists none")


def complain(name: str, text: object, line: int | None = None) -> None:
    """One line on stderr about one file."""
    shown = name if name.isprintable() else ascii(name)
    where = f"{shown}:{line}" if line is not None else shown
    print(f"{where}: {one_line(text)}", file=sys.stderr)


def read_files(options: Namespace) -> tuple[list[Run], int]:
    """All runs of the readable files, and how many files were not readable."""
    runs: list[Run] = []
    unreadable = 0
    for name in options.files:
        try:
            runs += [answered(run, options.collective, options.ranks) for run in read(name, _content(name))]
        except ParseError as error:
            complain(name, error.message, error.line)
            unreadable += 1
        except OSError as error:
            complain(name, error.strerror or error)
            unreadable += 1
        except MemoryError:
            complain(name, "too large for this machine's memory")
            unreadable += 1
    return runs, unreadable


def _content(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(FILE_MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(FILE_MOST_BYTES + 1)
