"""What a chart shows in words: its extremes, its ends and where one series overtakes another."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Format = Callable[[float], str]
MOST = 6
"""Rows that are read out one by one; of more, the extremes."""


def listed(names: Iterable[object], values: Iterable[float], spelled: Format) -> str:
    """Each name with its value, such as *ring 4.1 ms, tree 5.2 ms*; of many rows the highest and the lowest."""
    pairs = [(str(name), value) for name, value in zip(names, values, strict=True) if pd.notna(value)]
    if len(pairs) <= MOST:
        return ", ".join(f"{name} {spelled(value)}" for name, value in pairs) or "no values"
    low, high = (extreme(pairs, key=lambda pair: pair[1]) for extreme in (min, max))
    return f"{len(pairs)} rows, from {low[0]} {spelled(low[1])} to {high[0]} {spelled(high[1])}"


def span(values: Iterable[float], spelled: Format) -> str:
    """The range of values, such as *from 3.9 ms to 4.3 ms*."""
    known = [value for value in values if pd.notna(value)]
    return f"from {spelled(min(known))} to {spelled(max(known))}" if known else "no values"


def ends(frame: pd.DataFrame, series: str, x: str, y: str, spelled: Format) -> str:
    """Each series from its first to its last point, such as *TP4 from 9 % to 6 %*."""
    parts = []
    for name, places, values in by_series(frame, series, x, y):
        ordered = values[np.argsort(places, kind="stable")]
        parts.append(f"{name} from {spelled(float(ordered[0]))} to {spelled(float(ordered[-1]))}")
    if len(parts) > MOST:
        return f"{len(parts)} series; {'; '.join(parts[:MOST])}"
    return "; ".join(parts) or "no values"


def by_series(
    frame: pd.DataFrame, series: str, x: str, y: str
) -> Iterator[tuple[object, NDArray[Any], NDArray[Any]]]:
    """Name, x and y of each series in the order of the frame, without the rows that have no y."""
    known = frame[y].notna().to_numpy()
    codes, names = pd.factorize(frame[series].to_numpy()[known])
    places, values = frame[x].to_numpy()[known], frame[y].to_numpy()[known]
    for code, name in enumerate(names):
        rows = codes == code
        yield name, places[rows], values[rows]


def lead(frame: pd.DataFrame, series: str, x: str, y: str, spelled: Format) -> str:
    """Which series is lowest along x, such as *lowest: ring, from 4 MiB NVLS*."""
    known = frame[y].notna().to_numpy()
    if not known.any():
        return "no values"
    places, values = frame[x].to_numpy(float)[known], frame[y].to_numpy(float)[known]
    rows = np.lexsort((values, places))
    lowest = rows[np.r_[True, np.diff(places[rows]) != 0]]
    names = frame[series].to_numpy()[known][lowest]
    changes = np.flatnonzero(names[1:] != names[:-1]) + 1
    parts = [str(names[0]), *(f"from {spelled(float(places[lowest[at]]))} {names[at]}" for at in changes)]
    return f"lowest: {', '.join(parts[:MOST])}"


def count(value: float) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,.0f}"


def dollars(value: float) -> str:
    """Whole dollars, the sign before them."""
    return f"{'−' if value <= -0.5 else ''}${abs(value):,.0f}"
