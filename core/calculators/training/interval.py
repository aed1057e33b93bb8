"""The prediction interval of a step: what published steps of its software leave open."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.calculators.training.efficiency import efficiency
from core.calculators.training.memory import memory
from core.calculators.training.offload import slow_copies_s, slow_host_s
from core.calculators.training.scenario import ALL_TO_ALL, FULL_ITERATION, NO_GRAPHS, PARTIAL, Scenario
from core.calculators.training.step import step, unpriced
from core.calculators.training.stragglers import in_16_bits
from core.catalog.calibrations import training as constants
from core.parallel.columns import larger, unwrapped, where
from core.parallel.states import SHARDING


@dataclass(frozen=True, slots=True)
class Certainty:
    """
    How much is known of a step's software.

    Attributes:
        half_width: Half width of the interval over the step.
        overlap_known: Whether it is known to hide data-parallel communication behind compute.
    """

    half_width: float
    overlap_known: bool


def step_interval(scenario: Scenario, step_s: float) -> tuple[float, float]:
    """The interval of a step that takes ``step_s``, seconds."""
    return ends(scenario, step_s, certainty(scenario))


def ends(scenario: Scenario, step_s: float, known: Certainty) -> tuple[float, float]:
    """
    Low and high end of a step, seconds.

    What software of its kind leaves open and what nobody states are independent: each changes the step by
    a ratio, and the two are added in quadrature. Not stated and on the low end: dispatch and combine
    overlapped, layers launched by graphs, as tuned recipes have it; on the high one: TP overlapped with
    nothing, experts launched from the host, their tokens sent by an all-to-all; where the software is not
    known, data parallelism exposed. Beside them the high end is longer where sharded parameters leave the
    memory all but full, by what an allocator that runs out of room has cost, where the host updates the
    parameters, with a thread a GPU, and where activations are copied to it, whose memory all GPUs share.
    """
    own = float(np.log1p(known.half_width))
    best_s = step_s / _ratio(own, step_s / _changed_s(scenario, step_s, _hidden(scenario)))
    worst_s = step_s * _ratio(own, _changed_s(scenario, step_s, _unstated(scenario, known)) / step_s)
    worst_s = worst_s + (1 + known.half_width) * (slow_host_s(scenario) + _slow_copies_s(scenario))
    full = where(_full_memory(scenario), constants.FULL_MEMORY_TIMES, 1.0)
    return best_s, larger(worst_s, step_s * full)


def _ratio(own: float, unstated: float) -> float:
    """The software's own ratio (its logarithm) with that of what is not stated, which is at least one."""
    return unwrapped(np.exp(np.hypot(own, np.log(larger(1.0, unstated)))))


def _changed_s(scenario: Scenario, step_s: float, changes: dict[str, Any]) -> float:
    """The step with these changes, all at once."""
    return step(replace(scenario, **changes)).total_s if changes else step_s


def _slow_copies_s(scenario: Scenario) -> float:
    """What copies of activations take longer on a shared host."""
    if not scenario.offload_activations:
        return 0.0
    work = unpriced(scenario)
    forward_s, backward_s = work.layers * work.gpu.layer_forward_s, work.layers * work.gpu.layer_backward_s
    return slow_copies_s(scenario, forward_s, backward_s)


def _hidden(scenario: Scenario) -> dict[str, Any]:
    """
    What nobody states and the low end has: dispatch and combine overlapped, layers launched by graphs.

    Recipes of experts in FP8 and below capture the whole iteration since mid 2026, so their low end does.
    """
    experts = {"ep_overlap": 1.0} if scenario.layout.ep > 1 and scenario.ep_overlap is None else {}
    whole = scenario.model.moe and not in_16_bits(scenario)
    graphs = {"cuda_graphs": FULL_ITERATION if whole else PARTIAL}
    return experts | (graphs if scenario.cuda_graphs is None else {})


def _unstated(scenario: Scenario, known: Certainty) -> dict[str, Any]:
    """What nobody states and the high end goes without: overlaps, and graphs of experts."""
    data = {"dp_overlap": False} if scenario.dp_overlap and not known.overlap_known else {}
    tensor = bool(np.any((np.asarray(scenario.layout.tp) > 1) & (np.asarray(scenario.overlap.tp) > 0)))
    graphs = {"cuda_graphs": NO_GRAPHS} if scenario.model.moe and scenario.cuda_graphs is None else {}
    plain = {"dispatcher": ALL_TO_ALL} if scenario.layout.ep > 1 and scenario.dispatcher is None else {}
    return data | graphs | plain | ({"tp_overlap": 0.0} if tensor and scenario.tp_overlap is None else {})


def certainty(scenario: Scenario) -> Certainty:
    """What is known of the scenario's software; a given GEMM efficiency is that of a measured framework."""
    if scenario.model.state is not None:
        return Certainty(constants.UNMEASURED_BAND, overlap_known=True)
    known = constants.MOE_BAND if scenario.model.moe else constants.BAND
    if scenario.model.moe and scenario.system.gpu.architecture.year < constants.EXPERTS_YEAR:
        known = constants.UNMEASURED_BAND
    if scenario.efficiency is not None:
        return Certainty(known, overlap_known=True)
    fit = efficiency(scenario.system.gpu, scenario.precision, scenario.kernels)
    known_software = scenario.kernels != constants.ANY
    tables = known_software and fit.framework == scenario.kernels and fit.fitted
    return Certainty(max(known, fit.band), overlap_known=tables)


def _full_memory(scenario: Scenario) -> bool:
    """Whether sharded parameters leave hardly any memory free."""
    return SHARDING[scenario.strategy].parameters and memory(scenario).tight
