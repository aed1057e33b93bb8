"""Inputs of the page Tensor-parallel overhead, and the scenario made of them."""

from dataclasses import dataclass

import streamlit as st

from core.calculators.question import Question, ServingLoad
from core.calculators.serving import Engine
from core.calculators.tensor_parallel import Scenario, valid_degrees
from core.calculators.tensor_parallel.scenario import COMPUTE, MOST_IMBALANCE, PHASES
from core.checks import InputError
from core.collectives.moe.routing import ROUTINGS
from pages.ui.shared import bound, fields, folded
from pages.ui.shared.layers import with_layers
from pages.ui.shared.offer import Offer
from pages.ui.shared.question.record import SharedInputs

TOKENS_HELP = (
    "New tokens in one forward pass (vLLM max_num_batched_tokens). Empty: in decode one for each concurrent request, "
    "in prefill one prompt of the context length, in chunks where the software divides it."
)
EP_HELP = (
    "GPUs that share the experts. TP 1 with all GPUs here is data-parallel attention (DP attention): every GPU keeps an "
    "attention of its own."
)
ROUTING_HELP = "**random**: any set of experts is as likely. **balanced**: in turn, as benchmarks route."
COMPUTE_HELP = (
    "**roofline**: the larger of FLOPs and bytes. **kernels**: fitted efficiencies with a launch overhead a layer. "
    "**auto**: kernels, roofline once an efficiency is given."
)


@dataclass(frozen=True, slots=True)
class Step:
    """One forward pass: phase, batched tokens (None: those of the load) and tensor-parallel degree."""

    phase: str
    tokens: int | None
    tp: int


@dataclass(frozen=True, slots=True)
class Execution:
    """Expert parallelism, overlap and efficiencies of the step."""

    overlap: float
    ep: int
    routing: str
    imbalance: float
    sequence_parallel: bool
    compute: str
    mfu: float | None
    hbm_efficiency: float | None


def step() -> Step:
    """The widgets of phase, batch and degree."""
    return Step(
        phase=bound.switch("Phase", "phase", PHASES, help="decode sets TPOT, prefill sets TTFT."),
        tp=fields.count("Tensor-parallel degree (TP)", "tp", 8),
        tokens=fields.count("Batched tokens per step", "tokens", help=TOKENS_HELP),
    )


def execution() -> Execution:
    """The widgets of expert parallelism, overlap and efficiencies."""
    with (
        folded.panel("Expert parallelism, overlap, efficiency", "tp_more", ":material/tune:"),
        st.grid("auto"),
    ):
        return Execution(
            ep=fields.count("Expert-parallel degree (EP)", "ep", 1, help=EP_HELP),
            routing=bound.switch("Expert routing", "routing", ROUTINGS, help=ROUTING_HELP),
            imbalance=bound.number(
                "Expert imbalance",
                "imbalance",
                1.0,
                low=1.0,
                high=float(MOST_IMBALANCE),
                step=0.1,
                help="Tokens at the experts of the busiest GPU over the mean.",
            ),
            overlap=fields.share(
                "Communication overlapped (share)",
                "overlap",
                0.0,
                help="Share of the communication that runs behind compute.",
            ),
            compute=bound.switch("Compute model", "compute", COMPUTE, help=COMPUTE_HELP),
            mfu=fields.efficiency(
                "GEMM efficiency (share of peak)", "mfu", help="0.4 is 40 % of peak. Empty: fitted."
            ),
            hbm_efficiency=fields.efficiency(
                "HBM efficiency (share of peak)", "hbm_efficiency", help="0.4 is 40 % of peak. Empty: fitted."
            ),
            sequence_parallel=bound.toggle("Sequence parallelism", "sequence_parallel"),
        )


def nearest(shared: SharedInputs, key: str, tp: int) -> Offer | None:
    """The largest TP degree of model and system up to the one of this input, where it is another."""
    try:
        model, gpus = with_layers(shared.model.model), shared.system.system().gpus
    except InputError:
        return None
    degree = valid_degrees(model.heads or gpus, min(tp, gpus))[-1]
    return None if degree == tp else Offer(f"Use TP{degree}", {key: degree})


def _tokens(shared: SharedInputs, step: Step, chunk: int | None) -> int:
    """
    New tokens of a step: as typed, one for each request, or one prompt in chunks of the engine.

    Raises:
        InputError: A decode step of no requests.
    """
    if step.tokens is not None:
        return step.tokens
    if step.phase == "decode":
        if not shared.load.requests:
            message = "sequences: a decode step has at least one request, not 0"
            raise InputError(message)
        return shared.load.requests
    prompt = max(1, shared.load.tokens)
    return prompt if chunk is None else min(prompt, chunk)


def scenario(shared: SharedInputs, step: Step, execution: Execution, runs: tuple[Engine, float]) -> Scenario:
    """The question put to core; InputError where model or degree cannot be used."""
    system, load = shared.system.system(), shared.load
    question = Question(
        system=system,
        rates=shared.rates.on(system, step.tp),
        software=shared.software.software,
        model=with_layers(shared.model.model),
        load=ServingLoad(
            context=load.context,
            weights=load.weights,
            activations=load.activations,
            kv=load.kv,
            usable=runs[1],
            **shared.software.serving,
        ),
        memory_of=runs[0].memory_of,
        reserve_bytes=runs[0].reserve_bytes,
    )
    return Scenario.of(
        question,
        phase=step.phase,
        tokens=_tokens(shared, step, runs[0].prefill_chunk),
        tp=step.tp,
        ep=execution.ep,
        routing=execution.routing,
        imbalance=execution.imbalance,
        overlap=execution.overlap,
        sequence_parallel=execution.sequence_parallel,
        compute=execution.compute,
        mfu=execution.mfu,
        hbm_efficiency=execution.hbm_efficiency,
    )
