"""Seconds of a collective between the ranks of a group, remembered: layouts ask for the same ones often."""

from functools import lru_cache

import numpy as np

from core.collective import Scenario as Collective
from core.collective import sweep
from core.hardware import System
from core.lane import lane
from core.moe_exchange import exchange_time
from core.rates import Rates
from core.training.layout import Group


@lru_cache(maxsize=65536)
def seconds(
    system: System,
    group: Group,
    collective: str,
    size_bytes: float,
    rates: Rates,
    implementation: str = "nccl",
) -> float:
    """One collective of ``size_bytes`` (nccl-tests' size) while all such groups talk at once."""
    if group.size == 1 or size_bytes <= 0:
        return 0.0
    question = Collective(
        system=lane(system, group.stride),
        collective=collective,
        ranks=group.size,
        rates=rates,
        implementation=implementation,
    )
    return float(sweep(question, [size_bytes]).time_s[0])


@lru_cache(maxsize=65536)
def exchange_s(system: System, kind: str, ep: int, sent_bytes: float, tokens: float, rates: Rates) -> float:
    """One dispatch or combine of ``tokens`` inside one domain, ``sent_bytes`` leaving each GPU."""
    priced = exchange_time(system, kind, ep, np.array([sent_bytes]), np.array([tokens]), rates)
    return float(priced.time_s[0])
