"""Bytes one GPU holds in training: states, and the activations that backward still needs."""

from dataclasses import dataclass

from core.calculators.training.comm import shard_group
from core.calculators.training.scenario import Scenario
from core.parallel.pipeline import in_flight
from core.units import GB
from core.workload.transformer import parameters
from core.workload.transformer.parameters import shape

OPTIMIZER_BYTES = 12.0
ROUNDING = 1e-12
"""What floating point may add to a sum that fits exactly."""
SCORE_VALUES = 2.5
"""Values of two bytes kept for one score without flash attention: softmax, dropout and its mask."""
RESERVED_BYTES = 6 * GB
"""CUDA context, communication buffers, fragmentation: what a framework takes before the model."""


@dataclass(frozen=True, slots=True)
class Memory:
    """
    Bytes on the fullest GPU (the first pipeline stage).

    Attributes:
        gathered_bytes: Where parameters are sharded, the whole layers that a GPU holds for a while:
            one that computes, the next one, and the gradients of one.
    """

    parameter_bytes: float
    gradient_bytes: float
    optimizer_bytes: float
    activation_bytes: float
    gathered_bytes: float
    reserved_bytes: float
    available_bytes: float

    @property
    def total_bytes(self) -> float:
        """All parts."""
        states = self.parameter_bytes + self.gradient_bytes + self.optimizer_bytes
        return states + self.activation_bytes + self.gathered_bytes + self.reserved_bytes

    @property
    def fits(self) -> bool:
        """True where everything has room."""
        return self.total_bytes <= self.available_bytes * (1 + ROUNDING)

    @property
    def limiting(self) -> str:
        """The largest part."""
        parts = {
            "parameters": self.parameter_bytes,
            "gradients": self.gradient_bytes,
            "optimizer state": self.optimizer_bytes,
            "activations": self.activation_bytes,
            "gathered layers": self.gathered_bytes,
        }
        return max(parts, key=lambda name: parts[name])


def memory(scenario: Scenario) -> Memory:
    """Memory of the first stage: its layers, the embedding, and the micro-batches in flight."""
    held, experts = _params_per_gpu(scenario)
    layout = scenario.layout
    copies = shard_group(scenario, layout.data).size
    expert_copies = shard_group(scenario, layout.expert_data).size if layout.ep > 1 else copies
    full = {"ddp": (1, 1, 1), "zero1": (1, 1, 0), "zero2": (1, 0, 0)}.get(scenario.strategy, (0, 0, 0))

    def sharded(whole: int, size: float) -> float:
        return size * (held + experts if whole else held / copies + experts / expert_copies)

    return Memory(
        parameter_bytes=sharded(full[0], scenario.param_bytes),
        gradient_bytes=sharded(full[1], scenario.grad_bytes),
        optimizer_bytes=sharded(full[2], OPTIMIZER_BYTES),
        activation_bytes=_activations(scenario),
        gathered_bytes=0.0 if full[0] or copies == 1 else _gathered(scenario),
        reserved_bytes=RESERVED_BYTES,
        available_bytes=scenario.system.gpu.memory_bytes,
    )


def _params_per_gpu(scenario: Scenario) -> tuple[float, float]:
    """Parameters on one GPU of the first stage: shared ones, and routed experts."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    shared = (counted.in_layers - counted.experts) / layout.pp + counted.embedding
    if layout.pp == 1:
        shared += counted.head
    spread = layout.ep if layout.ep > 1 else layout.tp
    return shared / layout.tp, counted.experts / layout.pp / spread


def _gathered(scenario: Scenario) -> float:
    """Two layers of parameters and one of gradients, whole but for TP and EP."""
    layout, counted = scenario.layout, parameters(scenario.model)
    spread = layout.ep if layout.ep > 1 else layout.tp
    layer = (counted.in_layers - counted.experts) / layout.tp + counted.experts / spread
    return layer / scenario.model.layers * (2 * scenario.param_bytes + scenario.grad_bytes)


def _activations(scenario: Scenario) -> float:
    """
    Bytes kept for backward, after Korthikanti et al. 2022 with flash attention.

    A layer keeps its inputs and hidden values; with full recomputation only its input.
    """
    model, layout = scenario.model, scenario.layout
    hidden = shape(model, "hidden")[0]
    tokens = scenario.tokens_per_gpu / layout.tp
    layers = model.layers / layout.pp
    kept = in_flight(layout.pp, scenario.micro_batches, layout.vpp)
    values = float(hidden) if scenario.recompute == "full" else _kept_values(scenario)
    if scenario.recompute == "none" and not scenario.flash:
        values += SCORE_VALUES * scenario.seq * shape(model, "heads")[0]
    head = 4 * tokens * (model.vocab or 0) if layout.pp == 1 else 0
    return 2 * tokens * values * layers * kept + head


def _kept_values(scenario: Scenario) -> float:
    """Values of two bytes that one token leaves in one layer."""
    model = scenario.model
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    attention = 2 * heads * head_dim + 2 * (model.kv_heads or heads) * head_dim
    wide = 3 if model.gated_mlp else 2
    inner = model.ffn or 0
    if model.moe:
        inner = (model.active_experts + model.shared_experts) * (model.expert_ffn or 0)
        inner += 2 * model.active_experts * hidden // wide
    lean = 0.7 if scenario.recompute == "selective" else 1.0
    return lean * (5 * hidden + attention + wide * inner)
