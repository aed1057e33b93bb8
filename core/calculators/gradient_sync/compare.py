"""The same job asked several ways: by strategy, by number of GPUs, by network, by algorithm."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.calculators.gradient_sync.answer import Answer
from core.calculators.gradient_sync.calculate import answer
from core.calculators.gradient_sync.scenario import Scenario
from core.catalog import link
from core.checks import InputError, count, number, sizes
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import Sweep
from core.collectives.pricing import compare as every_algorithm
from core.collectives.pricing import sweep as price
from core.collectives.rates import Rates
from core.hardware import Family, System
from core.parallel.traffic import STRATEGIES
from core.provenance import Origin
from core.systems import configure

ROCE_PAYLOAD = 0.955
"""Share of a RoCE v2 line that is payload at an MTU of 4,096 bytes: an assumption, replaceable."""
INFINIBAND_COST_FACTOR = 2.0
"""Price of an InfiniBand port over an Ethernet port; sources say 1.5 to 2.5 and name none: replaceable."""


def by_strategy(scenario: Scenario) -> dict[str, Answer]:
    """Every strategy; ``hsdp`` only where its shard group divides the ranks."""
    found = {}
    for name in STRATEGIES:
        asked = replace(scenario, strategy=name)
        if name == "hsdp" and asked.world % asked.shard:
            continue
        found[name] = answer(asked)
    return found


def by_ranks(scenario: Scenario, ranks: Iterable[int]) -> dict[int, Answer]:
    """The same job on more and more GPUs of the same machine, domains added as they are needed."""
    found = {}
    for asked in ranks:
        number_of = count("ranks", asked)
        system = with_gpus(scenario.system, number_of)
        found[number_of] = answer(replace(scenario, system=system, ranks=number_of))
    return found


def with_gpus(system: System, gpus: int) -> System:
    """The system with as many domains as hold ``gpus`` GPUs, its network kept."""
    domains = max(system.domains, -(-gpus // system.domain_gpus))
    return system if domains == system.domains else replace(system, domains=domains)


def by_algorithm(scenario: Scenario, sizes_bytes: ArrayLike) -> dict[str, Sweep]:
    """The all-reduce of the gradients over message sizes, by every algorithm that applies."""
    question = Collective(
        system=scenario.system,
        collective="all_reduce",
        ranks=scenario.world,
        rates=scenario.rates,
        implementation=scenario.implementation,
        launch=scenario.launch,
    )
    return every_algorithm(question, sizes("sizes_bytes", sizes_bytes))


@dataclass(frozen=True, slots=True)
class Network:
    """
    One network under the same job.

    Attributes:
        cost_factor: Price of a port over an Ethernet port.
        slowdown: Its step (or, without compute, its communication) over the best one's.
    """

    link: str
    name: str
    latency_s: float
    payload_share: float
    cost_factor: float
    answer: Answer
    slowdown: float


def by_network(
    scenario: Scenario,
    networks: Iterable[str] = ("ib-ndr", "roce-400"),
    *,
    roce_payload: float = ROCE_PAYLOAD,
    cost_factors: Mapping[str, float] | None = None,
) -> tuple[Network, ...]:
    """
    The same job over several networks: latency, payload efficiency and cost set them apart.

    Raises:
        InputError: An unknown network, or a machine without NICs.
    """
    share = number("roce_payload", roce_payload, above=0, most=1)
    found = [_network(scenario, name, share, cost_factors or {}) for name in networks]
    if not found:
        message = "networks: at least one"
        raise InputError(message)
    best = min(_seconds(item.answer) for item in found)
    return tuple(replace(item, slowdown=_seconds(item.answer) / best if best else 1.0) for item in found)


def _network(scenario: Scenario, name: str, roce_payload: float, factors: Mapping[str, float]) -> Network:
    wire = link(name)
    share = roce_payload if wire.family is Family.ETHERNET else 1.0
    system = configure(
        scenario.system,
        domains=scenario.system.domains,
        network=name,
        nics_per_domain=scenario.system.nics_per_domain or None,
    )
    domain, *outside = system.fabrics
    thinner = tuple(replace(tier, bytes_per_s=tier.bytes_per_s * share) for tier in outside)
    found = answer(replace(scenario, system=replace(system, fabrics=(domain, *thinner))))
    usual = INFINIBAND_COST_FACTOR if wire.family is Family.INFINIBAND else 1.0
    latency_s = outside[0].latency_s if outside else 0.0
    return Network(name, wire.name, latency_s, share, factors.get(name, usual), found, 1.0)


def _seconds(found: Answer) -> float:
    return found.time_s if found.step_s is None else found.step_s


def powers_of_two(least: int, most: int) -> tuple[int, ...]:
    """2 to 32,768 and the like, both ends included where they are powers."""
    first, last = int(np.ceil(np.log2(least))), int(np.floor(np.log2(most)))
    return tuple(2**exponent for exponent in range(first, last + 1))


def payload_s(system: System, gradient_bytes: float) -> float:
    """
    The sources' shortest reckoning: gradient bytes once, over both directions, without latency.

    Optimistic by the ring's factor and by two: kept to reproduce printed tables.
    """
    ranks = min(2, system.gpus)
    asked = Collective(system, "send_recv", ranks, rates=Rates(Origin.PUBLISHED))
    return float(price(asked, [number("gradient_bytes", gradient_bytes, least=0)]).time_s[0])
