"""Fit of the networks together: what all share, what a class of networks shares, and each one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.shapes import (
    Correction,
    CrossingSet,
    DomainSet,
    HopSet,
    NetworkOffset,
    NetworkReach,
    NetworkSet,
    Provenance,
)
from core.collectives.cost_model import several_domains
from core.collectives.cost_model.domains import domain_for
from core.collectives.cost_model.networks import HIGHEST_SHARE, compose, levels
from core.collectives.cost_model.one_domain import CHAINS, EXCHANGES
from core.collectives.refit.data import Sweep
from core.collectives.refit.parameters import Parameters, Values

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


def reach_of(sweeps: Sequence[Sweep]) -> dict[str, NetworkReach]:
    """How many domains and which rates of a port were measured, by network and generation."""
    groups: dict[str, list[Sweep]] = {}
    for sweep in sweeps:
        groups.setdefault(levels(sweep.comm).measured.removeprefix("set:"), []).append(sweep)
    return {
        name: NetworkReach(
            max(sweep.setting.domains for sweep in group),
            min(sweep.comm.port_bytes_per_s for sweep in group),
            max(sweep.comm.port_bytes_per_s for sweep in group),
            min(sweep.setting.domain_gpus for sweep in group),
        )
        for name, group in sorted(groups.items())
    }


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
    unknowns.positive("exchange.rack", 0.4, 0.5)
    unknowns.positive("point.two", 0.8, 0.1)
    unknowns.positive("point.more", 0.65, 0.02)
    unknowns.positive("inside.tree", 0.9, 0.1)
    unknowns.positive("inside.ring", 0.95, 0.1)
    for level in keys:
        kind = level.split(":")[0]
        spread = SPREADS[kind]
        for what in HOP_FACTORS:
            unknowns.positive(f"{level}|{what}", 1.0, spread)
        for what in SHARE_FACTORS:
            unknowns.positive(f"{level}|{what}", 1.0, SHARE_SPREADS[kind])
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


def small_tree(sweep: Sweep) -> np.ndarray:
    """Which rows NCCL answers with the tree: all_reduce of small and middle sizes."""
    all_reduce = sweep.setting.collective == "all_reduce"
    usual = all_reduce and sweep.setting.algorithm == "auto"
    rows: np.ndarray = (sweep.size_bytes <= TREE_UP_TO_BYTES) & usual
    return rows


def row_count(sweep: Sweep) -> int:
    """Residuals of a sweep: every row, and the rows of the tree once more."""
    return len(sweep.size_bytes) + int(small_tree(sweep).sum())


def log_errors(sweep: Sweep, domain: DomainSet, network: NetworkSet) -> np.ndarray:
    """ln(model / measured) of the cheapest line, then of the tree alone where it must carry them."""
    lines = several_domains.lines(sweep.comm, sweep.size_bytes, domain, network)
    forced = sweep.setting.algorithm
    lines = [line for line in lines if forced == "auto" or line.algorithm.endswith(forced)]
    best = np.min([line.time_s for line in lines], axis=0)
    whole: np.ndarray = np.log(best / sweep.time_s)
    small = small_tree(sweep)
    if not small.any():
        return whole
    tree = np.min([line.time_s for line in lines if "tree" in line.algorithm], axis=0)
    return np.concatenate([whole, np.log(tree / sweep.time_s)[small] * TREE_WEIGHT])


@dataclass(frozen=True, slots=True)
class NetworkFit:
    """The fitted base and offsets, from which any network can be composed, seen or not."""

    base: NetworkSet
    offsets: dict[str, NetworkOffset]

    def network(self, sweep: Sweep) -> NetworkSet:
        """The constants for a sweep."""
        return compose(self.base, self.offsets, levels(sweep.comm), "")


def fit_networks(
    sweeps: Sequence[Sweep], domains: Mapping[str, DomainSet], evaluations: int = 8
) -> NetworkFit:
    """Fit all networks at once; networks and sets shrink towards what they share."""
    sweep_levels = [levels(sweep.comm) for sweep in sweeps]
    inside = [domain_for(sweep.comm, domains).constants for sweep in sweeps]
    keys = sorted({level for own in sweep_levels for level in own})
    unknowns = parameters(keys)
    unmeasured = Provenance((), 0, 0.0, 0.0)
    counts: dict[str, int] = {}
    for sweep in sweeps:
        counts[sweep.operator] = counts.get(sweep.operator, 0) + len(sweep.size_bytes)
    weights = [counts[sweep.operator] ** -0.25 for sweep in sweeps]

    def errors_of(vector: np.ndarray, which: Sequence[int]) -> list[np.ndarray]:
        values = unknowns.read(vector)
        base = build_base(values, unmeasured)
        offsets = {level: build_offset(level, values) for i in which for level in sweep_levels[i]}
        sets = {sweep_levels[i]: compose(base, offsets, sweep_levels[i], "") for i in which}
        return [weights[i] * _robust(log_errors(sweeps[i], inside[i], sets[sweep_levels[i]])) for i in which]

    def residuals(vector: np.ndarray) -> np.ndarray:
        errors = errors_of(vector, range(len(sweeps)))
        return np.concatenate([*errors, PRIOR * unknowns.penalty(vector)])

    bounds = np.cumsum([0, *(row_count(sweep) for sweep in sweeps)])
    penalty_slope = PRIOR * unknowns.penalty_slope()
    places = {name: place for place, name in enumerate(unknowns.names)}
    shared = [name for name in unknowns.names if "|" not in name]
    touched = {name: [i for i, sweep in enumerate(sweeps) if touches(name, sweep)] for name in shared}

    def slope(vector: np.ndarray) -> np.ndarray:
        """Numerical derivatives by what all networks share; a level bends the same constants."""
        base = errors_of(vector, range(len(sweeps)))
        matrix = np.zeros((int(bounds[-1]), len(vector)))
        for name in shared:
            moved = vector.copy()
            moved[places[name]] += STEP
            for i, error in zip(touched[name], errors_of(moved, touched[name]), strict=True):
                rows = slice(bounds[i], bounds[i + 1])
                steepness = (error - base[i]) / STEP
                matrix[rows, places[name]] = steepness
                for column in _of_levels(name, sweep_levels[i], places):
                    matrix[rows, column] += steepness
        return np.concatenate([matrix, penalty_slope])

    best = least_squares(residuals, np.array(unknowns.start), jac=slope, max_nfev=evaluations)
    values = unknowns.read(best.x)
    offsets = {level: build_offset(level, values) for level in keys}
    return NetworkFit(build_base(values, unmeasured), offsets)


def _of_levels(name: str, keys: Sequence[str], places: Mapping[str, int]) -> list[int]:
    """Where the levels' own unknowns are that move an error as much as this shared one."""
    algorithm, what, *rest = name.split(".")
    own = {"hop": f"{algorithm}_hop", "share": f"{algorithm}_share"}.get(what)
    if what == "extra":
        own = f"{algorithm}_extra.{rest[0]}"
    names = [f"{level}|{own}" for level in keys]
    return [places[own_name] for own_name in names if own_name in places]


