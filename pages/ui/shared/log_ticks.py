"""Ticks of logarithmic axes, at even steps however far the axis reaches."""

from collections.abc import Mapping, Sequence

import altair as alt

POWERS: Mapping[str, range] = {"s": range(-8, 9), "B/s": range(5, 16), "": range(8, 16)}
"""Powers of ten that an axis may reach, by unit; parameters and other counts have none."""
THIRDS: Sequence[float] = (1, 2, 5)
HALVES: Sequence[float] = (1, 3)
SIXTHS: Sequence[float] = (1, 1.5, 2, 3, 5, 7)
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
        text = f"{ratio} >= {least} ? {_listed(POWERS[unit], mantissas)} : {text}"
    return alt.ExprRef(text)


def _listed(powers: range, mantissas: Sequence[float]) -> str:
    return "[" + ",".join(f"{mantissa:g}e{power}" for power in powers for mantissa in mantissas) + "]"
