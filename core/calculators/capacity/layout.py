"""The layout that holds the most concurrent requests, where tensor parallelism is left open."""

from dataclasses import replace

from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.usage import usage
from core.calculators.question import MOST_REQUESTS


def laid_out(scenario: Scenario) -> Scenario:
    """
    The scenario with its tensor-parallel degree and its GPUs filled in.

    Of the degrees that divide heads and GPUs the one with the most concurrent requests; between equals, and
    where nothing fits or nothing is cached, the widest (it leaves the most memory on a GPU). A degree wider
    than a scale-up domain is taken only where none inside one holds the weights.
    """
    model = scenario.model
    if scenario.tp is not None:
        return replace(scenario, gpus=scenario.used_gpus)
    fixed = replace(scenario, tp=scenario.attention_tp, gpus=scenario.used_gpus)
    if model is None or model.heads is None or model.hidden is None or scenario.dp is not None:
        return fixed
    stage, heads = scenario.used_gpus // scenario.pp, model.heads
    degrees = [n for n in range(min(stage, heads), 0, -1) if stage % n == 0 and heads % n == 0]
    inside = [replace(fixed, tp=tp) for tp in degrees if tp <= scenario.system.domain_gpus]
    best = max(inside, key=sequences, default=fixed)
    if sequences(best) >= 0 or len(inside) == len(degrees):
        return best
    return max((replace(fixed, tp=tp) for tp in degrees), key=sequences, default=fixed)


def sequences(scenario: Scenario) -> int:
    """Concurrent requests that fit in all data-parallel replicas together; -1 where the weights do not."""
    memory = usage(scenario)
    if not memory.weights_fit:
        return -1
    return memory.most_requests(MOST_REQUESTS) * scenario.replicas if memory.request_bytes > 0 else 0
