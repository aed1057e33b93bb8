"""The unknowns of the networks: constants that all share, and what each level adds."""

from collections.abc import Sequence

import numpy as np

from core.catalog.calibrations.estimates import EXCHANGE_RACK
from core.catalog.calibrations.shapes import (
    Correction,
    CrossingSet,
    HopSet,
    NetworkOffset,
    NetworkSet,
    Provenance,
)
from core.collectives.cost_model.networks import HIGHEST_SHARE
from core.collectives.refit.parameters import Parameters, Values

TREE_KNOTS = tuple(float(x) for x in range(4, 37, 2))
RING_KNOTS = tuple(float(x) for x in range(4, 31, 2))

# us per hop LL / LL128 / Simple and share of W, where every network starts from
TREE_START = ((6.0, 0.25), (9.0, 0.6), (14.0, 0.95))
RING_START = ((5.0, 0.25), (7.0, 0.6), (12.0, 0.95))
EXCHANGE_START = ((4.0, 0.4), (6.0, 0.85))
PROTOCOLS = ("LL", "LL128", "Simple")

# what a piece adds to a hop before any data: us at 2^first bytes, growing with the power, until 2^last
EXTRA_START = {"tree": (4.0, 16.0, 22.0), "ring": (1.5, 14.0, 20.0)}
EXTRA_POWER = 0.6

HOP_FACTORS = ("tree_hop", "ring_hop", "exchange_hop")
SHARE_FACTORS = ("tree_share", "ring_share", "exchange_share")
NAMES = {"tree": PROTOCOLS, "ring": PROTOCOLS, "exchange": ("LL", "Simple")}
BENDING = ("class", "network", "library")
GROWTH_SPREAD = 0.7
"""How far the growth of a tree's bytes with its depth may lie from what all classes share, in ln: NICs that
send without the host overlap the chunks of a message, others hardly do."""


# how far a level may lie from the one above it: ln factors on hops, and on shares of the wire
SPREADS = {"class": 0.8, "generation": 0.6, "network": 0.5, "set": 0.3, "library": 0.6, "alone": 0.3}
SHARE_SPREADS = {
    "class": 0.05,
    "generation": 0.05,
    "network": 0.08,
    "set": 0.25,
    "library": 0.08,
    "alone": 0.25,
}
WIRE_SPREAD = 0.03
EXCHANGE_RACK_SPREAD = 0.05
"""In ln: one rack of many rows would outweigh the three of one operator that the estimate compares."""


def parameters(keys: Sequence[str]) -> Parameters:
    """The vector: common constants and curves, then an offset a level."""
    unknowns = Parameters()
    starts = {"tree": TREE_START, "ring": RING_START, "exchange": EXCHANGE_START}
    for algorithm, start in starts.items():
        for name, (hop, share) in zip(NAMES[algorithm], start, strict=True):
            unknowns.positive(f"{algorithm}.hop.{name}", hop * 1e-6, 1.0)
            unknowns.positive(f"{algorithm}.share.{name}", share, WIRE_SPREAD if name == "Simple" else 0.2)
    unknowns.smooth("tree.extra", len(TREE_KNOTS), 1.5, 0.5)
    unknowns.smooth("ring.extra", len(RING_KNOTS), 1.5, 0.5)
    unknowns.smooth("exchange.extra", len(RING_KNOTS), 2.0, 0.5)
    unknowns.positive("exchange.fade", 0.06, 0.5)
    unknowns.positive("exchange.rack", EXCHANGE_RACK.value, EXCHANGE_RACK_SPREAD)
    unknowns.positive("point.two", 0.8, 0.1)
    unknowns.positive("point.more", 0.5, 0.1)
    unknowns.positive("tree.growth", 0.4, 0.5)
    unknowns.positive("ring.growth", 0.6, 0.5)
    unknowns.positive("inside.tree", 0.9, 0.1)
    unknowns.positive("inside.ring", 0.95, 0.1)
    for level in keys:
        kind = level.split(":")[0]
        spread = SPREADS[kind]
        for what in HOP_FACTORS:
            unknowns.positive(f"{level}|{what}", 1.0, spread)
        for what in SHARE_FACTORS:
            unknowns.positive(f"{level}|{what}", 1.0, SHARE_SPREADS[kind])
        if kind == "class":
            unknowns.positive(f"{level}|tree_growth", 1.0, GROWTH_SPREAD)
        if kind in BENDING:
            unknowns.smooth(f"{level}|tree_extra", len(TREE_KNOTS), spread, 0.4 * spread)
            unknowns.smooth(f"{level}|ring_extra", len(RING_KNOTS), spread, 0.4 * spread)
    return unknowns


def _extra(algorithm: str, knots: tuple[float, ...], bends: tuple[float, ...]) -> tuple[float, ...]:
    """ln(us) a piece adds to a hop: the start's curve, bent."""
    if algorithm not in EXTRA_START:
        return bends
    at_first_us, first, last = EXTRA_START[algorithm]
    grown = np.exp2(EXTRA_POWER * (np.array(knots) - first))
    most = 2.0 ** (EXTRA_POWER * (last - first))
    curve: list[float] = (np.log(at_first_us * grown / (1 + grown / most)) + np.array(bends)).tolist()
    return tuple(curve)


def build_base(values: Values, provenance: Provenance) -> NetworkSet:
    """What all networks share."""

    def crossing(algorithm: str, knots: tuple[float, ...]) -> CrossingSet:
        return CrossingSet(
            tuple(
                HopSet(
                    name,
                    values.positive(f"{algorithm}.hop.{name}"),
                    values.positive(f"{algorithm}.share.{name}"),
                )
                for name in NAMES[algorithm]
            ),
            Correction(knots, _extra(algorithm, knots, values.many(f"{algorithm}.extra", len(knots)))),
        )

    return NetworkSet(
        "all networks",
        crossing("tree", TREE_KNOTS),
        crossing("ring", RING_KNOTS),
        crossing("exchange", RING_KNOTS),
        (
            min(HIGHEST_SHARE, values.positive("point.two")),
            min(HIGHEST_SHARE, values.positive("point.more")),
        ),
        values.positive("inside.tree"),
        values.positive("inside.ring"),
        values.positive("exchange.fade"),
        values.positive("exchange.rack"),
        provenance,
        values.positive("tree.growth"),
        values.positive("ring.growth"),
    )


def build_offset(level: str, values: Values) -> NetworkOffset:
    """What one level adds."""
    kind = level.split(":", maxsplit=1)[0]
    bends = kind in BENDING
    factors = [values.positive(f"{level}|{what}") for what in (*HOP_FACTORS, *SHARE_FACTORS)]
    return NetworkOffset(
        factors[0],
        factors[1],
        factors[2],
        factors[3],
        factors[4],
        factors[5],
        values.many(f"{level}|tree_extra", len(TREE_KNOTS)) if bends else (),
        values.many(f"{level}|ring_extra", len(RING_KNOTS)) if bends else (),
        values.positive(f"{level}|tree_growth") if kind == "class" else 1.0,
    )
