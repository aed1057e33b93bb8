"""The answer of the gradient-sync calculator, with every term of it."""

from dataclasses import dataclass

from core.calculators.cost.exposed import Loss
from core.calculators.gradient_sync.memory import Memory
from core.calculators.gradient_sync.timeline import Timeline
from core.collectives.formulas.columns import CostFigures
from core.parallel.traffic import Phase
from core.provenance import Source
from core.units import format_share


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseAnswer(CostFigures[float]):
    """
    One collective of the step with the seconds of all its passes, each pass over the model one message.

    Attributes:
        phase: What is sent, by which ranks and how often.
        wire_bytes: Sent by each GPU in the step with ring collectives.
        algorithm: As ``ring`` or ``ring/LL128``.
        bucketed_s: All passes of the step in buckets of the scenario's size.
    """

    phase: Phase
    algorithm: str
    rates: str
    basis: str
    bucketed_s: float


@dataclass(frozen=True, slots=True)
class Pass:
    """The timeline of one forward or backward pass, and how often it runs in a step."""

    name: str
    times: int
    timeline: Timeline

    @property
    def exposed_s(self) -> float:
        """Exposed communication of all these passes of the step."""
        return self.times * self.timeline.exposed_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(CostFigures[float]):
    """
    Data-parallel communication of one optimizer step, in seconds and bytes per GPU.

    Attributes:
        wire_bytes: Sent by each GPU in one step with ring collectives.
        time_s: All collectives as whole messages, one after the other; ``low_s`` and ``high_s`` are the
            prediction interval.
        latency_s, transfer_s, launch_s, reduction_s: The parts of ``time_s``.
        algbw_bytes_per_s: Gradient bytes over time; None for a single rank.
        busbw_bytes_per_s: Wire bytes over time, for DDP what nccl-tests prints; None for one rank.
        comm_s: The same in buckets: how long the links are busy.
        exposed_s: Exposed communication, with what the rest costs compute of the training calculator that it
            overlaps with; ``hidden_s`` is saved by overlapping.
        exposed_low_s, exposed_high_s, step_low_s, step_high_s: Prediction intervals; None without a step.
        overlap_mode: ``none``, ``fraction`` or ``buckets``.
        passes: Timelines of the bucket mode.
        straggler_s: Waiting for the slowest rank, at the scenario's percentile.
        step_s: Compute, exposed communication, waiting and the rest; None where compute is not known.
        efficiency: Scaling efficiency by every definition; None where compute is not known.
        compute: What compute rests on, in a few words; empty where it is not known.
        mfu_low, mfu_high: At ``step_high_s`` and ``step_low_s``.
        loss: Exposed communication in GPU-hours and dollars; None without a price or a step.
        one_percent: What 1 % of the job costs; None without a price.
    """

    system: str
    strategy: str
    ranks: int
    domains: int
    shard_ranks: int
    rates: str
    params: float
    gradient_bytes: float
    parameter_bytes: float
    accumulation: int
    algbw_bytes_per_s: float | None
    busbw_bytes_per_s: float | None
    algorithm: str
    basis: str
    bucket_bytes: float | None
    buckets: int
    comm_s: float
    overlap_mode: str
    exposed_s: float
    hidden_s: float
    exposed_low_s: float | None
    exposed_high_s: float | None
    forward_s: float | None
    backward_s: float | None
    straggler_s: float
    step_s: float | None
    step_low_s: float | None
    step_high_s: float | None
    efficiency: dict[str, float] | None
    compute: str
    tokens_per_s: float | None
    mfu: float | None
    mfu_low: float | None
    mfu_high: float | None
    loss: Loss | None
    one_percent: Loss | None
    memory: Memory
    phases: tuple[PhaseAnswer, ...]
    passes: tuple[Pass, ...]
    formula: str
    headline: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def mfu_text(self) -> str:
        """MFU with its interval where it has one, as ``51.3 % (41 to 57 %)``; empty where none is known."""
        if self.mfu is None or self.mfu_low is None or self.mfu_high is None:
            return ""
        text, low, high = format_share(self.mfu), f"{100 * self.mfu_low:.0f}", f"{100 * self.mfu_high:.0f}"
        return text if low == high else f"{text} ({low} to {high} %)"
