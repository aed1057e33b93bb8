"""The prose of a file: lines that no reader takes, and what they say of NICs and of the port."""

import re
from dataclasses import dataclass, field, replace

from core.measurement import Notice, Observation, Run
from core.units import GB
from gpu_probe.parsers.limits import CELLS_OF_PROSE_MOST, PROSE_MOST, RANKS_MOST, RATES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.sentence.fields import listed_gpu, listed_words, plain_words
from gpu_probe.parsers.sentence.machine import gpu_in
from gpu_probe.parsers.sentence.network import stated_network
from gpu_probe.parsers.sentence.passages import unwrapped
from gpu_probe.parsers.sentence.port import board_of, port_of, slow_port
from gpu_probe.parsers.sentence.rate import has_more_rates

_IBSTATUS = re.compile(r"(?i)rate:\s")
"""A port as it is, not as it should be."""
LINES_MOST, LINE_MOST, _PARAGRAPH_MOST = 200, 400, 1500
_WORD_LETTERS = 10
"""Words of prose are shorter in the mean."""
_LOG = re.compile(
    r" NCCL (?:INFO|WARN|TRACE|ABORT|CALL)\b|\[\d+\] NCCL |\bUCX\s{1,4}(?:TRACE|DEBUG|INFO|WARN|DATA|REQ)\b"
)
_FROM = re.compile(
    r"_perf\b[^\n]{0,80}? -b (?:\d{1,3}[Gg]|(?:1[6-9]|[2-9]\d|\d{3,4})[Mm]|[1-9]\d{8,11})(?![\w.])"
)
"""The command of a test that begins at 16 MiB or more, so that its average is of large sizes alone."""
_AVERAGE = re.compile(r"#?\s{0,4}Avg bus bandwidth\s{1,8}: (\d{1,4}(?:\.\d{1,6})?)")


@dataclass(slots=True)
class Heard:
    """The lines of a file that no reader takes, as prose: what they say of NICs and ports."""

    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    average: float = 0.0
    large: bool = False
    first: int = 1
    cut: int = 0
    """The first line that was too much to be read as prose; 0 where all was."""

    def listen(self, line: Line) -> None:
        """Keep a line of prose."""
        if self.cut:
            return
        text = line.text.strip()
        if (
            not text
            or ((" NCCL " in text or "UCX " in text) and _LOG.search(text))
            or len(text) > _most(text)
        ):
            return
        if len(self.lines) >= LINES_MOST or sum(map(len, self.lines)) + len(text) > PROSE_MOST:
            self.cut = line.number
            return
        if name := listed_gpu(text):
            self.listed = [*self.listed, name][:RANKS_MOST]
            return
        self.first = self.first if self.lines else line.number
        self.large = self.large or _FROM.search(text) is not None
        if match := _AVERAGE.match(text):
            self.average = float(match.group(1)) * GB
        text = plain_words(text)
        self.lines.append(text)
        self.numbers.append(line.number)
        if not line.quoted:
            self.own.append(text)

    @property
    def text(self) -> str:
        """The prose as one text, with the GPUs that nvidia-smi lists."""
        words = listed_words(self.listed) if self.listed else ""
        return unwrapped([*self.lines, words] if words else self.lines)

    @property
    def left_out(self) -> str:
        """What is said of sentences that are too many to be read; empty where all were."""
        most = f"{LINES_MOST} lines or {PROSE_MOST:,} characters"
        return f"words from line {self.cut} on are not read: more than {most}" if self.cut else ""

    def noted(self, runs: list[Run]) -> list[Run]:
        """Runs that prose tells, with what of it was not read."""
        said = [Notice("prose_cut", self.left_out, self.cut)] if self.cut else []
        if len(runs) >= CELLS_OF_PROSE_MOST or has_more_rates(self.text):
            most = f"more than {RATES_MOST} rates or {CELLS_OF_PROSE_MOST} cells: those behind are not read"
            said.append(Notice("prose_cut", most, self.first))
        return [replace(run, warnings=(*run.warnings, *said)) for run in runs] if said else runs

    def adapters(self) -> tuple[Observation, ...]:
        """The NICs of a node as the prose beside a measurement states them."""
        return stated_network(self.text, self.first)

    def port(self) -> tuple[Observation, ...]:
        """The rate of a port as the prose beside a test of the network states it."""
        stated = port_of(unwrapped([line for line in self.lines if not _IBSTATUS.match(line)]))
        if stated is None:
            board, slow = board_of(self.text), slow_port(self.text)
            known = ("port_gbit", str(slow)) if slow else ("board", board)
            return (Observation(*known, "", self.first),) if known[1] else ()
        value = f"{stated.generation or 'port'} {stated.gbit_per_s}"
        return (Observation("port_stated", value, "", self.first),)

    def above(self, line: int) -> str:
        """The last line above another that names one GPU, where the whole names several; else the whole."""
        above = [text for text, number in zip(self.lines, self.numbers, strict=True) if number < line]
        return next((text for text in reversed(above) if gpu_in(text)), self.text)


def _most(text: str) -> int:
    """How long a line may be: a paragraph that no editor wrapped may be longer than data."""
    return _PARAGRAPH_MOST if ". " in text and text.count(" ") > len(text) // _WORD_LETTERS else LINE_MOST
