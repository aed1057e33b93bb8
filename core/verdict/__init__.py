"""Is my number OK? A measured run against what its system should do."""

from core.verdict.headline import headline
from core.verdict.judge import guess_warnings, judge_run
from core.verdict.records import PairVerdict, Reason, RunVerdict, SizeVerdict, Status

__all__ = [
    "PairVerdict",
    "Reason",
    "RunVerdict",
    "SizeVerdict",
    "Status",
    "guess_warnings",
    "headline",
    "judge_run",
]
