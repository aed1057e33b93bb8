"""Model states of one GPU by strategy: parameters, gradients and optimizer state (ZeRO's three stages)."""

from dataclasses import dataclass

from core.checks import choice
from core.parallel.traffic import STRATEGIES, Volume

ADAM_BYTES_PER_PARAM = 12.0
"""Mixed-precision Adam: an FP32 master copy and two FP32 moments."""
ROUNDING = 1e-12
"""What floating point may add to a sum that fits exactly."""


@dataclass(frozen=True, slots=True)
class Sharding:
    """Which of the model states a strategy divides among the data-parallel ranks."""

    parameters: bool = False
    gradients: bool = False
    optimizer: bool = False


SHARDING = {
    "ddp": Sharding(),
    "zero1": Sharding(optimizer=True),
    "zero2": Sharding(gradients=True, optimizer=True),
    "zero3": Sharding(parameters=True, gradients=True, optimizer=True),
    "fsdp": Sharding(parameters=True, gradients=True, optimizer=True),
    "hsdp": Sharding(parameters=True, gradients=True, optimizer=True),
}
"""Rajbhandari et al. 2020, ZeRO; FSDP shards what ZeRO-3 shards, HSDP the same inside each copy."""
GRADIENT_BYTES = {name: 4.0 if name == "zero1" else 2.0 for name in SHARDING}
"""Of a gradient as sent and kept where nobody says: the default of the framework a strategy is known from.
Megatron-LM's distributed optimizer (ZeRO-1) adds micro-batches in FP32 and reduces that; PyTorch's DDP and
FSDP and DeepSpeed reduce in the format that they compute in, BF16."""


@dataclass(frozen=True, slots=True)
class ModelStates:
    """Bytes of the model states on one GPU between steps, activations left out."""

    parameter_bytes: float
    gradient_bytes: float
    optimizer_bytes: float

    def __add__(self, other: "ModelStates") -> "ModelStates":
        """Both, as of shared parameters and routed experts."""
        return ModelStates(
            self.parameter_bytes + other.parameter_bytes,
            self.gradient_bytes + other.gradient_bytes,
            self.optimizer_bytes + other.optimizer_bytes,
        )


def model_states(
    strategy: str,
    volume: Volume,
    params: float,
    shard_ranks: int,
    optimizer_bytes: float = ADAM_BYTES_PER_PARAM,
) -> ModelStates:
    """
    Bytes of the model states on one GPU.

    Args:
        strategy: One of ``STRATEGIES``.
        volume: Bytes of all gradients and parameters.
        params: Number of parameters.
        shard_ranks: Ranks that share one copy: all data-parallel ranks, or the shard group of ``hsdp``.
        optimizer_bytes: Optimizer state of one parameter.

    Raises:
        InputError: An unknown strategy.
    """
    sharding = SHARDING[choice("strategy", strategy, STRATEGIES)]

    def share(size_bytes: float, *, sharded: bool) -> float:
        return size_bytes / shard_ranks if sharded else size_bytes

    return ModelStates(
        share(volume.parameter_bytes, sharded=sharding.parameters),
        share(volume.gradient_bytes, sharded=sharding.gradients and not volume.whole_gradients),
        share(params * optimizer_bytes, sharded=sharding.optimizer),
    )


def fits(size_bytes: float, available_bytes: float) -> bool:
    """Whether so many bytes have room, to the last byte."""
    return size_bytes <= available_bytes * (1 + ROUNDING)
