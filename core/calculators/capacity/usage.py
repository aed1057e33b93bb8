"""Bytes of the fullest GPU of a layout, and how many requests have room beside the weights."""

import math
from dataclasses import dataclass

from core.calculators.capacity.parts import Part, cache_per_gpu, state_per_gpu, weights, working
from core.calculators.capacity.scenario import Scenario
from core.calculators.tensor_parallel.state_pools import StatePools
from core.workload import Model

ROUNDING = 1 + 1e-12


@dataclass(frozen=True, slots=True)
class Usage:
    """
    Bytes of the fullest GPU.

    Attributes:
        weight_parts, parts: Those of the weights, and all that is there before any request.
        before_bytes: Of all those parts.
        cache_bytes, state_bytes: Of one sequence, a single state.
        requests: Concurrent sequences of a replica.
        limit_bytes: Usable.
        pools: Of states and KV blocks.
    """

    weight_parts: tuple[Part, ...]
    parts: tuple[Part, ...]
    before_bytes: float
    cache_bytes: float
    state_bytes: float
    requests: int
    limit_bytes: float
    pools: StatePools

    @property
    def request_bytes(self) -> float:
        """KV cache of a sequence and all states that are kept for it."""
        return self.cache_bytes + self.state_bytes * self.pools.states

    @property
    def used_bytes(self) -> float:
        """With all requests."""
        return self.before_bytes + self.request_bytes * self.requests

    @property
    def free_bytes(self) -> float:
        """What is left of the usable memory; below zero where it does not fit."""
        return self.limit_bytes - self.used_bytes

    @property
    def weights_fit(self) -> bool:
        """Whether there is room for all that is there before any request."""
        return self.before_bytes <= self.limit_bytes * ROUNDING

    @property
    def fits(self) -> bool:
        """Whether everything has room."""
        return self.weights_fit and (not self.requests or self.requests <= self._held)

    @property
    def _held(self) -> float:
        room_bytes = self.limit_bytes - self.before_bytes
        return self.pools.most_requests(room_bytes, self.cache_bytes, self.state_bytes)

    def most_requests(self, limit: int) -> int:
        """Requests that have room, none where the rest has none; at most ``limit``."""
        return int(min(limit, self._held)) if self.weights_fit else 0


def usage(scenario: Scenario) -> Usage:
    """Memory alone, for searches that ask of many layouts; the scenario states its degree and its GPUs."""
    model = shaped(scenario)
    weight_parts = weights(scenario, model)
    parts = (*weight_parts, *working(scenario, model))
    return Usage(
        tuple(weight_parts),
        parts,
        sum(part.bytes for part in parts),
        cache_per_gpu(scenario, model),
        state_per_gpu(scenario, model),
        math.ceil(scenario.sequences / scenario.replicas),
        scenario.limit_bytes,
        scenario.pools,
    )


def shaped(scenario: Scenario) -> Model | None:
    """The model where its shape is known."""
    return scenario.model if scenario.model and scenario.model.hidden is not None else None
