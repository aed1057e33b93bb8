"""``ib_write_bw``, ``ib_send_lat`` and the like of perftest: rates and latencies between two NICs."""

import math
import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Notice, Run, Sample
from core.units import GIGABIT_BYTES, MIB, US
from gpu_probe.parsers.limits import SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real, whole
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, ParsedRun

_TITLE = re.compile(
    r"\s{5,40}(?:RDMA_)?(Write|Read|Send|Atomic)(?:_\w{1,12}|-\w{1,12})? (Bidirectional )?(BW|Latency) Test\b"
)
_DEVICE = re.compile(r"\bDevice\s{1,20}: ([\w.-]{1,40})")
SMALL_MTU = 1024
"""That an Ethernet port of 1500 bytes leaves RDMA; 4096 is the usual one."""
_FACT = re.compile(r"\s(Number of qps|Mtu|Link type|Dual-port)\s{1,20}: (\S{1,20})")
_PARAMETER = re.compile(
    r"\s{1,4}(?:Dual-port|Number of qps|Connection type|PCIe relax|ibv_wr|[TR]X depth|CQ Mod|Mtu|Link type"
    r"|GID|Max inline|Outstand|rdma_cm|Data ex|Using|Transport|Post List|Atomic|(?:local|remote) address)"
)
_RULE = re.compile(r"\s{0,4}-{20,}\s*$")
_GPU = re.compile(r"\bdevice name = \[([^\]]{1,80})\]")
_GPU_MEMORY = re.compile(r"--use_(?:cuda|rocm|hl|neuron)\b|^initializing (?:CUDA|ROCm)|\bcuMemAlloc\(")
_BANDWIDTH = re.compile(r"\s{0,4}#bytes\s{1,20}#iterations\s{1,20}BW peak\[(\w{1,8}/\w{1,8})\]")
_LATENCY = re.compile(r"\s{0,4}#bytes\s{1,20}#iterations\s{1,20}(t_min|t_avg)\[usec\]")
_SCALES = {"mb": MIB, "mib": MIB, "gb": GIGABIT_BYTES}
"""perftest counts a MB as 2^20 bytes, and a Gb as 1e9 bits."""
_SIGNS = ("Test", "#bytes", "device name", "--use_", "initializing", "cuMemAlloc")
"""Outside a test a line without one of these says nothing of it."""
_ROW = re.compile(r"\s{0,8}\d{1,18}\s{1,20}\d{1,18}\s{1,20}\d")
_AVERAGE, _TYPICAL, _OF_DURATION = 3, 4, 2
_SHORTEST_S, _LONGEST_S = 1e-12, 1e9
_CONTEXT_LINES = 60
"""Lines back to which GPU memory still belongs to a test: its own options print there."""


@dataclass(slots=True)
class _Block:
    line: int
    operation: str
    both_ways: bool
    facts: dict[str, str] = field(default_factory=dict)
    device: str = ""
    gpu: str = ""
    on_gpu: bool = False
    column: int = 0
    scale: float = 0.0
    rows: list[tuple[int, float]] = field(default_factory=list)


