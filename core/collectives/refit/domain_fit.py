"""Fit of one kind of domain: ring, direct exchange and in-switch reduction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.shapes import (
    Correction,
    DomainKind,
    DomainSet,
    InSwitchSet,
    Protocol,
    Provenance,
    RingSet,
)
from core.collectives.cost_model import one_domain
from core.collectives.refit.data import Sweep
from core.collectives.refit.parameters import Parameters, Values
from core.hardware import Architecture

RING_KNOTS = tuple(float(x) for x in range(6, 32))
SWITCH_KNOTS = tuple(float(x) for x in range(17, 36))
LL128_SHARE = 0.92
STEP_SPREAD = {"LL": 0.5, "LL128": 0.3, "Simple": 0.1}
PRIOR_WEIGHT = 0.05
ROBUST_SCALE = 0.05


@dataclass(frozen=True, slots=True)
class DomainPrior:
    """Where the fit of a domain starts (us and GB/s), from the structure NCCL publishes."""

    name: str
    kind: DomainKind
    architecture: Architecture | None
    link_gb_per_s: float
    launch_us: float
    steps_us: tuple[float, float, float]
    rates_gb_per_s: tuple[float, float, float]
    exchange_us: tuple[float, float]
    in_switch_gb_per_s: float | None = None
    spread: float = 0.7
    crowd_share: float = 1.0
    bend: float = 0.15
    rate_spread: float = 0.15
    peer_to_peer: bool = True


RING_COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce")
PROTOCOL_NAMES = ("LL", "LL128", "Simple")


def parameters(prior: DomainPrior) -> Parameters:
    """The vector of a domain's constants."""
    unknowns = Parameters()
    for collective in RING_COLLECTIVES:
        unknowns.positive(f"launch.{collective}", prior.launch_us * 1e-6, prior.spread)
        unknowns.positive(f"local.{collective}", 0.3 / (prior.link_gb_per_s * 1e9), prior.spread)
    for name, step, rate in zip(PROTOCOL_NAMES, prior.steps_us, prior.rates_gb_per_s, strict=True):
        unknowns.positive(f"step.{name}", step * 1e-6, STEP_SPREAD[name] * prior.spread)
        unknowns.positive(f"rate.{name}", rate * 1e9, prior.rate_spread * (0.25 if name == "Simple" else 1))
    unknowns.smooth("bend", len(RING_KNOTS), prior.bend, 0.5 * prior.bend)
    unknowns.smooth("reduce.bend", len(RING_KNOTS), prior.bend, 0.5 * prior.bend)
    unknowns.positive("exchange.launch", prior.launch_us * 1e-6, prior.spread)
    unknowns.positive("exchange.local", 0.3 / (prior.link_gb_per_s * 1e9), prior.spread)
    for name, step in zip(("LL", "Simple"), prior.exchange_us, strict=True):
        unknowns.positive(f"exchange.step.{name}", step * 1e-6, prior.spread)
    unknowns.positive("exchange.rate.LL", prior.rates_gb_per_s[1] * 0.5e9, prior.spread)
    unknowns.positive("exchange.rate.Simple", prior.rates_gb_per_s[2] * 1e9, prior.spread)
    unknowns.smooth("exchange.bend", len(RING_KNOTS), prior.bend, 0.5 * prior.bend)
    unknowns.positive("crowd", prior.crowd_share, 1e-3 if prior.crowd_share == 1.0 else 0.3)
    if prior.in_switch_gb_per_s is not None:
        unknowns.positive("switch.launch", 30e-6, prior.spread)
        unknowns.positive("switch.rate", prior.in_switch_gb_per_s * 1e9, 0.02)
        unknowns.smooth("switch.bend", len(SWITCH_KNOTS))
    return unknowns


def ring_rate(values: Values, name: str) -> float:
    """LL128 spends 8 of 128 bytes on flags: NCCL expects 0.92 of Simple's rate at most."""
    rate = values.positive(f"rate.{name}")
    return min(rate, LL128_SHARE * values.positive("rate.Simple")) if name == "LL128" else rate


def build(
    prior: DomainPrior, values: Values, provenance: Provenance, measured_on: tuple[str, ...] = ()
) -> DomainSet:
    """Constants from a vector."""
    ring = RingSet(
        tuple((name, values.positive(f"launch.{name}")) for name in RING_COLLECTIVES),
        tuple((name, values.positive(f"local.{name}")) for name in RING_COLLECTIVES),
        tuple(
            Protocol(name, values.positive(f"step.{name}"), ring_rate(values, name))
            for name in PROTOCOL_NAMES
        ),
        Correction(RING_KNOTS, values.many("bend", len(RING_KNOTS))),
        Correction(RING_KNOTS, values.many("reduce.bend", len(RING_KNOTS))),
    )
    exchange = RingSet(
        (("all_to_all", values.positive("exchange.launch")),),
        (("all_to_all", values.positive("exchange.local")),),
        tuple(
            Protocol(
                name,
                values.positive(f"exchange.step.{name}"),
                values.positive(f"exchange.rate.{name}"),
            )
            for name in ("LL", "Simple")
        ),
        Correction(RING_KNOTS, values.many("exchange.bend", len(RING_KNOTS))),
    )
    in_switch = None
    if prior.in_switch_gb_per_s is not None:
        in_switch = InSwitchSet(
            values.positive("switch.launch"),
            values.positive("switch.rate"),
            Correction(SWITCH_KNOTS, values.many("switch.bend", len(SWITCH_KNOTS))),
        )
    return DomainSet(
        prior.name,
        prior.kind,
        prior.architecture,
        prior.peer_to_peer,
        measured_on,
        prior.link_gb_per_s * 1e9,
        ring,
        exchange,
        in_switch,
        min(1.0, values.positive("crowd")),
        provenance,
    )


