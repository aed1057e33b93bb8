"""Inputs of the page NVL72 capacity, and the scenario made of them."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import streamlit as st

from core.calculators.capacity import Scenario
from core.calculators.question import Question, ServingLoad
from core.catalog import PRECISIONS
from core.hardware import System
from core.units import GB
from core.workload import Model, Precision
from pages.ui.shared import bound, shape
from pages.ui.shared.rates import RateChoice

OWN = "yours"
BILLION = 1e9


@dataclass(frozen=True, slots=True)
class Served:
    """
    The model and its serving load.

    Attributes:
        model: Of the catalog or a config.json; gives None where only ``params`` are typed.
        params, active_params: Parameters in all, and those that a token meets; None leaves them to the model.
        context: Context length in tokens.
        sequences: Concurrent requests.
    """

    model: Callable[[], Model | None]
    params: float | None
    active_params: float | None
    weights: Precision
    kv: Precision
    context: int
    sequences: int


@dataclass(frozen=True, slots=True)
class Layout:
    """GPUs, degrees of parallelism, and the memory that may be used; None where core decides."""

    gpus: int | None
    tp: int | None
    pp: int
    dp: int | None
    ep: int | None
    usable: float
    hbm_bytes: float | None
    reserve_bytes: float


def served() -> Served:
    """The widgets of model, precision, context length and concurrency."""
    model, option = shape.choose("rack_model", "deepseek-v3-r1", extra=(OWN,))
    params = active = None
    if option == OWN:
        params = bound.number("Parameters (billions)", "rack_params_b", 1800.0, low=0.0, step=100.0)
        active = bound.number(
            "Active parameters per token (billions)", "rack_active_b", 280.0, low=0.0, step=10.0
        )
    weights = bound.choice("Weight precision", "format", PRECISIONS, "fp8")
    kv = bound.choice("KV cache precision", "rack_kv", PRECISIONS, "bf16")
    return Served(
        model=model,
        params=None if params is None else params * BILLION,
        active_params=None if active is None else active * BILLION,
        weights=PRECISIONS[weights],
        kv=PRECISIONS[kv],
        context=bound.number("Context length (tokens)", "rack_context", 8192, low=0, step=1024),
        sequences=bound.number("Concurrent requests (batch size)", "sequences", 1024, low=0, step=64),
    )


def layout() -> Layout:
    """The widgets of layout and usable memory."""
    with st.expander("GPUs and layout", icon=":material/grid_view:"):
        gpus = bound.number(
            "GPUs",
            "rack_gpus",
            None,
            low=1,
            step=1,
            help="Empty: TP × PP × DP where TP is given, else one whole domain.",
        )
        tp = bound.number(
            "Tensor parallelism (TP)",
            "rack_tp",
            None,
            low=1,
            step=1,
            help="Of attention. Empty: the degree with the most concurrent requests.",
        )
        pp = bound.number("Pipeline parallelism (PP)", "rack_pp", 1, low=1, step=1)
        dp = bound.number(
            "Data-parallel attention (DP)", "rack_dp", None, low=1, step=1, help="Empty: what is left."
        )
        ep = bound.number(
            "Expert parallelism (EP)",
            "rack_ep",
            None,
            low=1,
            step=1,
            help="Empty: all GPUs of a pipeline stage.",
        )
        usable = bound.number(
            "Usable GPU memory (share)",
            "usable",
            0.9,
            low=0.01,
            high=1.0,
            step=0.05,
            help="vLLM's gpu_memory_utilization.",
        )
        hbm = bound.number("Memory per GPU (GB)", "hbm_gb", None, low=0.001, help="Empty: the catalog's.")
        reserve = bound.number("Runtime reserve per GPU (GB)", "reserve_gb", 0.0, low=0.0, step=1.0)
    hbm_bytes = None if hbm is None else hbm * GB
    return Layout(gpus, tp, pp, dp, ep, usable, hbm_bytes, reserve * GB)


def scenario(served: Served, layout: Layout, system: System, rates: RateChoice) -> Scenario:
    """The question put to core; InputError where the model cannot be laid out."""
    question = Question(
        system=system,
        model=served.model(),
        load=ServingLoad(
            context=served.context,
            weights=served.weights,
            kv=served.kv,
            sequences=served.sequences,
        ),
    )
    scenario = Scenario.of(
        question, params=served.params, active_params=served.active_params, **asdict(layout)
    )
    return replace(scenario, rates=rates.on(system, scenario.used_gpus))
