"""Each call starts late, by as much at every size: a slow host or a long path, no lack of bandwidth."""

import numpy as np

from core.units import US
from core.verdict.hypotheses.case import SOME, Case, Hypothesis
from core.verdict.records import NextTest, Reason

_PRIOR, _LN_SPREAD = 0.12, 0.15
_LEAST_SHARE = 0.05
"""Of the expected time: below it a late start slows no size down."""
_TEST = NextTest(
    "<command> -b 8 -e 64K -n 1000; cpupower frequency-info; NCCL_DEBUG=INFO <command> | grep -E ' via '",
    "as many microseconds too many at 8 B as here: power saving of CPUs, ranks on wrong or shared cores, "
    "GPUs far from their NICs; bandwidth is not what lacks",
    "the same from 8 B on, and CPU power settings",
)


def late_start(case: Case) -> list[Hypothesis]:
    """
    The expected times and what small sizes take too long, where that would be felt at these sizes.

    Small sizes that are late too are rare under causes of low bandwidth, so they count as a line does.
    """
    if case.late_s <= 0 or not np.any(case.late_s > _LEAST_SHARE * case.expected_s):
        return []
    text = (
        f"latency-bound: every call takes some {case.late_s / US:.3g} µs more than expected, small ones too"
    )
    reason = Reason("latency_bound", text, "latency-bound")
    return [Hypothesis(reason, _PRIOR, case.expected_s + case.late_s, _LN_SPREAD, _TEST, SOME)]
