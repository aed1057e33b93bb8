"""From a scenario to its answer."""

from dataclasses import replace

import numpy as np

from core.calculators.tensor_parallel.answer import Answer, Totals, first, totals
from core.calculators.tensor_parallel.binding import binding, causes, dead_inputs
from core.calculators.tensor_parallel.by_tokens import over_pcie
from core.calculators.tensor_parallel.degrees import compared, crossovers
from core.calculators.tensor_parallel.scenario import DEFAULT_HBM_EFFICIENCY, DEFAULT_MFU, Scenario
from core.calculators.tensor_parallel.stand_ins import kernel_assumptions
from core.calculators.tensor_parallel.terms import Terms, memory_limit_bytes, step
from core.calculators.tensor_parallel.verdict import verdict
from core.catalog.calibrations.kernels.sources import MEASURED_KERNELS
from core.catalog.calibrations.serving import overheads
from core.collectives.cost_model.remarks import IN_SWITCH_FACTS
from core.collectives.pricing.formulas import OVERRIDE
from core.collectives.rates import Rates
from core.parallel.peaks import peak
from core.provenance import Origin, Source
from core.units import MS, TERA, format_number, format_time, whole_percent
from core.workload.transformer import kv_copies, slots

FORMULA = (
    r"f=\frac{(1-o)\,T_{comm}}{T_{comp}+(1-o)\,T_{comm}},\quad "
    r"T_{comp}=\max\!\left(\frac{2P b+F_{attn}}{n\,F\,\mathrm{mfu}},"
    r"\frac{P w/n+\mathrm{KV}}{W\,\eta}\right)"
)


def answer(scenario: Scenario, *, with_crossovers: bool = True) -> Answer:
    """
    What one step costs; raises InputError where the scenario cannot be built.

    ``with_crossovers`` also looks for the batched tokens at which an answer changes.
    """
    point, single_gpu = step(scenario, scenario.tp), step(scenario, 1)
    single = np.stack([single_gpu.compute.layers_s, single_gpu.compute.total_s])
    layer, whole = totals(point, single, scenario.layer_count)
    rows = compared(scenario)
    below = max((row for row in rows if row.tp < scenario.tp), key=lambda row: row.tp, default=None)
    choice = verdict(rows)
    bottleneck = binding(scenario, point)[0]
    return Answer(
        scenario=scenario,
        per_layer=layer,
        per_step=whole,
        tokens_per_s=first(point.tokens_per_s),
        tokens_per_s_per_gpu=first(point.tokens_per_s_per_gpu),
        speedup=whole.speedup,
        efficiency=whole.speedup / scenario.tp,
        smaller_tp=below.tp if below else None,
        speedup_over_smaller=below.step_s / whole.time_s if below and whole.time_s else None,
        degrees=rows,
        best_latency_tp=choice.latency_tp,
        best_throughput_tp=choice.throughput_tp,
        verdict=choice,
        binding=bottleneck,
        parts_s={name: first(value) for name, value in causes(scenario, point).items()},
        crossovers=crossovers(scenario, scenario.cached) if with_crossovers else (),
        dead_inputs=dead_inputs(scenario, point),
        memory_bytes=first(point.memory_bytes),
        memory_limit_bytes=memory_limit_bytes(scenario, scenario.tp),
        fits=bool(first(point.fits)),
        kv_copies=kv_copies(scenario.model, scenario.tp),
        choice=point.exchange.choice[0] if point.exchange.choice else "",
        basis=point.exchange.basis,
        headline=_headline(scenario, whole, first(point.tokens_per_s), bottleneck),
        formula=FORMULA,
        assumptions=_assumptions(scenario, point),
        warnings=_warnings(scenario, point),
        sources=_sources(scenario, point.exchange.sources),
    )


BOUND_BY = {
    "launch": "the launch of collectives",
    "latency": "message latency",
    "wire": "link bandwidth",
    "NIC": "NIC bandwidth",
    "reduction": "the reduction in collectives",
    "HBM": "memory bandwidth",
    "FLOPs": "compute throughput",
}
"""Bottlenecks whose words differ from their names."""


def _headline(scenario: Scenario, step: Totals, rate: float, bottleneck: str) -> str:
    group = max(scenario.tp, scenario.ep)
    layout = f"TP{scenario.tp}" + (f" EP{scenario.ep}" if scenario.ep > 1 else "")
    rates = f"{format_number(rate)} tokens/s ({format_number(rate / group)} per GPU)"
    return (
        f"{scenario.model.name} at {layout} on {scenario.system.name}: exposed communication takes "
        f"{100 * step.share:.1f} % of each {scenario.phase} step ({format_time(step.exposed_s)} of "
        f"{format_time(step.time_s)}); {rates}, "
        f"{step.speedup:.2f} times one GPU's compute; bound by {BOUND_BY.get(bottleneck, bottleneck)}."
    )


def _expert_slots(scenario: Scenario) -> str:
    """Expert slots of a GPU, and how many hold copies where the experts do not divide."""
    layout = slots(scenario.model.experts, scenario.ep)
    copies = f", {layout.redundant} of {layout.total} hold copies" if layout.redundant else ""
    return f"{scenario.model.experts} experts over {scenario.ep} GPUs: {layout.per_gpu} per GPU{copies}"


