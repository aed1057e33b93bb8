"""Inputs of the page NVL72 capacity, and the scenario made of them."""

from dataclasses import asdict, dataclass, replace

from core.calculators.capacity import Scenario
from core.calculators.question import Question, ServingLoad
from core.units import GB, converted
from pages.ui.shared import bound, fields, folded
from pages.ui.shared.question.record import SharedInputs


@dataclass(frozen=True, slots=True)
class Layout:
    """
    GPUs, degrees of parallelism, and the memory that may be used; None where core decides.

    Attributes:
        other_domain: A domain size to show beside the usual ones; no part of the scenario.
    """

    gpus: int | None
    tp: int | None
    pp: int
    dp: int | None
    ep: int | None
    usable: float
    hbm_bytes: float | None
    reserve_bytes: float
    other_domain: int | None


def layout() -> Layout:
    """The widgets of layout and usable memory."""
    with folded.panel("GPUs and layout", "rack_layout", ":material/grid_view:"):
        gpus = fields.count(
            "GPUs", "rack_gpus", help="Empty: TP × PP × DP where TP is given, else all GPUs of the domains."
        )
        tp = fields.count(
            "Tensor parallelism (TP)",
            "rack_tp",
            help="Of attention. Empty: the degree with the most concurrent requests.",
        )
        pp = fields.count("Pipeline parallelism (PP)", "rack_pp", 1)
        dp = fields.count("Data-parallel attention (DP)", "rack_dp", help="Empty: what is left.")
        ep = fields.count("Expert parallelism (EP)", "rack_ep", help="Empty: all GPUs of a pipeline stage.")
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
        other = fields.count(
            "Another domain size (GPUs)",
            "other_domain",
            help="In charts and tables beside 8, 36, 72, 144, 256 and 576.",
        )
    hbm_bytes = converted(hbm, GB)
    return Layout(gpus, tp, pp, dp, ep, usable, hbm_bytes, reserve * GB, other)


def scenario(shared: SharedInputs, layout: Layout) -> Scenario:
    """The question put to core; InputError where the model cannot be laid out."""
    system, load = shared.system.system(), shared.load
    question = Question(
        system=system,
        software=shared.software.software,
        model=shared.model.model(),
        load=ServingLoad(
            context=load.tokens,
            weights=load.weights,
            activations=load.activations,
            kv=load.kv,
            sequences=load.requests,
            **shared.software.serving,
        ),
    )
    scenario = Scenario.of(
        question,
        params=shared.model.params,
        active_params=shared.model.active_params,
        **{name: value for name, value in asdict(layout).items() if name != "other_domain"},
    )
    return replace(scenario, rates=shared.rates.on(system, scenario.used_gpus))
