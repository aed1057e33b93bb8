"""What a chart shows in words: its extremes, its ends and where one series overtakes another."""

from collections.abc import Callable, Iterable

import pandas as pd

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
    for name, rows in frame.dropna(subset=[y]).groupby(series, sort=False):
        ordered = rows.sort_values(x)[y]
        parts.append(f"{name} from {spelled(float(ordered.iloc[0]))} to {spelled(float(ordered.iloc[-1]))}")
    if len(parts) > MOST:
        return f"{len(parts)} series; {'; '.join(parts[:MOST])}"
    return "; ".join(parts) or "no values"


def lead(frame: pd.DataFrame, series: str, x: str, y: str, spelled: Format) -> str:
    """Which series is lowest along x, such as *lowest: ring, from 4 MiB nvls*."""
    known = frame.dropna(subset=[y])
    if known.empty:
        return "no values"
    best = known.loc[known.groupby(x)[y].idxmin()].sort_values(x)
    changes = best[best[series] != best[series].shift()]
    parts = [str(changes[series].iloc[0])]
    parts += [f"from {spelled(float(row[x]))} {row[series]}" for _, row in changes.iloc[1:].iterrows()]
    return f"lowest: {', '.join(parts[:MOST])}"


def percent(share: float) -> str:
    """A share in percent, to two or three digits."""
    return f"{100 * share:.3g} %"


def count(value: float) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,.0f}"
