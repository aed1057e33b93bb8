"""Memory of one GPU in training: model states, and the activations that backward needs."""

from dataclasses import dataclass, replace

from core.calculators.training.activations import LayerBytes, kept_layer, whole_layer
from core.calculators.training.scenario import Scenario
from core.calculators.training.stage_params import StageParams, expert_shards, first_stage_params
from core.catalog.calibrations import training as constants
from core.parallel.columns import larger, where
from core.parallel.groups import shard_group
from core.parallel.pipeline import in_flight
from core.parallel.states import SHARDING, ModelStates, fits, model_states
from core.parallel.traffic import Volume
from core.units import GB, format_fill
from core.workload.transformer import parameters

LOGIT_BYTES = 4
"""Of one logit, where the loss is fused. Only the last stage holds them: counted where there is one stage."""
EAGER_LOGIT_BYTES = 14
"""The same in PyTorch's own loss, by FSDP and Hugging Face: in BF16, FP32, their log-softmax and gradient.
Steps of 1.5 billion parameters and 128,256 words take 14 bytes more for each on an H200, 16 on an H100 where
the FP32 copy is kept (tests/bench/one_gpu, 2026-11-28)."""
LINEAR_LOSS_BYTES = 6
"""Of one value that the head reads, where head and loss run together in chunks of tokens: its gradient, and a
logit of the chunk, which holds as many as the tokens have such values (Liger-Kernel, fused linear
cross-entropy: chunks of tokens x hidden size / vocabulary; github.com/linkedin/Liger-Kernel)."""
EAGER = (*constants.PYTORCH, constants.TRANSFORMERS)
TIGHT = 0.06
"""Share of the memory that a layout should leave free: a job of Megatron-Bridge at 0.947 of it by this
account (Llama 3 70B, FP8, 32 H100) ran out of memory in a third to two thirds of its runs, at 0.92 none."""
RESERVED_BYTES = 4 * GB
"""CUDA context, communicators, workspaces, fragmentation: what a framework takes beside the model."""


@dataclass(frozen=True, slots=True)
class Memory:
    """
    Bytes on the fullest GPU (the first pipeline stage).

    Attributes:
        parameter_bytes, gradient_bytes, optimizer_bytes: The model states, as the strategy shards them.
        activation_bytes: Stored for backward, as recomputation leaves them.
        gathered_bytes: Where parameters are sharded, the layers that are unsharded at a time: the one
            that computes, the next one, and the gradients of one.
        reserved_bytes: Taken by the framework.
        host_bytes: In host memory, where optimizer state or activations are offloaded; no part of the total.
        available_bytes: Memory of the GPU, as its driver reports it.
    """

    parameter_bytes: float
    gradient_bytes: float
    optimizer_bytes: float
    activation_bytes: float
    gathered_bytes: float
    reserved_bytes: float
    available_bytes: float
    host_bytes: float = 0.0

    @property
    def total_bytes(self) -> float:
        """Bytes in use."""
        states = self.parameter_bytes + self.gradient_bytes + self.optimizer_bytes
        return states + self.activation_bytes + self.gathered_bytes + self.reserved_bytes

    @property
    def fits(self) -> bool:
        """Whether everything has room."""
        return fits(self.total_bytes, self.available_bytes)

    @property
    def tight(self) -> bool:
        """Whether it fits with less than ``TIGHT`` to spare: what is not counted here may not fit."""
        return self.fits & (self.total_bytes > self.available_bytes * (1 - TIGHT))

    @property
    def text(self) -> str:
        """As ``78 of 80 GB: tight``."""
        share = format_fill(self.total_bytes, self.available_bytes)
        if not self.fits:
            return f"{share}: does not fit"
        return f"{share}: tight" if self.tight else share

    @property
    def limiting(self) -> str:
        """Name of the largest part."""
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
    shard_ranks = _shard_ranks(scenario)
    stage = first_stage_params(scenario)
    states = _states(scenario, stage, shard_ranks)
    whole = 0.0 if SHARDING[scenario.strategy].parameters else stage.total
    activation_bytes = _activation_bytes(scenario)
    return Memory(
        parameter_bytes=states.parameter_bytes + scenario.weight_copy_bytes * whole,
        gradient_bytes=_gradients_at_peak(scenario, states.gradient_bytes, activation_bytes),
        optimizer_bytes=(1 - scenario.offload_optimizer) * states.optimizer_bytes,
        activation_bytes=activation_bytes,
        gathered_bytes=_gathered_bytes(scenario, shard_ranks.shared),
        reserved_bytes=RESERVED_BYTES,
        available_bytes=scenario.system.gpu.visible_memory_bytes,
        host_bytes=host_bytes(scenario).total_bytes if scenario.offloads else 0.0,
    )


@dataclass(frozen=True, slots=True)
class HostBytes:
    """
    Bytes of one GPU of the first stage that wait in host memory.

    Attributes:
        optimizer_bytes: Of the optimizer's state.
        activation_bytes_per_micro_batch: Copied there in forward and back in backward, each time.
        micro_batches: In flight at a time.
    """

    optimizer_bytes: float
    activation_bytes_per_micro_batch: float
    micro_batches: float

    @property
    def total_bytes(self) -> float:
        """All that waits there at a time."""
        return self.optimizer_bytes + self.micro_batches * self.activation_bytes_per_micro_batch


