"""NCCL's three wire protocols: small messages buy latency with bandwidth; the cheapest one is used."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.checks import Floats, choice, number
from core.collectives.formulas.busbw import COLLECTIVES, busbw_factor
from core.collectives.formulas.cost import Cost
from core.collectives.formulas.inputs import one_level
from core.hardware import Hop
from core.units import GB, US

PROTOCOLS = ("LL", "LL128", "Simple")
BASE_S = (6.6 * US, 14.0 * US, 8.4 * US)
RING_STEP_S = {
    "nvlink": (0.6 * US, 1.9 * US, 3.4 * US),
    "pcie": (1.0 * US, 2.5 * US, 5.7 * US),
    "network": (2.7 * US, 4.0 * US, 14.0 * US),
}
LL128_SHARE = 0.92
LL_SHARE = 0.5


class LLCeiling(StrEnum):
    """Generations whose LL protocol has a ceiling of its own."""

    AMPERE = "ampere"
    HOPPER = "hopper"
    BLACKWELL = "blackwell"

    @property
    def bytes_per_s(self) -> float:
        """The most that LL moves on this generation, one way per GPU."""
        return {"ampere": 87.7, "hopper": 141.0, "blackwell": 282.0}[self.value] * GB


LINK_BYTES_PER_S = {
    "P100": 18 * GB,
    "V100": 20 * GB,
    "A100": 20 * GB,
    "H100": 20.6 * GB,
    "B200": 40.1 * GB,
    "GA102": 12 * GB,
}
"""What NCCL counts on one NVLink, one way; times the links it reproduces measured ring plateaus."""

_STEPS = {"all_reduce": 2}
_ROUND_COLLECTIVES = COLLECTIVES[:3]


@dataclass(frozen=True, slots=True)
class Envelope:
    """The cheapest protocol for every size: its cost and its name."""

    cost: Cost
    protocol: NDArray[np.str_]


def ring_envelope(
    collective: str,
    size_bytes: ArrayLike,
    ranks: int,
    bytes_per_s: float,
    *,
    path: str = "nvlink",
    ceiling: LLCeiling = LLCeiling.HOPPER,
) -> Envelope:
    """
    A ring as NCCL's own tuning table prices it: base, steps and bytes of the best protocol.

    ``bytes_per_s`` is links times ``LINK_BYTES_PER_S``; ``path`` is nvlink, pcie or network.
    Source: NVIDIA/nccl, src/graph/tuning.cc and topo.h at 5067397. F7.

    Raises:
        InputError: Not a ring collective, an unknown path, or a number out of range.
    """
    choice("collective", collective, _ROUND_COLLECTIVES)
    step_s = RING_STEP_S[choice("path", path, RING_STEP_S)]
    rate = number("bytes_per_s", bytes_per_s, above=0)
    sizes, n = one_level(size_bytes, ranks, Hop(0.0, rate))
    rates = (min(LL_SHARE * rate, ceiling.bytes_per_s), LL128_SHARE * rate, rate)
    steps = _STEPS.get(collective, 1) * (n - 1)
    volume = busbw_factor(collective, n) * sizes
    parts = [
        (base, steps * step, volume / speed) for base, step, speed in zip(BASE_S, step_s, rates, strict=True)
    ]
    return _cheapest(parts, sizes, bool(n > 1))


def _cheapest(parts: list[tuple[float, Floats, Floats]], sizes: Floats, several: bool) -> Envelope:  # noqa: FBT001 (one rank is free)
    times = np.stack([base + latency + transfer for base, latency, transfer in parts])
    best = np.argmin(times, axis=0)
    real = (sizes > 0) & several
    launch, latency = (
        np.where(real, np.asarray(column)[best], 0.0) for column in list(zip(*parts, strict=True))[:2]
    )
    transfer = np.where(real, np.choose(best, [part[2] for part in parts]), 0.0)
    return Envelope(Cost(launch, latency, transfer, np.zeros_like(transfer)), np.asarray(PROTOCOLS)[best])
