"""Messages of a tensor-parallel group in one step, priced by the cost model."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats
from core.collectives import pricing as collective
from core.collectives.cost_model import ENGINES, engine_runs
from core.collectives.formulas import ALGORITHMS
from core.collectives.formulas.columns import FIGURES, CostFigures
from core.collectives.moe.across import Routed, routed_time
from core.collectives.moe.exchange import balanced_bytes
from core.collectives.pricing import PricedSizes
from core.provenance import Source
from core.workload.transformer import exchange_bytes


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(CostFigures[Floats]):
    """
    Seconds of all messages of one step, by cause; arrays over tokens.

    Attributes:
        size_bytes, one_s: The first kind of message: its bytes and the seconds of one.
        choice: Algorithm and protocol of the first kind, as ``ring/LL128``.
        crosses: Whether a message leaves the scale-up domain.
    """

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
    routed = _routed_layers(scenario, tp)
    kinds: list[Message] = []
    reduces = layers * scenario.model.blocks / scenario.model.layers - routed
    if tp > 1 and scenario.sequence_parallel:
        kinds += [Message(name, tp, size, reduces) for name in ("reduce_scatter", "all_gather")]
    elif tp > 1:
        kinds.append(Message("all_reduce", tp, size, reduces))
    if routed:
        tokens_per_gpu = tokens * scenario.imbalance / tp
        active, ep = scenario.model.active_experts, scenario.ep
        width = scenario.model.expert_hidden or scenario.width
        leaving = balanced_bytes if scenario.balanced else exchange_bytes
        sent = scenario.dispatched.bytes_per_value
        back = scenario.activations.bytes_per_value
        kinds.append(
            Message(
                "dispatch",
                ep,
                leaving(tokens_per_gpu, width, sent, ep, active),
                routed,
                tokens_per_gpu,
            )
        )
        kinds.append(
            Message("combine", ep, leaving(tokens_per_gpu, width, back, ep, active), routed, tokens_per_gpu)
        )
    return tuple(kinds)


def _routed_layers(scenario: Scenario, tp: int) -> float:
    """
    Layers of a step that exchange tokens between GPUs instead of reducing their MLP, a mean.

    None where a serving engine shares the experts within the tensor-parallel group: every GPU has all tokens.
    """
    model = scenario.model
    within = scenario.ep <= tp and scenario.engine is not None
    return 0.0 if within or scenario.ep == 1 else scenario.layer_count * model.moe_layers / model.layers


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


def exposed_s(scenario: Scenario, messages_s: Floats, compute_s: Floats) -> Floats:
    """What compute does not hide of the messages: all but the stated overlap, and what outlasts compute."""
    return np.maximum((1 - scenario.overlap) * messages_s, messages_s - compute_s)


def _price(scenario: Scenario, kind: Message) -> PricedSizes:
    if kind.collective in ("dispatch", "combine"):
        return routed_time(
            scenario.system,
            kind.collective,
            kind.ranks,
            kind.size_bytes,
            _routed(scenario, kind),
            scenario.rates,
        )
    name = scenario.implementation
    lacks = name in ENGINES and not engine_runs(name, kind.collective)
    question = collective.Scenario(
        system=scenario.system,
        collective=kind.collective,
        ranks=kind.ranks,
        rates=scenario.rates,
        algorithm=scenario.algorithm if _known(kind.collective, scenario.algorithm) else "auto",
        implementation="nccl" if lacks else name,
        launch=scenario.launch,
    )
    return _swept(question, kind.size_bytes.tobytes())


@lru_cache(maxsize=512)
def _swept(question: collective.Scenario, sizes_bytes: bytes) -> PricedSizes:
    """A collective at some sizes: layouts that differ in EP alone send the same."""
    return collective.sweep(question, np.frombuffer(sizes_bytes))


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
    return Exchange(
        **dict.fromkeys(FIGURES, zero),
        size_bytes=zero,
        one_s=zero,
        messages=0.0,
        choice=(),
        crosses=False,
        basis="one GPU",
        warnings=(),
        sources=(),
    )