class Perftest(BlockReader[_Block]):
    """Reader of perftest's tables, of one size or of all (``-a``)."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        super().__init__(file)
        self._gpu: tuple[str, int] = ("", -_CONTEXT_LINES)
        self._memory = -_CONTEXT_LINES

    def feed(self, line: Line) -> bool:
        """Take a line of a test's output."""
        text = line.text
        if self._block is None and not any(sign in text for sign in _SIGNS):
            return False
        self._context(line)
        if (match := _TITLE.match(text)) and not text.lstrip().startswith("#"):
            self._close()
            self._block = self._opened(match, line.number)
            return True
        if self._block is None:
            return self._header(text, line.number)
        return self._facts(text) or self._header(text, line.number) or self._row(text, line)

    def _context(self, line: Line) -> None:
        """GPU and kind of memory, which are printed before the title."""
        if match := _GPU.search(line.text[:200]):
            self._gpu = match.group(1), line.number
        if _GPU_MEMORY.search(line.text[:1000]):
            self._memory = line.number

    def _opened(self, match: re.Match[str] | None, number: int) -> _Block:
        verb, both, what = match.groups() if match else ("transfer", None, "BW")
        operation = f"rdma_{verb.lower()}" + ("_latency" if what == "Latency" else "")
        recent = number - _CONTEXT_LINES
        gpu = self._gpu[0] if self._gpu[1] > recent else ""
        on_gpu = bool(gpu) or self._memory > recent
        self._gpu, self._memory = ("", -_CONTEXT_LINES), -_CONTEXT_LINES
        return _Block(number, operation, both_ways=both is not None, gpu=gpu, on_gpu=on_gpu)

    def _facts(self, text: str) -> bool:
        block = self._block
        if block is None or block.column or not _PARAMETER.match(text):
            return False
        if match := _DEVICE.search(text):
            block.device = match.group(1)
        for match in _FACT.finditer(text):
            block.facts[match.group(1)] = match.group(2)
        return True

    def _header(self, text: str, number: int) -> bool:
        if "#bytes" not in text:
            return False
        rate, time = _BANDWIDTH.match(text), _LATENCY.match(text)
        if rate is None and time is None:
            return False
        block = self._block or self._opened(None, number)
        self._block = block
        if rate is not None:
            block.column, block.scale = _AVERAGE, _SCALES.get(rate.group(1).partition("/")[0].lower(), 0.0)
        elif time is not None:
            by_duration = time.group(1) == "t_avg"
            block.column, block.scale = (_OF_DURATION if by_duration else _TYPICAL), US
            block.operation = block.operation.removesuffix("_latency") + "_latency"
        return True

    def _row(self, text: str, line: Line) -> bool:
        block = self._block
        if block is None or not block.scale or not _ROW.match(text):
            if block is not None and block.rows and not _RULE.match(text):
                self._close()
                return False
            return bool(_RULE.match(text))
        words = text.split()
        whole = len(words) > block.column + line.last
        value = real(words[block.column]) if whole else None
        if value is None or value <= 0 or not int(words[0]):
            return True
        if len(block.rows) >= SAMPLES_MOST:
            refuse(f"more than {SAMPLES_MOST:,} rows", line.number)
        size, value = int(words[0]), value * block.scale
        if not _SHORTEST_S < _time_s(block, size, value) < _LONGEST_S:
            return True
        block.rows.append((size, value))
        return True

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        machine = Machine(gpus=(GpuCount(block.gpu, 1),) if block.gpu else ())
        samples = tuple(_sample(block, size, value) for size, value in block.rows)
        warnings = (Notice("perftest", _remark(block), block.line),)
        run = Run(self._file, "perftest", None, None, machine, samples, (), warnings)
        text = "perftest without a row: the test waits for its other side, or failed"
        return [ParsedRun(block.line, run, None if samples else ParseError(text, block.line))]


def _sample(block: _Block, size: int, value: float) -> Sample:
    """A row: the time of a message, one of each direction where both are counted."""
    words = [block.device or "the NIC"]
    words += ["bidirectional"] if block.both_ways else []
    words += ["two ports"] if block.facts.get("Dual-port") == "ON" else []
    words += ["GPU memory"] if block.on_gpu else []
    words += [f"{block.facts['Number of qps']} QP"] if "Number of qps" in block.facts else []
    mtu = whole(block.facts.get("Mtu", "").partition("[")[0])
    words += [f"MTU {mtu}"] if mtu and mtu <= SMALL_MTU else []
    return Sample(block.operation, size, _time_s(block, size, value), detail=", ".join(words))


def _time_s(block: _Block, size: int, value: float) -> float:
    """Time of a message; infinite at a rate that none is."""
    if block.operation.endswith("_latency"):
        return value
    return size / value if value >= 1 else math.inf


def _remark(block: _Block) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in block.facts.items())
    return f"perftest between two NICs{f' ({facts})' if facts else ''}"
