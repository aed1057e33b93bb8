"""What launchers, terminals and web pages put before the lines of a log changes nothing that is read."""

from collections.abc import Callable

import pytest

from gpu_probe.parsers import read
from gpu_probe.parsers.lines import lines_of
from tests.gpu_probe.formats import nccl_tests, nvbandwidth_text, nvlink, p2p, topology

LOGS = {
    "nccl-tests": "\n".join(nccl_tests(ranks=4)),
    "topo -m": "\n".join(topology()),
    "p2p": "\n".join(p2p()),
    "nvlink -s": "\n".join(nvlink()),
    "nvbandwidth": "\n".join(nvbandwidth_text()),
}
EACH = pytest.mark.parametrize("text", LOGS.values(), ids=LOGS.keys())

PREFIXES = (
    "[prterun-node001-12345@1,0]<stdout>: ",
    "[node001.cluster:12345,1],0]<stdout>: ",
    "[default0]:",
    "node001: ",
    "gpu-01.hpc.example.org: ",
    "10.0.0.1: ",
    "2024-01-01T00:00:00.000000000Z stdout F ",
    "2024-01-01T00:00:00.1234567Z ",
    "2024-01-01 00:00:00,123 - INFO - ",
    "INFO:root:",
    "[10:23:45] ",
    "10:23:45.123 ",
    "Mar 21 10:11:12 host prog[123]: ",
    "Thu Mar 21 10:11:12 2024<stdout>:",
    "Thu Mar 21 10:11:12 2024[1,0]<stdout>:",
    "(pid=1234) ",
    "ok: [node1] => ",
    "[1,mpirank:0,algo-1]<stdout>:",
    "launcher-abc main ",
    "Rank 0: ",
    "\t",
    "> ",
)


def _read(text: str) -> list[object]:
    return [
        (run.format, run.collective, run.ranks, run.samples, run.matrices, run.machine)
        for run in read("log", text.encode())
    ]


@pytest.mark.parametrize("prefix", PREFIXES)
@EACH
def test_prefix(text: str, prefix: str) -> None:
    """A log means the same behind any launcher's prefix as without one."""
    assert _read("\n".join(prefix + line for line in text.split("\n"))) == _read(text)


def test_prefix_whose_numbers_run() -> None:
    """Time stamps and line numbers that change from line to line are still one prefix."""
    text = LOGS["nccl-tests"]
    lines = [f"Mar 21 10:{i:02d}:59 host-{i % 7} job[{i}]: {line}" for i, line in enumerate(text.split("\n"))]
    assert _read("\n".join(lines)) == _read(text)


CHANGES: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "colours": lambda text: "\n".join(f"\x1b[32m{line}\x1b[0m\x1b[K" for line in text.split("\n")),
    "colours without escape": lambda text: "\n".join(f"[4m{line}[0m" for line in text.split("\n")),
    "window title": lambda text: "\x1b]0;host: ~\x07" + text,
    "hard blanks": lambda text: text.replace("  ", "\u00a0 "),
    "byte order mark": lambda text: "\ufeff" + text,
    "web page": lambda text: "<pre>\n" + text.replace("<", "&lt;").replace(">", "&gt;") + "\n</pre>",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@EACH
def test_dressing(text: str, change: Callable[[str], str]) -> None:
    """Line ends, colours, hard blanks and HTML are no part of a measurement."""
    assert _read(change(text)) == _read(text)


def test_tabs_between_columns() -> None:
    """A table whose blanks became tabs is read the same."""
    text = LOGS["nccl-tests"]
    assert _read(text.replace("  ", "\t")) == _read(text)


def test_label_between_columns() -> None:
    """A rank label at the start of lines is taken out between the columns too."""
    lines = LOGS["nccl-tests"].replace("float     sum", "float 3:  sum").split("\n")
    assert _read("\n".join(f"3:{line}" for line in lines)) == _read(LOGS["nccl-tests"])


def test_a_word_before_one_header_is_no_prefix() -> None:
    """What stands before a single line of a tool is not taken off the other lines."""
    text = "See: # nThread 1 nGpus 2 minBytes 8\nSee: also this\nand this\n"
    assert [line.text for line in lines_of(text.encode())][1] == "See: also this"
