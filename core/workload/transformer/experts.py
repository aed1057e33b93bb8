"""Routing to experts: how many are hit, where they sit, and the bytes that tokens travel."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.checks import Floats, count


@dataclass(frozen=True, slots=True)
class Slots:
    """
    Experts laid over an expert-parallel group.

    Attributes:
        per_gpu: Slots of each GPU, the same on all.
        total: Slots of the group.
        redundant: Slots left for copies of busy experts.
        mean: Experts per GPU without copies.
        copies: Whole copies of every expert that fit, at least 1.
    """

    per_gpu: int
    total: int
    redundant: int
    mean: float
    copies: int


def slots(experts: int, ep: int) -> Slots:
    """Spread ``experts`` over ``ep`` GPUs, rounding up: what is left over holds copies."""
    experts, ep = count("experts", experts), count("ep", ep)
    per_gpu = -(-experts // ep)
    total = per_gpu * ep
    return Slots(per_gpu, total, total - experts, experts / ep, max(1, total // experts))


def distinct_experts(experts: int, active: int, tokens: ArrayLike, *, balanced: bool = False) -> Floats:
    """Experts that at least one of ``tokens`` tokens is sent to, at random or ``balanced`` in turn."""
    if experts == 0:
        return np.zeros_like(np.asarray(tokens, np.float64))
    if balanced:
        return np.minimum(float(experts), active * np.asarray(tokens, np.float64))
    missed = (1 - active / experts) ** np.asarray(tokens, np.float64)
    return experts * (1 - missed)


def exchange_bytes(
    tokens_per_rank: ArrayLike, hidden: int, bytes_per_value: float, ep: ArrayLike, active: int
) -> Floats:
    """
    Bytes that one GPU sends in one dispatch, or receives in one combine.

    A token travels once to every other GPU that owns one of its experts; routing is uniform.
    """
    group = np.asarray(ep, np.float64)
    reached = (group - 1) * (1 - (1 - 1 / group) ** active)
    return np.asarray(tokens_per_rank, np.float64) * hidden * bytes_per_value * reached


def exchange_bytes_without_deduplication(
    tokens_per_rank: ArrayLike, hidden: int, bytes_per_value: float, ep: ArrayLike, active: int
) -> Floats:
    """The upper bound: one copy of a token for each of its experts, even on the same GPU."""
    group = np.asarray(ep, np.float64)
    travel = active * (group - 1) / group
    return np.asarray(tokens_per_rank, np.float64) * hidden * bytes_per_value * travel
