"""Inputs of the page Tensor-parallel overhead, and the scenario made of them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.calculators.question import Question, ServingLoad
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.scenario import COMPUTE, PHASES
from core.catalog import PRECISIONS
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.question import Software
from core.hardware import System
from core.workload import Model, Precision
from pages.ui.shared import bound, shape
from pages.ui.shared.rates import RateChoice

TOKENS_HELP = (
    "New tokens in one forward pass (vLLM max_num_batched_tokens). Decode: one for each concurrent request (batch size). "
    "Prefill: prompt tokens."
)
EP_HELP = (
    "GPUs that share the experts. TP 1 with all GPUs here is data-parallel attention (DP attention): every GPU keeps an "
    "attention of its own."
)
COMPUTE_HELP = (
    "**roofline**: the larger of FLOPs and bytes. **kernels**: fitted efficiencies with a launch overhead a layer. "
    "**auto**: kernels, roofline once an efficiency is given."
)
LAUNCH_HELP = "stream: eager launch. graph: replayed from a CUDA or HIP graph."


@dataclass(frozen=True, slots=True)
class Step:
    """One forward pass: model, phase, batched tokens, context length and tensor-parallel degree."""

    model: Callable[[], Model | None]
    phase: str
    tokens: int
    context: int | None
    tp: int


@dataclass(frozen=True, slots=True)
class Execution:
    """Precisions, expert parallelism, overlap, library and efficiencies of the step."""

    weights: Precision
    activations: Precision
    kv: Precision
    overlap: float
    ep: int
    sequence_parallel: bool
    implementation: str
    launch: str
    compute: str
    mfu: float | None
    hbm_efficiency: float | None


def step() -> Step:
    """The widgets of model, phase, batch, context and degree."""
    model, _ = shape.choose("model", "llama-3.1-70b", shaped=True)
    return Step(
        model=model,
        phase=bound.switch("Phase", "phase", PHASES, help="decode sets TPOT, prefill sets TTFT."),
        tokens=bound.number("Batched tokens per step", "tokens", 32, low=1, step=1, help=TOKENS_HELP),
        context=bound.number(
            "Context length (tokens)",
            "context",
            None,
            low=0,
            step=1024,
            help="Per request. Empty: 4,096 in decode, one prompt of all tokens in prefill.",
        ),
        tp=bound.number("Tensor-parallel degree (TP)", "tp", 8, low=1, step=1),
    )


def execution() -> Execution:
    """The widgets of precisions, overlap, library and efficiencies."""
    with st.expander("Precision, overlap, library", icon=":material/tune:"):
        weights = bound.choice("Weight precision", "weights", PRECISIONS, "bf16")
        activations = bound.choice("Activation precision", "activations", PRECISIONS, "bf16")
        kv = bound.choice("KV cache precision", "kv", PRECISIONS, "bf16")
        return Execution(
            weights=PRECISIONS[weights],
            activations=PRECISIONS[activations],
            kv=PRECISIONS[kv],
            overlap=bound.number(
                "Communication overlapped (share)",
                "overlap",
                0.0,
                low=0.0,
                high=1.0,
                step=0.1,
                help="Share of the communication that runs behind compute.",
            ),
            ep=bound.number("Expert-parallel degree (EP)", "ep", 1, low=1, step=1, help=EP_HELP),
            sequence_parallel=bound.toggle("Sequence parallelism", "sequence_parallel"),
            implementation=bound.choice("Communication library", "implementation", IMPLEMENTATIONS),
            launch=bound.switch("Kernel launch", "launch", LAUNCHES, help=LAUNCH_HELP),
            compute=bound.switch("Compute model", "compute", COMPUTE, help=COMPUTE_HELP),
            mfu=bound.number(
                "GEMM efficiency (share of peak)",
                "mfu",
                None,
                low=0.01,
                high=1.1,
                step=0.05,
                help="0.4 is 40 % of peak. Empty: fitted.",
            ),
            hbm_efficiency=bound.number(
                "HBM efficiency (share of peak)",
                "hbm_efficiency",
                None,
                low=0.01,
                high=1.1,
                step=0.05,
                help="0.4 is 40 % of peak. Empty: fitted.",
            ),
        )


def scenario(step: Step, system: System, rates: RateChoice, execution: Execution) -> Scenario:
    """The question put to core; InputError where model or degree cannot be used."""
    question = Question(
        system=system,
        rates=rates.on(system, step.tp),
        software=Software(implementation=execution.implementation, launch=execution.launch),
        model=step.model(),
        load=ServingLoad(
            context=step.context,
            weights=execution.weights,
            activations=execution.activations,
            kv=execution.kv,
        ),
    )
    return Scenario.of(
        question,
        phase=step.phase,
        tokens=step.tokens,
        tp=step.tp,
        ep=execution.ep,
        overlap=execution.overlap,
        sequence_parallel=execution.sequence_parallel,
        compute=execution.compute,
        mfu=execution.mfu,
        hbm_efficiency=execution.hbm_efficiency,
    )
