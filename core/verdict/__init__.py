"""Is my number OK? A measured run against what its system should do."""

from core.verdict.file import EVIDENCE_CODE, judge_runs
from core.verdict.headline import headline, measured_rates
from core.verdict.judge import guess_warnings, judge_run
from core.verdict.records import (
    Cause,
    NextStep,
    NextTest,
    PairVerdict,
    Reason,
    RunVerdict,
    SizeVerdict,
    Status,
)

__all__ = [
    "EVIDENCE_CODE",
    "Cause",
    "NextStep",
    "NextTest",
    "PairVerdict",
    "Reason",
    "RunVerdict",
    "SizeVerdict",
    "Status",
    "guess_warnings",
    "headline",
    "judge_run",
    "judge_runs",
    "measured_rates",
]
