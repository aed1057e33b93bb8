"""Seconds of a collective between the ranks of a group, remembered: layouts ask for the same ones often."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.collectives.moe.exchange import exchange_time
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import sweep
from core.collectives.question import Software
from core.collectives.rates import Rates
from core.hardware import System, Topology
from core.parallel.lane import lane
from core.parallel.layout import Group


@dataclass(frozen=True, slots=True)
class Latency:
    """What if: factors on the latency of exchanges inside a domain and across domains."""

    inside: float = 1.0
    across: float = 1.0


AS_IS = Latency()
NCCL = Software()


def seconds(
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
    One collective of ``size_bytes`` (nccl-tests' size) while all such groups talk at once.

    ``straddles`` prices the group that the edge of a domain cuts in halves.
    """
    if group.size == 1 or size_bytes <= 0:
        return 0.0
    where = halves(system, group) if straddles else seen(system, group)
    ranks = where.gpus if straddles else group.size
    time_s, latency_s = _priced(where, ranks, collective, size_bytes, rates, software)
    factor = latency.across if where.domains > 1 else latency.inside
    return time_s + (factor - 1) * latency_s


@lru_cache(maxsize=16384)
def seen(system: System, group: Group) -> System:
    """
    The part of the machine that a group uses, so that what it does not use leaves its price alone.

    A group inside a domain sees no network; one with a single GPU in each domain no scale-up rate.
    """
    own = lane(system, group.stride)
    domain, *outside = own.fabrics
    if group.size <= own.domain_gpus:
        return replace(own, domains=1, network=None, nics_per_domain=0, fabrics=(domain,))
    own = replace(own, domains=max(2, -(-group.size // own.domain_gpus)))
    if own.domain_gpus > 1 or not outside:
        return own
    alone = replace(domain, bytes_per_s=outside[0].bytes_per_s)
    return replace(own, fabrics=(alone, *outside), pair_bytes_per_s=None)


@lru_cache(maxsize=4096)
def halves(system: System, group: Group) -> System:
    """Two domains with half of the group in each."""
    own = lane(system, group.stride)
    domain, *outside = own.fabrics
    half = -(-group.size // 2)
    inside = replace(
        domain,
        ranks=half,
        topology=domain.topology if half > 1 else Topology.SINGLE,
        in_network_reduction=domain.in_network_reduction and half > 1,
    )
    return replace(own, domain_gpus=half, domains=2, nics_per_domain=half, fabrics=(inside, *outside))


@lru_cache(maxsize=65536)
def _priced(
    system: System, ranks: int, collective: str, size_bytes: float, rates: Rates, software: Software
) -> tuple[float, float]:
    """Seconds in all, and of them latency."""
    question = Collective(
        system,
        collective,
        ranks,
        rates=rates,
        implementation=software.implementation,
        launch=software.launch,
    )
    found = sweep(question, [size_bytes])
    return float(found.time_s[0]), float(found.latency_s[0])


@lru_cache(maxsize=65536)
def exchange_s(
    system: System,
    kind: str,
    ep: int,
    sent_bytes: float,
    tokens: float,
    rates: Rates,
    latency: Latency = AS_IS,
) -> float:
    """One dispatch or combine of ``tokens`` inside one domain, ``sent_bytes`` leaving each GPU."""
    priced = exchange_time(system, kind, ep, np.array([sent_bytes]), np.array([tokens]), rates)
    return float(priced.time_s[0] + (latency.inside - 1) * priced.latency_s[0])
