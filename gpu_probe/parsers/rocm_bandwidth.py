"""``rocm-bandwidth-test``: copies between all CPUs and GPUs of a node, or of one pair at several sizes."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Run, Sample
from core.units import GB, KIB, MIB, US
from gpu_probe.parsers.amd_matrix import Device, matrices_of
from gpu_probe.parsers.grid import EMPTY, Grid
from gpu_probe.parsers.limits import COLUMNS_MOST, MATRICES_MOST, SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

_VERSION = re.compile(r"\s{0,40}RocmBandwidthTest Version: (\S{1,20})")
_DEVICE = re.compile(r"\s{0,40}Device: (\d{1,4}),\s{1,8}(\S[^,]{0,100})(,.{0,120})?$")
_TITLE = re.compile(
    r"\s{0,40}(Unidirectional|Bi?directional) (?:copy )?peak bandwidth GB/s\s*$", re.IGNORECASE
)
_ACCESS = re.compile(r"\s{0,40}(?:Inter-)?Device Access\s*$")
_OTHER = re.compile(r"\s{0,40}(?:Inter-)?Device (?:Numa )?Distance\s*$|\s{0,40}Launch Command is:")
_RESULT = re.compile(r"\s{0,40}=+\s+(Unidirectional|Bidirectional) Benchmark Result\s+=+", re.IGNORECASE)
_END = re.compile(
    r"\s{0,40}=+ (Src|Dst) Device Id: (\d{1,4}) (?:Src|Dst) Device Type: (Cpu|Gpu) =+", re.IGNORECASE
)
_ROW = re.compile(r"\s{0,40}(\d{1,6}) (B|KB|MB|GB)\s{1,40}(\d{1,12}(?:\.\d{1,9})?)\s")
_UNITS = {"B": 1.0, "KB": KIB, "MB": MIB, "GB": 1024 * MIB}
_CPU = re.compile(r"(?i)\bprocessor\b|\bCPU\b|\bxeon\b|\bepyc\b|\bryzen\b|\bthreadripper\b|intel\(r\)")
_OPERATIONS = {
    ("Cpu", "Gpu"): "host_to_device_pinned",
    ("Gpu", "Cpu"): "device_to_host_pinned",
    ("Gpu", "Gpu"): "p2p_copy",
}


@dataclass(slots=True)
class _Block:
    line: int
    version: str | None = None
    devices: dict[str, Device] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)
    title: str = ""
    grids: list[Grid] = field(default_factory=list)
    open_grid: Grid | None = None
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)
    both_ways: bool = False
    samples: list[Sample] = field(default_factory=list)


class RocmBandwidth(BlockReader[_Block]):
    """Reader of rocm-bandwidth-test's text, whole or in part."""

    def feed(self, line: Line) -> bool:
        """Take a line of the tool's output."""
        text = line.text
        if match := _VERSION.match(text):
            self._close()
            self._block = _Block(line.number, match.group(1))
            return True
        if self._block is None:
            if not _TITLE.match(text) and not _RESULT.match(text):
                return False
            self._block = _Block(line.number)
        return self._structure(line, self._block) or self._row(line, self._block)

    def _structure(self, line: Line, block: _Block) -> bool:
        text = line.text
        if match := _DEVICE.match(text):
            number, name, rest = match.groups()
            is_gpu = bool(rest) or not _CPU.search(name)
            block.devices[number] = Device(number, is_gpu)
            if is_gpu:
                block.models.append(name.strip())
            return True
        for pattern, title in ((_TITLE, ""), (_ACCESS, "access"), (_OTHER, "other")):
            if match := pattern.match(text):
                block.title, block.open_grid = title or match.group(1).lower(), None
                return True
        if match := _RESULT.match(text):
            block.both_ways, block.ends, block.title = match.group(1)[0].upper() == "B", {}, ""
            return True
        if match := _END.match(text):
            block.ends[match.group(1).title()] = (match.group(2), match.group(3).title())
            return True
        return text.lstrip().startswith("Data Size") and bool(block.ends)

    def _row(self, line: Line, block: _Block) -> bool:
        if block.ends and (match := _ROW.match(line.text)):
            return self._sample(line, block, match)
        tokens = line.text.split()
        if not tokens or not block.title:
            return False
        if tokens[0] == "D/D":
            return self._header(line.number, block, tokens[1:])
        grid = block.open_grid
        if grid is None or not tokens[0].isdigit() or tokens[0] not in grid.columns:
            return False
        tokens = grid.whole(tokens, cut=line.last)
        cells = [real(token) if token not in EMPTY else None for token in tokens[1:]]
        grid.add(tokens[0], [None if cell is None else cell * grid.scale for cell in cells])
        return True

    def _header(self, number: int, block: _Block, columns: list[str]) -> bool:
        if not columns or len(columns) > COLUMNS_MOST or not all(name.isdigit() for name in columns):
            return False
        if len(block.grids) >= MATRICES_MOST:
            refuse(f"more than {MATRICES_MOST:,} matrices", number)
        both_ways = block.title.startswith("b")
        way = "both_ways" if both_ways else "one_way"
        name = f"{'bidirectional' if both_ways else 'unidirectional'} copy peak bandwidth"
        name = block.title if block.title in ("access", "other") else name
        grid = Grid(name, "bandwidth", way, GB, number, columns=tuple(columns))
        block.grids.append(grid)
        block.open_grid = grid
        return True

    def _sample(self, line: Line, block: _Block, match: re.Match[str]) -> bool:
        if set(block.ends) != {"Src", "Dst"} or line.last:
            return True
        source, target = block.ends["Src"], block.ends["Dst"]
        operation = _OPERATIONS.get((source[1], target[1]))
        time_us, size = float(match.group(3)), int(int(match.group(1)) * _UNITS[match.group(2)])
        if operation is None or time_us <= 0 or not size or block.both_ways:
            return True
        if len(block.samples) >= SAMPLES_MOST:
            refuse(f"more than {SAMPLES_MOST:,} rows", line.number)
        detail = " to ".join(f"{kind.upper()}{number}" for number, kind in (source, target))
        block.samples.append(Sample(operation, size, time_us * US, detail=detail))
        return True

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        notices = Notices()
        access = _peer_access(block)
        if access is False:
            text = "no access between some GPUs: their copies are staged through the host or left out"
            notices.add("staged_copies", text, block.line)
        matrices = []
        for grid in block.grids:
            if grid.name in ("access", "other") or not grid.rows:
                continue
            rows, columns = (
                [block.devices.get(name, Device(name, is_gpu=True)) for name in names]
                for names in (grid.rows, grid.columns)
            )
            matrices += matrices_of(grid, rows, columns, peer_access=access)
            if grid.short:
                notices.add("truncated", f"{grid.name}: rows or cells are left out", grid.line)
        gpus = tuple(GpuCount(name, block.models.count(name)) for name in dict.fromkeys(block.models))
        run = Run(
            self._file, "rocm-bandwidth-test", None, None, Machine(gpus=gpus), tuple(block.samples),
            tuple(matrices), notices.all(), tool_version=block.version,
        )  # fmt: skip
        text = "rocm-bandwidth-test without a table of copies: it failed or the log was cut"
        problem = None if matrices or block.samples else ParseError(text, block.line)
        return [ParsedRun(block.line, run, problem)]


def _peer_access(block: _Block) -> bool | None:
    """Whether all GPUs reach each other by the table of access; None without one."""
    tables = [grid for grid in block.grids if grid.name == "access" and grid.rows]
    if not tables:
        return None
    table = tables[0]
    return all(
        cell != 0.0
        for row, cells in zip(table.rows, table.values, strict=True)
        for column, cell in zip(table.columns, cells, strict=True)
        if row != column
        and all(block.devices.get(name, Device(name, is_gpu=True)).is_gpu for name in (row, column))
    )
