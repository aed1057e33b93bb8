"""Seconds of a collective in a process group, cached: layouts need the same ones often."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
    prices = _priced(view, ranks, collective, _bytes(size_bytes), rates, software)
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
    rows = np.array(np.broadcast_arrays(group.size, group.stride, straddles, size_bytes), dtype=float)
    seconds = _column(system, rows.tobytes(), collective, rates, software).scaled_s(latency)
    return unwrapped(seconds.reshape(rows.shape[1:]))


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
    groups = column_groups(np.frombuffer(rows).reshape(4, -1))
    return groups.prices(system, collective, rates, software)


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """Rows of a column in groups of one size and stride, and the bytes of each as bytes of floats."""

    group: Group
    straddles: bool
    places: NDArray[np.intp]
    sizes_bytes: bytes


@dataclass(frozen=True, slots=True, eq=False)
class ColumnGroups:
    """A column of groups by kind; ``kind_of``: the place of a row's among ``kinds``, -1 without a price."""

    kinds: tuple[_Kind, ...]
    kind_of: NDArray[np.intp]

    def seconds(
        self,
        places: NDArray[np.intp],
        system: System,
        collective: str,
        rates: Rates,
        software: Software,
        latency: Latency,
    ) -> Floats:
        """
        Seconds of a collective in some rows of the column, whose kinds are remembered by the system.

        Raises:
            InputError: A collective, a group or rates that cannot be priced.
        """
        if not self.kinds:
            return np.zeros(places.size)
        known = _kinds_known(self, system, collective, rates, software)
        missing = set(self.kind_of[places].tolist()) - known.kinds
        self._price(missing, known.prices, system, collective, rates, software)
        known.kinds.update(missing)
        return known.prices.scaled_s(latency)[places]

    def prices(self, system: System, collective: str, rates: Rates, software: Software) -> _ColumnPrices:
        """Prices of all rows."""
        priced = _ColumnPrices(*np.zeros((3, self.kind_of.size)))
        self._price(range(len(self.kinds)), priced, system, collective, rates, software)
        return priced

    def _price(
        self,
        numbers: Iterable[int],
        priced: _ColumnPrices,
        system: System,
        collective: str,
        rates: Rates,
        software: Software,
    ) -> None:
        """Fill in the prices of the rows of some kinds."""
        for kind in (self.kinds[number] for number in numbers):
            view = _view(system, kind.group, straddles=kind.straddles)
            ranks = _ranks(view, kind.group, straddles=kind.straddles)
            prices = _priced(view, ranks, collective, kind.sizes_bytes, rates, software)
            priced.time_s[kind.places] = prices.time_s
            (priced.across_s if view.domains > 1 else priced.inside_s)[kind.places] = prices.latency_s


@dataclass(frozen=True, slots=True, eq=False)
class _KindsKnown:
    """Prices of a column on a system, and the kinds that have them; -1 needs none."""

    prices: _ColumnPrices
    kinds: set[int]


@lru_cache(maxsize=256)
def _kinds_known(
    groups: ColumnGroups,
    system: System,  # noqa: ARG001 (the key, as what follows)
    collective: str,  # noqa: ARG001
    rates: Rates,  # noqa: ARG001
    software: Software,  # noqa: ARG001
) -> _KindsKnown:
    return _KindsKnown(_ColumnPrices(*np.zeros((3, groups.kind_of.size))), {-1})


def column_groups(rows: Floats) -> ColumnGroups:
    """The kinds of a column: sizes, strides, halves (1 where the edge of a domain cuts a group), bytes."""
    sizes, strides, halves, amounts = rows
    found: dict[tuple[float, ...], list[int]] = {}
    keys = list(zip(sizes.tolist(), strides.tolist(), halves.tolist(), strict=True))
    for place in np.flatnonzero((sizes > 1) & (amounts > 0)).tolist():
        found.setdefault(keys[place], []).append(place)
    kinds, kind_of = [], np.full(amounts.size, -1)
    for number, ((size, stride, half), members) in enumerate(found.items()):
        places = np.array(members)
        kind_of[places] = number
        kinds.append(_Kind(Group(int(size), int(stride)), bool(half), places, amounts[places].tobytes()))
    return ColumnGroups(tuple(kinds), kind_of)


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
    return _priced(view, ranks, collective, _bytes(size_bytes), rates, software).basis


def _bytes(size_bytes: float) -> bytes:
    return np.float64(size_bytes).tobytes()


def _view(system: System, group: Group, *, straddles: bool) -> System:
    return split_group_system(system, group) if straddles else group_system(system, group)


def _ranks(view: System, group: Group, *, straddles: bool) -> int:
    return view.gpus if straddles else group.size


@lru_cache(maxsize=16384)
def _priced(
    system: System,
    ranks: int,
    collective: str,
    sizes_bytes: bytes,
    rates: Rates,
    software: Software,
) -> Prices:
    prices = timing(_question(system, ranks, collective, rates, software), np.frombuffer(sizes_bytes))
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
