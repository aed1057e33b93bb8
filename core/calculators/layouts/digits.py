"""Positive values of three significant digits, counted in their order."""

import math

DECADE = 900
"""Values of three significant digits between two powers of ten."""


def place_of(value: float) -> int:
    """The place of the nearest value of three significant digits."""
    exponent = math.floor(math.log10(value))
    mantissa = round(value / 10.0**exponent * 100)
    return DECADE * exponent + mantissa - 100


def value_at(place: int) -> float:
    """The value at a place."""
    exponent, mantissa = divmod(place, DECADE)
    return float(f"{mantissa + 100}e{exponent - 2}")
