"""The question of the tensor-parallel calculator: a model, a group of GPUs, one step."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from core import checks
from core.calculators.question import FromQuestion, Serving
from core.calculators.tensor_parallel.state_pools import StatePools
from core.calculators.tensor_parallel.usable_memory import DATASHEET, UsableMemory
from core.checks import InputError
from core.collectives.moe.routing import ROUTINGS
from core.collectives.question import CollectiveQuestion
from core.parallel.layout import check_imbalance
from core.provenance import Origin
from core.workload import Model, Precision

PHASES = ("decode", "prefill")
COMPUTE = ("auto", "roofline", "kernels")
DECODE_CONTEXT = 4096
MOST_IMBALANCE = 1000
DEFAULT_MFU = 0.5
DEFAULT_HBM_EFFICIENCY = 0.8


@dataclass(frozen=True)
class Scenario(CollectiveQuestion, Serving, FromQuestion):
    """
    One model on one tensor-parallel group, one step.

    Attributes:
        model: The transformer.
        phase: ``decode`` (a token for each of ``tokens`` sequences) or ``prefill`` (``tokens``
            prompt tokens).
        tokens: New tokens of a step of the group.
        context: Tokens cached of each sequence by the end of the step. None: 4,096 when decoding
            (0 with ``params_per_layer``), one prompt of ``tokens`` in prefill. In prefill a context
            below ``tokens`` means tokens / context whole prompts.
        tp: GPUs that share every layer; must divide the heads. The group fills the domains one
            after the other.
        ep: GPUs that share the experts; above 1, MoE layers exchange tokens instead of the MLP's
            all-reduce.
        routing: Of tokens to experts: ``random`` (any set of experts is as likely) or ``balanced`` (in turn).
        imbalance: Tokens at the experts of the busiest GPU over the mean, 1 to ``ep``; the step waits for it.
        dispatch: Format of tokens on their way to experts; None: that of ``activations``.
        mfu: Share of the peak FLOP/s reached; None leaves it to ``compute``.
        hbm_efficiency: Share of the memory rate reached; None leaves it to ``compute``.
        overlap: Share of the communication overlapped with compute, 0 to 1.
        sequence_parallel: Reduce-scatter and all-gather instead of each all-reduce.
        compute: ``roofline`` (one maximum of FLOPs and bytes of all layers, at ``mfu`` and
            ``hbm_efficiency``), ``kernels`` (sum of measured kernels, with a fixed cost a layer and a
            sequence), ``auto``: roofline as soon as a fraction or an override is given.
        memory_of, reserve_bytes: With ``usable``, what of a GPU's memory weights and cache may take.
        state_ratio, state_slots, state_pages: The ``StatePools`` of the software, which bound layouts.
        params_per_layer: Override: values of a layer, read and computed once for every token.
        compute_s: Override: compute seconds of a layer on ``tp`` GPUs.
        message_bytes: Override: bytes of one all-reduce.
        peak_flop_per_s, hbm_bytes_per_s, layers, hidden: Overrides of GPU and shape.
    """

    model: Model
    _: KW_ONLY
    phase: str = "decode"
    tokens: int = 32
    tp: int = 8
    ep: int = 1
    routing: str = "random"
    imbalance: float = 1.0
    mfu: float | None = None
    hbm_efficiency: float | None = None
    overlap: float = 0.0
    sequence_parallel: bool = False
    compute: str = "auto"
    memory_of: str = DATASHEET
    reserve_bytes: float = 0.0
    state_ratio: float = 0.0
    state_slots: int = 1
    state_pages: bool = False
    params_per_layer: float | None = None
    compute_s: float | None = None
    message_bytes: float | None = None
    peak_flop_per_s: float | None = None
    hbm_bytes_per_s: float | None = None
    layers: int | None = None
    hidden: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be computed, in one line that names the argument."""
        CollectiveQuestion.__post_init__(self)
        Serving.__post_init__(self)
        checks.choice("phase", self.phase, PHASES)
        checks.choice("compute", self.compute, COMPUTE)
        checks.choice("routing", self.routing, ROUTINGS)
        checks.number("imbalance", self.imbalance, least=1, most=MOST_IMBALANCE)
        for name in ("tokens", "tp", "ep"):
            checks.count(name, getattr(self, name))
        if self.context is not None:
            checks.count("context", self.context, least=0 if self.phase == "decode" else 1)
        checks.number("overlap", self.overlap, least=0, most=1)
        for name in ("mfu", "hbm_efficiency"):
            checks.optional_number(name, getattr(self, name), above=0, most=1.1)
        for name in ("params_per_layer", "compute_s", "peak_flop_per_s", "hbm_bytes_per_s"):
            checks.optional_number(name, getattr(self, name), above=0)
        checks.optional_number("message_bytes", self.message_bytes, least=0)
        for name in ("layers", "hidden"):
            if getattr(self, name) is not None:
                checks.count(name, getattr(self, name))
        self.memory.check(self.system.gpu)
        _ = self.pools
        _check_group(self)

    @property
    def memory(self) -> UsableMemory:
        """What of a GPU's memory weights and cache may take."""
        return UsableMemory(usable=self.usable, memory_of=self.memory_of, reserve_bytes=self.reserve_bytes)

    @property
    def pools(self) -> StatePools:
        """Pools of states and KV blocks."""
        return StatePools(ratio=self.state_ratio, states=self.state_slots, paged=self.state_pages)

    @property
    def layer_count(self) -> int:
        """Layers of a step."""
        return self.layers or self.model.layers

    @property
    def width(self) -> int:
        """Hidden size: values of a token that travel."""
        width = self.hidden or self.model.hidden
        if width is None:
            message = f"model {self.model.id}: hidden not published; its messages cannot be computed"
            raise InputError(message)
        return width

    @property
    def cached(self) -> int:
        """``context`` with its default filled in."""
        if self.context is not None:
            return self.context
        if self.phase == "prefill":
            return self.tokens
        return 0 if self.params_per_layer is not None else DECODE_CONTEXT

    @property
    def balanced(self) -> bool:
        """Whether tokens take experts in turn."""
        return self.routing == "balanced"

    @property
    def dispatched(self) -> Precision:
        """Format of tokens on their way to experts."""
        return self.dispatch or self.activations

    @property
    def by_kernels(self) -> bool:
        """Whether compute is priced kernel by kernel, as measured."""
        overrides = (self.mfu, self.hbm_efficiency, self.params_per_layer, self.compute_s)
        if self.compute == "auto":
            return all(value is None for value in overrides) and self.rates.origin is not Origin.PUBLISHED
        return self.compute == "kernels"


