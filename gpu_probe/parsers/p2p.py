"""``p2pBandwidthLatencyTest`` of the CUDA samples: bandwidth and latency between pairs of GPUs."""

import re

from core.measurement import GpuCount, Machine, Matrix, Run
from core.units import GB, US
from gpu_probe.parsers.grid import Grid, header_numbers
from gpu_probe.parsers.limits import MATRICES_MOST, RANKS_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import Notices, ParsedRun

_TITLE = re.compile(
    r"[#*\s]{0,12}((?:(?:Uni|Bi)directional )?P2P=(?:Enabled|Disabled) (?:Bandwidth|Latency)"
    r"(?: \(P2P (?:Writes|Reads)\))?) Matrix\b"
)
_DEVICE = re.compile(r"[#\s]{0,8}Device: \d{1,4}, (.{1,100}?), pciBusID:")
_ACCESS = re.compile(r"[#\s]{0,8}Device=(\d{1,4}) (CAN|CANNOT) Access Peer Device=(\d{1,4})")
_CONNECTIVITY = "P2P Connectivity Matrix"
_BANNER = "P2P (Peer-to-Peer) GPU Bandwidth Latency Test"
_CORNERS = ("D\\D", "GPU", "CPU")


class P2p:
    """Reader of p2pBandwidthLatencyTest, whole or in part."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        self._file = file
        self._runs: list[ParsedRun] = []
        self._begin()

    def _begin(self) -> None:
        self._line = 0
        self._title = ""
        self._grid: Grid | None = None
        self._grids: list[Grid] = []
        self._devices: list[str] = []
        self._apart: set[tuple[str, str]] = set()

    @property
    def busy(self) -> bool:
        """Whether a block is open."""
        return self._line > 0

    def feed(self, line: Line) -> bool:
        """Take a line of the test's output."""
        text = line.text
        if "P2P" in text and self._titles(line):
            return True
        if not self._line:
            return False
        if text.lstrip().startswith("```"):
            if not self._title:
                self._close()
            return False
        return self._facts(text) or self._header(line) or self._row(text, cut=line.last)

    def finish(self) -> list[ParsedRun]:
        """All blocks, the open one included."""
        self._close()
        return self._runs

    def _titles(self, line: Line) -> bool:
        text = line.text
        if _BANNER in text:
            self._close()
            self._line = line.number
            return True
        if _CONNECTIVITY in text:
            if self._grids:
                self._close()
            self._line, self._title, self._grid = self._line or line.number, _CONNECTIVITY, None
            return True
        match = _TITLE.match(text)
        if match is None:
            return False
        if self._begins_again(match.group(1)):
            self._close()
        self._line, self._title, self._grid = self._line or line.number, match.group(1), None
        return True

    def _begins_again(self, title: str) -> bool:
        """Whether a title was there already, or comes after those that the test prints later."""
        names = [grid.name for grid in self._grids]
        late = any(name.startswith("Bi") or "Latency" in name for name in names)
        return title in names or f"{title} (GPU)" in names or (late and title.startswith("Uni"))

    def _facts(self, text: str) -> bool:
        if "Device" not in text:
            return False
        if (match := _DEVICE.match(text)) and len(self._devices) < RANKS_MOST:
            self._devices.append(match.group(1))
            return True
        if match := _ACCESS.match(text):
            if match.group(2) == "CANNOT" and len(self._apart) < RANKS_MOST:
                self._apart.add((match.group(1), match.group(3)))
            return True
        return False

    def _header(self, line: Line) -> bool:
        tokens = line.text.lstrip("# \t").split()
        if not self._title or not tokens or tokens[0] not in _CORNERS:
            return False
        columns = header_numbers(tokens[1:])
        if columns is None:
            return False
        latency = "Latency" in self._title
        direction = {"U": "one_way", "B": "both_ways"}.get(self._title[:1])
        name = f"{self._title} ({tokens[0]})" if latency and tokens[0] != "D\\D" else self._title
        kind, scale = ("latency", US) if latency else ("bandwidth", GB)
        self._grid = Grid(name, kind, None if latency else direction, scale, line.number, columns=columns)
        if self._title != _CONNECTIVITY:
            if len(self._grids) >= MATRICES_MOST:
                refuse(f"more than {MATRICES_MOST:,} matrices", line.number)
            self._grids.append(self._grid)
        return True

    def _row(self, text: str, *, cut: bool) -> bool:
        if self._grid is None:
            return False
        tokens = text.lstrip("# \t").split()
        if not tokens:
            return False
        if not self._grid.add_figures(tokens, cut=cut):
            self._grid = None
            self._title = self._title if "Latency" in self._title and not text.strip() else ""
            return False
        if self._title == _CONNECTIVITY:
            peers = zip(self._grid.columns, self._grid.values[-1] if self._grid.values else (), strict=False)
            self._apart |= {(tokens[0], peer) for peer, cell in peers if cell == 0 and peer != tokens[0]}
        return True

    def _close(self) -> None:
        grids = [grid for grid in self._grids if grid.rows]
        if self._line:
            run = self._run(grids)
            text = "p2pBandwidthLatencyTest without a matrix: it failed or the log was cut"
            self._runs.append(ParsedRun(self._line, run, None if grids else ParseError(text, self._line)))
        self._begin()

    def _run(self, grids: list[Grid]) -> Run:
        notices = Notices()
        if self._apart:
            pairs = sorted(self._apart, key=lambda pair: (int(pair[0]), int(pair[1])))
            shown_pairs = ", ".join(f"{a}-{b}" for a, b in pairs[:8]) + (" ..." if len(pairs) > 8 else "")  # noqa: PLR2004
            text = (
                f"no peer access ({shown_pairs}): under P2P=Enabled these copies are staged through the host"
            )
            notices.add("staged_copies", text, self._line)
        for grid in grids:
            if grid.short:
                notices.add("truncated", f"{grid.name}: rows or cells are left out", grid.line)
        gpus = tuple(GpuCount(n, self._devices.count(n)) for n in dict.fromkeys(self._devices))
        matrices = tuple(self._matrix(grid) for grid in grids)
        machine = Machine(gpus=gpus)
        return Run(self._file, "p2p-bandwidth-latency-test", None, None, machine, (), matrices, notices.all())

    def _matrix(self, grid: Grid) -> Matrix:
        grid.peer_access = "P2P=Enabled" in grid.name and not self._apart
        return grid.matrix()
