"""``nvidia-smi topo -m`` (and ``topo -p2p``): which path joins each pair of devices."""

import re
from dataclasses import replace

from core.measurement import Machine, Run
from gpu_probe.parsers.grid import Cell, Grid
from gpu_probe.parsers.hints import ROCM
from gpu_probe.parsers.limits import COLUMNS_MOST, MATRICES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

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
"""A row of rocm-smi's tables of link weights or hops."""


class Topology(BlockReader[Grid]):
    """Reader of topology matrices."""

    def __init__(self, file: str) -> None:
        """Start with no matrix open."""
        super().__init__(file)
        self._p2p_option = ""
        self._in_legend = False
        self._is_rocm = False
        self._interleaved = False

    def feed(self, line: Line) -> bool:
        """Take a header of devices, a row of paths, or the legend below."""
        text = line.text
        if "|" in text:
            text = text.replace("|", " ")
            line = replace(line, text=text)
        if "nvidia-smi topo" in text:
            self._close()
            command = _COMMAND.search(text)
            self._p2p_option = f" {command.group(1)}" if command else ""
            return True
        if "GPU" not in text and self._block is None and not self._in_legend:
            return False
        return self._header(line) or self._row(line) or self._below_matrix(text)

    def _header(self, line: Line) -> bool:
        tokens = line.text.split()
        if not tokens or not _GPU.fullmatch(tokens[0]):
            return False
        devices = _leading_devices(tokens)
        following = tokens[len(devices)] if len(tokens) > len(devices) else ""
        if len(devices) < 2 and following != "CPU":  # noqa: PLR2004 (a row begins with one device)
            return False
        grid = self._block
        if grid is not None and not grid.rows and grid.columns == devices:
            self._interleaved = True
            return True
        self._close()
        self._block = Grid("topo -m", "topology", None, 1.0, line.number, columns=devices)
        return True

    def _row(self, line: Line) -> bool:
        grid, tokens = self._block, line.text.split()
        if grid is None or not tokens or tokens[0] not in grid.columns:
            return False
        device = tokens[0]
        if device in grid.rows:
            return self._interleaved
        self._is_rocm = self._is_rocm or "XGMI" in tokens
        tokens = grid.whole(tokens, cut=line.last and tokens[-1] != "X")
        paths: list[Cell] = []
        for token in tokens[1 : len(grid.columns) + 1]:
            if not _PATH.fullmatch(token):
                break
            paths.append(token)
        if not paths:
            return False
        grid.add(device, paths)
        return True

    def _below_matrix(self, text: str) -> bool:
        """Take the rule of a Markdown table or the legend; anything else ends the matrix."""
        plain = text.strip()
        if self._block is not None and "-" in plain and _RULE.issuperset(plain):
            return True
        if self._block is not None and _WEIGHTS.fullmatch(plain):
            self._is_rocm = True
        if self._block is not None and self._block.rows and plain:
            self._close()
        if plain in ("Legend:", "NIC Legend:"):
            self._in_legend = True
            return True
        self._in_legend = self._in_legend and (not plain or _LEGEND.match(text) is not None)
        return self._in_legend and bool(plain)

    def _parsed(self, grid: Grid, /) -> list[ParsedRun]:
        if len(self._runs) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} matrices", grid.line)
        paths = {path for row in grid.values for path in row} - {"X", None}
        if paths and paths <= _STATUS:
            grid.name, grid.peer_access = f"topo -p2p{self._p2p_option}", paths == {"OK"}
        notices = _notices(grid, interleaved=self._interleaved)
        self._p2p_option, self._interleaved = "", False
        run = Run(self._file, "topo-m", None, None, Machine(), (), (grid.matrix(),), notices.all())
        reason = ROCM if self._is_rocm else "a topology header without rows"
        problem = None if grid.rows else ParseError(reason, grid.line)
        return [ParsedRun(grid.line, run, problem)]


def _leading_devices(tokens: list[str]) -> tuple[str, ...]:
    """The devices at the beginning of a line, up to a path or another word."""
    devices: list[str] = []
    for token in tokens[:COLUMNS_MOST]:
        if not _DEVICE.fullmatch(token) or (devices and _PATH.fullmatch(token)):
            break
        devices.append(token)
    return tuple(devices)


def _notices(grid: Grid, *, interleaved: bool) -> Notices:
    notices = Notices()
    if interleaved:
        text = "the matrices of several hosts stand line by line in each other: the first is kept"
        notices.add("hosts_interleaved", text, grid.line)
    if grid.rows and (len(grid.rows) < len(grid.columns) or grid.elided):
        text = f"{len(grid.columns)} devices in the header, {len(grid.rows)} rows: the rest is cut off"
        notices.add("truncated", text, grid.line)
    return notices
