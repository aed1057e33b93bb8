"""nvbandwidth's plain text: a test case's name, a description with the unit, a matrix."""

import re

from core.measurement import Machine, Run
from gpu_probe.parsers.grid import Grid, header_numbers
from gpu_probe.parsers.limits import MATRICES_MOST, RANKS_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nvbandwidth import (
    cuda_version,
    direction_of,
    gpu_counts,
    part_name,
    remark_on_direction,
    unit_of,
)
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import Notices, ParsedRun

_RUNNING = re.compile(r"\s{0,8}Running ([a-z][a-z0-9_]{3,80})\.\s{0,8}$")
_WAIVING = re.compile(r"\s{0,8}Waiving ([a-z][a-z0-9_]{3,80})\.?\s{0,8}$")
_VERSION = re.compile(r"\s{0,8}nvbandwidth Version: (\S{1,40})")
_CUDA = re.compile(r"\s{0,8}CUDA Runtime Version: (?:\d{1,3}\.\d{1,3} \()?(\d{4,6})\b")
"""A bare code, or from version 0.10 on behind its reading: ``13.3 (13030)``."""
_DRIVER = re.compile(r"\s{0,8}Driver Version: (\S{1,40})")
_DEVICE = re.compile(r"\s{0,8}(?:Process .{1,120}: device|Device) \d{1,5}: ")
_PROCESS = re.compile(r"\s{0,8}Process \d{1,6} \(([^()\s]{1,120})\)")
_SUM = re.compile(r"SUM ([a-z][a-z0-9_]{3,80}?)(?:_(?:read|write)[12]|_total)?\s")
_DESCRIPTION = re.compile(r"\s{0,8}memcpy (?:CE|SM) .{0,80}bandwidth \(GB/s\)\s{0,8}$")
"""The line above a matrix, by which a piece without the line ``Running ...`` is known."""
_SUMS = ("SUM ", "MIN ", "MAX ", "AVG ", "COEFFICIENT_OF_VARIATION ", "Average ", "NOTE: ")
_FAILED = ("ASSERT in expression", "Invalid value when checking", "CUDA_ERROR", "ERROR:", "Error:", "[CUDA")


class NvBandwidthText:
    """Reader of nvbandwidth's text, whole or in part."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        self._file = file
        self._runs: list[ParsedRun] = []
        self._begin()

    def _begin(self) -> None:
        self._line = 0
        self._version: str | None = None
        self._driver: str | None = None
        self._cuda: str | None = None
        self._devices: list[str] = []
        self._hosts: dict[str, None] = {}
        self._case = ""
        self._description = ""
        self._grid: Grid | None = None
        self._grids: list[tuple[str, Grid]] = []
        self._names: list[str] = []
        self._failure: tuple[str, int] | None = None
        self._notices = Notices()
        self._waived = 0

    @property
    def busy(self) -> bool:
        """Whether a block is open."""
        return self._line > 0

    def feed(self, line: Line) -> bool:
        """Take a line of nvbandwidth's output."""
        text = line.text
        if "Version" in text and (match := _VERSION.match(text)):
            self._close()
            self._line, self._version = line.number, match.group(1)
            return True
        if "Running" in text and (match := _RUNNING.match(text)):
            self._start(match.group(1), line.number)
            return True
        if not self._line and _DESCRIPTION.match(text):
            self._line = line.number
        if not self._line:
            return False
        if text.lstrip().startswith("```"):
            self._close()
            return False
        return self._facts(text) or self._case_lines(line)

    def finish(self) -> list[ParsedRun]:
        """All blocks, the open one included."""
        self._close()
        return self._runs

    def _start(self, name: str, number: int) -> None:
        if name in self._names:
            self._close()
        if len(self._names) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} test cases", number)
        self._line = self._line or number
        self._names.append(name)
        self._case, self._description, self._grid = name, "", None

    def _facts(self, text: str) -> bool:
        if match := _DRIVER.match(text):
            self._driver = match.group(1)
        elif match := _CUDA.match(text):
            self._cuda = cuda_version(int(match.group(1)))
        elif _DEVICE.match(text) and len(self._devices) < RANKS_MOST:
            self._devices.append(_DEVICE.sub("", text, count=1))
            if host := _PROCESS.match(text):
                self._hosts[host.group(1)] = None
        else:
            return "Built from Git version" in text or "CUDA Driver Version" in text
        return True

    def _case_lines(self, line: Line) -> bool:
        text = line.text.strip()
        if text.startswith("Waived") or _WAIVING.match(text):
            self._waived += 1
            return True
        if text.startswith(_SUMS):
            self._named_late(text)
            return True
        for sign in _FAILED:
            if sign in text and (self._failure is None or "ASSERT" in text):
                self._failure = (text, line.number)
                return True
        if unit_of(text) is not None and (self._case or _DESCRIPTION.match(text)):
            self._description, self._grid = text, None
            return True
        tokens = text.split()
        if self._grid is not None and self._grid.add_figures(tokens, cut=line.last):
            return True
        return bool(self._description) and self._header(tokens, line.number)

    def _named_late(self, text: str) -> None:
        """Where the line that names a case is missing, the sum below its matrix does."""
        match = _SUM.match(text)
        if match is None or not self._grids or self._grids[-1][0] == match.group(1):
            return
        self._grids[-1] = (match.group(1), self._grids[-1][1])
        self._names.append(match.group(1))

    def _header(self, tokens: list[str], number: int) -> bool:
        columns = header_numbers(tokens)
        unit = unit_of(self._description)
        if columns is None or unit is None:
            return False
        self._grid = Grid(self._case or "memcpy", unit[0], None, unit[1], number, columns=columns)
        self._grids.append((self._case, self._grid))
        self._description = ""
        return True

    def _close(self) -> None:
        if not self._line:
            return
        grids = [(case, grid) for case, grid in self._grids if grid.rows]
        for case, grid in grids:
            self._name(case, grid, [other for name, other in grids if name == case])
        remark_on_direction(self._notices, [grid.name for _, grid in grids], self._line)
        if self._waived:
            self._notices.add("waived", f"{self._waived} test cases were waived by nvbandwidth", self._line)
        if self._failure:
            self._notices.add("tool_error", f"nvbandwidth says: {self._failure[0]}", self._failure[1])
        machine = Machine(gpu_counts(self._devices), tuple(self._hosts), self._driver, self._cuda)
        matrices = tuple(grid.matrix() for _, grid in grids)
        run = Run(
            self._file, "nvbandwidth-text", None, None, machine, (), matrices, self._notices.all(),
            tool_version=self._version,
        )  # fmt: skip
        self._runs.append(ParsedRun(self._line, run, None if grids else self._problem()))
        self._begin()

    def _name(self, case: str, grid: Grid, siblings: list[Grid]) -> None:
        part = part_name(case, siblings.index(grid)) if len(siblings) == 3 else ""  # noqa: PLR2004 (PARTS)
        grid.name = f"{case} {part}".strip() or "memcpy"
        grid.direction = direction_of(case, grid.kind, part)

    def _problem(self) -> ParseError:
        reason, number = self._failure or ("it failed or the log was cut", self._line)
        if self._waived and not self._failure:
            reason = "its test cases were waived, this machine cannot run them (no peer access, say)"
        return ParseError(f"nvbandwidth printed no matrix: {reason}", number)
