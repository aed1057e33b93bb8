"""Arithmetic on one number or on a column of them, so that a formula is written once for both."""

from typing import TypeVar, cast

import numpy as np

Number = TypeVar("Number", int, float)


def is_column(*values: object) -> bool:
    """Whether any of the values is a column."""
    return any(isinstance(value, np.ndarray) for value in values)


def larger(first: Number, second: Number) -> Number:
    """The larger one, row by row where one is a column."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return cast("Number", np.maximum(first, second))
    return max(first, second)


def smaller(first: Number, second: Number) -> Number:
    """The smaller one, row by row where one is a column."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return cast("Number", np.minimum(first, second))
    return min(first, second)


def where(condition: bool, yes: Number, no: Number) -> Number:  # noqa: FBT001 (a column of them too)
    """``yes`` where the condition holds, else ``no``."""
    if is_column(condition, yes, no):
        return cast("Number", np.where(condition, yes, no))
    return yes if condition else no


def either(first: bool, second: bool) -> bool:  # noqa: FBT001
    """Whether one of the two holds."""
    return first | second


def common(value: Number) -> Number:
    """The entry of a column whose entries are all the same."""
    return cast("Number", value.flat[0].item()) if isinstance(value, np.ndarray) else value


def unwrapped(values: object) -> float:
    """A float of an array without dimensions; a column as it is."""
    return cast("float", values) if np.ndim(cast("float", values)) else float(cast("float", values))
