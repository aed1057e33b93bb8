"""``TransferBench p2p``: copies between all CPUs and GPUs of a node."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Run
from core.units import GB
from gpu_probe.parsers.amd_matrix import Device, matrices_of
from gpu_probe.parsers.grid import EMPTY, Cell, Grid
from gpu_probe.parsers.limits import COLUMNS_MOST, MATRICES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

_VERSION = re.compile(r"\s{0,40}TransferBench v(\d[\w.]{0,20})")
_TITLE = re.compile(r"\s{0,40}(Unidirectional|Bidirectional) copy peak bandwidth GB/s \[")
_DEVICES = re.compile(r"\b(CPU|GPU) {1,3}(\d{1,3})\b")
_ROW = re.compile(r"\s{0,40}(CPU|GPU) {1,3}(\d{1,3})\s{1,6}(->|<->|<-)\s(.{1,4000})$")
_MODEL = re.compile(r"\b(AMD Instinct MI\w{3,6})\b")
_FRAME = str.maketrans("\u2502|", "  ")
_BOTH, _ONE = "<->", "->"


@dataclass(slots=True)
class _Block:
    line: int
    version: str | None = None
    model: str = ""
    title: str = ""
    grid: Grid | None = None
    columns: list[Device] = field(default_factory=list)
    grids: list[tuple[Grid, list[Device], list[Device]]] = field(default_factory=list)


class TransferBench(BlockReader[_Block]):
    """Reader of TransferBench's peer-to-peer tables."""

    def feed(self, line: Line) -> bool:
        """Take a line of the tool's output."""
        if match := _VERSION.match(line.text):
            self._close()
            self._block = _Block(line.number, match.group(1))
            return True
        match = _TITLE.match(line.text)
        if self._block is None and match is None:
            return False
        block = self._block = self._block or _Block(line.number)
        if match is not None:
            block.title, block.grid = match.group(1).lower(), None
            return True
        if model := _MODEL.search(line.text):
            block.model = model.group(1)
        return self._header(line, block) or self._row(line, block)

    def _header(self, line: Line, block: _Block) -> bool:
        head = line.text.translate(_FRAME).split(maxsplit=1)
        if not block.title or not head or not head[0].endswith("\\DST"):
            return False
        devices = [
            Device(number.lstrip("0") or "0", kind == "GPU") for kind, number in _DEVICES.findall(line.text)
        ]
        if not devices or len(devices) > COLUMNS_MOST:
            return False
        if len(block.grids) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} matrices", line.number)
        way = "both_ways" if block.title == "bidirectional" else "one_way"
        names = tuple(device.name for device in devices)
        block.grid = Grid(
            f"{block.title} copy peak bandwidth", "bandwidth", way, GB, line.number, columns=names
        )
        block.columns = devices
        block.grids.append((block.grid, [], devices))
        return True

    def _row(self, line: Line, block: _Block) -> bool:
        match = _ROW.match(line.text.translate(_FRAME))
        if match is None or block.grid is None:
            return False
        kind, number, arrow, rest = match.groups()
        if arrow != (_BOTH if block.grid.direction == "both_ways" else _ONE):
            return True
        cells: list[Cell] = []
        for token in rest.split()[: len(block.columns)]:
            value = real(token)
            if value is None and token not in EMPTY:
                return False
            cells.append(None if value is None else value * GB)
        if line.last and len(cells) < len(block.columns):
            cells = cells[:-1]
        block.grid.add(number.lstrip("0") or "0", cells)
        block.grids[-1][1].append(Device(number.lstrip("0") or "0", kind == "GPU"))
        return True

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        notices = Notices()
        matrices = []
        for grid, rows, columns in block.grids:
            matrices += matrices_of(grid, rows, columns, peer_access=None)
            if grid.rows and grid.short:
                notices.add("truncated", f"{grid.name}: rows or cells are left out", grid.line)
        count = max((sum(device.is_gpu for device in columns) for _, _, columns in block.grids), default=0)
        gpus = (GpuCount(block.model, count),) if block.model and count else ()
        run = Run(
            self._file, "transferbench", None, None, Machine(gpus=gpus), (), tuple(matrices), notices.all(),
            tool_version=block.version,
        )  # fmt: skip
        text = "TransferBench without a peer-to-peer table: bring the output of TransferBench p2p"
        return [ParsedRun(block.line, run, None if matrices else ParseError(text, block.line))]
