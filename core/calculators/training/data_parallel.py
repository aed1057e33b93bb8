"""Data-parallel communication of a step: gradients reduced in backward, parameters gathered for forward."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from core.calculators.training.price import Call, price_s
from core.calculators.training.scenario import Scenario
from core.calculators.training.stage_params import mean_stage_params
from core.catalog.calibrations import training as constants
from core.parallel.columns import either, larger, smaller, where
from core.parallel.groups import Group, replica_group, shard_group
from core.parallel.states import SHARDING
from core.parallel.traffic import BACKWARD, REPLICA, Phase, Volume, checked_phases


@dataclass(frozen=True, slots=True)
class Passes:
    """
    Communication of the forward (or backward) passes of a step.

    Attributes:
        times: Passes of the step that communicate.
        comm_s: Seconds of communication in all of them.
    """

    times: int
    comm_s: float

    def exposed_s(self, compute_s: float, buckets: float) -> float:
        """Exposed communication where each pass overlaps with ``compute_s`` seconds of compute."""
        return self.times * exposed_s(self.comm_s / self.times, compute_s, buckets)


@dataclass(frozen=True, slots=True)
class DataComm:
    """Data-parallel communication of a step by the pass that it overlaps with; gathers need not."""

    forward: Passes
    backward: Passes
    gathers_overlap: bool = True

    @property
    def total_s(self) -> float:
        """All of it, exposed or overlapped."""
        return self.forward.comm_s + self.backward.comm_s

    def exposed_s(self, forward_s: float, backward_s: float, layers: float) -> float:
        """
        Exposed communication, and the compute that overlapping the rest costs.

        ``forward_s`` and ``backward_s`` are a stage's compute for one micro-batch; its layers are the
        buckets.
        """
        gathered = self.forward.comm_s
        if self.gathers_overlap:
            gathered = self.forward.exposed_s(forward_s, layers)
        exposed = self.backward.exposed_s(backward_s, layers) + gathered
        return exposed + constants.OVERLAP_COST * larger(0.0, self.total_s - exposed)


def data_comm(scenario: Scenario) -> DataComm:
    """Data-parallel collectives of the scenario's strategy over the replicas of one stage."""
    forward, backward = [Passes(1, 0.0)], [Passes(1, 0.0)]
    for phase, group in phases_of_step(scenario):
        passes = backward if phase.when == BACKWARD else forward
        seconds = price_s(scenario, Call(group, phase.collective, phase.size_bytes))
        passes.append(Passes(phase.times, phase.times * seconds))
    return DataComm(_together(forward), _together(backward), scenario.param_overlap)


def overlap_window(scenario: Scenario) -> float:
    """
    Micro-batches behind whose compute a step's gradients and parameters are sent.

    One, the last (or first); where virtual stages interleave as many as there are stages, for a virtual
    stage has done with all micro-batches while the others still compute.
    """
    layout = scenario.layout
    sharded = SHARDING[scenario.strategy].gradients
    many = smaller(layout.pp, scenario.micro_batches)
    return where(either(layout.vpp == 1, sharded), 1.0, 1.0 * many)


def contention(scenario: Scenario) -> float:
    """How many times longer than alone the collectives take that all groups begin at once after backward."""
    layout = scenario.layout
    across = layout.data.size * layout.data.stride > scenario.system.domain_gpus
    return where(across, constants.DP_CONTENTION, 1.0)


def data_calls(scenario: Scenario) -> tuple[Call, ...]:
    """Every collective that data parallelism is priced with, once each."""
    return tuple(Call(group, phase.collective, phase.size_bytes) for phase, group in phases_of_step(scenario))


def exposed_s(comm_s: float, compute_s: float, buckets: float) -> float:
    """
    The timeline of ``buckets`` equal buckets in closed form: at least one is always exposed.

    ``max(C / k, C - T (1 - 1 / k))``: either the last bucket alone is late, or the link is busy from
    the first one on.
    """
    k = larger(1.0, buckets)
    return larger(comm_s / k, comm_s - compute_s * (1 - 1 / k))


def phases_of_step(scenario: Scenario) -> Iterator[tuple[Phase, Group]]:
    """Collectives of the shared parameters and of the routed experts, each with its group."""
    layout, stage = scenario.layout, mean_stage_params(scenario)
    expert_data = layout.expert_data if layout.ep > 1 else layout.data
    for params, group in ((stage.shared, layout.data), (stage.experts, expert_data)):
        if not np.any((np.asarray(params) > 0) & (np.asarray(group.size) > 1)):
            continue
        shard = shard_group(scenario.strategy, group, scenario.system.domain_gpus)
        volume = Volume(params * scenario.grad_bytes, params * scenario.param_bytes, scenario.micro_batches)
        for phase in checked_phases(scenario.strategy, volume, group.size, shard.size):
            yield phase, replica_group(group, shard) if phase.group == REPLICA else shard


def _together(passes: list[Passes]) -> Passes:
    """Collectives of the same passes as one: those of fewer passes are spread over all."""
    return Passes(reduce(larger, (item.times for item in passes)), sum(item.comm_s for item in passes))
