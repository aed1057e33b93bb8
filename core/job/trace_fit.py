"""A line through the trace's own calls where no system is known: latency of a ring's step, rate of a link."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.collectives.formulas import busbw_factor
from core.job.explain import KindTotal
from core.job.kinds import Kind
from core.job.message_sizes import PRICED_AS
from core.job.prices import Prices

LONE_DEVIATION = 0.3
"""Of ln(measured / fitted) where there are no more kinds than terms of the line."""
BASIS = "fitted to the trace"


@dataclass(frozen=True, slots=True)
class TraceFit:
    """
    Seconds of a ring: ``steps * latency_s + bus factor * bytes / bytes_per_s``.

    Attributes:
        latency_s: Of one step.
        bytes_per_s: Of the bus; infinite where size made no difference.
        deviation: Standard deviation of ln(measured / fitted) over the kinds that the line does not use up.
        kinds: How many the fit rests on.
    """

    latency_s: float
    bytes_per_s: float
    deviation: float
    kinds: int

    def prices(self, kinds: Sequence[Kind]) -> Prices:
        """What the line says of each kind; NaN where bytes, ranks or operation are unknown."""
        steps, moved = _terms(kinds)
        time_s = steps * self.latency_s + moved / self.bytes_per_s
        spread = float(np.exp(self.deviation))
        return Prices(time_s, time_s / spread, time_s * spread, (BASIS,))


def fit_trace(totals: Sequence[KindTotal]) -> TraceFit | None:
    """
    The line through the kinds of a trace, each with the weight of its calls; of one kind alone its rate.

    None where no kind has bytes and a time.
    """
    steps, moved = _terms([total.kind for total in totals])
    times = np.array([total.time_s for total in totals])
    known = np.isfinite(times) & (times > 0) & np.isfinite(moved) & (moved > 0)
    if not known.any():
        return None
    if known.sum() == 1:
        return TraceFit(0.0, float(moved[known][0] / times[known][0]), LONE_DEVIATION, 1)
    weights = (
        np.sqrt([total.calls for total, used in zip(totals, known.tolist(), strict=True) if used])
        / times[known]
    )
    columns = np.stack([steps[known], moved[known]], axis=1)
    latency, per_byte = _not_negative(columns, times[known], weights)
    fitted = columns @ np.array([latency, per_byte])
    free = int(known.sum()) - (latency > 0) - (per_byte > 0)
    errors = np.log(times[known] / fitted)
    # a line through as many kinds as it has terms meets them all, which says nothing of how well it fits
    deviation = float(np.sqrt(np.sum(errors**2) / free)) if free > 0 else LONE_DEVIATION
    rate = 1 / per_byte if per_byte > 0 else np.inf
    return TraceFit(latency, rate, deviation, int(known.sum()))


def _not_negative(columns: Floats, times: Floats, weights: Floats) -> tuple[float, float]:
    """Least squares of relative errors; a term that would be negative is left out."""
    weighted = columns * weights[:, None]
    wanted = times * weights
    both = np.linalg.lstsq(weighted, wanted, rcond=None)[0]
    if (both >= 0).all():
        return float(both[0]), float(both[1])
    alone = [float(weighted[:, at] @ wanted / (weighted[:, at] @ weighted[:, at])) for at in (0, 1)]
    errors = [float(np.sum((weighted[:, at] * alone[at] - wanted) ** 2)) for at in (0, 1)]
    return (alone[0], 0.0) if errors[0] <= errors[1] else (0.0, alone[1])


def _terms(kinds: Sequence[Kind]) -> tuple[Floats, Floats]:
    """Steps of a ring and bytes on the bus of each kind; NaN where they are unknown."""
    steps, moved = np.full(len(kinds), np.nan), np.full(len(kinds), np.nan)
    for index, kind in enumerate(kinds):
        collective = PRICED_AS.get(kind.operation)
        if collective is None or kind.ranks is None or kind.size_bytes < 0:
            continue
        alone = kind.ranks == 1
        rounds = 2 if collective == "all_reduce" else 1
        steps[index] = rounds * (kind.ranks - 1)
        moved[index] = 0.0 if alone else float(busbw_factor(collective, kind.ranks)) * kind.size_bytes
    return steps, moved
