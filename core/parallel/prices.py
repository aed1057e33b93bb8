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
    view = split_group_system(system, group) if straddles else group_system(system, group)
    ranks = view.gpus if straddles else group.size
    time_s, latency_s = _priced(view, ranks, collective, size_bytes, rates, software)
    factor = latency.across if view.domains > 1 else latency.inside
    return time_s + (factor - 1) * latency_s


@lru_cache(maxsize=65536)
def _priced(
    system: System, ranks: int, collective: str, size_bytes: float, rates: Rates, software: Software
) -> tuple[float, float]:
    """Seconds, and how many of them are latency."""
    question = Collective(
        system,
        collective,
        ranks,
        rates=rates,
        implementation=software.implementation,
        launch=software.launch,
    )
    price = sweep(question, [size_bytes])
    return float(price.time_s[0]), float(price.latency_s[0])


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
    """Seconds of one dispatch or combine of ``tokens`` in one domain, ``sent_bytes`` leaving each GPU."""
    price = exchange_time(system, kind, ep, np.array([sent_bytes]), np.array([tokens]), rates)
    return float(price.time_s[0] + (latency.inside - 1) * price.latency_s[0])
