"""Inputs of the page Training step, and the scenario made of them."""

from dataclasses import asdict, dataclass
from math import gcd

import streamlit as st

from core.calculators.gradient_sync import STRATEGIES
from core.calculators.question import RECOMPUTE, TrainingJob
from core.calculators.training import Layout, Scenario
from core.calculators.training.memory_saving import recomputation
from core.calculators.training.scenario import CUDA_GRAPHS, DISPATCHERS
from core.checks import InputError
from core.collectives.question import AUTO
from pages.ui.shared import bound, fields, folded, job, names
from pages.ui.shared.offer import Offer
from pages.ui.shared.question.record import SharedInputs
from pages.ui.training.memory_saving import Savings

RECOMPUTE_HELP = "auto: as the software does it. selective: attention only. full: every layer is recomputed in the backward pass."
OVERLAP_HELP = "Share of this communication behind compute. Empty: what current frameworks reach."


@dataclass(frozen=True, slots=True)
class LayoutInputs:
    """Degrees of the layout except DP = GPUs / (TP x PP x CP), and the micro-batch size in sequences."""

    tp: int
    pp: int
    vpp: int
    cp: int
    ep: int
    micro_batch: int


@dataclass(frozen=True, slots=True)
class Details:
    """Data parallelism, overlap and price; None is as the software does it."""

    strategy: str | None
    grad_bytes: float | None
    param_bytes: float | None
    recompute: str | None
    tp_overlap: float | None
    pp_overlap: float | None
    ep_overlap: float | None
    dispatcher: str | None
    cuda_graphs: str | None
    dp_overlap: bool
    sequence_parallel: bool
    usd_per_gpu_hour: float


def layout() -> LayoutInputs:
    """The widgets of the layout of the job."""
    tp = fields.count("TP", "train_tp", 4, help="Tensor parallelism.")
    pp = fields.count("PP", "train_pp", 4, help="Pipeline stages.")
    vpp = fields.count("VPP", "train_vpp", 5, help="Virtual pipeline stages per GPU (interleaving).")
    cp = fields.count("CP", "train_cp", 2, help="Context parallelism.")
    ep = fields.count("EP", "train_ep", 1, help="Expert parallelism.")
    micro_batch = fields.count(
        "Micro-batch", "micro_batch", 1, help="Sequences of one micro-batch (--micro-batch-size)."
    )
    return LayoutInputs(tp, pp, vpp, cp, ep, micro_batch)


def details() -> Details:
    """The widgets of data parallelism, overlap and price."""
    with (
        folded.panel("Data parallelism, recomputation, overlap, price", "train_more", ":material/tune:"),
        st.grid("auto"),
    ):
        strategy = bound.choice(
            "Data-parallel strategy",
            "train_strategy",
            [AUTO, *STRATEGIES],
            AUTO,
            names=names.strategies(),
            help="auto: the software's own. zero1: Megatron-LM's distributed optimizer.",
        )
        recompute = bound.switch(
            "Activation recomputation", "recompute", [AUTO, *RECOMPUTE], AUTO, help=RECOMPUTE_HELP
        )
        return Details(
            strategy=None if strategy == AUTO else strategy,
            recompute=None if recompute == AUTO else recompute,
            grad_bytes=fields.gradient_bytes("train_grad_bytes"),
            param_bytes=fields.parameter_bytes("train_param_bytes"),
            tp_overlap=_overlap("TP", "tp_hidden"),
            pp_overlap=_overlap("PP", "pp_hidden"),
            ep_overlap=_overlap("EP", "ep_hidden"),
            dispatcher=_dispatcher(),
            cuda_graphs=_cuda_graphs(),
            dp_overlap=bound.toggle("Overlap DP with compute", "dp_behind", value=True),
            sequence_parallel=bound.toggle("Sequence parallelism", "train_sequence_parallel", value=True),
            usd_per_gpu_hour=bound.number("GPU-hour price ($)", "train_usd", 3.0, low=0.0, step=0.5),
        )


def _overlap(name: str, key: str) -> float | None:
    return fields.share(f"{name} overlap (share)", key, help=OVERLAP_HELP)


def _dispatcher() -> str | None:
    chosen = bound.switch(
        "Expert dispatcher",
        "dispatcher",
        [AUTO, *DISPATCHERS],
        AUTO,
        help=(
            "deepep (HybridEP too): a token goes once to a rank or domain with one of its experts. all-to-all: once "
            "for each expert. auto: as deepep."
        ),
    )
    return None if chosen == AUTO else chosen


def _cuda_graphs() -> str | None:
    chosen = bound.switch(
        "CUDA graphs",
        "cuda_graphs",
        [AUTO, *CUDA_GRAPHS],
        AUTO,
        help=(
            "What graphs capture: none (the host launches every kernel), partial (Megatron's scopes attn, mlp, moe_router, "
            "moe_preprocess) or full-iteration. auto: not known; dense layers are launched, those of experts captured."
        ),
    )
    return None if chosen == AUTO else chosen


def nearest(shared: SharedInputs, degrees: LayoutInputs) -> Offer | None:
    """The layout nearest to this one whose degrees divide the GPUs; None where these do."""
    gpus = shared.job.gpus
    tp = gcd(degrees.tp, gpus)
    pp = gcd(degrees.pp, gpus // tp)
    cp = gcd(degrees.cp, gpus // (tp * pp))
    if (tp, pp, cp) == (degrees.tp, degrees.pp, degrees.cp):
        return None
    vpp = {} if pp > 1 else {"train_vpp": 1}
    values = {"train_tp": tp, "train_pp": pp, "train_cp": cp, **vpp}
    return Offer(f"Use TP{tp} PP{pp} CP{cp}", values)


def scenario(shared: SharedInputs, degrees: LayoutInputs, details: Details, saving: Savings) -> Scenario:
    """The question put to core; DP follows from the GPUs. InputError where the degrees do not divide them."""
    training = shared.job
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
    usual = training.software.training.get("recompute", TrainingJob.recompute)
    modules, layers = saving.recompute_modules, saving.recompute_layers
    stated = asdict(details) | asdict(saving) | {"layout": layout, "micro_batch": degrees.micro_batch}
    stated["recompute"] = recomputation(details.recompute, usual, modules, layers)
    own = {name: value for name, value in stated.items() if value is not None}
    return job.scenario(training, shared.system, shared.rates, **own)
