"""``bandwidthTest`` of the CUDA samples: copies between the host and a GPU, and in its memory."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Run, Sample
from core.units import GB, MIB
from gpu_probe.parsers.limits import RANKS_MOST, SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, ParsedRun

_BANNER = "[CUDA Bandwidth Test]"
_DEVICE = re.compile(r"\s{0,8}Device (\d{1,4}): (\S.{0,100}?)\s*$")
_TITLE = re.compile(r"\s{0,8}(Host to Device|Device to Host|Device to Device) Bandwidth, (\d{1,4}) Device")
_MEMORY = re.compile(r"\s{0,8}(PINNED|PAGEABLE) Memory Transfers")
_HEADER = re.compile(r"\s{0,8}Transfer Size \(Bytes\)\s{1,40}Bandwidth\((MB|GB)/s\)")
_ROW = re.compile(r"\s{0,8}(\d{1,15})\s{1,40}(\d{1,9}(?:\.\d{1,6})?)\s*$")
_CSV = re.compile(
    r"\s{0,8}bandwidthTest-(H2D|D2H|D2D)(?:-(Pinned|Paged))?, Bandwidth = (\d{1,9}(?:\.\d{1,6})?) (MB|GB)/s,"
    r" Time = \S{1,20} s, Size = (\d{1,15}) bytes"
)
_SCALES = {"MB": MIB, "GB": GB}
"""The sample counts a MB as 2^20 bytes, a GB as 1e9."""
_DIRECTIONS = {
    "Host to Device": "host_to_device",
    "Device to Host": "device_to_host",
    "Device to Device": "hbm",
}
_SHORT = {"H2D": "host_to_device", "D2H": "device_to_host", "D2D": "hbm"}


@dataclass(slots=True)
class _Block:
    line: int
    devices: dict[str, str] = field(default_factory=dict)
    direction: str = ""
    memory: str = "pinned"
    scale: float = 0.0
    samples: list[Sample] = field(default_factory=list)


class CudaBandwidth(BlockReader[_Block]):
    """Reader of bandwidthTest's tables and of its one-line form (``--csv``)."""

    def feed(self, line: Line) -> bool:
        """Take a line of the test's output."""
        text = line.text
        if _BANNER in text:
            self._close()
            self._block = _Block(line.number)
            return True
        if self._block is None:
            if not _TITLE.match(text) and not _CSV.match(text):
                return False
            self._block = _Block(line.number)
        block = self._block
        if text.startswith("Result = "):
            self._close()
            return True
        return self._facts(text, block) or self._figures(line, block)

    def _facts(self, text: str, block: _Block) -> bool:
        if match := _DEVICE.match(text):
            if len(block.devices) < RANKS_MOST:
                block.devices[match.group(1)] = match.group(2)
        elif match := _TITLE.match(text):
            block.direction, block.scale, block.memory = _DIRECTIONS[match.group(1)], 0.0, "pinned"
        elif match := _MEMORY.match(text):
            block.memory = match.group(1).lower()
        elif match := _HEADER.match(text):
            block.scale = _SCALES[match.group(1)]
        else:
            return False
        return True

    def _figures(self, line: Line, block: _Block) -> bool:
        if match := _CSV.match(line.text):
            memory = "pageable" if match.group(2) == "Paged" else "pinned"
            rate = (real(match.group(3)) or 0.0) * _SCALES[match.group(4)]
            self._add(block, line, _operation(_SHORT[match.group(1)], memory), int(match.group(5)), rate)
            return True
        match = _ROW.match(line.text) if block.scale and block.direction else None
        if match is None:
            return False
        if not line.last:
            rate = (real(match.group(2)) or 0.0) * block.scale
            self._add(block, line, _operation(block.direction, block.memory), int(match.group(1)), rate)
        return True

    def _add(self, block: _Block, line: Line, operation: str, size: int, rate: float) -> None:
        if len(block.samples) >= SAMPLES_MOST:
            refuse(f"more than {SAMPLES_MOST:,} rows", line.number)
        if rate <= 0 or not size:
            return
        moved = 2 * size if operation == "hbm_copy" else size
        device = next(iter(block.devices), "0") if len(block.devices) <= 1 else "s"
        block.samples.append(Sample(operation, size, moved / rate, detail=f"GPU{device}"))

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        names = list(block.devices.values())
        gpus = tuple(GpuCount(name, names.count(name)) for name in dict.fromkeys(names))
        run = Run(self._file, "cuda-bandwidth-test", None, None, Machine(gpus=gpus), tuple(block.samples))
        text = "bandwidthTest without a figure: it failed or the log was cut"
        return [ParsedRun(block.line, run, None if block.samples else ParseError(text, block.line))]


def _operation(direction: str, memory: str) -> str:
    """The name of a copy: in a GPU's memory each byte is read and written, which the sample counts twice."""
    return "hbm_copy" if direction == "hbm" else f"{direction}_{memory}"
