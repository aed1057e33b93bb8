"""Too few channels: not enough SMs copy."""

from core.units import GB
from core.verdict.evidence import whole
from core.verdict.hypotheses.case import AGAINST, SOME, STRONG, Case, Hypothesis
from core.verdict.records import NextTest, Reason

CHANNEL_BYTES_PER_S = 22 * GB
"""Bus bandwidth of one channel: NCCL's own tuning counts 20 (A100) to 30 (H100) GB/s for one."""
_LN_SPREAD = 0.35
_LIMITS = ("NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS", "NCCL_MAX_NRINGS")
_TEST = NextTest(
    "NCCL_DEBUG=INFO <command> | grep 'coll channels'; then with NCCL_MIN_NCHANNELS=16 (NCCL_MIN_CTAS)",
    "the rate rises with the number of channels",
    "NCCL_DEBUG=INFO, grep 'coll channels'",
)


def few_channels(case: Case) -> list[Hypothesis]:
    """As many times a channel's rate as the log says there are; unknown numbers may mean any factor."""
    evidence = case.evidence
    limited = next((name for name in _LIMITS if whole(evidence.setting(name)) is not None), None)
    count = whole(evidence.setting(limited)) if limited else evidence.channels
    text = "too few channels: not enough SMs copy"
    if count is None:
        reason = Reason("few_channels", text, "too few channels")
        return [Hypothesis(reason, 0.03, None, 0.0, _TEST)]
    rate = max(1, count) * CHANNEL_BYTES_PER_S
    expected = float((case.factor * case.size_bytes / case.expected_s).max())
    ln_lines = AGAINST if rate >= expected else STRONG if limited else SOME
    said = (f"{limited}={count}",) if limited else evidence.quote("channels")
    reason = Reason("few_channels", f"{text} ({count})", f"{count} channels")
    return [Hypothesis(reason, 0.08, case.at_busbw(rate), _LN_SPREAD, _TEST, ln_lines, said)]
