"""``nvidia-smi topo -m`` (and ``topo -p2p``): which path joins each pair of devices."""

import re
from dataclasses import replace

from core.measurement import Machine, Run
from gpu_probe.parsers.grid import Cell, Grid
from gpu_probe.parsers.hints import ROCM
from gpu_probe.parsers.limits import COLUMNS_MOST, MATRICES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import Found, Notices

_GPU = re.compile(r"GPU\d{1,4}")
_DEVICE = re.compile(r"[A-Za-z][\w.-]{0,40}\d[\w.-]{0,10}")
_PATH = re.compile(r"X|NV\d{1,3}|PIX|PXB|PHB|NODE|SYS|SOC|PSB|P2C|OK|CNS|GNS|TNS|NS|DR|U")
_STATUS = frozenset({"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"})
_COMMAND = re.compile(r"nvidia-smi topo (?:-p2p|--p2pstatus) ([rwnap])\b")
_LEGEND = re.compile(
    r"\s{0,12}(?:X|SYS|NODE|PHB|PXB|PIX|NV#|SOC|PSB|OK|CNS|GNS|TNS|NS|U)\s{1,8}= |\s{0,12}NIC\d{1,4}: "
)


_RULE = frozenset("-: ")
"""What stands below the header of a Markdown table."""
_WEIGHTS = re.compile(r"GPU\d{1,4}(?:\s{1,40}\d{1,6}){1,64}")


class Topology:
    """Reader of topology matrices."""

    def __init__(self, file: str) -> None:
        """Start with no matrix open."""
        self._file = file
        self._grid: Grid | None = None
        self._found: list[Found] = []
        self._asked = ""
        self._legend = False
        self._foreign = False
        self._mixed = False

    @property
    def busy(self) -> bool:
        """Whether rows or a legend may follow."""
        return self._grid is not None

    def feed(self, line: Line) -> bool:
        """Take a header of devices, a row of paths, or the legend below."""
        text = line.text
        if "|" in text and ("GPU" in text or self._grid is not None):
            text = text.replace("|", " ")
            line = replace(line, text=text)
        if "nvidia-smi topo" in text:
            self._close()
            match = _COMMAND.search(text)
            self._asked = f" {match.group(1)}" if match else ""
            return True
        if "GPU" not in text and self._grid is None and not self._legend:
            return False
        return self._header(line) or self._row(line) or self._below(text)

    def finish(self) -> list[Found]:
        """All matrices; one without rows is no block."""
        self._close()
        return self._found

    def _header(self, line: Line) -> bool:
        words = line.text.split()
        if not words or not _GPU.fullmatch(words[0]):
            return False
        devices: list[str] = []
        for word in words[:COLUMNS_MOST]:
            if not _DEVICE.fullmatch(word) or (devices and _PATH.fullmatch(word)):
                break
            devices.append(word)
        after = words[len(devices)] if len(words) > len(devices) else ""
        if len(devices) < 2 and after != "CPU":  # noqa: PLR2004 (a row begins with one device)
            return False
        before = self._grid
        if before is not None and not before.rows and before.columns == tuple(devices):
            self._mixed = True
            return True
        self._close()
        self._grid = Grid("topo -m", "topology", None, 1.0, line.number, columns=tuple(devices))
        return True

    def _row(self, line: Line) -> bool:
        grid, words = self._grid, line.text.split()
        if grid is None or not words or words[0] not in grid.columns:
            return False
        if words[0] in grid.rows:
            return self._mixed
        self._foreign = self._foreign or "XGMI" in words
        words = grid.whole(words, cut=line.last and words[-1] != "X")
        cells: list[Cell] = []
        for word in words[1 : len(grid.columns) + 1]:
            if not _PATH.fullmatch(word):
                break
            cells.append(word)
        if not cells:
            return False
        grid.add(words[0], cells)
        return True

    def _below(self, text: str) -> bool:
        plain = text.strip()
        if self._grid is not None and "-" in plain and _RULE.issuperset(plain):
            return True
        self._foreign = self._foreign or (self._grid is not None and _WEIGHTS.fullmatch(plain) is not None)
        if self._grid is not None and self._grid.rows and plain:
            self._close()
        if plain in ("Legend:", "NIC Legend:"):
            self._legend = True
            return True
        self._legend = self._legend and (not plain or _LEGEND.match(text) is not None)
        return self._legend and bool(plain)

    def _close(self) -> None:
        grid, self._grid = self._grid, None
        if grid is None:
            return
        if len(self._found) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} matrices", grid.line)
        notices = Notices()
        words = {cell for row in grid.values for cell in row} - {"X", None}
        if words and words <= _STATUS:
            grid.name, grid.peer_access = f"topo -p2p{self._asked}", words == {"OK"}
        if self._mixed:
            text = "the matrices of several hosts stand line by line in each other: the first is kept"
            notices.add("hosts_interleaved", text, grid.line)
        if grid.rows and (len(grid.rows) < len(grid.columns) or grid.elided):
            text = f"{len(grid.columns)} devices in the header, {len(grid.rows)} rows: the rest is cut off"
            notices.add("truncated", text, grid.line)
        self._asked, self._mixed = "", False
        run = Run(self._file, "topo-m", None, None, Machine(), (), (grid.matrix(),), notices.all())
        why = ROCM if self._foreign else "a topology header without rows"
        problem = None if grid.rows else ParseError(why, grid.line)
        self._found.append(Found(grid.line, run, problem))
