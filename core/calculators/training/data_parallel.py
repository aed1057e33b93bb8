"""Data-parallel communication of a step: gradients reduced in backward, parameters gathered for forward."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from core.calculators.training.price import Call
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
        each_s: Seconds of communication in each of them.
        once_s: In one of them, beside: what is sent once a step (in the last backward, the first forward).
    """

    times: int
    each_s: float
    once_s: float

    @property
    def comm_s(self) -> float:
        """Seconds of communication in all of them."""
        return self.times * self.each_s + self.once_s

    def exposed_s(self, compute_s: float, buckets: float) -> float:
        """Exposed communication where each pass overlaps with ``compute_s`` seconds of compute."""
        others_s = (self.times - 1) * exposed_s(self.each_s, compute_s, buckets)
        return others_s + exposed_s(self.each_s + self.once_s, compute_s, buckets)


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


@dataclass(frozen=True, slots=True)
class DataCall:
    """One data-parallel collective: in how many passes of a step, and whether of backward."""

    call: Call
    times: int
    backward: bool


@dataclass(frozen=True, slots=True)
class DataCalls:
    """Data-parallel collectives of a step before they are priced."""

    members: tuple[DataCall, ...]
    gathers_overlap: bool

    @classmethod
    def of(cls, scenario: Scenario) -> "DataCalls":
        """Those of the scenario's strategy over the replicas of one stage."""
        members = (
            DataCall(Call(group, phase.collective, phase.size_bytes), phase.times, phase.when == BACKWARD)
            for phase, group in phases_of_step(scenario)
        )
        return cls(tuple(members), scenario.param_overlap)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All of them in one order."""
        return tuple(member.call for member in self.members)

    def comm(self, seconds: Sequence[float]) -> DataComm:
        """Communication where the calls take so many seconds, in their order."""
        members = list(zip(self.members, seconds, strict=True))
        forward, backward = (
            _together([(member.times, call_s) for member, call_s in members if member.backward is last])
            for last in (False, True)
        )
        return DataComm(forward, backward, self.gathers_overlap)


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
        sizes = params * scenario.grad_bytes, params * scenario.param_bytes
        volume = Volume(*sizes, _gathers(scenario), scenario.whole_gradients)
        for phase in checked_phases(scenario.strategy, volume, group.size, shard.size):
            yield phase, replica_group(group, shard) if phase.group == REPLICA else shard


def _gathers(scenario: Scenario) -> int:
    """Times a step that sharded parameters are gathered: once where a pipeline keeps those of its stage."""
    keeps = SHARDING[scenario.strategy].parameters & (scenario.layout.pp > 1)
    return where(keeps, 1, scenario.micro_batches)


def _together(calls: list[tuple[int, float]]) -> Passes:
    """Collectives of the same passes as one, from how often a step makes each and how long it takes."""
    once = [isinstance(times, int) and times == 1 for times, _ in calls]
    each_s = sum(call_s for (_, call_s), single in zip(calls, once, strict=True) if not single)
    once_s = sum(call_s for (_, call_s), single in zip(calls, once, strict=True) if single)
    return Passes(reduce(larger, (times for times, _ in calls), 1), each_s, once_s)
