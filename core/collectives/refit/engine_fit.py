"""Fit of the serving engines' own all-reduce, one set per engine and kind of domain."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.shapes import Correction, DomainSet, EngineSet, Provenance, ShotSet
from core.collectives.cost_model import engines, one_domain
from core.collectives.refit.data import Sweep
from core.collectives.refit.parameters import Parameters, Values
from core.units import MIB

KNOTS = tuple(float(x) for x in range(8, 31, 2))
LIMITS = {"vllm-custom": 8 * MIB, "sglang-custom": 8 * MIB, "trtllm-auto": 8 * MIB}
PRIOR = 0.05
ROBUST_SCALE = 0.08


def parameters(link_bytes_per_s: float) -> Parameters:
    """The vector of one engine's constants."""
    unknowns = Parameters()
    unknowns.positive("one.start", 4e-6, 0.7)
    unknowns.positive("one.peer", 0.1e-6, 1.0)
    unknowns.positive("one.rate", 0.6 * link_bytes_per_s, 0.4)
    unknowns.positive("two.start", 7e-6, 0.7)
    unknowns.positive("two.peer", 0.2e-6, 1.0)
    unknowns.positive("two.rate", 0.6 * link_bytes_per_s, 0.4)
    unknowns.smooth("bend", len(KNOTS), 0.15, 0.1)
    unknowns.positive("floor", 25e-6, 0.7)
    unknowns.positive("copy", 1.5e12, 0.7)
    return unknowns


def build(
    name: str, link_bytes_per_s: float, values: Values, limit: float, provenance: Provenance
) -> EngineSet:
    """Constants from a vector."""
    shots = [
        ShotSet(
            values.positive(f"{kind}.start"),
            values.positive(f"{kind}.peer"),
            values.positive(f"{kind}.rate"),
        )
        for kind in ("one", "two")
    ]
    return EngineSet(
        name,
        link_bytes_per_s,
        shots[0],
        shots[1],
        Correction(KNOTS, values.many("bend", len(KNOTS))),
        limit,
        values.positive("floor"),
        values.positive("copy"),
        provenance,
    )


def cheapest(sweep: Sweep, engine: EngineSet, domain: DomainSet) -> np.ndarray:
    """The model's time for a measured sweep."""
    fallback = one_domain.lines(sweep.comm, sweep.size_bytes, domain)
    lines = engines.lines(sweep.comm, sweep.size_bytes, engine, fallback)
    best: np.ndarray = np.min([line.time_s for line in lines], axis=0)
    return best


def fit_engine(name: str, sweeps: Sequence[Sweep], domain: DomainSet) -> EngineSet:
    """The constants of one engine on one kind of domain."""
    unknowns = parameters(domain.link_bytes_per_s)
    limit = LIMITS[name.split("/", maxsplit=1)[0]]
    unmeasured = Provenance((), 0, 0.0, 0.0)

    def errors(vector: np.ndarray) -> np.ndarray:
        engine = build(name, domain.link_bytes_per_s, unknowns.read(vector), limit, unmeasured)
        return np.concatenate([np.log(cheapest(sweep, engine, domain) / sweep.time_s) for sweep in sweeps])

    def residuals(vector: np.ndarray) -> np.ndarray:
        scaled = errors(vector) / ROBUST_SCALE
        robust = np.sign(scaled) * ROBUST_SCALE * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
        return np.concatenate([robust, PRIOR * unknowns.penalty(vector)])

    best = least_squares(residuals, np.array(unknowns.start), max_nfev=25)
    final = np.abs(np.expm1(errors(best.x)))
    provenance = Provenance(
        tuple(sorted({sweep.site for sweep in sweeps})),
        int(final.size),
        float(np.median(final)),
        float(np.quantile(final, 0.9)),
    )
    return build(name, domain.link_bytes_per_s, unknowns.read(best.x), limit, provenance)
