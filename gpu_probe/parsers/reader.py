"""What a reader of log lines is, and a run with its place in the file."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from core.measurement import Notice, Run
from gpu_probe.parsers.limits import NOTICES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.problem import ParseError


@dataclass(frozen=True, slots=True)
class ParsedRun:
    """A run and the line where it began; ``problem`` says why it holds nothing."""

    line: int
    run: Run
    problem: ParseError | None = None


class Reader(Protocol):
    """
    A reader of one format, fed line by line.

    ``feed`` returns whether the line belongs to a block of this format; the line is then offered
    to no other reader, so every block of a file is claimed once.
    """

    @property
    def busy(self) -> bool:
        """Whether a block has begun and not ended."""

    def feed(self, line: Line) -> bool:
        """Take one line, or decline it."""

    def finish(self) -> list[ParsedRun]:
        """All blocks that were found, the open one included."""


Block = TypeVar("Block")
"""What a reader has gathered of a block that is not over."""


class BlockReader(ABC, Generic[Block]):
    """A reader with one block open at a time: formats add what begins a block and what it holds."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        self._file = file
        self._runs: list[ParsedRun] = []
        self._block: Block | None = None

    @property
    def busy(self) -> bool:
        """Whether a block is open."""
        return self._block is not None

    def finish(self) -> list[ParsedRun]:
        """All blocks, the open one included."""
        self._close()
        return self._runs

    def _close(self) -> None:
        """End the open block, if there is one."""
        block, self._block = self._block, None
        if block is not None:
            self._runs += self._parsed(block)

    @abstractmethod
    def _parsed(self, block: Block, /) -> Iterable[ParsedRun]:
        """The runs of a block that is over."""


@dataclass(slots=True)
class Notices:
    """Warnings of one run, of which a hostile file can make only so many."""

    kept: list[Notice] = field(default_factory=list)
    dropped: int = 0

    def add(self, code: str, message: str, line: int | None = None) -> None:
        """Keep a warning, or count it."""
        if len(self.kept) < NOTICES_MOST:
            self.kept.append(Notice(code, " ".join(message.split())[:500], line))
        else:
            self.dropped += 1

    def all(self) -> tuple[Notice, ...]:
        """What was kept, with a last word on what was not."""
        more = [Notice("more_warnings", f"{self.dropped} more warnings")] if self.dropped else []
        return (*self.kept, *more)