def valid_degrees(heads: int, most: int) -> tuple[int, ...]:
    """Tensor-parallel degrees up to ``most`` that divide ``heads``, ascending."""
    heads, most = checks.count("heads", heads), checks.count("most", most)
    return tuple(int(n) for n in np.arange(1, min(heads, most) + 1) if heads % n == 0)


def check_degree(model: Model, tp: int, most: int) -> None:
    """Refuse a degree that does not divide the heads, listing those that do."""
    if model.heads is None or model.heads % tp == 0:
        return
    fitting = ", ".join(str(n) for n in valid_degrees(model.heads, most))
    message = f"tp: {tp} does not divide the {model.heads} heads of {model.name}; one of {fitting}"
    raise InputError(message)


def _check_group(scenario: Scenario) -> None:
    gpus = scenario.system.gpus
    if max(scenario.tp, scenario.ep) > gpus:
        name = "tp" if scenario.tp > gpus else "ep"
        message = f"{name}: at most the {gpus} GPUs of {scenario.system.name}, not {getattr(scenario, name)}"
        raise InputError(message)
    check_degree(scenario.model, scenario.tp, gpus)
    check_imbalance("imbalance", scenario.imbalance, scenario.ep)
    if scenario.ep == 1:
        return
    if not scenario.model.moe:
        message = f"ep: {scenario.model.name} has no experts, so only 1, not {scenario.ep}"
        raise InputError(message)
    if scenario.ep % scenario.tp and scenario.tp % scenario.ep:
        message = f"ep: a multiple or a divisor of tp {scenario.tp}, not {scenario.ep}"
        raise InputError(message)
