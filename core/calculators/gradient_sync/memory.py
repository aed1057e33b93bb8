"""Whether a GPU holds its share of the model states: parameters, gradients and optimizer state."""

from dataclasses import dataclass

from core.parallel.states import fits, model_states
from core.parallel.traffic import Volume
from core.units import GB


@dataclass(frozen=True, slots=True)
class Memory:
    """
    Bytes of the model states on one GPU, activations left out.

    Attributes:
        available_bytes: Memory of the GPU.
    """

    parameter_bytes: float
    gradient_bytes: float
    optimizer_bytes: float
    available_bytes: float

    @property
    def total_bytes(self) -> float:
        """Parameters, gradients and optimizer state."""
        return self.parameter_bytes + self.gradient_bytes + self.optimizer_bytes

    @property
    def fits(self) -> bool:
        """Whether the model states alone have room."""
        return fits(self.total_bytes, self.available_bytes)

    def warning(self, strategy: str, gpu: str) -> str | None:
        """One line for the reader where the model states do not fit."""
        if self.fits:
            return None
        return (
            f"{strategy} needs {self.total_bytes / GB:,.0f} GB per GPU for parameters, gradients and Adam "
            f"state alone; {gpu} has {self.available_bytes / GB:,.0f} GB: this job is hypothetical"
        )


def memory(strategy: str, volume: Volume, params: float, shard_ranks: int, available_bytes: float) -> Memory:
    """
    Model states of one GPU against its memory; the arguments of ``core.parallel.states.model_states``.

    Raises:
        InputError: An unknown strategy.
    """
    states = model_states(strategy, volume, params, shard_ranks)
    return Memory(states.parameter_bytes, states.gradient_bytes, states.optimizer_bytes, available_bytes)
