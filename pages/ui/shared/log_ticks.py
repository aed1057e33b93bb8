"""Ticks of logarithmic axes, at even steps however far the axis reaches."""

from collections.abc import Mapping, Sequence

import altair as alt

POWERS: Mapping[str, range] = {"s": range(-8, 2), "B/s": range(5, 16), "": range(8, 16)}
"""Powers of ten that an axis may reach, by unit; parameters and other counts have none."""
THIRDS: Sequence[float] = (1, 2, 5)
HALVES: Sequence[float] = (1, 3)
SIXTHS: Sequence[float] = (1, 1.5, 2, 3, 5, 7)
LONG_S: Sequence[float] = (60, 600, 3600, 36_000, 864_000, 8_640_000, 31_557_600, 315_576_000)
"""Minutes to years, in place of the powers of ten of a second from 100 s on."""
BETWEEN_S: Sequence[float] = (120, 300, 1200, 1800, 7200, 18_000, 72_000, 172_800, 432_000, 1_728_000)
"""The same where the axis reaches less far."""
STEPS: Sequence[tuple[float, Sequence[float]]] = ((2000, (1,)), (40, HALVES), (8, THIRDS), (2, SIXTHS))
"""From which ratio of its ends on an axis has which ticks a decade; below the last one those of Vega."""


def even(unit: str, channel: str) -> alt.ExprRef:
    """
    An expression for the ticks of a logarithmic axis.

    Args:
        unit: A key of ``POWERS``.
        channel: The scale of the axis, ``x`` or ``y``.
    """
    low_high = f"domain('{channel}')"
    ratio = f"{low_high}[1] / {low_high}[0]"
    text = "null"
    for least, mantissas in reversed(STEPS):
        text = f"{ratio} >= {least} ? [{','.join(_listed(unit, mantissas))}] : {text}"
    return alt.ExprRef(text)


def _listed(unit: str, mantissas: Sequence[float]) -> list[str]:
    values = [f"{mantissa:g}e{power}" for power in POWERS[unit] for mantissa in mantissas]
    if unit != "s":
        return values
    long_s = LONG_S if len(mantissas) == 1 else sorted((*LONG_S, *BETWEEN_S))
    return [*(value for value in values if float(value) < long_s[0]), *(f"{value:.12g}" for value in long_s)]
