"""The answer of the training calculator: step time, its parts, memory and cost."""

from dataclasses import dataclass

from core.calculators.cost.exposed import Loss
from core.calculators.training.memory import Memory
from core.parallel.memory_fit import Fit
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Exposed:
    """Seconds of a step by kind of parallelism: exposed communication, or all of it."""

    tp: float
    dp: float
    pp: float
    cp: float
    ep: float

    @property
    def total_s(self) -> float:
        """All kinds together."""
        return self.tp + self.dp + self.pp + self.cp + self.ep


def by_cause(compute_s: float, bubble_s: float, offload_s: float, exposed: Exposed) -> dict[str, float]:
    """Seconds of a step by cause, which add up to it; compute with the optimizer."""
    return {
        "compute": compute_s,
        "pipeline bubble": bubble_s,
        "offload": offload_s,
        "exposed TP": exposed.tp,
        "exposed CP": exposed.cp,
        "exposed EP": exposed.ep,
        "exposed PP": exposed.pp,
        "exposed DP": exposed.dp,
    }


@dataclass(frozen=True, slots=True)
class Answer:
    """
    One optimizer step on the slowest GPU.

    Attributes:
        layout: Degrees above one, as ``TP8 PP4 VPP5 DP16``.
        efficiency: GEMM efficiency: share of the dense peak that large GEMMs reach.
        step_s: ``compute_s`` + ``exposed_s`` + ``bubble_s`` + ``offload_s``; ``low_s`` and ``high_s`` span
            what the GEMM efficiency leaves open.
        tokens_per_s, tokens_per_s_per_gpu: Tokens of the step over its time, of the job and per GPU.
        mfu: Model FLOPs utilization: ``model_flop_per_s_per_gpu`` over the dense peak of the precision;
            ``mfu_low`` at ``high_s``, ``mfu_high`` at ``low_s``.
        compute_s: All micro-batches and the optimizer, of which ``optimizer_s``, of which ``fixed_s`` is what
            a step costs whatever its size.
        host_s: Of ``compute_s``, waiting for the host to launch kernels.
        exposed_s: Exposed communication by kind.
        bubble_s: Pipeline bubble.
        offload_s: Waiting for the host where activations or optimizer are offloaded.
        comm_s: All communication by kind, exposed or overlapped.
        waiting_s: Of ``exposed_s.dp``, waiting for the slowest rank (a median).
        bubble_share, bubble_fraction: Of the whole step, and of the pipeline's own time,
            (p - 1) / (v m + p - 1).
        binding: The largest part of the step besides compute, or ``compute``.
        memory_fit: Whether the memory suffices: fits, fits if something is changed, or does not fit; ``fits``
            is the first of the three.
        loss: Cost of exposed communication; None without a price.
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
    recompute_modules: tuple[str, ...]
    recompute_layers: int | None
    offload_activations: float
    offload_optimizer: float
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
    mfu_low: float
    mfu_high: float
    compute_s: float
    optimizer_s: float
    fixed_s: float
    exposed_s: Exposed
    comm_s: Exposed
    waiting_s: float
    host_s: float
    bubble_s: float
    offload_s: float
    bubble_share: float
    bubble_fraction: float
    memory_bytes_per_gpu: float
    memory: Memory
    memory_fit: Fit
    fits: bool
    binding: str
    loss: Loss | None
    headline: str
    formula: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def by_cause(self) -> dict[str, float]:
        """Seconds of the step by cause, which add up to it."""
        return by_cause(self.compute_s, self.bubble_s, self.offload_s, self.exposed_s)

    @property
    def mfu_text(self) -> str:
        """MFU with its interval, as ``51.3 % (41 to 57 %)``."""
        return f"{100 * self.mfu:.3g} % ({100 * self.mfu_low:.0f} to {100 * self.mfu_high:.0f} %)"

    @property
    def recomputed(self) -> str:
        """What is recomputed, as ``none``, ``selective: moe_act`` or ``full, 4 layers a stage``."""
        if self.recompute == "selective" and self.recompute_modules:
            return f"selective: {', '.join(self.recompute_modules)}"
        if self.recompute == "full" and self.recompute_layers is not None:
            return f"full, {self.recompute_layers} layers a stage"
        return self.recompute
