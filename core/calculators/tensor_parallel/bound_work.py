"""FLOPs and bytes of a step's layers by what binds them, to tell a rate reached from an amount of work."""

from dataclasses import dataclass

import numpy as np

from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.compute import Compute, batch_of, rates
from core.calculators.tensor_parallel.formats import widths
from core.calculators.tensor_parallel.scenario import Scenario
from core.workload.transformer import Step, step_work


@dataclass(frozen=True, slots=True)
class BoundWork:
    """FLOPs of the parts bound by them, bytes of the parts bound by memory, on one GPU."""

    flop: float
    bytes: float


def bound_work(scenario: Scenario, compute: Compute) -> BoundWork:
    """The work behind ``flop_bound_s`` and ``hbm_bound_s`` of a scenario's own step."""
    if not scenario.by_kernels:
        flop_rate, byte_rate = rates(scenario)
        return BoundWork(first(compute.flop_bound_s) * flop_rate, first(compute.hbm_bound_s) * byte_rate)
    work, depth = _work(scenario), scenario.layer_count / scenario.model.layers
    flop = moved = 0.0
    for name, by_flops in compute.by_flops.items():
        part = getattr(work, name)
        if np.all(by_flops):
            flop += first(part.flop)
        else:
            moved += first(part.bytes)
    return BoundWork(depth * flop, depth * moved)


def cache_bytes(scenario: Scenario, compute: Compute) -> float:
    """Bytes of the KV cache that a GPU reads in the step."""
    if not scenario.by_kernels:
        return first(compute.kv_s) * rates(scenario)[1]
    return first(_work(scenario).kv_read_bytes) * scenario.layer_count / scenario.model.layers


def _work(scenario: Scenario) -> Step:
    cells = np.array([float(scenario.tokens)]), np.array([float(scenario.cached)])
    return step_work(
        scenario.model,
        batch_of(scenario, *cells),
        tp=scenario.tp,
        ep=scenario.ep,
        weight=widths(scenario.model, scenario.weights),
        cache=scenario.kv.bytes_per_value,
        value=scenario.activations.bytes_per_value,
        balanced=scenario.balanced,
    )
