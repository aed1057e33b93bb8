"""Inputs of the page Gradient sync, and the scenario made of them."""

from dataclasses import dataclass
from typing import Any

from core.calculators.gradient_sync import STRATEGIES, Scenario
from core.calculators.question import Question, TrainingJob
from core.collectives.question import AUTO
from core.units import MB, MS, converted
from pages.ui.shared import bound, fields, folded, names
from pages.ui.shared.question.record import SharedInputs

ALGORITHMS = ("auto", "ring")
"""Those that do every collective of every strategy, in a domain and across."""
STRATEGY_HELP = (
    "**DDP**: all-reduce of gradients. **ZeRO-1**, **ZeRO-2**: sharded optimizer state, and gradients. **ZeRO-3**, "
    "**FSDP**: sharded parameters too, gathered in forward and backward. **HSDP**: FSDP in a shard group, replicas across. "
    "**auto**: what the software does, FSDP if that is auto too; `gradient-sync` in the shell takes DDP there."
)


@dataclass(frozen=True, slots=True)
class Sync:
    """
    How the job's data-parallel ranks train and pay.

    Attributes:
        strategy: None stands for the software's own.
        tokens_per_rank: Tokens per micro-batch per GPU; None stands for one sequence of the job.
        accumulation: Gradient accumulation steps.
    """

    strategy: str | None
    tokens_per_rank: int | None
    accumulation: int
    usd_per_gpu_hour: float


@dataclass(frozen=True, slots=True)
class Details:
    """Bytes, buckets, overlap, stragglers; seconds and bytes, None where the software or core decides."""

    grad_bytes: float | None
    param_bytes: float | None
    backward_s: float | None
    overlap: float | None
    bucket_bytes: float | None
    shard_ranks: int | None
    whole_gradients: bool
    spread: float | None
    percentile: float
    algorithm: str


def sync() -> Sync:
    """The widgets of strategy, micro-batch and price."""
    strategy = bound.choice(
        "Data-parallel strategy",
        "strategy",
        [AUTO, *STRATEGIES],
        AUTO,
        names=names.strategies(),
        help=STRATEGY_HELP,
    )
    return Sync(
        strategy=None if strategy == AUTO else strategy,
        tokens_per_rank=bound.number(
            "Tokens per micro-batch per GPU",
            "tokens_per_rank",
            None,
            low=1,
            step=1024,
            help="Empty: one sequence of the training job.",
        ),
        accumulation=fields.count("Gradient accumulation steps", "accumulation", 1),
        usd_per_gpu_hour=bound.number("GPU-hour price ($)", "usd", 3.0, low=0.0, step=0.5),
    )


def details() -> Details:
    """The widgets of bytes, overlap and stragglers."""
    with folded.panel("Bytes, buckets, overlap, stragglers", "sync_more", ":material/tune:"):
        gradient = fields.gradient_bytes("grad_bytes")
        parameter = fields.parameter_bytes("param_bytes")
        backward_s, overlap = _overlap()
        bucket_mb = bound.number(
            "Gradient bucket size (MB)", "bucket_mb", None, low=0.001, help="Empty: Megatron-LM's default."
        )
        shard_ranks = fields.count(
            "HSDP shard group (GPUs)", "shard_ranks", help="Empty: one scale-up domain."
        )
        whole_gradients = fields.whole_gradients("whole_gradients")
        spread, percentile = _stragglers()
        return Details(
            grad_bytes=gradient,
            param_bytes=parameter,
            backward_s=backward_s,
            overlap=overlap,
            bucket_bytes=converted(bucket_mb, MB),
            shard_ranks=shard_ranks,
            whole_gradients=whole_gradients,
            spread=spread,
            percentile=percentile,
            algorithm=bound.choice(
                "Algorithm",
                "sync_algorithm",
                ALGORITHMS,
                help="auto: the fastest. ring: always the ring, as textbooks count.",
            ),
        )


def _overlap() -> tuple[float | None, float | None]:
    """Backward time of a micro-batch in seconds, and the share of communication that runs behind it."""
    backward_ms = bound.number(
        "Backward time per micro-batch (ms)",
        "backward_ms",
        None,
        low=0.0,
        help="Empty: as Training step prices tokens, model and GPU.",
    )
    overlap = bound.number(
        "Overlapped communication (share)",
        "sync_overlap",
        None,
        low=0.0,
        high=1.0,
        help="Empty: computed from a timeline of the gradient buckets.",
    )
    return converted(backward_ms, MS), overlap


def _stragglers() -> tuple[float | None, float]:
    """Relative deviation of backward between ranks, and the percentile of steps that is waited for."""
    spread = bound.number(
        "Straggler spread (share of backward)",
        "spread",
        None,
        low=0.0,
        high=1.0,
        step=0.01,
        help="Standard deviation of the backward time between ranks, such as 0.02. Empty: as Training step waits.",
    )
    percentile = bound.number(
        "Straggler percentile (share of steps)",
        "percentile",
        0.5,
        low=0.01,
        high=0.9999,
        step=0.05,
        help="0.5: in half of the steps the slowest rank is no later. No effect without a spread.",
    )
    return spread, Scenario.percentile if spread is None else percentile


def scenario(shared: SharedInputs, sync: Sync, details: Details) -> Scenario:
    """The question put to core; InputError where there is no model and no number of parameters."""
    job = shared.job
    system = shared.system.with_gpus(job.gpus)
    question = Question(
        system=system,
        rates=shared.rates.on(system, job.gpus),
        software=shared.software.software,
        algorithm=details.algorithm,
        model=shared.model.model(),
        gpus=job.gpus,
        job=TrainingJob(
            usd_per_gpu_hour=sync.usd_per_gpu_hour,
            seq=job.seq,
            precision=job.precision,
            efficiency=job.efficiency,
            **_training(shared, sync, details),
        ),
    )
    typed = {} if shared.model.params is None else {"params": shared.model.params}
    return Scenario.of(
        question,
        tokens_per_rank=sync.tokens_per_rank or job.seq,
        accumulation=sync.accumulation,
        backward_s=details.backward_s,
        overlap=details.overlap,
        bucket_bytes=details.bucket_bytes,
        shard_ranks=details.shard_ranks,
        whole_gradients=details.whole_gradients,
        spread=details.spread,
        percentile=details.percentile,
        **typed,
    )


def _training(shared: SharedInputs, sync: Sync, details: Details) -> dict[str, Any]:
    """Strategy and bytes: as stated, else of the software, else of plain DDP in two bytes."""
    stated = {
        "strategy": sync.strategy,
        "grad_bytes": details.grad_bytes,
        "param_bytes": details.param_bytes,
    }
    usual = {"strategy": "ddp", "param_bytes": 2.0} | shared.software.training
    return usual | {name: value for name, value in stated.items() if value is not None}
