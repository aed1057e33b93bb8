"""Inputs of the page Gradient sync, and the scenario made of them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.calculators.gradient_sync import STRATEGIES, Scenario
from core.calculators.question import Question, TrainingJob
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.question import Software
from core.hardware import System
from core.units import MB, MS
from core.workload import Model
from pages.ui.shared import bound, shape
from pages.ui.shared.rates import RateChoice

OWN = "yours"
ALGORITHMS = ("auto", "ring")
"""Those that do every collective of every strategy, in a domain and across."""
STRATEGY_HELP = (
    "**ddp**: all-reduce of gradients. **zero1**, **zero2**: sharded optimizer state, and gradients. **zero3**, **fsdp**: "
    "sharded parameters too, gathered in forward and backward. **hsdp**: FSDP in a shard group, replicas across."
)
LAUNCH_HELP = "stream: eager launch. graph: replayed from a CUDA or HIP graph."


@dataclass(frozen=True, slots=True)
class Job:
    """
    The data-parallel job.

    Attributes:
        model: Of the catalog or a config.json; unused where ``params`` are typed.
        params: Parameters, where the reader types them.
        ranks: Data-parallel size; None stands for every GPU.
        tokens_per_rank: Tokens per micro-batch per GPU.
        mfu: Share of the dense peak that compute reaches.
        accumulation: Gradient accumulation steps.
    """

    model: Callable[[], Model | None]
    params: float | None
    strategy: str
    ranks: int | None
    tokens_per_rank: int
    mfu: float
    accumulation: int
    usd_per_gpu_hour: float


@dataclass(frozen=True, slots=True)
class Details:
    """Bytes, buckets, overlap, stragglers and library; seconds and bytes, None where the default holds."""

    grad_bytes: float
    param_bytes: float
    backward_s: float | None
    overlap: float | None
    bucket_bytes: float | None
    shard_ranks: int | None
    whole_gradients: bool
    spread: float
    percentile: float
    algorithm: str
    implementation: str
    launch: str


def job() -> Job:
    """The widgets of the job."""
    model, option = shape.choose("sync_model", "llama-3.1-8b", extra=(OWN,))
    billions = (
        bound.number("Parameters (billions)", "params_b", 70.0, low=0.0, step=1.0) if option == OWN else None
    )
    return Job(
        model=model,
        params=None if billions is None else billions * 1e9,
        strategy=bound.choice("Data-parallel strategy", "strategy", STRATEGIES, "fsdp", help=STRATEGY_HELP),
        ranks=bound.number(
            "Data-parallel size (GPUs)",
            "dp_ranks",
            None,
            low=1,
            step=1,
            help="Empty: every GPU of the system.",
        ),
        tokens_per_rank=bound.number(
            "Tokens per micro-batch per GPU", "tokens_per_rank", 8192, low=1, step=1024
        ),
        mfu=bound.number(
            "GEMM efficiency (share of peak)",
            "train_mfu",
            0.4,
            low=0.01,
            high=1.0,
            step=0.05,
            help="Share of the dense BF16 peak that forward and backward reach: 0.4 is 40 %.",
        ),
        accumulation=bound.number("Gradient accumulation steps", "accumulation", 1, low=1, step=1),
        usd_per_gpu_hour=bound.number("GPU-hour price ($)", "usd", 3.0, low=0.0, step=0.5),
    )


def details() -> Details:
    """The widgets of bytes, overlap, stragglers and library."""
    with st.expander("Bytes, overlap, library", icon=":material/tune:"):
        gradient = bound.number("Bytes per gradient", "grad_bytes", 2.0, low=0.5, high=16.0, step=1.0)
        parameter = bound.number("Bytes per parameter", "param_bytes", 2.0, low=0.5, high=16.0, step=1.0)
        backward_ms = bound.number(
            "Backward time per micro-batch (ms)",
            "backward_ms",
            None,
            low=0.0,
            help="Empty: from tokens and GEMM efficiency.",
        )
        overlap = bound.number(
            "Overlapped communication (share)",
            "sync_overlap",
            None,
            low=0.0,
            high=1.0,
            help="Empty: computed from a timeline of the gradient buckets.",
        )
        bucket_mb = bound.number(
            "Gradient bucket size (MB)", "bucket_mb", None, low=0.001, help="Empty: Megatron-LM's default."
        )
        shard_ranks = bound.number(
            "HSDP shard group (GPUs)", "shard_ranks", None, low=1, step=1, help="Empty: one scale-up domain."
        )
        whole_gradients = bound.toggle(
            "Unsharded gradients until the last micro-batch",
            "whole_gradients",
            help="FSDP's no_sync: gradients are reduced once a step, at the price of memory.",
        )
        spread, percentile = _stragglers()
        return Details(
            grad_bytes=gradient,
            param_bytes=parameter,
            backward_s=None if backward_ms is None else backward_ms * MS,
            overlap=overlap,
            bucket_bytes=None if bucket_mb is None else bucket_mb * MB,
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
            implementation=bound.choice("Communication library", "sync_implementation", IMPLEMENTATIONS),
            launch=bound.switch("Kernel launch", "sync_launch", LAUNCHES, help=LAUNCH_HELP),
        )


def _stragglers() -> tuple[float, float]:
    """Relative deviation of backward between ranks, and the percentile of steps that is waited for."""
    spread = bound.number(
        "Straggler spread (share of backward)",
        "spread",
        0.0,
        low=0.0,
        high=1.0,
        step=0.01,
        help="Standard deviation of the backward time between ranks, such as 0.02.",
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
    return spread, percentile


def scenario(job: Job, system: System, rates: RateChoice, details: Details) -> Scenario:
    """The question put to core; InputError where there is no model and no number of parameters."""
    question = Question(
        system=system,
        rates=rates.on(system, job.ranks or system.gpus),
        software=Software(implementation=details.implementation, launch=details.launch),
        algorithm=details.algorithm,
        model=job.model(),
        gpus=job.ranks,
        job=TrainingJob(
            strategy=job.strategy,
            grad_bytes=details.grad_bytes,
            param_bytes=details.param_bytes,
            usd_per_gpu_hour=job.usd_per_gpu_hour,
        ),
    )
    typed = {} if job.params is None else {"params": job.params}
    return Scenario.of(
        question,
        tokens_per_rank=job.tokens_per_rank,
        mfu=job.mfu,
        accumulation=job.accumulation,
        backward_s=details.backward_s,
        overlap=details.overlap,
        bucket_bytes=details.bucket_bytes,
        shard_ranks=details.shard_ranks,
        whole_gradients=details.whole_gradients,
        spread=details.spread,
        percentile=details.percentile,
        **typed,
    )


def own_model() -> bool:
    """Whether the model is the reader's: typed, or from a config.json."""
    return st.session_state.get("sync_model") in (OWN, shape.FILE)
