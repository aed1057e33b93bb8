"""Versions of NCCL known to be slow somewhere, each with its source."""

from dataclasses import dataclass

from core.verdict.hypotheses.case import SOME, Case, Hypothesis
from core.verdict.records import NextTest, Reason


@dataclass(frozen=True, slots=True)
class Regression:
    """
    What a version does slowly.

    Attributes:
        first, fixed: Versions: slow from the first on, mended in the other.
        what: Where it is slow.
        source: Who says so.
    """

    first: tuple[int, ...]
    fixed: tuple[int, ...]
    what: str
    source: str


REGRESSIONS: tuple[Regression, ...] = ()
"""Sourced entries only."""


def known_regression(case: Case) -> list[Hypothesis]:
    """A library whose version is known to be slow, or an older one than the GPU's generation needs."""
    version = _parsed(case.evidence.version)
    test = NextTest(
        "<command> with another NCCL (LD_PRELOAD=/path/to/libnccl.so.2), the newest and one before",
        "the rate changes with the version: a bug or a tuning of that version",
        "another NCCL version",
    )
    known = [item for item in REGRESSIONS if version and item.first <= version < item.fixed]
    if known:
        text = f"NCCL {case.evidence.version}: {known[0].what} ({known[0].source})"
        reason = Reason("nccl_version", text, f"NCCL {case.evidence.version}")
        return [Hypothesis(reason, 0.1, None, 0.0, test, SOME, (f"NCCL version {case.evidence.version}",))]
    named = f" (here {case.evidence.version})" if case.evidence.version else ""
    reason = Reason("nccl_version", f"a bug or tuning of this NCCL version{named}", "NCCL version")
    return [Hypothesis(reason, 0.04, None, 0.0, test)]


def _parsed(version: str | None) -> tuple[int, ...]:
    return tuple(int(part) for part in (version or "").split(".") if part.isdigit())
