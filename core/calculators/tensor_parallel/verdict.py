"""Which tensor-parallel degree to take: one for latency, one for tokens/s per GPU."""

from collections.abc import Sequence

from core.calculators.tensor_parallel.answer import Degree, DegreeVerdict
from core.units import format_number

SAME = 1.005
"""Below this ratio two figures are the same to three digits."""


def verdict(rows: Sequence[Degree]) -> DegreeVerdict:
    """The verdict over the degrees of one question."""
    fitting = [row for row in rows if row.fits]
    candidates = fitting or list(rows)
    fastest = min(candidates, key=lambda row: row.step_s)
    densest = max(candidates, key=lambda row: row.tokens_per_s_per_gpu)
    others = [row for row in candidates if row is not fastest]
    rival = densest if densest is not fastest else min(others, key=lambda row: row.step_s, default=None)
    text = _text(fastest, densest, rival)
    if not fitting:
        text = f"No degree fits the memory; if one did: {text}"
    elif len(candidates) == 1 < len(rows):
        text = f"Only TP{fastest.tp} fits."
    return DegreeVerdict(
        latency_tp=fastest.tp,
        throughput_tp=densest.tp,
        rival_tp=rival.tp if rival else None,
        speedup=rival.step_s / fastest.step_s if rival and fastest.step_s > 0 else None,
        latency_tokens_per_s_per_gpu=fastest.tokens_per_s_per_gpu,
        throughput_tokens_per_s_per_gpu=densest.tokens_per_s_per_gpu,
        text=text,
    )


def _text(fastest: Degree, densest: Degree, rival: Degree | None) -> str:
    if rival is None:
        return f"TP{fastest.tp} is the only degree."
    gain = rival.step_s / fastest.step_s if fastest.step_s > 0 else 1.0
    faster = (
        f"{gain:.2f}× as fast as TP{rival.tp}" if gain >= SAME else f"as fast as TP{rival.tp} within 0.5 %"
    )
    if densest is fastest:
        return f"TP{fastest.tp} for latency, {faster}, and for tokens/s per GPU."
    more, fewer = (format_number(row.tokens_per_s_per_gpu) for row in (densest, fastest))
    against = f"{more} against {fewer}" if more != fewer else f"{more}, within 0.5 % of TP{fastest.tp}"
    return f"TP{fastest.tp} for latency, {faster}; TP{densest.tp} for tokens/s per GPU, {against}."
