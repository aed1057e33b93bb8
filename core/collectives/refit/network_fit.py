"""Fit of the networks together: what all share, what a class of networks shares, and each one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.shapes import (
    DomainSet,
    NetworkOffset,
    NetworkReach,
    NetworkSet,
    Provenance,
)
from core.collectives.cost_model import several_domains
from core.collectives.cost_model.domains import domain_for
from core.collectives.cost_model.networks import compose, levels
from core.collectives.cost_model.one_domain import CHAINS, EXCHANGES
from core.collectives.refit.data import Sweep
from core.collectives.refit.network_parameters import (
    RING_KNOTS,
    TREE_KNOTS,
    build_base,
    build_offset,
    parameters,
)
from core.collectives.refit.parameters import Parameters

ROBUST_SCALE = 0.07
TREE_UP_TO_BYTES = 4 * 2.0**20
TREE_WEIGHT = 0.7
PRIOR = 0.1
STEP = 1e-5
UNMEASURED = Provenance((), 0, 0.0, 0.0)
OLD_LIBRARY = "library:old"
TREES = ("all_reduce", *CHAINS)


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


def small_tree(sweep: Sweep) -> np.ndarray:
    """Which rows NCCL answers with the tree: all_reduce of small and middle sizes."""
    all_reduce = sweep.setting.collective == "all_reduce"
    usual = all_reduce and sweep.setting.algorithm == "auto" and not several_domains.rings_alone(sweep.comm)
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


@dataclass(frozen=True, slots=True)
class NetworkMisfit:
    """How far the networks of a vector of unknowns are from some sweeps, and how that changes."""

    sweeps: tuple[Sweep, ...]
    inside: tuple[DomainSet, ...]
    sweep_levels: tuple[tuple[str, ...], ...]
    levels: tuple[str, ...]
    weights: tuple[float, ...]
    unknowns: Parameters

    def errors(self, vector: np.ndarray, which: Sequence[int]) -> list[np.ndarray]:
        """The weighted ln errors of some sweeps."""
        values = self.unknowns.read(vector)
        base = build_base(values, UNMEASURED)
        keys = {i: self.sweep_levels[i] for i in which}
        offsets = {level: build_offset(level, values) for own in keys.values() for level in own}
        sets = {own: compose(base, offsets, own, "") for own in keys.values()}
        return [
            self.weights[i] * _robust(log_errors(self.sweeps[i], self.inside[i], sets[keys[i]]))
            for i in which
        ]

    def residuals(self, vector: np.ndarray) -> np.ndarray:
        """All errors, then how far each unknown is from what was believed."""
        errors = self.errors(vector, range(len(self.sweeps)))
        return np.concatenate([*errors, PRIOR * self.unknowns.penalty(vector)])

    def slope(self, vector: np.ndarray) -> np.ndarray:
        """
        Numerical derivatives of the residuals.

        A level multiplies what all networks share, so one difference a shared constant serves all levels.
        """
        bounds = np.cumsum([0, *(row_count(sweep) for sweep in self.sweeps)])
        places = {name: place for place, name in enumerate(self.unknowns.names)}
        before = self.errors(vector, range(len(self.sweeps)))
        matrix = np.zeros((int(bounds[-1]), len(vector)))
        for name in (name for name in places if "|" not in name):
            which = [i for i, sweep in enumerate(self.sweeps) if touches(name, sweep)]
            moved = vector.copy()
            moved[places[name]] += STEP
            for i, error in zip(which, self.errors(moved, which), strict=True):
                rows = slice(bounds[i], bounds[i + 1])
                for column in (places[name], *_of_levels(name, self.sweep_levels[i], places)):
                    matrix[rows, column] += (error - before[i]) / STEP
        return np.concatenate([matrix, PRIOR * self.unknowns.penalty_slope()])


def fit_networks(
    sweeps: Sequence[Sweep], domains: Mapping[str, DomainSet], evaluations: int = 12
) -> NetworkFit:
    """Fit all networks at once; networks and sets shrink towards what they share."""
    misfit = misfit_of(sweeps, domains)
    start = np.array(misfit.unknowns.start)
    best = least_squares(misfit.residuals, start, jac=misfit.slope, max_nfev=evaluations)
    values = misfit.unknowns.read(best.x)
    offsets = {level: build_offset(level, values) for level in misfit.levels if level != OLD_LIBRARY}
    return NetworkFit(build_base(values, UNMEASURED), offsets)


def misfit_of(sweeps: Sequence[Sweep], domains: Mapping[str, DomainSet]) -> NetworkMisfit:
    """What the fit makes small, an operator of many rows on a network counting by their square root."""
    own = tuple(_levels(sweep) for sweep in sweeps)
    keys = tuple(sorted({level for item in own for level in item}))
    counts: dict[tuple[str, str], int] = {}
    for sweep in sweeps:
        counts[_host(sweep)] = counts.get(_host(sweep), 0) + len(sweep.size_bytes)
    return NetworkMisfit(
        tuple(sweeps),
        tuple(domain_for(sweep.comm, domains).constants for sweep in sweeps),
        own,
        keys,
        tuple(counts[_host(sweep)] ** -0.25 for sweep in sweeps),
        parameters(keys),
    )


def _host(sweep: Sweep) -> tuple[str, str]:
    return sweep.operator, levels(sweep.comm).network


def _levels(sweep: Sweep) -> tuple[str, ...]:
    """The levels of a sweep; that of an old library takes up what no answer has."""
    own = tuple(level for level in levels(sweep.comm) if level)
    return (*own, OLD_LIBRARY) if sweep.old_library else own


def _of_levels(name: str, keys: Sequence[str], places: Mapping[str, int]) -> list[int]:
    """Where the levels' own unknowns are that move an error as much as this shared one."""
    algorithm, what, *rest = name.split(".")
    own = f"{algorithm}_{what}" if what in ("hop", "share", "growth") else None
    if what == "extra":
        own = f"{algorithm}_extra.{rest[0]}"
    names = [f"{level}|{own}" for level in keys]
    return [places[own_name] for own_name in names if own_name in places]


def touches(name: str, sweep: Sweep) -> bool:
    """Whether a constant that networks share has a part in the answers to a sweep."""
    algorithm, what, *rest = name.split(".")
    collective, ranks = sweep.setting.collective, sweep.comm.ranks
    if collective == "send_recv":
        return name.startswith(("ring.hop", "point"))
    algorithms: tuple[str, ...]
    if collective in EXCHANGES:
        algorithms, knots = ("exchange",), RING_KNOTS
    elif algorithm == "tree":
        algorithms, knots, ranks = (("tree",) if collective in TREES else ()), TREE_KNOTS, 1
    else:
        algorithms, knots = ("ring", "inside"), RING_KNOTS
    return algorithm in algorithms and (what != "extra" or _near(sweep, knots, int(rest[0]), ranks))


def _near(sweep: Sweep, knots: tuple[float, ...], place: int, ranks: int) -> bool:
    """Whether a knot bends any of the pieces of a sweep's messages, one piece for so many ranks."""
    pieces = np.log2(np.maximum(sweep.size_bytes / ranks, 1.0))
    positions = np.clip(pieces, knots[0], knots[-1])
    return bool((np.abs(positions - knots[place]) < knots[1] - knots[0]).any())


def _robust(errors: np.ndarray) -> np.ndarray:
    scaled = errors / ROBUST_SCALE
    robust: np.ndarray = np.sign(errors) * ROBUST_SCALE * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
    return robust
