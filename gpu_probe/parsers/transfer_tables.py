"""Tables of ``ucx_perftest`` and ``nixlbench``: rates of transfers, judged by the port as perftest's are."""

import re
from dataclasses import dataclass, field

from core.measurement import Machine, Notice, Run, Sample
from core.units import GB, MIB
from gpu_probe.parsers.limits import SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import refuse
from gpu_probe.parsers.reader import BlockReader, ParsedRun

TABLE = "transfer_table"
"""Code of the notice that marks such a run: what carried it is not told."""
_HEADS = ("Stage", "# iterations", "Block Size (B)")
_SIGNS = (*_HEADS, "ucx_perftest", "memory:", "_seg_type=", "Accepted connection")
_UCX = re.compile(r"\s{0,8}\|\s{1,12}(?:Stage\s{1,12}\|\s{0,8})?#\s{0,4}iterations\s{0,8}\|")
_UCX_ROW = re.compile(r"\s{0,30}(?:(?:\[thread \d{1,4}\]|Final:)\s{1,30})?(?=\d)")
_NIXL = re.compile(r"\s{0,8}Block Size \(B\)\s{1,20}Batch Size\s{1,20}\S")
_NIXL_ROW = re.compile(r"\s{0,8}\d{1,18}\s{1,20}\d{1,9}\s{1,20}\d")
_BANDWIDTH = re.compile(r"B/W \((GB|MiB)/Sec\)")
_GAP = re.compile(r"\s{2,60}")
_RULE = re.compile(r"\s{0,8}[-+*|=]{8,400}\s*$")
_IN_GPU = re.compile(
    r"\| (?:Send|Recv) memory:\s{1,12}(?:cuda|rocm)|seg_type=[^)]{0,30}\)\s{0,60}:\s{0,8}VRAM"
    r"|\bucx_perftest\b.{0,200} -m (?:cuda|rocm)"
)
_LOCAL = re.compile(r"Accepted connection from (?:127\.|localhost|::1)")
_UCX_COLUMNS, _OVERALL, _MESSAGES = 8, 5, 7
"""Of a row of ucx_perftest: its columns, and those of all MB/s and messages/s so far; a MB is 2^20 bytes."""
_MESSAGE_MOST_BYTES = 1 << 50
_SHORTEST_S, _LONGEST_S = 1e-12, 1e9


@dataclass(slots=True)
class _Block:
    line: int
    tool: str
    column: int = 0
    scale: float = 0.0
    rows: list[tuple[int, float]] = field(default_factory=list)


class TransferTables(BlockReader[_Block]):
    """Reader of both tools; a test within one host is none of the network and is passed over."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        super().__init__(file)
        self._on_gpu = self._local = False

    def feed(self, line: Line) -> bool:
        """Take a header, or a row under one."""
        text = line.text
        if self._block is None and not any(sign in text for sign in _SIGNS):
            return False
        if self._is_context(text):
            return False
        if opened := _opened(text, line.number):
            self._close()
            self._block = opened
            return True
        return self._block is not None and self._row(text, line)

    def _is_context(self, text: str) -> bool:
        self._on_gpu = self._on_gpu or _IN_GPU.search(text[:300]) is not None
        self._local = self._local or _LOCAL.search(text[:300]) is not None
        return self._block is None and not any(sign in text for sign in _HEADS)

    def _row(self, text: str, line: Line) -> bool:
        block = self._block
        if block is None or _RULE.match(text):
            return block is not None
        found = _ucx_row(text) if block.tool == "ucx_perftest" else _nixl_row(text, block)
        if found is None:
            if block.rows:
                self._close()
            return False
        if len(block.rows) >= SAMPLES_MOST:
            refuse(f"more than {SAMPLES_MOST:,} rows", line.number)
        if _SHORTEST_S < found[0] / found[1] < _LONGEST_S:
            block.rows.append(found)
        return True

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        rows = block.rows[-1:] if block.tool == "ucx_perftest" else block.rows
        if not rows or self._local:
            return []
        detail = f"the NIC, {block.tool}{', GPU memory' if self._on_gpu else ''}"
        samples = tuple(Sample("rdma_transfer", size, size / rate, detail=detail) for size, rate in rows)
        notice = Notice(TABLE, f"{block.tool} does not tell what carried it", block.line)
        run = Run(self._file, "perftest", None, None, Machine(), samples, warnings=(notice,))
        return [ParsedRun(block.line, run)]


def _opened(text: str, number: int) -> _Block | None:
    """The block that a header begins; None for another line."""
    if _UCX.match(text):
        return _Block(number, "ucx_perftest")
    if not _NIXL.match(text):
        return None
    names = _GAP.split(text.strip()[:600])
    found = [(place, match[1]) for place, name in enumerate(names) if (match := _BANDWIDTH.fullmatch(name))]
    if not found:
        return None
    place, unit = found[-1]
    return _Block(number, "nixlbench", place, GB if unit == "GB" else MIB)


def _ucx_row(text: str) -> tuple[int, float] | None:
    """Message size and bytes/s of a row of ucx_perftest; None for another line."""
    match = _UCX_ROW.match(text)
    words = text[match.end() :].split() if match else []
    if len(words) != _UCX_COLUMNS:
        return None
    rate, messages = real(words[_OVERALL]), real(words[_MESSAGES])
    if not rate or not messages or min(rate, messages) <= 0:
        return None
    size = rate * MIB / messages
    return (max(1, round(size)), rate * MIB) if size < _MESSAGE_MOST_BYTES else None


def _nixl_row(text: str, block: _Block) -> tuple[int, float] | None:
    """Block size and bytes/s of a row of nixlbench; None for another line."""
    words = text.split()
    if not _NIXL_ROW.match(text) or len(words) <= block.column:
        return None
    value = real(words[block.column])
    return (int(words[0]), value * block.scale) if value and value > 0 and int(words[0]) else None
