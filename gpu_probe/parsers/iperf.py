"""``iperf`` and ``iperf3``: TCP or UDP between two hosts, judged by the port that words name."""

import re
from dataclasses import dataclass, field

from core.measurement import Machine, Notice, Run, Sample
from core.units import GIGABIT_BYTES, MIB
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import BlockReader, ParsedRun

_ROW = re.compile(
    r"\s{0,6}(?:\[ {0,4}(?P<stream>\d{1,4}|SUM)\])?(?:\[[TR]X-[SC]\])?\s{1,6}"
    r"(?P<start>\d{1,6}\.\d{1,4})- {0,4}(?P<end>\d{1,6}\.\d{1,4})\s{1,4}sec\s{1,8}"
    r"\d{1,7}(?:\.\d{1,3})? [KMGT]?Bytes\s{1,8}(?P<rate>\d{1,7}(?:\.\d{1,3})?) (?P<unit>[KMGT]?)bits/sec"
    r"(?P<rest>.{0,120})$"
)
_HEADER = re.compile(
    r"\s{0,6}\[ {0,3}ID\]\s{1,4}Interval\b|\s{0,4}(?:- ){8,}|\s{0,6}\[ {0,4}\d{1,4}\] local \d"
)
_SUM = re.compile(r"\[SUM\]")
_UDP = re.compile(r"\s\d{1,7}\.\d{1,4} ms\s{1,4}\d{1,9}/ {0,8}\d{1,9}\s")
_CONNECTS = re.compile(r"(?i)\b(?:connect(?:ed|ing) (?:to|with)(?: host)?|iperf3? .{0,80}-c) (\S{1,80})")
_ITSELF = re.compile(r"(?i)127\.\d|localhost\b|::1\b")
"""A host that is asked by its own name: no NIC takes part."""
_GIGABITS = {"": 1e-9, "K": 1e-6, "M": 1e-3, "G": 1.0, "T": 1e3}
_LOOPBACK = "iperf of a host with itself, which no NIC carries: name the other host"
_ROWS_MOST = 100_000
_LARGE_BYTES = int(MIB)


@dataclass(slots=True)
class _Block:
    line: int
    longest_s: float = 0.0
    by_stream: dict[str, float] = field(default_factory=dict)
    sent: dict[str, float] = field(default_factory=dict)
    udp: bool = False
    local: bool = False


class Iperf(BlockReader[_Block]):
    """Reader of the rows of both: of a test the longest interval counts, of all streams together."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        super().__init__(file)
        self._rows, self._local = 0, False

    def feed(self, line: Line) -> bool:
        """Take a row, or what stands between the rows of one test."""
        text = line.text
        if "bits/sec" in text and self._rows < _ROWS_MOST and (match := _ROW.match(f" {text}")):
            self._rows += 1
            self._block = self._block or _Block(line.number, local=self._local)
            _add(self._block, match)
            return True
        if ("onnect" in text or "iperf" in text) and (connects := _CONNECTS.search(text)):
            self._local = _ITSELF.match(connects.group(1)) is not None
        if self._block is None:
            return False
        if _HEADER.match(text) or not text.strip():
            return bool(text.strip())
        self._close()
        return False

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        rates = block.by_stream or block.sent
        streams = [name for name in rates if name != "SUM"]
        rate = rates["SUM"] if "SUM" in rates else sum(rates.values())
        if rate <= 0:
            return []
        words = ["the NIC", "UDP" if block.udp else "TCP"]
        words += [f"{len(streams)} stream{'s' if len(streams) > 1 else ''}"] if streams else []
        bytes_per_s = rate * GIGABIT_BYTES
        sample = Sample("tcp_stream", _LARGE_BYTES, _LARGE_BYTES / bytes_per_s, detail=", ".join(words))
        notice = Notice("iperf", "iperf between two hosts; it does not tell the rate of the port", block.line)
        run = Run(self._file, "perftest", None, None, Machine(), (sample,), warnings=(notice,))
        problem = ParseError(_LOOPBACK, block.line) if block.local else None
        return [ParsedRun(block.line, run, problem)]


def _add(block: _Block, match: re.Match[str]) -> None:
    """A row: what was received counts before what was sent, longer intervals before shorter ones."""
    length = float(match["end"]) - float(match["start"])
    if length > block.longest_s:
        block.longest_s, block.by_stream, block.sent = length, {}, {}
    if length < block.longest_s:
        return
    kept = block.sent if "sender" in match["rest"] else block.by_stream
    kept[match["stream"] or "SUM"] = float(match["rate"]) * _GIGABITS[match["unit"]]
    block.udp = block.udp or _UDP.search(f"{match['rest']} ") is not None
