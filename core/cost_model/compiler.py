"""From a setting to its curve: the cheapest line at every knot, its band and its runner-up."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.cost_model import one_domain, several_domains
from core.cost_model.answer import NO_CHOICE
from core.cost_model.curve import KNOT_COUNT, KNOT_SIZES, CostCurve, free_curve
from core.cost_model.domains import domain_for
from core.cost_model.errors import CostModelError
from core.cost_model.line import algorithm_code, protocol_code
from core.cost_model.networks import network_for
from core.cost_model.setting import check_algorithm_fits, resolve

if TYPE_CHECKING:
    from core.cost_model.line import Floats, Line
    from core.cost_model.setting import Point, Resolved, Setting


@lru_cache(maxsize=8192)
def compiled(setting: Setting, points: tuple[Point, ...] = ()) -> CostCurve:
    """The curve of a setting, kept for the next time it is asked."""
    asked = resolve(setting)
    check_algorithm_fits(setting)
    if asked.ranks == 1:
        return free_curve("calibrated:one-rank")
    found, basis = candidate_lines(asked, KNOT_SIZES)
    return assemble(found, basis)


def candidate_lines(asked: Resolved, sizes: Floats) -> tuple[list[Line], str]:
    """The lines that may be chosen, all of them or those asked for, and what they rest on."""
    domain, basis = domain_for(asked)
    if asked.domains == 1:
        found = one_domain.lines(asked, sizes, domain)
    else:
        network, basis = network_for(
            asked.network_family, asked.setting.scale_out_link, asked.generation
        )
        found = several_domains.lines(asked, sizes, domain, network)
    wanted = asked.setting.algorithm
    if wanted == "auto":
        return found, basis
    chosen = [line for line in found if line.algorithm == wanted]
    if not chosen:
        allowed = ", ".join(sorted({line.algorithm for line in found}))
        msg = f"algorithm must be one of auto, {allowed} here, not {wanted}"
        raise CostModelError(msg)
    return chosen, basis


def assemble(found: list[Line], basis: str) -> CostCurve:
    """Put the lines together at every knot."""
    times = np.stack([line.time_s for line in found])
    order = np.argsort(times, axis=0)
    best = order[0]
    columns = np.arange(KNOT_COUNT)
    picked = times[best, columns]
    time = np.maximum.accumulate(picked)

    def pick(name: str) -> np.ndarray:
        return np.stack([getattr(line, name) for line in found])[best, columns] / picked

    algorithms = np.array([algorithm_code(line.algorithm) for line in found], np.int8)
    protocols = np.array([protocol_code(line.protocol) for line in found], np.int8)
    wires = np.array([line.wire_factor for line in found])
    if len(found) > 1:
        second = order[1]
        runner_up = np.log2(np.maximum(times[second, columns], time))
        runner_algorithm, runner_protocol = algorithms[second], protocols[second]
    else:
        runner_up = np.full(KNOT_COUNT, np.nan)
        runner_algorithm = np.full(KNOT_COUNT, NO_CHOICE, np.int8)
        runner_protocol = np.zeros(KNOT_COUNT, np.int8)
    return CostCurve(
        log_time=np.log2(time),
        log_low=np.full(KNOT_COUNT, np.log2(0.85)),
        log_high=np.full(KNOT_COUNT, np.log2(1.4)),
        log_runner_up=runner_up,
        launch_share=pick("launch_s"),
        latency_share=pick("latency_s"),
        reduction_share=pick("reduction_s"),
        wire_factor=wires[best],
        algorithm=algorithms[best],
        protocol=protocols[best],
        runner_up_algorithm=runner_algorithm,
        runner_up_protocol=runner_protocol,
        basis=basis,
        warnings=(),
        sources=(),
    )
