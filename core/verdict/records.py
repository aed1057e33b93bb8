"""The answer to "is my number OK?": for a size, for a pair of devices, for the whole run."""

from dataclasses import dataclass
from enum import StrEnum

UNTOLD_PORT = "the rate of the port"
"""Likewise in two NICs whose port nothing names, compared with the fastest test of the same paste."""
ASSUMED_NICS = "the number of NICs of a node"
"""What rests on nothing in a system that was assembled from a log that names no NICs."""


class Status(StrEnum):
    """How a measurement compares with what the system should do; printed as the verdict."""

    FINE = "fine"
    LOW = "low"
    HIGH = "high"
    IMPOSSIBLE = "impossible"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reason:
    """A likely cause: a stable code for scripts, one sentence for people, a few words for a headline."""

    code: str
    text: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class NextTest:
    """
    What separates a cause from the others.

    Attributes:
        command: To run next; ``<command>`` stands for the test itself.
        shows: What it shows if it is the cause.
        brief: The same for a headline.
    """

    command: str
    shows: str
    brief: str


@dataclass(frozen=True, slots=True)
class Cause:
    """
    One of the likely causes of a slow run.

    Attributes:
        reason: Code and words.
        weight: Its probability given curve and lines, among all that were considered; 0 to 1.
        lines: What in the log speaks for it.
        test: What to run next to be sure of it.
    """

    reason: Reason
    weight: float
    lines: tuple[str, ...]
    test: NextTest


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What the next command shows if a cause is the one.

    Attributes:
        reason: Of that cause.
        shows: In the command's own words.
    """

    reason: Reason
    shows: str


@dataclass(frozen=True, slots=True)
class NextStep:
    """
    The one command that separates the likely causes.

    Attributes:
        command: To run next; ``<command>`` stands for the test itself.
        outcomes: What it shows, cause by cause, in their order.
        brief: The same for a headline.
    """

    command: str
    outcomes: tuple[Outcome, ...]
    brief: str


@dataclass(frozen=True, slots=True)
class SizeVerdict:
    """
    One measured time of a collective against its expected band.

    Attributes:
        operation: The collective; None where the log does not name it.
        size_bytes: Message size as nccl-tests counts it.
        placement: ``out-of-place``, ``in-place`` or None.
        time_s: The measured time.
        expected_s: The model's time; None where nothing could be expected.
        low_s, high_s: The expected band around it; None likewise.
        floor_s: The least time in which the links can carry the bytes; None likewise.
        status, reason: The verdict on this size, and why.
    """

    operation: str | None
    size_bytes: int
    placement: str | None
    time_s: float
    expected_s: float | None
    low_s: float | None
    high_s: float | None
    floor_s: float | None
    status: Status
    reason: Reason


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """
    One cell of a matrix, or one copy, against the link that it should use.

    Attributes:
        what: Name of the matrix or copy.
        row, column: The two devices as the tool names them; ``column`` is empty for one device.
        measured_bytes_per_s, expected_bytes_per_s: Rates; None for a topology matrix.
        status, reason: The verdict on this pair, and why.
    """

    what: str
    row: str
    column: str
    measured_bytes_per_s: float | None
    expected_bytes_per_s: float | None
    status: Status
    reason: Reason


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """
    The answer for one run on one system.

    Attributes:
        status, reason: The verdict on the whole run, and why.
        sizes: One entry per sample of a collective, in the order of the run.
        pairs: One entry per cell of its matrices and per copy that has an expectation.
        collective, ranks: What was judged; guesses from the printed rates where the log is silent.
        local_ranks, domains: Ranks in each scale-up domain, and how many domains.
        basis: What the expectation rests on, such as a calibration.
        causes: Of a low run the likely causes, most likely first, at most three.
        next_step: What to run next to tell those causes apart; None where there is none.
        bottleneck: What limits such a run on this system, with its rate in both conventions.
        warnings: Remarks for people, one sentence each.
    """

    status: Status
    reason: Reason
    sizes: tuple[SizeVerdict, ...] = ()
    pairs: tuple[PairVerdict, ...] = ()
    collective: str | None = None
    ranks: int | None = None
    local_ranks: int | None = None
    domains: int | None = None
    basis: str = ""
    causes: tuple[Cause, ...] = ()
    next_step: NextStep | None = None
    bottleneck: str = ""
    warnings: tuple[str, ...] = ()
