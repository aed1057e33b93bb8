"""Fit of the networks together: what all share, what a class of networks shares, and each one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.shapes import (
    Correction,
    CrossingSet,
    HopSet,
    NetworkOffset,
    NetworkReach,
    NetworkSet,
    Provenance,
)
from core.collectives.cost_model import several_domains
from core.collectives.cost_model.networks import HIGHEST_SHARE, compose, levels, port_bytes_per_s, variant_of
from core.collectives.refit.parameters import Parameters, Values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.catalog.calibrations.shapes import DomainSet
    from core.collectives.refit.data import Series

TREE_KNOTS = tuple(float(x) for x in range(4, 37, 2))
RING_KNOTS = tuple(float(x) for x in range(4, 31, 2))
ROBUST_SCALE = 0.07
TREE_UP_TO_BYTES = 4 * 2.0**20
TREE_WEIGHT = 0.7
PRIOR = 0.1
STEP = 1e-5

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
BENDING = ("class", "network")


# how far a level may lie from the one above it: ln factors on hops, and on shares of the wire
SPREADS = {"class": 0.8, "generation": 0.6, "network": 0.5, "set": 0.3}
SHARE_SPREADS = {"class": 0.05, "generation": 0.05, "network": 0.08, "set": 0.25}
WIRE_SPREAD = 0.03


def levels_of(one: Series) -> tuple[str, ...]:
    """The levels whose offsets add up for a series."""
    family = one.asked.network_family
    variant = variant_of(family, one.setting.scale_out_link)
    return levels(family, variant, one.asked.generation)


def reach_of(series: Sequence[Series]) -> dict[str, NetworkReach]:
    """How many domains and which rates of a port were measured, by network and generation."""
    groups: dict[str, list[Series]] = {}
    for one in series:
        groups.setdefault(levels_of(one)[3].removeprefix("set:"), []).append(one)
    return {
        name: NetworkReach(
            max(one.setting.domains for one in own),
            min(port_bytes_per_s(one.asked) for one in own),
            max(port_bytes_per_s(one.asked) for one in own),
        )
        for name, own in sorted(groups.items())
    }


def parameters(wanted: Sequence[str]) -> Parameters:
    """The vector: common constants and curves, then an offset a level."""
    turned = Parameters()
    starts = {"tree": TREE_START, "ring": RING_START, "exchange": EXCHANGE_START}
    for algorithm, start in starts.items():
        for name, (hop, share) in zip(NAMES[algorithm], start, strict=True):
            turned.positive(f"{algorithm}.hop.{name}", hop * 1e-6, 1.0)
            turned.positive(f"{algorithm}.share.{name}", share, WIRE_SPREAD if name == "Simple" else 0.2)
    turned.smooth("tree.extra", len(TREE_KNOTS), 1.5, 0.5)
    turned.smooth("ring.extra", len(RING_KNOTS), 1.5, 0.5)
    turned.smooth("exchange.extra", len(RING_KNOTS), 2.0, 0.5)
    turned.positive("point.two", 0.8, 0.1)
    turned.positive("point.more", 0.65, 0.02)
    turned.positive("inside.tree", 0.9, 0.1)
    turned.positive("inside.ring", 0.95, 0.1)
    for level in wanted:
        kind = level.split(":")[0]
        spread = SPREADS[kind]
        for what in HOP_FACTORS:
            turned.positive(f"{level}|{what}", 1.0, spread)
        for what in SHARE_FACTORS:
            turned.positive(f"{level}|{what}", 1.0, SHARE_SPREADS[kind])
        if kind in BENDING:
            turned.smooth(f"{level}|tree_extra", len(TREE_KNOTS), spread, 0.4 * spread)
            turned.smooth(f"{level}|ring_extra", len(RING_KNOTS), spread, 0.4 * spread)
    return turned


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
        provenance,
    )


def build_offset(level: str, values: Values) -> NetworkOffset:
    """What one level adds."""
    bends = level.split(":", maxsplit=1)[0] in BENDING
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
    )


def cheapest(one: Series, domain: DomainSet, network: NetworkSet) -> np.ndarray:
    """The model's time for a measured series."""
    found = several_domains.lines(one.asked, one.size_bytes, domain, network)
    best: np.ndarray = np.min([line.time_s for line in found], axis=0)
    return best


