"""Weighs hypotheses by the measured curve and the lines of the log."""

import math
from collections.abc import Sequence

import numpy as np

from core.checks import Floats
from core.verdict.hypotheses import PROPOSALS, Case, Hypothesis
from core.verdict.records import Cause, NextTest, Reason

DEGREES = 4.0
"""Of freedom of the Student t: a curve that is a little off is not ruled out."""
ANY_FACTOR_LN, BEYOND = math.log(10.0), 3.0
"""A cause without a curve may slow a run down by any factor up to ten, all as likely; more, ever less so."""
UNKNOWN_FACTOR_LN = math.log(100.0)
SHAPE_LN, SHAPE_MOST = 0.2, 2.5
"""Ln time by which sizes may scatter around a hypothesis' curve, and the most that may count against it."""
UNKNOWN_PRIOR = 0.25
MOST_CAUSES = 3
LEAST_WEIGHT = 0.05
UNNAMED = ("below_the_band", "below_the_wire")
"""Codes that name no cause."""
UNKNOWN = Reason("below_the_band", "slower than systems of this kind; no known cause fits", "no known cause")
_UNKNOWN_TEST = NextTest(
    "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET,TUNING <command>; nvidia-smi topo -m",
    "network, adapters, transports and algorithm that NCCL chose: check the log with these lines in it",
    "NCCL_DEBUG=INFO and check that log",
)


def likely_causes(case: Case) -> tuple[Cause, ...]:
    """
    The causes by weight, most likely first; what is below a twentieth is left out.

    That none of them is the one stands last, where it leaves room: it tells nobody what to look at.
    """
    hypotheses = [item for propose in PROPOSALS for item in propose(case)]
    hypotheses.append(Hypothesis(UNKNOWN, UNKNOWN_PRIOR, None, UNKNOWN_FACTOR_LN, _UNKNOWN_TEST))
    weights = normal([ln_weight(item, case) for item in hypotheses])
    by_code: dict[str, list[tuple[float, Hypothesis]]] = {}
    for item, weight in zip(hypotheses, weights, strict=True):
        by_code.setdefault(item.reason.code, []).append((float(weight), item))
    return ranked([_cause(group) for group in by_code.values()])


def ranked(causes: Sequence[Cause]) -> tuple[Cause, ...]:
    """At most three of some weight, the likeliest first and the unknown one last."""
    likely = [cause for cause in causes if cause.weight >= LEAST_WEIGHT]
    return tuple(
        sorted(likely, key=lambda cause: (cause.reason.code in UNNAMED, -cause.weight))[:MOST_CAUSES]
    )


def _cause(group: Sequence[tuple[float, Hypothesis]]) -> Cause:
    """Hypotheses of one code together, in the words of the likeliest."""
    _, best = max(group, key=lambda pair: pair[0])
    return Cause(best.reason, sum(weight for weight, _ in group), best.lines, best.test)


def as_expected_weight(case: Case) -> float:
    """
    Probability that a run near the slow end of its interval is as expected, against all causes.

    Between two nodes rings at the full rate of the NICs are as expected as the model's own choice.
    """
    hypotheses = [item for propose in PROPOSALS for item in propose(case)]
    prior = sum(item.prior for item in hypotheses) + UNKNOWN_PRIOR
    spread, reason = max(case.ln_spread, 0.05), Reason("as_expected", "")
    rings = case.rings_s is not None and bool(np.all(case.rings_s > 0))
    curves = [case.expected_s, case.rings_s] if rings else [case.expected_s]
    expected = [Hypothesis(reason, prior, curve, spread, _UNKNOWN_TEST) for curve in curves]
    weights = normal([ln_weight(item, case) for item in (*expected, *hypotheses)])
    return float(weights[: len(expected)].sum())


def ln_weight(hypothesis: Hypothesis, case: Case) -> float:
    """Ln of prior times likelihood of curve and lines."""
    curve = hypothesis.expected_s
    offsets = np.log(case.times_s / (case.expected_s if curve is None else curve))
    offset = float(np.median(offsets))
    scatter = float(np.median(np.abs(offsets - offset))) if len(offsets) else 0.0
    shape = -min(SHAPE_MOST, scatter / SHAPE_LN)
    if curve is None:
        most = hypothesis.ln_spread or ANY_FACTOR_LN
        level = -math.log(most) - BEYOND * max(0.0, offset - most)
    else:
        level = ln_student(offset, hypothesis.ln_spread)
    return math.log(hypothesis.prior) + hypothesis.ln_lines + level + shape


def ln_student(offset: float, ln_spread: float) -> float:
    """Ln of the density of a Student t of this scale."""
    norm = (
        math.lgamma((DEGREES + 1) / 2)
        - math.lgamma(DEGREES / 2)
        - math.log(math.sqrt(DEGREES * math.pi) * ln_spread)
    )
    return norm - (DEGREES + 1) / 2 * math.log1p((offset / ln_spread) ** 2 / DEGREES)


def normal(ln_weights: Sequence[float]) -> Floats:
    """Weights that sum to one."""
    values = np.array(ln_weights, dtype=np.float64)
    weights = np.exp(values - values.max())
    shares: Floats = weights / weights.sum()
    return shares
