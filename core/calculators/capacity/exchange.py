"""The MoE exchange of a layout: bytes with and without deduplication, seconds a layer and a step."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.calculators.capacity.scenario import Scenario
from core.checks import InputError, choice
from core.collectives.moe.across import Routed, routed_time
from core.collectives.moe.exchange import balanced_bytes
from core.workload.transformer import exchange_bytes, exchange_bytes_without_deduplication

ROUTING = {"uniform": exchange_bytes, "balanced": balanced_bytes}


@dataclass(frozen=True, slots=True)
class ExchangeAnswer:
    """
    One dispatch and one combine of a MoE layer, and all of a step.

    Attributes:
        tokens_per_rank: New tokens of a step on one GPU.
        dispatch_bytes, combine_bytes: Leaving one GPU, each token once to each GPU.
        dispatch_upper_bytes: Without deduplication.
        leaving_share: Share of the bytes that leave the scale-up domain (routing uniform).
        step_s: All MoE layers.
    """

    ep: int
    tokens_per_rank: float
    dispatch_bytes: float
    combine_bytes: float
    dispatch_upper_bytes: float
    combine_upper_bytes: float
    dispatch_s: float
    combine_s: float
    low_s: float
    high_s: float
    layer_s: float
    step_s: float
    leaving_share: float
    basis: str
    warnings: tuple[str, ...]


def exchange_answer(
    scenario: Scenario, tokens_per_rank: float, *, routing: str = "uniform"
) -> ExchangeAnswer:
    """
    Price the exchange of ``tokens_per_rank`` tokens a GPU over the scenario's expert group.

    Args:
        scenario: The layout.
        tokens_per_rank: New tokens of a step on one GPU.
        routing: ``uniform`` (random experts) or ``balanced`` (round robin, as benchmarks do).

    Raises:
        InputError: The model has no experts, or its shape is not published.
    """
    model = scenario.model
    width = model.routed_hidden if model is not None and model.moe else None
    if model is None or width is None:
        message = "model: only a model with experts of known shape exchanges tokens"
        raise InputError(message)
    ep, active = scenario.expert_group, model.active_experts
    formats = scenario.dispatch.bytes_per_value, scenario.activations.bytes_per_value
    bytes_sent = ROUTING[choice("routing", routing, ROUTING)]
    sent = [float(bytes_sent(tokens_per_rank, width, b, ep, active)) for b in formats]
    upper = [
        float(exchange_bytes_without_deduplication(tokens_per_rank, width, b, ep, active)) for b in formats
    ]
    tokens = np.array([tokens_per_rank])
    priced = [
        _priced(scenario, kind, size, Routed(tokens, width * value, active))
        for kind, size, value in zip(("dispatch", "combine"), sent, formats, strict=True)
    ]
    times = [float(sweep.time_s[0]) if sweep is not None else 0.0 for sweep in priced]
    layers = model.moe_layers
    sweeps = [sweep for sweep in priced if sweep is not None]
    return ExchangeAnswer(
        ep=ep,
        tokens_per_rank=tokens_per_rank,
        dispatch_bytes=sent[0],
        combine_bytes=sent[1],
        dispatch_upper_bytes=upper[0],
        combine_upper_bytes=upper[1],
        dispatch_s=times[0],
        combine_s=times[1],
        low_s=sum(float(sweep.low_s[0]) for sweep in sweeps),
        high_s=sum(float(sweep.high_s[0]) for sweep in sweeps),
        layer_s=sum(times),
        step_s=layers * sum(times),
        leaving_share=leaving_share(ep, scenario.system.domain_gpus),
        basis=", ".join(dict.fromkeys(sweep.basis for sweep in sweeps)) or "one GPU",
        warnings=tuple(dict.fromkeys(line for sweep in sweeps for line in sweep.warnings)),
    )


def leaving_share(group: int, domain_gpus: int) -> float:
    """Share of an all-to-all's bytes between GPUs that leaves the domain, spread evenly."""
    inside = min(group, domain_gpus)
    return (group - inside) / (group - 1) if group > 1 else 0.0


def _priced(scenario: Scenario, kind: str, sent_bytes: float, routed: Routed) -> Any:
    if scenario.expert_group == 1 or sent_bytes == 0:
        return None
    sent = np.array([sent_bytes])
    return routed_time(scenario.system, kind, scenario.expert_group, sent, routed, scenario.rates)
