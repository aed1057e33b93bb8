"""Messages of a tensor-parallel group in one step, priced by the cost model."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.serving import IN_PLACE, MULTIMEM_RANKS
from core.checks import Floats
from core.collectives import pricing as collective
from core.collectives.formulas import ALGORITHMS
from core.collectives.moe.across import Routed, routed_time
from core.provenance import Source
from core.workload.transformer import exchange_bytes

TIMES = ("time_s", "low_s", "high_s", "launch_s", "latency_s", "transfer_s", "reduction_s")
ENGINE_ALL_REDUCES = ("vllm-custom", "sglang-custom", "trtllm-auto", "nvls-multimem")
"""Implementations of an all-reduce alone: other collectives of the same engine run on NCCL."""


@dataclass(frozen=True, slots=True)
class Message:
    """
    One kind of message of a step.

    Attributes:
        size_bytes: nccl-tests' size; for dispatch and combine the bytes that leave a GPU.
        per_step: How often a step.
        tokens: Of one GPU, for dispatch and combine.
    """

    collective: str
    ranks: int
    size_bytes: Floats
    per_step: float
    tokens: Floats | float = 0.0


@dataclass(frozen=True, slots=True)
class Exchange:
    """
    Seconds of all messages of one step, by cause; arrays over tokens.

    Attributes:
        size_bytes, one_s: The first kind of message: its bytes and the seconds of one.
        choice: Algorithm and protocol of the first kind, as ``ring/LL128``.
        crosses: Whether a message leaves the scale-up domain.
    """

    time_s: Floats
    low_s: Floats
    high_s: Floats
    launch_s: Floats
    latency_s: Floats
    transfer_s: Floats
    reduction_s: Floats
    wire_bytes: Floats
    size_bytes: Floats
    one_s: Floats
    messages: float
    choice: tuple[str, ...]
    crosses: bool
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]


def messages(scenario: Scenario, tokens: Floats, tp: int) -> tuple[Message, ...]:
    """The messages of one step: two all-reduces per layer, or what replaces them."""
    if scenario.message_bytes is None:
        size = tokens * scenario.width * scenario.activations.bytes_per_value
    else:
        size = np.full(np.shape(tokens), scenario.message_bytes)
    layers = scenario.layer_count
    routed = _routed_layers(scenario)
    kinds: list[Message] = []
    reduces = 2.0 * layers - routed
    if tp > 1 and scenario.sequence_parallel:
        kinds += [Message(name, tp, size, reduces) for name in ("reduce_scatter", "all_gather")]
    elif tp > 1:
        kinds.append(Message("all_reduce", tp, size, reduces))
    if routed:
        tokens_per_gpu = tokens / tp
        active, width, ep = scenario.model.active_experts, scenario.width, scenario.ep
        sent = scenario.dispatched.bytes_per_value
        back = scenario.activations.bytes_per_value
        kinds.append(
            Message(
                "dispatch",
                ep,
                exchange_bytes(tokens_per_gpu, width, sent, ep, active),
                routed,
                tokens_per_gpu,
            )
        )
        kinds.append(
            Message(
                "combine", ep, exchange_bytes(tokens_per_gpu, width, back, ep, active), routed, tokens_per_gpu
            )
        )
    return tuple(kinds)


def _routed_layers(scenario: Scenario) -> int:
    """Layers that exchange tokens between GPUs instead of reducing their MLP."""
    model = scenario.model
    return model.layers - model.dense_layers if model.moe and scenario.ep > 1 else 0


def exchange(scenario: Scenario, tokens: Floats, tp: int) -> Exchange:
    """Price every message of a step of ``tokens`` tokens (any shape)."""
    flat = np.ravel(np.asarray(tokens, np.float64))
    kinds = messages(scenario, flat, tp)
    if not kinds:
        return _no_exchange(np.asarray(tokens, np.float64))
    priced = [_price(scenario, kind) for kind in kinds]
    shape = np.shape(tokens)

    def total(name: str) -> Floats:
        parts = [getattr(sweep, name) * kind.per_step for kind, sweep in zip(kinds, priced, strict=True)]
        return np.asarray(sum(parts)).reshape(shape)

    domain = scenario.system.domain_gpus
    return Exchange(
        time_s=total("time_s"),
        low_s=total("low_s"),
        high_s=total("high_s"),
        launch_s=total("launch_s"),
        latency_s=total("latency_s"),
        transfer_s=total("transfer_s"),
        reduction_s=total("reduction_s"),
        wire_bytes=total("wire_bytes"),
        size_bytes=kinds[0].size_bytes.reshape(shape),
        one_s=priced[0].time_s.reshape(shape),
        messages=sum(kind.per_step for kind in kinds),
        choice=tuple(str(name) for name in priced[0].algorithms),
        crosses=any(kind.ranks > domain for kind in kinds),
        basis=", ".join(dict.fromkeys(sweep.basis for sweep in priced)),
        warnings=tuple(dict.fromkeys(line for sweep in priced for line in sweep.warnings)),
        sources=tuple(dict.fromkeys(source for sweep in priced for source in sweep.sources)),
    )


def _price(scenario: Scenario, kind: Message) -> Any:
    if kind.collective in ("dispatch", "combine"):
        return routed_time(
            scenario.system,
            kind.collective,
            kind.ranks,
            kind.size_bytes,
            _routed(scenario, kind),
            scenario.rates,
        )
    reduces = kind.collective == "all_reduce"
    own = scenario.implementation in ENGINE_ALL_REDUCES
    question = collective.Scenario(
        system=scenario.system,
        collective=kind.collective,
        ranks=kind.ranks,
        rates=scenario.rates,
        algorithm=scenario.algorithm if _known(kind.collective, scenario.algorithm) else "auto",
        implementation="nccl" if own and not reduces else scenario.implementation,
        launch=scenario.launch,
    )
    sweep = collective.sweep(question, kind.size_bytes)
    if scenario.implementation == "nvls-multimem" and reduces and not scenario.rates.overridden:
        sweep = _at_least_measured(question, kind, sweep)
    fused = IN_PLACE.get(scenario.implementation, 1.0) if reduces else 1.0
    if fused == 1.0 or scenario.rates.overridden:
        return sweep
    return replace(sweep, **{name: getattr(sweep, name) * fused for name in TIMES})


def _at_least_measured(question: collective.Scenario, kind: Message, sweep: Any) -> Any:
    """
    An all-reduce in the switch moves (n + 1)/n of its bytes, so fewer GPUs than measured are no faster.

    At least the transfer that was measured on ``MULTIMEM_RANKS`` GPUs, by that share.
    """
    n, known = kind.ranks, MULTIMEM_RANKS
    if n >= known or question.system.domain_gpus < known:
        return sweep
    whole = collective.sweep(replace(question, ranks=known), kind.size_bytes)
    least = whole.transfer_s * ((n + 1) / n) / ((known + 1) / known)
    more = np.maximum(least - sweep.transfer_s, 0.0)
    grown = np.divide(sweep.time_s + more, sweep.time_s, out=np.ones_like(more), where=sweep.time_s > 0)
    times = {name: getattr(sweep, name) * grown for name in ("time_s", "low_s", "high_s")}
    return replace(sweep, transfer_s=sweep.transfer_s + more, **times)


def _routed(scenario: Scenario, kind: Message) -> Routed:
    """The tokens of a dispatch or combine, in the format they travel in."""
    out = kind.collective == "dispatch"
    fmt = scenario.dispatched if out else scenario.activations
    tokens_per_gpu = np.broadcast_to(np.asarray(kind.tokens, np.float64), kind.size_bytes.shape)
    return Routed(tokens_per_gpu, scenario.width * fmt.bytes_per_value, scenario.model.active_experts)


def _known(name: str, algorithm: str) -> bool:
    """Whether a collective has an algorithm of that name; the others of a step then choose freely."""
    return name == "all_reduce" or any(
        key[0] == name and entry.word == algorithm for key, entry in ALGORITHMS.items()
    )


def _no_exchange(tokens: Floats) -> Exchange:
    zero = np.zeros_like(tokens)
    return Exchange(*(zero,) * 10, 0.0, (), crosses=False, basis="one GPU", warnings=(), sources=())
