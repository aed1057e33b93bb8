"""OSU micro-benchmarks between GPUs (``osu_allreduce -d cuda``, ``osu_bw D D``): times of MPI, not NCCL."""

import re
from dataclasses import dataclass, field

from core.measurement import Machine, Notice, Run, Sample
from core.units import MB, US
from gpu_probe.parsers.limits import RANKS_MOST, SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real, whole
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.reader import BlockReader, ParsedRun

FORMAT = "osu"
_TITLE = re.compile(
    r"\s{0,12}#?\s{0,3}OSU (?:MPI-(?:CUDA|ROCM|OPENACC)|NCCL|xCCL)\S{0,20} (.{0,60}?)\s?"
    r"(Latency|Bi-Directional Bandwidth|Bandwidth) Test v?(\S{0,20})",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\s{0,12}#\s{0,3}Size\s")
_TIME, _RATE = re.compile(r"(Avg |)Latency ?\(us\)"), re.compile(r"Bandwidth ?\(MB/s\)")
_SPREAD = re.compile(r"Min Latency ?\(us\)\s{1,20}Max Latency ?\(us\)")
_LAUNCH = re.compile(r"\bosu_(?:[a-z_]{2,20})\b")
_COUNT = re.compile(r"(?:^|\s)(?:-np?|--ntasks)[ =](\d{1,6})\b")
_NODES = re.compile(r"(?:^|\s)(?:-N ?|--nodes[ =])(\d{1,5})\b")
_EACH = re.compile(r"(?:^|\s)(?:--ntasks-per-node|--npernode|-npernode|-ppn|--ppn)[ =](\d{1,3})\b")
_NAMES = {
    "": "send_recv",
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reduce_scatter": "reduce_scatter",
    "all-to-all personalized exchange": "all_to_all",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "gather": "gather",
    "scatter": "scatter",
}
_OF_ONE_RANK = ("all_gather", "all_to_all", "gather", "scatter")
"""Where the size column counts what one rank sends to one other; nccl-tests counts it for all."""
_PAIR = 2


@dataclass(slots=True)
class _Block:
    line: int
    operation: str | None
    title: str
    version: str
    ranks: int | None
    both_ways: bool
    is_rate: bool = False
    has_spread: bool = False
    open: bool = False
    samples: list[Sample] = field(default_factory=list)


class Osu(BlockReader[_Block]):
    """Reader of OSU's tables of GPU buffers; those of host memory say nothing of a GPU."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        super().__init__(file)
        self._ranks: int | None = None

    def feed(self, line: Line) -> bool:
        """Take a title, the header below it, or a row."""
        text = line.text
        if "osu_" in text and _LAUNCH.search(text):
            self._close()
            self._ranks = _launched(text)
            return False
        if "OSU " in text and (match := _TITLE.match(text)):
            self._close()
            self._block = self._opened(match, line.number)
            return True
        block = self._block
        if block is None:
            return False
        if _HEADER.match(text):
            block.is_rate, block.open = _RATE.search(text) is not None, True
            block.has_spread = _SPREAD.search(text) is not None
            return True
        return (block.open and self._row(line, block)) or text.lstrip().startswith("# ")

    def _opened(self, match: re.Match[str], number: int) -> _Block:
        title, what, version = match.group(1).strip().lower(), match.group(2).lower(), match.group(3)
        operation = _NAMES.get(title)
        ranks = _PAIR if operation == "send_recv" else self._ranks
        return _Block(number, operation, title, version, ranks, both_ways=what.startswith("bi"))

    def _row(self, line: Line, block: _Block) -> bool:
        words = line.text.split()
        size = whole(words[0]) if words else None
        value = real(words[1]) if len(words) > 1 and size is not None else None
        if size is None or value is None:
            return False
        if line.last or not size or value <= 0:
            return True
        if len(block.samples) >= SAMPLES_MOST:
            refuse(f"more than {SAMPLES_MOST:,} rows", line.number)
        times = [(2 if block.both_ways else 1) * size / (value * MB) if block.is_rate else value * US]
        if block.has_spread:
            times += [figure * US for word in words[2:4] if (figure := real(word))]
        low, high = times[1:3] if len(times) > _PAIR else (None, None)
        scale = block.ranks if block.operation in _OF_ONE_RANK and block.ranks else 1
        block.samples.append(Sample(block.operation, size * scale, times[0], low_s=low, high_s=high))
        return True

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        notices = (
            Notice(FORMAT, "measured through MPI: what is expected here is of NCCL and RCCL", block.line),
        )
        collective = block.operation
        run = Run(
            self._file, FORMAT, collective, block.ranks, Machine(), tuple(block.samples), (), notices,
            tool_version=block.version or None,
        )  # fmt: skip
        return [ParsedRun(block.line, run, _problem(block))]


def _problem(block: _Block) -> ParseError | None:
    if block.operation is None:
        return ParseError(f"OSU's {block.title} test, which has no counterpart here", block.line)
    if not block.samples:
        return ParseError("an OSU test without rows: it failed or the log was cut", block.line)
    if block.operation in _OF_ONE_RANK and block.ranks is None:
        text = f"OSU's {block.title} counts the bytes of one rank: bring the command with the number of ranks"
        return ParseError(text, block.line)
    return None


def _launched(text: str) -> int | None:
    """Ranks that a command line starts; None where it does not say."""
    each, nodes, count = _EACH.search(text), _NODES.search(text), _COUNT.search(text)
    if count is not None:
        ranks = int(count.group(1))
    elif each is not None and nodes is not None:
        ranks = int(each.group(1)) * int(nodes.group(1))
    else:
        return None
    return ranks if 1 < ranks <= RANKS_MOST else None
