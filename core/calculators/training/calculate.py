"""Scenario in, Answer out: the training calculator."""

from dataclasses import asdict

from core.calculators.cost.exposed import exposed_interval, loss
from core.calculators.training.answer import Answer
from core.calculators.training.comm import layer_calls
from core.calculators.training.data_parallel import DataCalls
from core.calculators.training.efficiency import efficiency
from core.calculators.training.fit import fit
from core.calculators.training.interval import step_interval
from core.calculators.training.memory import Memory, memory
from core.calculators.training.price import basis_of
from core.calculators.training.scenario import Scenario
from core.calculators.training.speed import speed_of
from core.calculators.training.step import Step, step
from core.calculators.training.text import FORMULA, SOURCES, assumptions, headline, warnings
from core.catalog.calibrations import training as constants
from core.collectives.pricing import answered
from core.parallel.pipeline import bubble

INPUTS = (
    *("micro_batch", "global_batch", "micro_batches", "seq", "precision", "strategy"),
    *("recompute", "recompute_modules", "recompute_layers", "offload_activations", "offload_optimizer"),
)


def answer(scenario: Scenario) -> Answer:
    """
    Time of one optimizer step of a layout, its parts, and the memory of a GPU.

    Raises:
        InputError: One line that names the argument and what is allowed.
    """
    scenario.check()
    return _answer(scenario, step(scenario), memory(scenario))


def _answer(scenario: Scenario, parts: Step, usage: Memory) -> Answer:
    layout, total = scenario.layout, parts.total_s
    verdict = fit(scenario)
    gpus = layout.gpus
    pace = speed_of(scenario, total)
    flop_per_s, mfu = pace.model_flop_per_s_per_gpu, pace.mfu
    low_s, high_s = step_interval(scenario, total)
    price, exposed = scenario.usd_per_gpu_hour, parts.exposed.total_s / total
    interval = exposed_interval(exposed, communicates=parts.comm.total_s > 0)
    share = scenario.efficiency or efficiency(scenario.system.gpu, scenario.precision, scenario.kernels).usual
    return Answer(
        system=scenario.system.id,
        model=scenario.model.id,
        layout=layout.text(),
        gpus=gpus,
        **asdict(layout),
        **{name: getattr(scenario, name) for name in INPUTS},
        efficiency=share,
        rates=_answered(scenario),
        step_s=total,
        low_s=low_s,
        high_s=high_s,
        tokens_per_s=scenario.tokens / total,
        tokens_per_s_per_gpu=pace.tokens_per_s_per_gpu,
        model_flop_per_s_per_gpu=flop_per_s,
        mfu=mfu,
        mfu_low=mfu * total / high_s,
        mfu_high=mfu * total / low_s,
        compute_s=parts.compute_s + parts.optimizer_s,
        optimizer_s=parts.optimizer_s,
        fixed_s=constants.STEP_START_S,
        exposed_s=parts.exposed,
        comm_s=parts.comm,
        waiting_s=parts.waiting_s,
        host_s=parts.host_s,
        bubble_s=parts.bubble_s,
        offload_s=parts.offload_s,
        bubble_share=parts.bubble_s / total,
        bubble_fraction=bubble(layout.pp, scenario.micro_batches, layout.vpp),
        memory_bytes_per_gpu=usage.total_bytes,
        memory=usage,
        memory_fit=verdict,
        fits=usage.fits,
        binding=binding(parts),
        loss=None if price is None else loss(exposed, gpus, price, interval),
        headline=headline(scenario, parts, verdict, flop_per_s, tight=usage.tight),
        formula=FORMULA,
        assumptions=assumptions(scenario),
        warnings=warnings(scenario, parts, usage, verdict),
        sources=SOURCES,
    )


def _answered(scenario: Scenario) -> str:
    """Labels of the rates that priced the step's collectives."""
    calls = (*layer_calls(scenario), *DataCalls.of(scenario).calls)
    return answered(scenario.rates, (basis_of(scenario, call) for call in calls))


def binding(parts: Step) -> str:
    """The largest part besides compute where it takes 5 % of the step or more, else compute."""
    losses = {
        "host launches": parts.host_s,
        "pipeline bubble": parts.bubble_s,
        "offload": parts.offload_s,
        "tp": parts.exposed.tp,
        "dp": parts.exposed.dp,
        "pp": parts.exposed.pp,
        "cp": parts.exposed.cp,
        "ep": parts.exposed.ep,
    }
    worst = max(losses, key=lambda name: losses[name])
    return worst if losses[worst] >= parts.total_s / 20 else "compute"
