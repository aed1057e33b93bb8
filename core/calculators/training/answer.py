"""The answer of the training calculator: the step, its parts, memory, money."""

from dataclasses import dataclass

from core.calculators.cost.exposed import Loss
from core.calculators.training.memory import Memory
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Exposed:
    """Seconds of a step that communication adds, by kind of parallelism."""

    tp: float
    dp: float
    pp: float
    cp: float
    ep: float

    @property
    def total_s(self) -> float:
        """All kinds."""
        return self.tp + self.dp + self.pp + self.cp + self.ep


@dataclass(frozen=True, slots=True)
class Answer:
    """
    One optimizer step on the slowest GPU.

    Attributes:
        step_s: ``compute_s`` + ``exposed_s`` + ``bubble_s``; low and high span what the one
            constant leaves open.
        tokens_per_s_per_gpu: Tokens of the step over its time and the job's GPUs.
        mfu: Model FLOPs over the dense peak of the format; see ``model_flop``.
        compute_s: All micro-batches and the optimizer.
        exposed_s: Communication that nothing hides, by kind.
        bubble_s: Waiting for the first and the last micro-batch.
        comm_s: All communication of the step, hidden or not, by kind.
        waiting_s: Of ``exposed_s.dp``, waiting for the slowest rank (a median).
        bubble_share, bubble_fraction: Of the whole step, and of the pipeline's own time,
            (p - 1) / (v m + p - 1).
        binding: The largest part of the step besides compute, or ``compute``.
    """

    system: str
    model: str
    layout: str
    gpus: int
    tp: int
    pp: int
    vpp: int
    dp: int
    cp: int
    ep: int
    micro_batch: int
    global_batch: int
    micro_batches: int
    seq: int
    precision: str
    recompute: str
    strategy: str
    efficiency: float
    rates: str
    step_s: float
    low_s: float
    high_s: float
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    model_flop_per_s_per_gpu: float
    mfu: float
    compute_s: float
    optimizer_s: float
    exposed_s: Exposed
    comm_s: Exposed
    waiting_s: float
    bubble_s: float
    bubble_share: float
    bubble_fraction: float
    memory_bytes_per_gpu: float
    memory: Memory
    fits: bool
    binding: str
    loss: Loss | None
    headline: str
    formula: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]
