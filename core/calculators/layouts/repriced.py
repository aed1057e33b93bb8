"""Layouts whose links change: their work is computed once, their collectives are priced anew each time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calculators.layouts.many_steps import Alike, alike
from core.calculators.training import Scenario
from core.calculators.training.price import Call, Exchange
from core.calculators.training.step import Unpriced, unpriced
from core.checks import Floats
from core.parallel.prices import ColumnGroups, column_groups, exchange_s

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Repriced:
    """Scenarios of one job in any layouts, whose rates and latencies of links change together."""

    groups: tuple["_Group", ...]
    count: int

    @classmethod
    def of(cls, scenarios: Sequence[Scenario]) -> "Repriced":
        """Of scenarios on one system."""
        return cls(tuple(_Group.of(group) for group in alike(scenarios)), len(scenarios))

    def steps_s(self, links: Scenario, places: Places) -> Floats:
        """
        Step time of the scenarios at some places, with the links and rates of another scenario of the job.

        Raises:
            InputError: Rates that cannot be priced.
        """
        seconds, wanted = np.zeros(self.count), np.zeros(self.count, dtype=bool)
        wanted[places] = True
        for group in self.groups:
            rows = np.flatnonzero(wanted[group.places])
            if rows.size:
                seconds[group.places[rows]] = group.steps_s(links, rows)[rows]
        return seconds[places]


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Scenarios alike, and their places among all."""

    work: Unpriced
    columns: tuple["_Collectives | _Exchanges", ...]
    places: Places

    @classmethod
    def of(cls, group: Alike) -> "_Group":
        work = unpriced(group.side_by_side)
        return cls(
            work, tuple(_column(group.side_by_side, call) for call in work.calls), np.array(group.places)
        )

    def steps_s(self, links: Scenario, rows: Places) -> Floats:
        """Of every scenario; those of other rows are without communication."""
        calls_s = [np.zeros(self.places.size) for _ in self.columns]
        for seconds, column in zip(calls_s, self.columns, strict=True):
            seconds[rows] = column.seconds(links, rows)
        return np.broadcast_to(self.work.priced(calls_s).total_s, self.places.size)  # type: ignore[arg-type]


def _column(scenario: Scenario, call: Call | Exchange) -> "_Collectives | _Exchanges":
    count, layout, system = np.size(scenario.micro_batch), scenario.layout, scenario.system
    if isinstance(call, Exchange):
        sent_bytes, tokens = (np.broadcast_to(part, count) for part in (call.sent_bytes, call.tokens))
        return _Exchanges(call.kind, layout.ep, sent_bytes, tokens)
    straddles = layout.straddles(call.group, system.domain_gpus, system.domains)
    columns = (call.group.size, call.group.stride, straddles, call.size_bytes)
    rows = np.array([np.broadcast_to(column, count) for column in columns], dtype=float)
    return _Collectives(call.collective, column_groups(rows))


@dataclass(frozen=True, slots=True, eq=False)
class _Collectives:
    """One collective of each scenario."""

    collective: str
    groups: ColumnGroups

    def seconds(self, links: Scenario, places: Places) -> Floats:
        """Seconds of some of them."""
        return self.groups.seconds(
            places, links.system, self.collective, links.rates, links.software, links.latency
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Exchanges:
    """One dispatch or combine of each scenario."""

    kind: str
    ep: int
    sent_bytes: Floats
    tokens: Floats

    def seconds(self, links: Scenario, places: Places) -> Floats:
        """Seconds of some of them."""
        sent_bytes, tokens = self.sent_bytes[places], self.tokens[places]
        return exchange_s(links.system, self.kind, self.ep, sent_bytes, tokens, links.rates, links.latency)  # type: ignore[arg-type, return-value]
