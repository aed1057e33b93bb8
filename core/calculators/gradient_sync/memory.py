"""Does a data-parallel rank hold its share: parameters, gradients and optimizer state by strategy."""

from dataclasses import dataclass

from core.checks import choice
from core.parallel.traffic import STRATEGIES, Volume
from core.units import GB

ADAM_BYTES_PER_PARAM = 12.0
"""Mixed-precision Adam: an FP32 master copy and two FP32 moments."""
ROUNDING = 1e-12
"""What floating point may add to a sum that fits exactly."""

_SHARDED = {
    "ddp": (False, False, False),
    "zero1": (False, False, True),
    "zero2": (False, True, True),
    "zero3": (True, True, True),
    "fsdp": (True, True, True),
    "hsdp": (True, True, True),
}


@dataclass(frozen=True, slots=True)
class Memory:
    """
    Bytes one GPU holds between steps, activations left out.

    Attributes:
        fits: They are not above the GPU's memory.
    """

    parameter_bytes: float
    gradient_bytes: float
    optimizer_bytes: float
    available_bytes: float

    @property
    def total_bytes(self) -> float:
        """All three."""
        return self.parameter_bytes + self.gradient_bytes + self.optimizer_bytes

    @property
    def fits(self) -> bool:
        """True where the model states alone have room, to the last byte."""
        return self.total_bytes <= self.available_bytes * (1 + ROUNDING)

    def warning(self, strategy: str, gpu: str) -> str | None:
        """One line for the reader where the states do not fit."""
        if self.fits:
            return None
        return (
            f"{strategy} needs {self.total_bytes / GB:,.0f} GB a GPU for parameters, gradients and Adam's "
            f"state alone; {gpu} has {self.available_bytes / GB:,.0f} GB: this layout is hypothetical"
        )


def states(strategy: str, volume: Volume, params: float, shard_ranks: int, available_bytes: float) -> Memory:
    """
    Bytes of the model's states on one GPU (Rajbhandari et al. 2020, ZeRO).

    Args:
        strategy: One of ``STRATEGIES``.
        volume: Bytes of all gradients and parameters.
        params: Number of parameters.
        shard_ranks: Ranks that share one copy: all of them, or the shard group of ``hsdp``.
        available_bytes: Memory of the GPU.
    """
    choice("strategy", strategy, STRATEGIES)
    parameters, gradients, optimizer = (shard_ranks if split else 1 for split in _SHARDED[strategy])
    if volume.whole_gradients:
        gradients = 1
    return Memory(
        volume.parameter_bytes / parameters,
        volume.gradient_bytes / gradients,
        params * ADAM_BYTES_PER_PARAM / optimizer,
        available_bytes,
    )