def cheapest(constants: DomainSet, sweep: Sweep) -> np.ndarray:
    """The model's time for a measured sweep."""
    algorithm = sweep.setting.algorithm
    lines = [
        line
        for line in one_domain.lines(sweep.comm, sweep.size_bytes, constants)
        if algorithm in ("auto", line.algorithm)
    ]
    best: np.ndarray = np.min([line.time_s for line in lines], axis=0)
    return best


def prior_set(prior: DomainPrior) -> DomainSet:
    """The constants believed before any measurement."""
    unknowns = parameters(prior)
    return build(prior, unknowns.read(np.array(unknowns.start)), Provenance((), 0, 0.0, 0.0))


def fit_domain(prior: DomainPrior, sweeps: Sequence[Sweep]) -> DomainSet:
    """The constants that fit these sweeps best, in log error, outliers counting linearly."""
    unknowns = parameters(prior)
    unmeasured = Provenance((), 0, 0.0, 0.0)
    weights = [1.0 / np.sqrt(len(sweep.size_bytes)) for sweep in sweeps]

    def residuals(vector: np.ndarray) -> np.ndarray:
        constants = build(prior, unknowns.read(vector), unmeasured)
        errors = [
            np.log(cheapest(constants, sweep) / sweep.time_s) * weight * 4
            for sweep, weight in zip(sweeps, weights, strict=True)
        ]
        robust = np.concatenate(errors)
        robust = np.sign(robust) * ROBUST_SCALE * np.sqrt(2 * (np.sqrt(1 + (robust / ROBUST_SCALE) ** 2) - 1))
        return np.concatenate([robust, PRIOR_WEIGHT * 0.5 * unknowns.penalty(vector)])

    best = least_squares(residuals, np.array(unknowns.start), max_nfev=40)
    constants = build(prior, unknowns.read(best.x), unmeasured)
    errors = np.concatenate([np.abs(cheapest(constants, sweep) / sweep.time_s - 1) for sweep in sweeps])
    provenance = Provenance(
        tuple(sorted({sweep.site for sweep in sweeps})),
        int(errors.size),
        float(np.median(errors)),
        float(np.quantile(errors, 0.9)),
    )
    gpus = tuple(sorted({sweep.setting.gpu for sweep in sweeps}))
    return build(prior, unknowns.read(best.x), provenance, gpus)


PRIORS = (
    DomainPrior(
        "nvlink-volta",
        DomainKind.NVLINK,
        Architecture.VOLTA,
        150,
        20,
        (0.9, 1.5, 8.0),
        (8, 60, 130),
        (2.5, 8.0),
        bend=0.08,
    ),
    DomainPrior(
        "nvlink-ampere",
        DomainKind.NVLINK,
        Architecture.AMPERE,
        300,
        8.3,
        (0.75, 1.36, 10.7),
        (12, 128, 257),
        (2.0, 8.0),
    ),
    DomainPrior(
        "nvlink-hopper",
        DomainKind.NVLINK,
        Architecture.HOPPER,
        450,
        4.2,
        (0.79, 1.08, 4.9),
        (16, 203, 398),
        (2.0, 5.0),
        480,
    ),
    DomainPrior(
        "nvlink-blackwell",
        DomainKind.NVLINK,
        Architecture.BLACKWELL,
        900,
        6.7,
        (1.24, 1.44, 6.5),
        (21, 306, 778),
        (3.0, 7.0),
        850,
    ),
    DomainPrior(
        "pcie-peer",
        DomainKind.PCIE,
        None,
        31.5,
        4.0,
        (1.4, 2.5, 6.0),
        (3, 12, 19),
        (3.0, 6.0),
        crowd_share=0.65,
        bend=0.06,
        rate_spread=0.4,
    ),
    DomainPrior(
        "pcie-staged",
        DomainKind.PCIE,
        None,
        31.5,
        10.0,
        (3.0, 5.0, 9.0),
        (3, 8, 12),
        (4.0, 8.0),
        rate_spread=0.4,
        peer_to_peer=False,
    ),
    DomainPrior(
        "mesh-cdna3",
        DomainKind.MESH,
        Architecture.CDNA3,
        448,
        7.0,
        (1.0, 1.6, 7.0),
        (20, 125, 314),
        (3.0, 6.0),
        spread=0.5,
        bend=0.03,
    ),
    DomainPrior(
        "mesh",
        DomainKind.MESH,
        Architecture.CDNA4,
        535.5,
        4.0,
        (1.0, 1.0, 7.0),
        (20, 150, 375),
        (3.0, 6.0),
        spread=0.3,
        bend=0.03,
    ),
)
"""What is believed of each kind of domain before any measurement."""
