"""Compute of a micro-batch on one data-parallel rank, as the training calculator prices it."""

from dataclasses import dataclass

from core.calculators.question import Question
from core.calculators.training.compute import compute
from core.calculators.training.efficiency import efficiency
from core.calculators.training.interval import certainty
from core.calculators.training.pass_times import pass_times
from core.calculators.training.scenario import Scenario as TrainingStep
from core.calculators.training.stragglers import straggler_s
from core.calculators.training.work import model_flop
from core.catalog import precision
from core.catalog.calibrations.training import STEP_START_S
from core.checks import InputError
from core.parallel.layout import Layout
from core.parallel.peaks import peak


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """
    What a data-parallel rank computes, the whole model on one GPU.

    Attributes:
        forward_s, backward_s: Of a micro-batch with the output head; recomputation counts as backward.
        optimizer_s: Once a step: the optimizer and what every step costs whatever its size.
        waiting_s: Once a step: for the slowest of the job's ranks, in the median of steps.
        flop: Model FLOPs of a micro-batch, as MFU counts them.
        peak_flop_per_s: Dense peak of the GPU in the job's precision.
        half_width: Half width of the prediction interval over the time.
        efficiency: GEMM efficiency, a share of that peak.
        framework: Whose it is.
        stated: Whether the job states it.
    """

    forward_s: float
    backward_s: float
    optimizer_s: float
    waiting_s: float
    flop: float
    peak_flop_per_s: float
    half_width: float
    efficiency: float
    framework: str
    stated: bool


def micro_batch(question: Question, tokens: float, ranks: int, accumulation: int) -> MicroBatch | str:
    """The compute of so many tokens per rank, or why the training calculator does not price it, in a line."""
    try:
        return _priced(_training_step(question, tokens, ranks, accumulation), tokens)
    except InputError as error:
        return str(error)


def _training_step(question: Question, tokens: float, ranks: int, accumulation: int) -> TrainingStep:
    """A step of micro-batches of whole sequences of the job, as far as the tokens hold some."""
    seq = max(1, round(min(tokens, question.job.seq)))
    sequences = max(1, round(tokens / seq))
    return question.scenario(
        TrainingStep,
        layout=Layout(dp=ranks),
        micro_batch=sequences,
        global_batch=sequences * ranks * accumulation,
        seq=seq,
    )


def _priced(step: TrainingStep, tokens: float) -> MicroBatch:
    work, passes, gpu = compute(step), pass_times(step), step.system.gpu
    scale = tokens / (step.micro_batch * step.seq)
    usual = efficiency(gpu, step.precision, step.kernels)
    micro_batch_s = scale * float(passes.forward_s + passes.backward_s)
    return MicroBatch(
        forward_s=scale * float(passes.forward_s),
        backward_s=scale * float(passes.backward_s),
        optimizer_s=float(work.optimizer_s) + STEP_START_S,
        waiting_s=float(straggler_s(step, step.micro_batches * micro_batch_s)),
        flop=scale * model_flop(step) / (step.layout.dp * step.micro_batches),
        peak_flop_per_s=peak(gpu, precision(step.precision)).flop_per_s,
        half_width=certainty(step).half_width,
        efficiency=step.efficiency or usual.usual,
        framework=step.kernels,
        stated=step.efficiency is not None,
    )
