"""Fit of the serving engines' own all-reduce, one set per engine and kind of domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.shapes import Correction, EngineSet, Provenance, ShotSet
from core.collectives.cost_model import engines, one_domain
from core.collectives.refit.parameters import Parameters, Values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.catalog.calibrations.shapes import DomainSet
    from core.collectives.refit.data import Series

KNOTS = tuple(float(x) for x in range(8, 31, 2))
MIB = 2.0**20
LIMITS = {"vllm-custom": 8 * MIB, "sglang-custom": 8 * MIB, "trtllm-auto": 8 * MIB}
PRIOR = 0.05
ROBUST_SCALE = 0.08


def parameters(link_bytes_per_s: float) -> Parameters:
    """The vector of one engine's constants."""
    turned = Parameters()
    turned.positive("one.start", 4e-6, 0.7)
    turned.positive("one.peer", 0.1e-6, 1.0)
    turned.positive("one.rate", 0.6 * link_bytes_per_s, 0.4)
    turned.positive("two.start", 7e-6, 0.7)
    turned.positive("two.peer", 0.2e-6, 1.0)
    turned.positive("two.rate", 0.6 * link_bytes_per_s, 0.4)
    turned.smooth("bend", len(KNOTS), 0.15, 0.1)
    turned.positive("floor", 25e-6, 0.7)
    turned.positive("copy", 1.5e12, 0.7)
    return turned


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


def cheapest(one: Series, engine: EngineSet, domain: DomainSet) -> np.ndarray:
    """The model's time for a measured series."""
    fallback = one_domain.lines(one.asked, one.size_bytes, domain)
    found = engines.lines(one.asked, one.size_bytes, engine, fallback)
    best: np.ndarray = np.min([line.time_s for line in found], axis=0)
    return best


def fit_engine(name: str, series: Sequence[Series], domain: DomainSet) -> EngineSet:
    """The constants of one engine on one kind of domain."""
    turned = parameters(domain.link_bytes_per_s)
    limit = LIMITS[name.split("/", maxsplit=1)[0]]
    nobody = Provenance((), 0, 0.0, 0.0)

    def errors(vector: np.ndarray) -> np.ndarray:
        engine = build(name, domain.link_bytes_per_s, turned.read(vector), limit, nobody)
        return np.concatenate([np.log(cheapest(one, engine, domain) / one.time_s) for one in series])

    def residuals(vector: np.ndarray) -> np.ndarray:
        scaled = errors(vector) / ROBUST_SCALE
        robust = np.sign(scaled) * ROBUST_SCALE * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
        return np.concatenate([robust, PRIOR * turned.penalty(vector)])

    best = least_squares(residuals, np.array(turned.start), max_nfev=25)
    final = np.abs(np.expm1(errors(best.x)))
    provenance = Provenance(
        tuple(sorted({one.site for one in series})),
        int(final.size),
        float(np.median(final)),
        float(np.quantile(final, 0.9)),
    )
    return build(name, domain.link_bytes_per_s, turned.read(best.x), limit, provenance)
