"""``rocm-smi --showtopo`` and ``amd-smi topology``: which kind of link joins each pair of GPUs."""

import re
from dataclasses import dataclass, field

from core.measurement import Machine, Run
from gpu_probe.parsers.grid import Cell, Grid
from gpu_probe.parsers.hints import ROCM
from gpu_probe.parsers.limits import COLUMNS_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

_TITLE = re.compile(
    r"\s{0,8}=*\s?(?P<what>\w[\w /]{1,30}?) between two GPUs\s?=*\s*$"
    r"|\s{0,8}(?P<table>[A-Z][A-Z0-9 -]{2,40}) TABLE:\s*$",
    re.IGNORECASE,
)
_END = re.compile(r"\s{0,8}=+ (?:Numa Nodes|End of ROCm SMI Log|ROCm System Management Interface) =+")
_NAME = re.compile(r"GPU\d{1,4}|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.\d", re.IGNORECASE)
_LINKS = {"XGMI": "XGMI", "PCIE": "PCIE", "PCIe": "PCIE"}
_SELF = ("0", "SELF", "N/A")
_KIND = "link type"
_PAIR = 2


@dataclass(slots=True)
class _Block:
    line: int
    title: str = ""
    names: list[str] = field(default_factory=list)
    grid: Grid | None = None


class RocmTopology(BlockReader[_Block]):
    """Reader of the tables of links between GPUs; weights and hops are passed over."""

    def feed(self, line: Line) -> bool:
        """Take a table's title, its header, or a row."""
        text = line.text
        if ("TABLE:" in text or "between two GPUs" in text) and (match := _TITLE.match(text)):
            self._begin(match, line)
            return True
        block = self._block
        if block is None:
            return False
        if _END.match(text):
            self._close()
            return True
        return self._row(line, block)

    def _begin(self, title: re.Match[str], line: Line) -> None:
        block = _Block(line.number) if self._block is None else self._block
        block.title, block.names = (title["what"] or title["table"]).lower(), []
        self._block = block

    def _row(self, line: Line, block: _Block) -> bool:
        tokens = line.text.split()
        if not tokens or not _NAME.fullmatch(tokens[0]):
            return False
        if not block.names:
            if len(tokens) > COLUMNS_MOST or not all(map(_NAME.fullmatch, tokens)):
                return False
            block.names = tokens
            if block.title == _KIND and block.grid is None:
                columns = tuple(f"GPU{place}" for place in range(len(tokens)))
                block.grid = Grid("rocm-smi --showtopo", "topology", None, 1.0, line.number, columns=columns)
            return True
        if block.title == _KIND and block.grid is not None and tokens[0] in block.names:
            _add(block.grid, block.names, tokens)
        return True

    def _parsed(self, block: _Block, /) -> list[ParsedRun]:
        grid, notices = block.grid, Notices()
        rows = len(grid.rows) if grid is not None else 0
        if grid is not None and rows and grid.short:
            notices.add("truncated", f"{grid.name}: rows or cells are left out", grid.line)
        matrices = (grid.matrix(),) if grid is not None and rows else ()
        run = Run(self._file, "topo-m", None, None, Machine(), (), matrices, notices.all())
        return [ParsedRun(block.line, run, None if matrices else ParseError(ROCM, block.line))]


def _add(grid: Grid, names: list[str], tokens: list[str]) -> None:
    """A row of link types under the numbers of its GPUs, its own cell as ``nvidia-smi`` prints it."""
    place = names.index(tokens[0])
    name = f"GPU{place}"
    cells: list[Cell] = [_LINKS.get(token) if token not in _SELF else None for token in tokens[1:]]
    if place < len(cells):
        cells[place] = "X"
    if name not in grid.rows and len(cells) + 1 >= _PAIR:
        grid.add(name, cells)
