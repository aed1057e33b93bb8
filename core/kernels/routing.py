"""How many tokens each expert of the busiest GPU gets: in turn, at random, or by a power law."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.workload.transformer import distinct_experts

BALANCED, UNIFORM = "balanced", "uniform"
POWER_LAW = {"power-law-1.01": 1.01, "power-law-1.2": 1.2}
ROUTINGS = (BALANCED, UNIFORM, *POWER_LAW)
CLASSES = 16
"""Groups of experts by their load, the same number of experts in each."""
LEAST_SHARE, MOST_SHARE = 0.01, 0.8
"""A power law of counts runs from 1 to this share of the tokens; from 0.01 to 2 where copies are few."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Tokens of the group and the layer they go to; arrays of one shape."""

    tokens: Floats
    hidden: Floats
    width: Floats
    top_k: Floats
    experts: Floats
    ep: Floats

    @property
    def local(self) -> Floats:
        """Experts of one GPU."""
        return np.maximum(self.experts / self.ep, 1.0)


@dataclass(frozen=True, slots=True)
class Loads:
    """
    Experts of the busiest GPU by class: tokens of each, and how many experts; a class by row.

    Experts without a token are not counted.
    """

    tokens: Floats
    experts: Floats

    @property
    def copies(self) -> Floats:
        """Token copies that this GPU computes."""
        return np.asarray((self.tokens * self.experts).sum(axis=0))

    @property
    def hit(self) -> Floats:
        """Experts whose weights are read."""
        return np.asarray(self.experts.sum(axis=0))


def loads(layer: Layer, routing: str) -> Loads:
    """The loads of the busiest GPU; at random those of the mean GPU that has an expert to run."""
    if routing == BALANCED:
        return _even(*_in_turn(layer))
    if routing == UNIFORM:
        return _even(*_at_random(layer))
    return _power_law(layer, POWER_LAW[routing])


def _even(copies: Floats, hit: Floats) -> Loads:
    """The same load for every expert that is hit."""
    return Loads(np.maximum(copies / hit, 1.0)[None], hit[None])


def _in_turn(layer: Layer) -> tuple[Floats, Floats]:
    """Round robin: as many experts as possible, each as often as the others."""
    stride = np.ceil(layer.experts / layer.top_k)
    all_hit = layer.tokens >= stride
    blocks = np.maximum(layer.local / stride, 1.0)
    within = np.ceil(layer.tokens * np.minimum(layer.local, stride) / stride) * blocks
    hit = np.where(all_hit, layer.local, np.minimum(layer.local, within))
    return np.where(all_hit, layer.tokens * layer.top_k * layer.local / layer.experts, hit), hit


def _at_random(layer: Layer) -> tuple[Floats, Floats]:
    """Every expert as likely: the mean of tokens and of distinct experts, at least one: some GPU runs it."""
    each = np.vectorize(distinct_experts, otypes=[np.float64])(
        layer.experts.astype(int), layer.top_k.astype(int), layer.tokens
    )
    hit = np.maximum(each * layer.local / layer.experts, 1.0)
    return np.maximum(layer.tokens * layer.top_k * layer.local / layer.experts, hit), hit


def _power_law(layer: Layer, exponent: float) -> Loads:
    """Counts by a power law; the busiest of the GPUs has the most that chance gives to one of so many."""
    rank = ((np.arange(CLASSES) + 0.5) / CLASSES).reshape(-1, *[1] * layer.tokens.ndim)
    many = layer.tokens * layer.top_k > layer.experts
    least = np.where(many, 1.0, LEAST_SHARE)
    most = np.where(many, np.maximum(layer.tokens * MOST_SHARE, 1.01), 2.0)
    power = 1 - exponent
    counts = ((most**power - least**power) * rank + least**power) ** (1 / power)
    spread = counts.std(axis=0) / counts.mean(axis=0)
    busiest = 1 + np.sqrt(2 * np.log(np.maximum(layer.ep, 1.0))) * spread / np.sqrt(layer.local)
    mean = np.minimum(layer.tokens * layer.top_k / layer.experts * busiest, layer.tokens)
    tokens = np.minimum(counts / counts.mean(axis=0) * mean, layer.tokens)
    for _ in range(2):
        # what one expert cannot take goes to the others
        tokens = np.minimum(tokens * mean / tokens.mean(axis=0), layer.tokens)
    experts = layer.local / CLASSES * np.minimum(tokens, 1.0)
    return Loads(np.maximum(tokens, 1.0), experts)


def is_whole(values: Floats) -> NDArray[np.bool_]:
    """Numbers of at least 1."""
    return np.isfinite(values) & (values >= 1)
