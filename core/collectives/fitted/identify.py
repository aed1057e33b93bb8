"""Identify: how surely the points fix latency and transfer, and what they leave open."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.adapt import LATENCY_SPREAD, NOISE, TRANSFER_SPREAD, Adaptation
from core.collectives.cost_model.setting import Setting
from core.collectives.fitted import model
from core.collectives.fitted.fit import Curve, MachineConstants
from core.units import format_size

STEP = 0.02
KNOWN = 0.5
"""A constant is identified where its spread is below this share of what it was without points."""

STRANGE = 0.6
"""Ln of how much slower transfer may be than calibrated before the system itself is doubted."""


def spreads(
    swept: Sequence[tuple[Setting, Floats, Floats]], adaptation: Adaptation, regime: str
) -> tuple[float, float]:
    """
    Standard deviations of the ln factors on latency and transfer, given (setting, sizes, times).

    The slopes of ln time at the points, the scatter of the points around the machine, and the
    prior spread of machines of one kind, put together as least squares do.
    """
    rows, misses = [], []
    for setting, sizes, times in swept:
        ln_here = _ln_times(setting, adaptation, sizes)
        more = _ln_times(setting, _with(adaptation, "latency"), sizes)
        slower = _ln_times(setting, _with(adaptation, "transfer"), sizes)
        rows.append(np.stack([more - ln_here, slower - ln_here], axis=1) / STEP)
        misses.append(np.log(times) - ln_here)
    slopes = np.concatenate(rows)
    scatter = max(NOISE, float(np.sqrt(np.mean(np.concatenate(misses) ** 2))))
    prior = np.diag([LATENCY_SPREAD[regime] ** -2.0, TRANSFER_SPREAD[regime] ** -2.0])
    spread = np.linalg.inv(slopes.T @ slopes / scatter**2 + prior)
    return float(np.sqrt(spread[0, 0])), float(np.sqrt(spread[1, 1]))


def _with(adaptation: Adaptation, what: str) -> Adaptation:
    """The machine a little slower in one respect; its floor counts as latency."""
    if what == "transfer":
        return replace(adaptation, ln_transfer=adaptation.ln_transfer + STEP)
    if adaptation.floor_s > 0:
        return replace(adaptation, floor_s=adaptation.floor_s * float(np.exp(STEP)))
    return replace(adaptation, ln_latency=adaptation.ln_latency + STEP)


def _ln_times(setting: Setting, adaptation: Adaptation, sizes: Floats) -> Floats:
    return model.at(model.ln_time(model.lines_of(setting, adaptation)[1]), sizes)


def unidentified(machines: Sequence[MachineConstants], curves: Sequence[Curve]) -> tuple[str, ...]:
    """What the runs could not tell, one sentence each."""
    sentences = []
    for constants in machines:
        regime = "one" if constants.setting.domains == 1 else "several"
        place = f"{constants.setting.domains} x {constants.setting.domain_gpus} GPUs"
        own_curves = [curve for curve in curves if _same_place(curve.setting, constants.setting)]
        small = format_size(min(curve.size_bytes[0] for curve in own_curves))
        large = format_size(max(curve.size_bytes[-1] for curve in own_curves))
        if constants.sd_latency > KNOWN * LATENCY_SPREAD[regime]:
            sentences.append(f"latency at {place}: the smallest size, {small}, says little of it")
        if constants.adaptation.ln_transfer > STRANGE:
            times = math.exp(constants.adaptation.ln_transfer)
            sentences.append(
                f"the rates at {place}: transfer takes {times:.2g} times as long as on "
                "measured systems: check that the system is right"
            )
        if constants.sd_transfer > KNOWN * TRANSFER_SPREAD[regime]:
            sentences.append(f"transfer rate at {place}: the largest size, {large}, is decided by latency")
    if not any(constants.setting.domains > 1 for constants in machines):
        sentences.append("the network: no run spans domains, so several domains are answered as calibrated")
    if not any(constants.setting.domains == 1 for constants in machines):
        sentences.append("the links inside a domain: no run stays in one, so it is answered as calibrated")
    measured = {curve.setting.collective for curve in curves}
    if len(measured) == 1:
        sentences.append(
            f"other collectives: only {min(measured)} was measured, the others share its constants"
        )
    return tuple(sentences)


def _same_place(first: Setting, second: Setting) -> bool:
    return (first.domain_gpus, first.domains) == (second.domain_gpus, second.domains)