def host_bytes(scenario: Scenario) -> HostBytes:
    """What a GPU of the first stage has in host memory by the scenario's shares."""
    states = _states(scenario, first_stage_params(scenario), _shard_ranks(scenario))
    return HostBytes(
        optimizer_bytes=scenario.offload_optimizer * states.optimizer_bytes,
        activation_bytes_per_micro_batch=scenario.offload_activations * _stored_bytes(scenario),
        micro_batches=_micro_batches_in_flight(scenario),
    )


@dataclass(frozen=True, slots=True)
class _ShardRanks:
    """Ranks that share one copy of the states: of the shared parameters, and of the routed experts."""

    shared: int
    experts: int


def _shard_ranks(scenario: Scenario) -> _ShardRanks:
    layout, domain_gpus = scenario.layout, scenario.system.domain_gpus
    shared = shard_group(scenario.strategy, layout.data, domain_gpus).size
    if layout.ep == 1:
        return _ShardRanks(shared, shared)
    return _ShardRanks(shared, shard_group(scenario.strategy, layout.expert_data, domain_gpus).size)


def _states(scenario: Scenario, stage: StageParams, shard_ranks: _ShardRanks) -> ModelStates:
    """Model states of the shared parameters and of the routed experts together."""

    def states(params: float, ranks: int) -> ModelStates:
        volume = Volume(params * scenario.grad_bytes, params * scenario.param_bytes)
        return model_states(scenario.strategy, volume, params, ranks, scenario.optimizer_bytes)

    kept = states(stage.shared, shard_ranks.shared) + states(stage.experts, shard_ranks.experts)
    if not scenario.whole_gradients:
        return kept
    whole = where(scenario.micro_batches > 1, stage.total * scenario.grad_bytes, kept.gradient_bytes)
    return replace(kept, gradient_bytes=whole)


def _gradients_at_peak(scenario: Scenario, gradient_bytes: float, activation_bytes: float) -> float:
    """
    Gradients that lie beside the activations.

    FSDP makes them as backward frees activations and drops them at the end of a step of one micro-batch:
    then only those beyond the activations add to the peak.
    """
    passing = (scenario.kernels in constants.PYTORCH) & (scenario.micro_batches == 1)
    return where(passing, larger(gradient_bytes - activation_bytes, 0.0), gradient_bytes)


def _gathered_bytes(scenario: Scenario, ranks: int) -> float:
    """
    Parameters and gradients that are whole at a time where ranks share them, divided by TP and EP alone.

    Two layers of parameters and one of gradients, and of FSDP the vocabulary's of both, which stay gathered
    for the loss; with a pipeline all of the stage, which keeps both for every micro-batch of a step
    (gradients as wide as parameters).
    """
    if not SHARDING[scenario.strategy].parameters:
        return 0.0
    counted = parameters(scenario.model)
    layers = (counted.in_layers - counted.experts) / scenario.layout.tp
    layers += counted.experts / expert_shards(scenario)
    size_bytes = layers / scenario.model.layers * (2 * scenario.param_bytes + scenario.grad_bytes)
    if scenario.kernels in constants.PYTORCH:
        size_bytes += (counted.embedding + counted.head) / scenario.layout.tp * 2 * scenario.param_bytes
    stage_bytes = layers / scenario.layout.pp * 2 * scenario.param_bytes
    return where(
        (ranks > 1) | (scenario.kernels in constants.PYTORCH),
        where(scenario.layout.pp > 1, stage_bytes, size_bytes),
        0.0,
    )


def _activation_bytes(scenario: Scenario) -> float:
    """
    Activations of the micro-batches in flight, and of the layer that is recomputed.

    While a layer runs backward, all of it is there: recomputation saves what the others keep.
    """
    layout = scenario.layout
    kept, whole = _on_gpu(scenario, kept_layer(scenario)), _on_gpu(scenario, whole_layer(scenario))
    head = where(layout.pp == 1, _loss_bytes(scenario), 0.0)
    on_gpu = 1 - scenario.offload_activations
    return on_gpu * _stored_bytes(scenario) * _micro_batches_in_flight(scenario) + (whole - kept) + head


def _loss_bytes(scenario: Scenario) -> float:
    """Bytes that the loss holds: all logits, or a chunk of them and the gradient of what the head reads."""
    token_bytes = logit_bytes(scenario) * (scenario.model.vocab or 0)
    if scenario.fused_linear_loss:
        token_bytes = min(token_bytes, LINEAR_LOSS_BYTES * (scenario.model.hidden or 0))
    return token_bytes * scenario.tokens_per_gpu / scenario.layout.tp


def logit_bytes(scenario: Scenario) -> int:
    """Bytes of a logit at the loss: of PyTorch's own, unless it is fused."""
    fused = scenario.fused_loss or scenario.fused_linear_loss
    return EAGER_LOGIT_BYTES if scenario.kernels in EAGER and not fused else LOGIT_BYTES


def _stored_bytes(scenario: Scenario) -> float:
    """Activations that a stage stores of one micro-batch."""
    return _on_gpu(scenario, kept_layer(scenario)) * scenario.model.layers / scenario.layout.pp


def _micro_batches_in_flight(scenario: Scenario) -> float:
    layout = scenario.layout
    return in_flight(layout.pp, scenario.micro_batches, layout.vpp)


def _on_gpu(scenario: Scenario, layer: LayerBytes) -> float:
    """Bytes of one micro-batch in one layer on one GPU."""
    tp = scenario.layout.tp
    stream = layer.stream / tp if scenario.sequence_parallel else layer.stream
    return scenario.tokens_per_gpu * (stream + layer.inner / tp)
