"""Claims: the 162 that five published documents make, in our words, each with figures and verdict."""

from core.ledger import Claim
from core.ledger.claims import (
    all_reduces,
    domains,
    generations,
    layer_times,
    levels,
    measuring,
    overviews,
    rack,
    scaling,
    slots,
    training,
)

_PARTS = (
    *(levels.LEVELS, levels.PICTURE, generations.GENERATIONS, rack.RACK, slots.SLOTS),
    *(all_reduces.RING, all_reduces.CURVE, layer_times.OVERHEAD, layer_times.BIG),
    *(measuring.COPIES, measuring.TOPOLOGY),
    *(training.GRADIENTS, training.WIRES, training.SWITCHED),
    *(scaling.NETWORKS, scaling.LADDER, scaling.SCALING),
    *(domains.DOMAINS, overviews.GLOSSARY, overviews.PRIMER),
)

CLAIMS: tuple[Claim, ...] = tuple(
    sorted((claim for part in _PARTS for claim in part), key=lambda claim: claim.id)
)
"""In the order of the documents; not imported by the catalog itself, whose figures they use."""
