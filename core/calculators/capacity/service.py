"""The decode step of a capacity layout: TTFT, TPOT, cost, and the largest load within a latency target."""

from dataclasses import replace
from typing import Any

from core.calculators.capacity.capacity import Capacity
from core.calculators.tensor_parallel import Objective, Running, Service, service
from core.calculators.tensor_parallel import Scenario as Step
from core.checks import InputError


def capacity_service(answer: Capacity, objective: Objective | None = None) -> Service | None:
    """
    The serving figures of a layout at its concurrent requests, at least one in each attention group.

    None where they cannot be computed: parameters without a shape, pipeline stages, or experts over GPUs
    that the attention groups do not divide.
    """
    step = decode_step(answer)
    if step is None:
        return None
    replicas = answer.scenario.replicas
    running = None if answer.max_sequences is None else Running(answer.max_sequences // replicas)
    figures = _of_all_requests(service(step, objective, running=running), answer, step.tokens)
    if figures.largest is None:
        return figures
    return replace(figures, largest=replace(figures.largest, requests=figures.largest.batch * replicas))


def served_requests(answer: Capacity) -> int:
    """Concurrent requests behind the serving figures: as stated, else one in each attention group."""
    return answer.scenario.sequences or answer.scenario.replicas


def _of_all_requests(figures: Service, answer: Capacity, batch: int) -> Service:
    """Rate and cost of the requests that there are: the step is that of the fullest attention group."""
    requests, places = answer.scenario.sequences, batch * answer.scenario.replicas
    if not requests:
        return figures
    cost = figures.usd_per_million_tokens
    return replace(
        figures,
        tokens_per_s_per_gpu=figures.tokens_per_s_per_gpu * requests / places,
        usd_per_million_tokens=None if cost is None else cost * places / requests,
    )


def decode_step(answer: Capacity) -> Step | None:
    """The decode step of one attention group of the layout; None where it cannot be computed."""
    scenario = answer.scenario
    if scenario.pp > 1:
        return None
    try:
        return served_step(
            answer,
            tokens=max(1, -(-scenario.sequences // scenario.replicas)),
            tp=scenario.attention_tp,
            ep=scenario.expert_group,
            hbm_bytes_per_s=scenario.hbm_bytes_per_s,
        )
    except InputError:
        return None


def served_step(answer: Capacity, **own: Any) -> Step | None:
    """
    A step of the model as it is served here, with further inputs of ``Step``; None without the model's shape.

    Raises:
        InputError: The model cannot be split so.
    """
    scenario, model = answer.scenario, answer.scenario.model
    if model is None or model.hidden is None or scenario.params is not None:
        return None
    return Step(
        scenario.system,
        model,
        context=scenario.context,
        weights=scenario.weights,
        activations=scenario.activations,
        kv=scenario.kv,
        dispatch=scenario.dispatch,
        usable=scenario.usable,
        engine=scenario.engine,
        rates=scenario.rates,
        implementation=scenario.implementation,
        launch=scenario.launch,
        **own,
    )
