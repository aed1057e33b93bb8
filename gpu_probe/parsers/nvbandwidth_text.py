"""nvbandwidth's plain text: a test case's name, a description with the unit, a matrix."""

import re
from dataclasses import dataclass, field

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
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

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


@dataclass(slots=True)
class _Block:
    line: int
    version: str | None = None
    driver: str | None = None
    cuda: str | None = None
    devices: list[str] = field(default_factory=list)
    hosts: dict[str, None] = field(default_factory=dict)
    case: str = ""
    description: str = ""
    grid: Grid | None = None
    grids: list[tuple[str, Grid]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    failure: tuple[str, int] | None = None
    notices: Notices = field(default_factory=Notices)
    waived: int = 0


class NvBandwidthText(BlockReader[_Block]):
    """Reader of nvbandwidth's text, whole or in part."""

    def feed(self, line: Line) -> bool:
        """Take a line of nvbandwidth's output."""
        text = line.text
        if "Version" in text and (match := _VERSION.match(text)):
            self._close()
            self._block = _Block(line.number, match.group(1))
            return True
        if "Running" in text and (match := _RUNNING.match(text)):
            self._start(match.group(1), line.number)
            return True
        if self._block is None and _DESCRIPTION.match(text):
            self._block = _Block(line.number)
        block = self._block
        if block is None:
            return False
        if text.lstrip().startswith("```"):
            self._close()
            return False
        return _facts(text, block) or _case_lines(line, block)

    def _start(self, name: str, number: int) -> None:
        if self._block is not None and name in self._block.names:
            self._close()
        block = self._block = self._block or _Block(number)
        if len(block.names) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} test cases", number)
        block.names.append(name)
        block.case, block.description, block.grid = name, "", None

    def _parsed(self, block: _Block, /) -> list[ParsedRun]:
        grids = [(case, grid) for case, grid in block.grids if grid.rows]
        for case, grid in grids:
            _name(case, grid, [other for name, other in grids if name == case])
        remark_on_direction(block.notices, [grid.name for _, grid in grids], block.line)
        if block.waived:
            block.notices.add("waived", f"{block.waived} test cases were waived by nvbandwidth", block.line)
        if block.failure:
            block.notices.add("tool_error", f"nvbandwidth says: {block.failure[0]}", block.failure[1])
        machine = Machine(gpu_counts(block.devices), tuple(block.hosts), block.driver, block.cuda)
        matrices = tuple(grid.matrix() for _, grid in grids)
        run = Run(
            self._file, "nvbandwidth-text", None, None, machine, (), matrices, block.notices.all(),
            tool_version=block.version,
        )  # fmt: skip
        return [ParsedRun(block.line, run, None if grids else _problem(block))]


def _facts(text: str, block: _Block) -> bool:
    if match := _DRIVER.match(text):
        block.driver = match.group(1)
    elif match := _CUDA.match(text):
        block.cuda = cuda_version(int(match.group(1)))
    elif _DEVICE.match(text) and len(block.devices) < RANKS_MOST:
        block.devices.append(_DEVICE.sub("", text, count=1))
        if host := _PROCESS.match(text):
            block.hosts[host.group(1)] = None
    else:
        return "Built from Git version" in text or "CUDA Driver Version" in text
    return True


def _case_lines(line: Line, block: _Block) -> bool:
    text = line.text.strip()
    if text.startswith("Waived") or _WAIVING.match(text):
        block.waived += 1
        return True
    if text.startswith(_SUMS):
        _named_late(text, block)
        return True
    for sign in _FAILED:
        if sign in text and (block.failure is None or "ASSERT" in text):
            block.failure = (text, line.number)
            return True
    if unit_of(text) is not None and (block.case or _DESCRIPTION.match(text)):
        block.description, block.grid = text, None
        return True
    tokens = text.split()
    if block.grid is not None and block.grid.add_figures(tokens, cut=line.last):
        return True
    return bool(block.description) and _header(tokens, line.number, block)


def _named_late(text: str, block: _Block) -> None:
    """Where the line that names a case is missing, the sum below its matrix does."""
    match = _SUM.match(text)
    if match is None or not block.grids or block.grids[-1][0] == match.group(1):
        return
    block.grids[-1] = (match.group(1), block.grids[-1][1])
    block.names.append(match.group(1))


def _header(tokens: list[str], number: int, block: _Block) -> bool:
    columns = header_numbers(tokens)
    unit = unit_of(block.description)
    if columns is None or unit is None:
        return False
    block.grid = Grid(block.case or "memcpy", unit[0], None, unit[1], number, columns=columns)
    block.grids.append((block.case, block.grid))
    block.description = ""
    return True


def _name(case: str, grid: Grid, siblings: list[Grid]) -> None:
    part = part_name(case, siblings.index(grid)) if len(siblings) == 3 else ""  # noqa: PLR2004 (PARTS)
    grid.name = f"{case} {part}".strip() or "memcpy"
    grid.direction = direction_of(case, grid.kind, part)


def _problem(block: _Block) -> ParseError:
    reason, number = block.failure or ("it failed or the log was cut", block.line)
    if block.waived and not block.failure:
        reason = "its test cases were waived, this machine cannot run them (no peer access, say)"
    return ParseError(f"nvbandwidth printed no matrix: {reason}", number)
