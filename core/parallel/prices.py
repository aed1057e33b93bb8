"""Seconds of a collective in a process group, cached: layouts need the same ones often."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.checks import Floats
from core.collectives.moe.exchange import exchange_time
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing.timing import timing
from core.collectives.question import Software
from core.collectives.rates import Rates
from core.hardware import System
from core.parallel.columns import is_column, unwrapped
from core.parallel.groups import Group, group_system, split_group_system


@dataclass(frozen=True, slots=True)
class Latency:
    """What-if factors on the latency of collectives inside a domain and across domains."""

    inside: float = 1.0
    across: float = 1.0


AS_IS = Latency()
NCCL = Software()


@dataclass(frozen=True, slots=True)
class Prices:
    """One collective at several sizes: seconds, how many of them are latency, and their basis."""

    time_s: Floats
    latency_s: Floats
    basis: str

    def scaled_s(self, factor: float) -> Floats:
        """Seconds with so many times the latency."""
        return self.time_s + (factor - 1) * self.latency_s


def collective_s(
    system: System,
    group: Group,
    collective: str,
    size_bytes: float,
    rates: Rates,
    software: Software = NCCL,
    latency: Latency = AS_IS,
    *,
    straddles: bool = False,
) -> float:
    """
    Seconds of one collective of ``size_bytes`` (nccl-tests' size) while all such groups communicate.

    ``straddles`` prices the group that the edge of a domain cuts in halves. Groups and bytes may be
    columns; each kind of group is then priced once, at all its sizes.

    Raises:
        InputError: A collective, a group or rates that cannot be priced.
    """
    if is_column(group.size, group.stride, size_bytes):
        return _column_s(system, group, collective, size_bytes, rates, software, latency, straddles)
    if group.size == 1 or size_bytes <= 0:
        return 0.0
    view = _view(system, group, straddles=straddles)
    ranks = _ranks(view, group, straddles=straddles)
    prices = _priced(view, ranks, collective, (size_bytes,), rates, software)
    return float(prices.scaled_s(latency.across if view.domains > 1 else latency.inside)[0])


def _column_s(
    system: System,
    group: Group,
    collective: str,
    size_bytes: float,
    rates: Rates,
    software: Software,
    latency: Latency,
    straddles: bool,  # noqa: FBT001 (a column of them too)
) -> float:
    rows = column_rows(group, size_bytes, straddles)
    return unwrapped(rows_s(system, rows, collective, rates, software, latency).reshape(rows.shape[1:]))


def column_rows(group: Group, size_bytes: float, straddles: bool) -> Floats:  # noqa: FBT001 (columns too)
    """Sizes, strides, halves and bytes of a column of groups: what a collective's price in them rests on."""
    return np.array(np.broadcast_arrays(group.size, group.stride, straddles, size_bytes), dtype=float)


def rows_s(
    system: System, rows: Floats, collective: str, rates: Rates, software: Software, latency: Latency
) -> Floats:
    """Seconds of a collective in such a column, one after the other."""
    return _column(system, rows.tobytes(), collective, rates, software).scaled_s(latency)


@dataclass(frozen=True, slots=True)
class _ColumnPrices:
    """Seconds of a column, and how many of them are latency of a group inside a domain and across domains."""

    time_s: Floats
    inside_s: Floats
    across_s: Floats

    def scaled_s(self, latency: Latency) -> Floats:
        """Seconds with so many times the latency."""
        return self.time_s + (latency.inside - 1) * self.inside_s + (latency.across - 1) * self.across_s


@lru_cache(maxsize=2048)
def _column(system: System, rows: bytes, collective: str, rates: Rates, software: Software) -> _ColumnPrices:
    """Prices of a column whose rows of sizes, strides, halves and bytes are given as bytes of floats."""
    ranks_of, strides, halves, amounts = np.frombuffer(rows).reshape(4, -1)
    priced = _ColumnPrices(*np.zeros((3, amounts.size)))
    kinds: dict[tuple[float, float, float], list[int]] = {}
    for place in np.flatnonzero((ranks_of > 1) & (amounts > 0)).tolist():
        kinds.setdefault((ranks_of[place], strides[place], halves[place]), []).append(place)
    for (size, stride, half), places in kinds.items():
        kind = Group(int(size), int(stride))
        view = _view(system, kind, straddles=bool(half))
        ranks = _ranks(view, kind, straddles=bool(half))
        prices = _priced(view, ranks, collective, tuple(amounts[places].tolist()), rates, software)
        priced.time_s[places] = prices.time_s
        (priced.across_s if view.domains > 1 else priced.inside_s)[places] = prices.latency_s
    return priced


def collective_basis(
    system: System,
    group: Group,
    collective: str,
    size_bytes: float,
    rates: Rates,
    software: Software = NCCL,
    *,
    straddles: bool = False,
) -> str:
    """What those seconds rest on, as ``calibrated:nvlink-hopper`` or ``spec``; empty where there are none."""
    if group.size == 1 or size_bytes <= 0:
        return ""
    view = _view(system, group, straddles=straddles)
    ranks = _ranks(view, group, straddles=straddles)
    return _priced(view, ranks, collective, (size_bytes,), rates, software).basis


def _view(system: System, group: Group, *, straddles: bool) -> System:
    return split_group_system(system, group) if straddles else group_system(system, group)


def _ranks(view: System, group: Group, *, straddles: bool) -> int:
    return view.gpus if straddles else group.size


@lru_cache(maxsize=16384)
def _priced(
    system: System,
    ranks: int,
    collective: str,
    sizes_bytes: tuple[float, ...],
    rates: Rates,
    software: Software,
) -> Prices:
    prices = timing(_question(system, ranks, collective, rates, software), np.array(sizes_bytes))
    return Prices(prices.time_s, prices.latency_s, prices.basis)


@lru_cache(maxsize=8192)
def _question(system: System, ranks: int, collective: str, rates: Rates, software: Software) -> Collective:
    return Collective(
        system,
        collective,
        ranks,
        rates=rates,
        implementation=software.implementation,
        launch=software.launch,
    )


def exchange_s(
    system: System,
    kind: str,
    ep: int,
    sent_bytes: float,
    tokens: float,
    rates: Rates,
    latency: Latency = AS_IS,
) -> float:
    """Seconds of one dispatch or combine of ``tokens`` in one domain, ``sent_bytes`` leaving each GPU."""
    seconds = _exchange(system, kind, ep, _tuple(sent_bytes), _tuple(tokens), rates).scaled_s(latency.inside)
    return unwrapped(seconds) if is_column(sent_bytes, tokens) else float(seconds[0])


def exchange_basis(system: System, kind: str, ep: int, sent_bytes: float, tokens: float, rates: Rates) -> str:
    """What those seconds rest on."""
    return _exchange(system, kind, ep, (sent_bytes,), (tokens,), rates).basis


def _tuple(values: float) -> tuple[float, ...]:
    """A column as a key of the cache."""
    return tuple(np.atleast_1d(values).tolist())


@lru_cache(maxsize=16384)
def _exchange(
    system: System, kind: str, ep: int, sent_bytes: tuple[float, ...], tokens: tuple[float, ...], rates: Rates
) -> Prices:
    prices = exchange_time(system, kind, ep, np.array(sent_bytes), np.array(tokens), rates)
    return Prices(prices.time_s, prices.latency_s, prices.basis)