def small_tree(one: Series) -> np.ndarray:
    """Which rows NCCL answers with the tree: all_reduce of small and middle sizes."""
    wanted = one.setting.collective == "all_reduce"
    rows: np.ndarray = (one.size_bytes <= TREE_UP_TO_BYTES) & wanted
    return rows


def row_count(one: Series) -> int:
    """Residuals of a series: every row, and the rows of the tree once more."""
    return len(one.size_bytes) + int(small_tree(one).sum())


def log_errors(one: Series, domain: DomainSet, network: NetworkSet) -> np.ndarray:
    """ln(model / measured) of the cheapest line, then of the tree alone where it must carry them."""
    found = several_domains.lines(one.asked, one.size_bytes, domain, network)
    best = np.min([line.time_s for line in found], axis=0)
    whole: np.ndarray = np.log(best / one.time_s)
    keep = small_tree(one)
    if not keep.any():
        return whole
    tree = np.min([line.time_s for line in found if "tree" in line.algorithm], axis=0)
    return np.concatenate([whole, np.log(tree / one.time_s)[keep] * TREE_WEIGHT])


@dataclass(frozen=True, slots=True)
class NetworkFit:
    """The fitted base and offsets, from which any network can be composed, seen or not."""

    base: NetworkSet
    offsets: dict[str, NetworkOffset]

    def network(self, one: Series) -> NetworkSet:
        """The constants for a series."""
        return compose(self.base, self.offsets, levels_of(one), "")


def fit_networks(
    series: Sequence[Series], domains: Mapping[str, DomainSet], evaluations: int = 12
) -> NetworkFit:
    """Fit all networks at once; series and sets shrink towards what they share."""
    named = [levels_of(one) for one in series]
    wanted = sorted({level for one in named for level in one})
    turned = parameters(wanted)
    nobody = Provenance((), 0, 0.0, 0.0)
    counts: dict[str, int] = {}
    for one in series:
        counts[one.operator] = counts.get(one.operator, 0) + len(one.size_bytes)
    weights = [counts[one.operator] ** -0.25 for one in series]

    def errors_of(vector: np.ndarray, which: Sequence[int]) -> list[np.ndarray]:
        values = turned.read(vector)
        base = build_base(values, nobody)
        offsets = {level: build_offset(level, values) for i in which for level in named[i]}
        sets = {named[i]: compose(base, offsets, named[i], "") for i in which}
        return [
            weights[i] * _robust(log_errors(series[i], domains[series[i].asked.generation], sets[named[i]]))
            for i in which
        ]

    def residuals(vector: np.ndarray) -> np.ndarray:
        errors = errors_of(vector, range(len(series)))
        return np.concatenate([*errors, PRIOR * turned.penalty(vector)])

    bounds = np.cumsum([0, *(row_count(one) for one in series)])
    penalty_slope = PRIOR * turned.penalty_slope()

    def slope(vector: np.ndarray) -> np.ndarray:
        """Numerical derivatives; a level's offset touches only the series of that level."""
        base = errors_of(vector, range(len(series)))
        matrix = np.zeros((int(bounds[-1]), len(vector)))
        for j, name in enumerate(turned.names):
            level = name.split("|")[0] if "|" in name else None
            which = [i for i in range(len(series)) if level is None or level in named[i]]
            moved = vector.copy()
            moved[j] += STEP
            for i, error in zip(which, errors_of(moved, which), strict=True):
                matrix[bounds[i] : bounds[i + 1], j] = (error - base[i]) / STEP
        return np.concatenate([matrix, penalty_slope])

    best = least_squares(residuals, np.array(turned.start), jac=slope, max_nfev=evaluations)
    values = turned.read(best.x)
    offsets = {level: build_offset(level, values) for level in wanted}
    return NetworkFit(build_base(values, nobody), offsets)


def _robust(errors: np.ndarray) -> np.ndarray:
    scaled = errors / ROBUST_SCALE
    robust: np.ndarray = np.sign(errors) * ROBUST_SCALE * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
    return robust