def touches(name: str, sweep: Sweep) -> bool:
    """Whether a constant that networks share has a part in the answers to a sweep."""
    algorithm, what, *rest = name.split(".")
    collective = sweep.setting.collective
    if collective == "send_recv":
        return name.startswith(("ring.hop", "point"))
    if collective in EXCHANGES:
        return algorithm == "exchange" and (what != "extra" or _near(sweep, RING_KNOTS, int(rest[0]), n=True))
    if algorithm == "inside":
        return True
    if algorithm == "tree":
        trees = collective in ("all_reduce", *CHAINS)
        return trees and (what != "extra" or _near(sweep, TREE_KNOTS, int(rest[0]), n=False))
    return algorithm == "ring" and (what != "extra" or _near(sweep, RING_KNOTS, int(rest[0]), n=True))


def _near(sweep: Sweep, knots: tuple[float, ...], place: int, *, n: bool) -> bool:
    """Whether a knot bends any of the pieces of a sweep's messages."""
    pieces = sweep.size_bytes / (sweep.comm.ranks if n else 1)
    positions = np.clip(np.log2(np.maximum(pieces, 1.0)), knots[0], knots[-1])
    return bool((np.abs(positions - knots[place]) < knots[1] - knots[0]).any())


def _robust(errors: np.ndarray) -> np.ndarray:
    scaled = errors / ROBUST_SCALE
    robust: np.ndarray = np.sign(errors) * ROBUST_SCALE * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
    return robust
