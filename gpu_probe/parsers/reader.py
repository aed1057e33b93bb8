"""What a reader of log lines is, and a run with its place in the file."""

from dataclasses import dataclass, field
from typing import Protocol

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
