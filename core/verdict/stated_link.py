"""Copies against the rate that words give to the link of a pair: some boards join a pair by few links."""

from collections.abc import Sequence
from dataclasses import replace

from core.measurement import Run
from core.units import GB
from core.verdict.pair_rate import GOOD_COPY_SHARE, IMPOSSIBLE_SHARE
from core.verdict.records import PairVerdict, Reason, Status


def by_stated_link(run: Run, pairs: Sequence[PairVerdict]) -> list[PairVerdict]:
    """The pairs, those fine that reach the rate which the words of the run give to their link."""
    told = next((item.value for item in run.observations if item.kind == "link_stated"), "")
    stated = float(told) if told else 0.0
    return [_judged(pair, stated) if pair.status is Status.LOW and stated else pair for pair in pairs]


def _judged(pair: PairVerdict, stated: float) -> PairVerdict:
    share = (pair.measured_bytes_per_s or 0.0) / stated
    if not GOOD_COPY_SHARE <= share <= IMPOSSIBLE_SHARE or stated >= (pair.expected_bytes_per_s or 0.0):
        return pair
    text = f"{share:.0%} of the {stated / GB:.4g} GB/s that the words give to this link"
    reason = Reason("as_expected", text)
    return replace(pair, expected_bytes_per_s=stated, status=Status.FINE, reason=reason)
