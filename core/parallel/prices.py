"""Seconds of a collective in a process group, cached: layouts need the same ones often."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.collectives.moe.exchange import exchange_time
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import sweep
from core.collectives.question import Software
from core.collectives.rates import Rates
from core.hardware import System
from core.parallel.groups import Group, group_system, split_group_system


@dataclass(frozen=True, slots=True)
class Latency:
    """What-if factors on the latency of collectives inside a domain and across domains."""

    inside: float = 1.0
    across: float = 1.0


AS_IS = Latency()
NCCL = Software()


@dataclass(frozen=True, slots=True)
class Price:
    """One collective: seconds, how many of them are latency, and the basis that they rest on."""

    time_s: float
    latency_s: float
    basis: str

    def scaled_s(self, factor: float) -> float:
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

    ``straddles`` prices the group that the edge of a domain cuts in halves.

    Raises:
        InputError: A collective, a group or rates that cannot be priced.
    """
    if group.size == 1 or size_bytes <= 0:
        return 0.0
    view = _view(system, group, straddles=straddles)
    price = _priced(view, _ranks(view, group, straddles=straddles), collective, size_bytes, rates, software)
    return price.scaled_s(latency.across if view.domains > 1 else latency.inside)


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
    return _priced(view, ranks, collective, size_bytes, rates, software).basis


def _view(system: System, group: Group, *, straddles: bool) -> System:
    return split_group_system(system, group) if straddles else group_system(system, group)


def _ranks(view: System, group: Group, *, straddles: bool) -> int:
    return view.gpus if straddles else group.size


@lru_cache(maxsize=65536)
def _priced(
    system: System, ranks: int, collective: str, size_bytes: float, rates: Rates, software: Software
) -> Price:
    question = Collective(
        system,
        collective,
        ranks,
        rates=rates,
        implementation=software.implementation,
        launch=software.launch,
    )
    prices = sweep(question, [size_bytes])
    return Price(float(prices.time_s[0]), float(prices.latency_s[0]), prices.basis)


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
    return _exchange(system, kind, ep, sent_bytes, tokens, rates).scaled_s(latency.inside)


def exchange_basis(system: System, kind: str, ep: int, sent_bytes: float, tokens: float, rates: Rates) -> str:
    """What those seconds rest on."""
    return _exchange(system, kind, ep, sent_bytes, tokens, rates).basis


@lru_cache(maxsize=65536)
def _exchange(system: System, kind: str, ep: int, sent_bytes: float, tokens: float, rates: Rates) -> Price:
    prices = exchange_time(system, kind, ep, np.array([sent_bytes]), np.array([tokens]), rates)
    return Price(float(prices.time_s[0]), float(prices.latency_s[0]), prices.basis)
