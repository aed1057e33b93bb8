"""``p2pBandwidthLatencyTest`` of the CUDA samples: bandwidth and latency between pairs of GPUs."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Matrix, Run
from core.units import GB, US
from gpu_probe.parsers.grid import Grid, header_numbers
from gpu_probe.parsers.limits import MATRICES_MOST, RANKS_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

_TITLE = re.compile(
    r"[#*\s]{0,12}((?:(?:Uni|Bi)directional )?P2P=(?:Enabled|Disabled) (?:Bandwidth|Latency)"
    r"(?: \(P2P (?:Writes|Reads)\))?) Matrix\b"
)
_DEVICE = re.compile(r"[#\s]{0,8}Device: \d{1,4}, (.{1,100}?), pciBusID:")
_ACCESS = re.compile(r"[#\s]{0,8}Device=(\d{1,4}) (CAN|CANNOT) Access Peer Device=(\d{1,4})")
_CONNECTIVITY = "P2P Connectivity Matrix"
_BANNER = "P2P (Peer-to-Peer) GPU Bandwidth Latency Test"
_CORNERS = ("D\\D", "GPU", "CPU")


@dataclass(slots=True)
class _Block:
    line: int
    title: str = ""
    grid: Grid | None = None
    grids: list[Grid] = field(default_factory=list)
    devices: list[str] = field(default_factory=list)
    apart: set[tuple[str, str]] = field(default_factory=set)


class P2p(BlockReader[_Block]):
    """Reader of p2pBandwidthLatencyTest, whole or in part."""

    def feed(self, line: Line) -> bool:
        """Take a line of the test's output."""
        text = line.text
        if "P2P" in text and self._titles(line):
            return True
        block = self._block
        if block is None:
            return False
        if text.lstrip().startswith("```"):
            if not block.title:
                self._close()
            return False
        return _facts(text, block) or _header(line, block) or _row(text, block, cut=line.last)

    def _titles(self, line: Line) -> bool:
        text = line.text
        if _BANNER in text:
            self._close()
            self._block = _Block(line.number)
            return True
        if _CONNECTIVITY in text:
            if self._block is not None and self._block.grids:
                self._close()
            self._entitle(_CONNECTIVITY, line.number)
            return True
        match = _TITLE.match(text)
        if match is None:
            return False
        if self._block is not None and _begins_again(match.group(1), self._block):
            self._close()
        self._entitle(match.group(1), line.number)
        return True

    def _entitle(self, title: str, number: int) -> None:
        block = self._block = self._block or _Block(number)
        block.title, block.grid = title, None

    def _parsed(self, block: _Block, /) -> list[ParsedRun]:
        grids = [grid for grid in block.grids if grid.rows]
        run = _run(self._file, block, grids)
        text = "p2pBandwidthLatencyTest without a matrix: it failed or the log was cut"
        return [ParsedRun(block.line, run, None if grids else ParseError(text, block.line))]


def _begins_again(title: str, block: _Block) -> bool:
    """Whether a title was there already, or comes after those that the test prints later."""
    names = [grid.name for grid in block.grids]
    late = any(name.startswith("Bi") or "Latency" in name for name in names)
    return title in names or f"{title} (GPU)" in names or (late and title.startswith("Uni"))


def _facts(text: str, block: _Block) -> bool:
    if "Device" not in text:
        return False
    if (match := _DEVICE.match(text)) and len(block.devices) < RANKS_MOST:
        block.devices.append(match.group(1))
        return True
    if match := _ACCESS.match(text):
        if match.group(2) == "CANNOT" and len(block.apart) < RANKS_MOST:
            block.apart.add((match.group(1), match.group(3)))
        return True
    return False


def _header(line: Line, block: _Block) -> bool:
    tokens = line.text.lstrip("# \t").split()
    if not block.title or not tokens or tokens[0] not in _CORNERS:
        return False
    columns = header_numbers(tokens[1:])
    if columns is None:
        return False
    latency = "Latency" in block.title
    direction = {"U": "one_way", "B": "both_ways"}.get(block.title[:1])
    name = f"{block.title} ({tokens[0]})" if latency and tokens[0] != "D\\D" else block.title
    kind, scale = ("latency", US) if latency else ("bandwidth", GB)
    block.grid = Grid(name, kind, None if latency else direction, scale, line.number, columns=columns)
    if block.title != _CONNECTIVITY:
        if len(block.grids) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} matrices", line.number)
        block.grids.append(block.grid)
    return True


def _row(text: str, block: _Block, *, cut: bool) -> bool:
    if block.grid is None:
        return False
    tokens = text.lstrip("# \t").split()
    if not tokens:
        return False
    if not block.grid.add_figures(tokens, cut=cut):
        block.grid = None
        block.title = block.title if "Latency" in block.title and not text.strip() else ""
        return False
    if block.title == _CONNECTIVITY:
        peers = zip(block.grid.columns, block.grid.values[-1] if block.grid.values else (), strict=False)
        block.apart |= {(tokens[0], peer) for peer, cell in peers if cell == 0 and peer != tokens[0]}
    return True


def _run(file: str, block: _Block, grids: list[Grid]) -> Run:
    notices = Notices()
    if block.apart:
        pairs = sorted(block.apart, key=lambda pair: (int(pair[0]), int(pair[1])))
        shown_pairs = ", ".join(f"{a}-{b}" for a, b in pairs[:8]) + (" ..." if len(pairs) > 8 else "")  # noqa: PLR2004
        text = f"no peer access ({shown_pairs}): under P2P=Enabled these copies are staged through the host"
        notices.add("staged_copies", text, block.line)
    for grid in grids:
        if grid.short:
            notices.add("truncated", f"{grid.name}: rows or cells are left out", grid.line)
    gpus = tuple(GpuCount(n, block.devices.count(n)) for n in dict.fromkeys(block.devices))
    matrices = tuple(_matrix(grid, block) for grid in grids)
    machine = Machine(gpus=gpus)
    return Run(file, "p2p-bandwidth-latency-test", None, None, machine, (), matrices, notices.all())


def _matrix(grid: Grid, block: _Block) -> Matrix:
    grid.peer_access = "P2P=Enabled" in grid.name and not block.apart
    return grid.matrix()
