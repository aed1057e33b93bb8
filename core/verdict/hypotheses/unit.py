"""A rate told in Gb/s that may be one in GB/s, the unit that the tests print."""

from core.verdict.hypotheses.case import SOME, Case, Hypothesis
from core.verdict.records import NextTest, Reason

_BITS = 8
_LN_SPREAD = 0.15
_PRIOR = 0.2
_TEST = NextTest(
    "all_reduce_perf -b 8G -e 8G -g <GPUs>",
    "busbw in GB/s as nccl-tests and rccl-tests print it: the number that was told, or an eighth of it",
    "the tool's own output, whose unit is GB/s",
)


def bits_for_bytes(case: Case) -> list[Hypothesis]:
    """Eight times the expected time, where words tell the rate in bits."""
    said = case.evidence.quote("unit_stated")
    if not said:
        return []
    text = "as expected if the rate is in GB/s, as nccl-tests prints it, and not in Gb/s as told"
    reason = Reason("unit_misread", text, "GB/s told as Gb/s")
    times_s = _BITS * case.expected_s
    return [Hypothesis(reason, _PRIOR, times_s, max(case.ln_spread, _LN_SPREAD), _TEST, SOME, said)]
