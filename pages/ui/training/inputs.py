"""Inputs of the page Training step, and the scenario made of them."""

from dataclasses import dataclass

import streamlit as st

from core.calculators.gradient_sync import STRATEGIES
from core.calculators.question import RECOMPUTE
from core.calculators.training import Layout, Scenario
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS
from pages.ui.shared import bound, job
from pages.ui.shared.machine import SystemChoice
from pages.ui.shared.rates import RateChoice

RECOMPUTE_HELP = "selective: attention only. full: every layer is computed again in backward."
OVERLAP_HELP = "Share of this communication behind compute. Empty: what current frameworks reach."


@dataclass(frozen=True, slots=True)
class LayoutInputs:
    """Degrees of the layout except DP, micro-batch size in sequences, activation recomputation."""

    tp: int
    pp: int
    vpp: int
    cp: int
    ep: int
    micro_batch: int
    recompute: str


@dataclass(frozen=True, slots=True)
class Details:
    """Data parallelism, overlap, price and library; an overlap of None is the framework's usual one."""

    strategy: str
    grad_bytes: float
    param_bytes: float
    tp_overlap: float | None
    pp_overlap: float | None
    ep_overlap: float | None
    dp_overlap: bool
    sequence_parallel: bool
    usd_per_gpu_hour: float
    implementation: str


def question() -> tuple[job.Job, LayoutInputs]:
    """The widgets of the job and of its layout."""
    training = job.question("train")
    with st.container(border=True):
        left, right = st.columns(2)
        with left:
            tp = bound.number("TP", "train_tp", 4, low=1, step=1, help="Tensor parallelism.")
            vpp = bound.number(
                "VPP", "train_vpp", 5, low=1, step=1, help="Virtual pipeline stages per GPU (interleaving)."
            )
            ep = bound.number("EP", "train_ep", 1, low=1, step=1, help="Expert parallelism.")
        with right:
            pp = bound.number("PP", "train_pp", 4, low=1, step=1, help="Pipeline stages.")
            cp = bound.number("CP", "train_cp", 2, low=1, step=1, help="Context parallelism.")
            micro_batch = bound.number(
                "Micro-batch", "micro_batch", 1, low=1, step=1, help="Micro-batch size: sequences."
            )
        st.caption("DP = GPUs / (TP × PP × CP).")
    recompute = bound.switch("Activation recomputation", "recompute", RECOMPUTE, help=RECOMPUTE_HELP)
    return training, LayoutInputs(tp, pp, vpp, cp, ep, micro_batch, recompute)


def details() -> Details:
    """The widgets of data parallelism, overlap, price and library."""
    with st.expander("Data parallelism, overlap, price", icon=":material/tune:"):
        strategy = bound.choice(
            "Data-parallel strategy",
            "train_strategy",
            STRATEGIES,
            "zero1",
            help="zero1: Megatron-LM's distributed optimizer.",
        )
        gradient = bound.number("Bytes per gradient", "train_grad_bytes", 4.0, low=0.5, high=16.0, step=1.0)
        parameter = bound.number(
            "Bytes per parameter", "train_param_bytes", 2.0, low=0.5, high=16.0, step=1.0
        )
        return Details(
            strategy=strategy,
            grad_bytes=gradient,
            param_bytes=parameter,
            tp_overlap=_overlap("TP", "tp_hidden"),
            pp_overlap=_overlap("PP", "pp_hidden"),
            ep_overlap=_overlap("EP", "ep_hidden"),
            dp_overlap=bound.toggle("Overlap DP with compute", "dp_behind", value=True),
            sequence_parallel=bound.toggle("Sequence parallelism", "train_sequence_parallel", value=True),
            usd_per_gpu_hour=bound.number("GPU-hour price ($)", "train_usd", 3.0, low=0.0, step=0.5),
            implementation=bound.choice("Communication library", "train_implementation", IMPLEMENTATIONS),
        )


def _overlap(name: str, key: str) -> float | None:
    return bound.number(f"{name} overlap (share)", key, None, low=0.0, high=1.0, step=0.1, help=OVERLAP_HELP)


def scenario(
    training: job.Job, degrees: LayoutInputs, details: Details, system_choice: SystemChoice, rates: RateChoice
) -> Scenario:
    """The question put to core; DP follows from the GPUs. InputError where the degrees do not divide them."""
    model_parallel = degrees.tp * degrees.pp * degrees.cp
    if training.gpus % model_parallel:
        message = f"GPUs (world size): a multiple of TP x PP x CP = {model_parallel}, not {training.gpus:,}"
        raise InputError(message)
    layout = Layout(
        tp=degrees.tp,
        pp=degrees.pp,
        vpp=degrees.vpp,
        cp=degrees.cp,
        ep=degrees.ep,
        dp=training.gpus // model_parallel,
    )
    return job.scenario(
        training,
        system_choice,
        rates,
        layout=layout,
        micro_batch=degrees.micro_batch,
        recompute=degrees.recompute,
        strategy=details.strategy,
        grad_bytes=details.grad_bytes,
        param_bytes=details.param_bytes,
        tp_overlap=details.tp_overlap,
        pp_overlap=details.pp_overlap,
        ep_overlap=details.ep_overlap,
        dp_overlap=details.dp_overlap,
        sequence_parallel=details.sequence_parallel,
        usd_per_gpu_hour=details.usd_per_gpu_hour,
        implementation=details.implementation,
    )
