"""Copies against the link that words tell: of a pair joined by few NVLinks, of a slot with few lanes."""

from collections.abc import Sequence
from dataclasses import replace

from core.measurement import Run
from core.units import GB, whole_percent
from core.verdict.pair_rate import GOOD_COPY_SHARE, IMPOSSIBLE_SHARE
from core.verdict.records import PairVerdict, Reason, Status

_STATED = ("link_stated", "lanes_stated")
_LANES = 16.0
"""Of a slot as the catalog has it."""


def by_stated_link(run: Run, pairs: Sequence[PairVerdict]) -> list[PairVerdict]:
    """The pairs, those fine that reach the rate which the words of the run give to their link."""
    said = {item.kind: float(item.value) for item in run.observations if item.kind in _STATED}
    link, lanes = said.get("link_stated", 0.0), said.get("lanes_stated", _LANES)
    return [
        _judged(pair, link or lanes / _LANES * (pair.expected_bytes_per_s or 0.0))
        if pair.status is Status.LOW and (link or lanes < _LANES)
        else pair
        for pair in pairs
    ]


def _judged(pair: PairVerdict, stated: float) -> PairVerdict:
    share = (pair.measured_bytes_per_s or 0.0) / stated
    if not GOOD_COPY_SHARE <= share <= IMPOSSIBLE_SHARE or stated >= (pair.expected_bytes_per_s or 0.0):
        return pair
    text = f"{whole_percent(share)} of the {stated / GB:.4g} GB/s that the words give to this link"
    reason = Reason("as_expected", text)
    return replace(pair, expected_bytes_per_s=stated, status=Status.FINE, reason=reason)