def _assumptions(scenario: Scenario, point: Terms) -> tuple[str, ...]:
    gpu = scenario.system.gpu
    lines = [
        "two all-reduces per layer"
        if not scenario.sequence_parallel
        else "a reduce-scatter and an all-gather for each all-reduce",
        "the exchange of embeddings and logits (one message in about a hundred) is left out",
    ]
    if scenario.hidden is not None:
        lines.append(f"messages of hidden size {scenario.hidden}; compute keeps the model's own shape")
    if scenario.by_kernels:
        fit = overheads(gpu)
        launch_s = first(point.compute.fixed_s) / scenario.layer_count
        lines.append(
            f"GEMMs, routed MLPs and attention by measured kernels at {whole_percent(fit.clock)} of "
            f"their matrix rate (clock under power); kernel launch overhead {format_time(launch_s)} per layer"
        )
        lines += [fit.note] if fit.note else []
        lines += kernel_assumptions(scenario)
    elif scenario.compute_s is None:
        mfu = DEFAULT_MFU if scenario.mfu is None else scenario.mfu
        share = DEFAULT_HBM_EFFICIENCY if scenario.hbm_efficiency is None else scenario.hbm_efficiency
        lines.append(
            f"roofline at {whole_percent(mfu)} of peak FLOP/s "
            f"and {whole_percent(share)} of the memory bandwidth"
        )
    if scenario.peak_flop_per_s is None and scenario.compute_s is None:
        used = peak(gpu, scenario.weights)
        lines.append(f"GEMMs in {used.format} at {used.flop_per_s / TERA:,.0f} TFLOP/s dense")
        lines += [used.note] if used.note else []
    if scenario.ep > 1 and over_pcie(scenario):
        lines.append("over PCIe engines gather all tokens on every GPU and reduce-scatter the results")
    lines += [_expert_slots(scenario)] if scenario.ep > 1 else []
    working, gpus = max(scenario.tp, scenario.ep), scenario.system.gpus
    if working < gpus:
        lines.append(f"{working} of {gpus} GPUs are used; tokens/s per GPU counts those")
    lines += sorted(IN_SWITCH_FACTS.intersection(point.exchange.warnings))
    if scenario.model.moe:
        hit = (
            "balanced routing: min(E, k tokens)"
            if scenario.balanced
            else "uniform routing: E(1-(1-k/E)^tokens)"
        )
        lines.append(f"{hit} distinct experts are read")
        if scenario.imbalance > 1:
            lines.append(
                f"the busiest GPU has {scenario.imbalance:g} times the mean tokens, and all wait for it"
            )
    return tuple(lines)


def _warnings(scenario: Scenario, point: Terms) -> tuple[str, ...]:
    lines = [line for line in point.exchange.warnings if line not in IN_SWITCH_FACTS]
    if scenario.rates.overridden and scenario.rates.origin is Origin.CALIBRATED and point.tp > 1:
        lines = [line for line in lines if line != OVERRIDE]
        lines.append(_calibrated_beside(scenario, point))
    messages_s, compute_s = first(point.exchange.time_s), first(point.compute.total_s)
    if first(point.exposed_s) > (1 - scenario.overlap) * messages_s:
        lines.append(
            f"overlap: compute is shorter than what is to be overlapped, and hides "
            f"{format_time(compute_s)} of {format_time(messages_s)} of communication"
        )
    foreign = scenario.implementation == "rccl" and scenario.system.gpu.vendor == "NVIDIA"
    if foreign and point.tp > 1 and not any("rccl" in line for line in lines):
        lines.append(f"rccl is AMD's library: on {scenario.system.gpu.name} the messages are priced as nccl")
    kv_heads = scenario.model.kv_heads
    latent = scenario.model.kv_lora_rank is not None
    if latent and scenario.tp > 1:
        lines.append("MLA keeps one shared latent: every GPU of the group holds the whole KV cache")
    elif kv_heads is not None and kv_heads < scenario.tp:
        lines.append(
            f"{kv_heads} KV heads on {scenario.tp} GPUs: the KV cache is kept "
            f"{scenario.tp / kv_heads:g} times"
        )
    if not first(point.fits):
        kept = "KV cache and state" if scenario.model.state else "KV cache"
        lines.append(f"weights and {kept} do not fit the usable memory")
    return tuple(lines)


def _calibrated_beside(scenario: Scenario, point: Terms) -> str:
    """The calibrated time where a latency or rate of the user replaces the calibration."""
    own = replace(scenario, rates=Rates(points=scenario.rates.points))
    calibrated_s = first(step(own, point.tp).exchange.time_s)
    return (
        f"a latency or rate of your own is priced by formulas, without launch or interval: messages take "
        f"{first(point.exchange.time_s) / MS:.3g} ms, calibrated rates give {calibrated_s / MS:.3g} ms"
    )


def _sources(scenario: Scenario, sources: tuple[Source, ...]) -> tuple[Source, ...]:
    fit = overheads(scenario.system.gpu).fitted_on if scenario.by_kernels else ()
    kernels = (MEASURED_KERNELS,) if scenario.by_kernels else ()
    return tuple(dict.fromkeys((*scenario.model.sources, *scenario.system.sources, *kernels, *fit, *sources)))
