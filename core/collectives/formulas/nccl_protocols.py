"""NCCL's three wire protocols: small messages buy latency with bandwidth; the cheapest one is used."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.catalog.nccl_tuning import (
    BASE_US,
    LL128_SHARE,
    LL_SHARE,
    PROTOCOLS,
    STEP_US,
    ll_most_bytes_per_s,
)
from core.checks import Floats, choice, number
from core.collectives.formulas.busbw import COLLECTIVES, busbw_factor
from core.collectives.formulas.cost import Cost
from core.collectives.formulas.inputs import one_level
from core.hardware import Architecture, Hop
from core.units import US

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
    architecture: Architecture = Architecture.HOPPER,
) -> Envelope:
    """
    A ring as NCCL's own tuning table prices it: base, steps and bytes of the best protocol.

    Args:
        collective: all_reduce, all_gather or reduce_scatter.
        size_bytes: As nccl-tests counts.
        ranks: GPUs of the ring.
        bytes_per_s: Links of a GPU times ``LINK_BYTES_PER_S``.
        path: nvlink, pcie or network.
        architecture: Decides the ceiling of the LL protocol.

    Raises:
        InputError: Not a ring collective, an unknown path, or a number out of range.
    """
    choice("collective", collective, _ROUND_COLLECTIVES)
    step_us = STEP_US[choice("path", path, STEP_US)]["ring"]
    rate = number("bytes_per_s", bytes_per_s, above=0)
    sizes, n = one_level(size_bytes, ranks, Hop(0.0, rate))
    rates = (min(LL_SHARE * rate, ll_most_bytes_per_s(architecture)), LL128_SHARE * rate, rate)
    steps = _STEPS.get(collective, 1) * (n - 1)
    volume = busbw_factor(collective, n) * sizes
    parts = [
        (BASE_US["ring"][protocol] * US, steps * (step_us[protocol] * US), volume / protocol_rate)
        for protocol, protocol_rate in zip(PROTOCOLS, rates, strict=True)
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
