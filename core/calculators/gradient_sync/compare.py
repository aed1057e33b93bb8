"""The same job compared by number of GPUs, network and algorithm."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.calculators.gradient_sync.answer import Answer
from core.calculators.gradient_sync.calculate import answer
from core.calculators.gradient_sync.scenario import Scenario
from core.catalog import link
from core.catalog.links.network import ROCE_PAYLOAD
from core.catalog.networks import OF_ONE_RATE
from core.checks import InputError, number, sizes
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import Sweep, sweep
from core.collectives.pricing import compare as every_algorithm
from core.collectives.rates import Rates
from core.hardware import Family, System
from core.parallel.grow import grow_to
from core.provenance import Origin
from core.systems import configure

INFINIBAND_COST_FACTOR = 2.0
"""Price of an InfiniBand port over an Ethernet port; sources say 1.5 to 2.5 and name none: replaceable."""


def by_ranks(scenario: Scenario, ranks: Iterable[int]) -> dict[int, Answer]:
    """The answer by number of ranks, the system grown by domains as they are needed."""
    return {
        world: answer(replace(scenario, system=grow_to(scenario.system, world), ranks=world))
        for world in ranks
    }


def by_algorithm(scenario: Scenario, sizes_bytes: ArrayLike) -> dict[str, Sweep]:
    """Time of the gradients' all-reduce over message sizes, by every algorithm that applies."""
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
    The job on one scale-out network.

    Attributes:
        link, name: Id and name of the network's link.
        latency_s: Of one small message.
        payload_share: Part of the line rate that is payload.
        cost_factor: Price of a port over the price of an Ethernet port.
        slowdown: Its step (or, without compute, its communication) over that on the best network.
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
    networks: Iterable[str] = OF_ONE_RATE,
    *,
    roce_payload: float = ROCE_PAYLOAD,
    cost_factors: Mapping[str, float] | None = None,
) -> tuple[Network, ...]:
    """
    The job on several networks, which differ in latency, payload and price of a port.

    Raises:
        InputError: An unknown network, none at all, or a system without NICs.
    """
    share = number("roce_payload", roce_payload, above=0, most=1)
    compared = [_network(scenario, name, share, cost_factors or {}) for name in networks]
    if not compared:
        message = "networks: at least one"
        raise InputError(message)
    best_s = min(_seconds(item.answer) for item in compared)
    return tuple(
        replace(item, slowdown=_seconds(item.answer) / best_s if best_s else 1.0) for item in compared
    )


def _network(scenario: Scenario, name: str, roce_payload: float, factors: Mapping[str, float]) -> Network:
    network = link(name)
    share = roce_payload if network.family is Family.ETHERNET else 1.0
    system = configure(
        scenario.system,
        domains=scenario.system.domains,
        network=name,
        nics_per_domain=scenario.system.nics_per_domain or None,
    )
    domain, *outside = system.fabrics
    payload = tuple(replace(tier, bytes_per_s=tier.bytes_per_s * share) for tier in outside)
    default_factor = INFINIBAND_COST_FACTOR if network.family is Family.INFINIBAND else 1.0
    return Network(
        link=name,
        name=network.name,
        latency_s=outside[0].latency_s if outside else 0.0,
        payload_share=share,
        cost_factor=factors.get(name, default_factor),
        answer=answer(replace(scenario, system=replace(system, fabrics=(domain, *payload)))),
        slowdown=1.0,
    )


def _seconds(result: Answer) -> float:
    return result.time_s if result.step_s is None else result.step_s


def powers_of_two(least: int, most: int) -> tuple[int, ...]:
    """Powers of two from ``least`` to ``most``, both ends included where they are powers."""
    first, last = int(np.ceil(np.log2(least))), int(np.floor(np.log2(most)))
    return tuple(2**exponent for exponent in range(first, last + 1))


def payload_s(system: System, gradient_bytes: float) -> float:
    """
    The shortest published estimate: gradient bytes once, at the bidirectional rate, without latency.

    Optimistic by the ring's factor and by two: kept to reproduce published tables.
    """
    ranks = min(2, system.gpus)
    message = Collective(system, "send_recv", ranks, rates=Rates(Origin.PUBLISHED))
    return float(sweep(message, [number("gradient_bytes", gradient_bytes, least=0)]).time_s[0])
