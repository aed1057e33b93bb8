"""Which reader takes which part of a file: every block is claimed by exactly one."""

from collections.abc import Callable

from core.measurement import Run
from gpu_probe.parsers.limits import FILE_MOST_BYTES
from gpu_probe.parsers.lines import Line, lines_of
from gpu_probe.parsers.nccl_text import NcclText
from gpu_probe.parsers.problem import refuse
from gpu_probe.parsers.reader import Found, Reader

PARSERS: tuple[Callable[[str], Reader], ...] = (NcclText,)


def read(name: str, data: bytes) -> list[Run]:
    """
    The runs in a file, in the order in which they stand there.

    Args:
        name: What the file is called; kept in each run.
        data: Its content: a tool's text or JSON, a log around it, or our own run file.

    Raises:
        ParseError: One line saying why the file holds no measurement that we can read.
    """
    if not data.strip():
        refuse("the file is empty")
    if len(data) > FILE_MOST_BYTES:
        refuse(f"more than {FILE_MOST_BYTES // 1_000_000} MB")
    return _from_text(name, data)


def _from_text(name: str, data: bytes) -> list[Run]:
    readers = [make(name) for make in PARSERS]
    first = ""
    for line in lines_of(data):
        first = first or line.text.strip()
        _offer(readers, line)
    found = sorted((item for reader in readers for item in reader.finish()), key=lambda item: item.line)
    return _result(found, first)


def _offer(readers: list[Reader], line: Line) -> None:
    for reader in sorted(readers, key=lambda reader: not reader.busy):
        if reader.feed(line):
            return


def _result(found: list[Found], first: str) -> list[Run]:
    if any(item.problem is None for item in found):
        return [item.run for item in found]
    problems = [item.problem for item in found if item.problem is not None]
    if problems:
        raise problems[0]
    return refuse(f"no measurement found; the file begins {first[:60]!r}")
