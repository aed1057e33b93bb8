"""Collectives of a layout and their seconds, on the part of the system that each group uses."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.parallel.groups import Group
from core.parallel.prices import collective_basis, collective_s, exchange_basis, exchange_s


@dataclass(frozen=True, slots=True)
class Call:
    """One collective of ``size_bytes`` (nccl-tests' size) in a group of the layout."""

    group: Group
    collective: str
    size_bytes: float


@dataclass(frozen=True, slots=True)
class Exchange:
    """One dispatch or combine of ``tokens`` inside a domain, ``sent_bytes`` leaving each GPU."""

    kind: str
    sent_bytes: float
    tokens: float


def price_s(scenario: Scenario, call: Call | Exchange) -> float:
    """
    Seconds of it.

    Raises:
        InputError: A collective, a group or rates that cannot be priced.
    """
    system, rates, latency = scenario.system, scenario.rates, scenario.latency
    if isinstance(call, Exchange):
        ep = scenario.layout.ep
        return exchange_s(system, call.kind, ep, call.sent_bytes, call.tokens, rates, latency)
    return collective_s(
        system,
        call.group,
        call.collective,
        call.size_bytes,
        rates,
        scenario.software,
        latency,
        straddles=_straddles(scenario, call),
    )


def basis_of(scenario: Scenario, call: Call | Exchange) -> str:
    """What its seconds rest on, as ``calibrated:nvlink-hopper`` or ``spec``; empty where nothing is sent."""
    system, rates = scenario.system, scenario.rates
    if isinstance(call, Exchange):
        ep = scenario.layout.ep
        return exchange_basis(system, call.kind, ep, call.sent_bytes, call.tokens, rates)
    return collective_basis(
        system,
        call.group,
        call.collective,
        call.size_bytes,
        rates,
        scenario.software,
        straddles=_straddles(scenario, call),
    )


def _straddles(scenario: Scenario, call: Call) -> bool:
    system = scenario.system
    return scenario.layout.straddles(call.group, system.domain_gpus, system.domains)
