"""From a scenario to its answer."""

from dataclasses import replace

import numpy as np

from core.calculators.tensor_parallel.answer import Answer, first, totals
from core.calculators.tensor_parallel.binding import binding, causes, dead_inputs
from core.calculators.tensor_parallel.degrees import best, compared, evaluated, flips
from core.calculators.tensor_parallel.scenario import DEFAULT_HBM_EFFICIENCY, DEFAULT_MFU, Scenario
from core.calculators.tensor_parallel.terms import Terms, terms
from core.catalog.calibrations.serving import kernels
from core.collectives.cost_model.candidates import IN_SWITCH_FACTS
from core.collectives.rates import Rates
from core.parallel.peaks import peak
from core.provenance import Origin, Source
from core.workload.transformer import kv_copies, slots

FORMULA = (
    r"f=\frac{(1-o)\,T_{comm}}{T_{comp}+(1-o)\,T_{comm}},\quad "
    r"T_{comp}=\max\!\left(\frac{2P b+F_{attn}}{n\,F\,\mathrm{mfu}},"
    r"\frac{P w/n+\mathrm{KV}}{W\,\eta}\right)"
)


def answer(scenario: Scenario) -> Answer:
    """What one step costs; raises InputError where the scenario cannot be built."""
    tokens = np.array([float(scenario.tokens)])
    context = np.array([float(scenario.cached)])
    at = terms(scenario, tokens, context, scenario.tp)
    alone = terms(scenario, tokens, context, 1)
    single = np.stack([alone.compute.layers_s, alone.compute.total_s])
    layer, step = totals(at, single, scenario.layer_count)
    rows = compared(scenario, tokens, context)
    smaller = max((row.tp for row in rows if row.tp < scenario.tp), default=None)
    below = evaluated(scenario, smaller, tokens, context) if smaller else None
    fastest, thriftiest = best(rows)
    decides = binding(scenario, at)[0]
    limit = scenario.system.gpu.memory_bytes * scenario.usable
    return Answer(
        scenario=scenario,
        per_layer=layer,
        per_step=step,
        tokens_per_s=first(at.tokens_per_s),
        tokens_per_s_per_gpu=first(at.tokens_per_s_per_gpu),
        speedup=step.speedup,
        efficiency=step.speedup / scenario.tp,
        smaller_tp=smaller,
        speedup_over_smaller=first(below.step_s) / step.time_s if below and step.time_s else None,
        degrees=rows,
        best_latency_tp=fastest,
        best_throughput_tp=thriftiest,
        binding=decides,
        parts_s={name: first(value) for name, value in causes(scenario, at).items()},
        flips=flips(scenario, scenario.cached),
        dead_inputs=dead_inputs(scenario, at),
        memory_bytes=first(at.memory_bytes),
        memory_limit_bytes=limit,
        fits=bool(first(at.fits)),
        kv_copies=kv_copies(scenario.model, scenario.tp),
        choice=at.exchange.choice[0] if at.exchange.choice else "",
        basis=at.exchange.basis,
        headline=_headline(scenario, step.share, first(at.tokens_per_s), step.speedup, decides),
        formula=FORMULA,
        assumptions=_assumptions(scenario, frozenset(at.exchange.warnings)),
        warnings=_warnings(scenario, at, step.time_s),
        sources=_sources(scenario, at.exchange.sources),
    )


def _headline(scenario: Scenario, share: float, rate: float, speedup: float, decides: str) -> str:
    group = max(scenario.tp, scenario.ep)
    layout = f"TP{scenario.tp}" + (f" EP{scenario.ep}" if scenario.ep > 1 else "")
    verb = "decide" if decides.endswith("s") else "decides"
    return (
        f"{scenario.model.name} at {layout} on {scenario.system.name}: {100 * share:.1f} % of a "
        f"{scenario.phase} step communicates; {rate:,.0f} tokens/s ({rate / group:,.0f} a GPU), "
        f"{speedup:.2f} times one GPU's compute; {decides} {verb}."
    )


def _spread(scenario: Scenario) -> str:
    """Expert slots of a GPU, and how many hold copies where the experts do not divide."""
    laid = slots(scenario.model.experts, scenario.ep)
    copies = f", {laid.redundant} of {laid.total} hold copies" if laid.redundant else ""
    return f"{scenario.model.experts} experts over {scenario.ep} GPUs: {laid.per_gpu} a GPU{copies}"


def _assumptions(scenario: Scenario, told: frozenset[str]) -> tuple[str, ...]:
    gpu = scenario.system.gpu
    lines = [
        "two all-reduces a layer"
        if not scenario.sequence_parallel
        else "a reduce-scatter and an all-gather for each all-reduce",
        "the exchange of embeddings and logits (one message in about a hundred) is left out",
    ]
    if scenario.hidden is not None:
        lines.append(f"messages of hidden width {scenario.hidden}; compute keeps the model's own shape")
    if scenario.by_kernels:
        fit = kernels(gpu.architecture)
        lines.append(
            f"kernels reach {fit.matmul:.0%} of the peak in products, {fit.attention:.0%} in "
            f"attention, {fit.hbm:.0%} of the memory rate; {fit.layer_s * 1e6:.0f} us a layer to start them"
        )
        lines += [fit.note] if fit.note else []
    elif scenario.compute_s is None:
        mfu = DEFAULT_MFU if scenario.mfu is None else scenario.mfu
        share = DEFAULT_HBM_EFFICIENCY if scenario.hbm_efficiency is None else scenario.hbm_efficiency
        lines.append(f"roofline at {mfu:.0%} of the peak and {share:.0%} of the memory rate")
    if scenario.peak_flop_per_s is None and scenario.compute_s is None:
        used = peak(gpu, scenario.weights)
        lines.append(f"matrix products in {used.format} at {used.flop_per_s / 1e12:,.0f} TFLOP/s dense")
        lines += [used.note] if used.note else []
    if scenario.ep > 1 and scenario.system.scale_up.link.startswith("pcie"):
        lines.append("over PCIe engines gather all tokens on every GPU and reduce-scatter the results")
    lines += [_spread(scenario)] if scenario.ep > 1 else []
    working, gpus = max(scenario.tp, scenario.ep), scenario.system.gpus
    if working < gpus:
        lines.append(f"{working} of {gpus} GPUs work; rates a GPU count those")
    lines += sorted(told & IN_SWITCH_FACTS)
    if scenario.model.moe:
        lines.append("uniform routing: E(1-(1-k/E)^tokens) distinct experts are read")
    return tuple(lines)


def _warnings(scenario: Scenario, at: Terms, step_s: float) -> tuple[str, ...]:
    lines = [line for line in at.exchange.warnings if line not in IN_SWITCH_FACTS]
    if scenario.rates.overridden and scenario.rates.origin is Origin.CALIBRATED and at.tp > 1:
        lines.append(_without_yours(scenario, at))
    said = first(at.exchange.time_s)
    if said > step_s:
        lines.append(
            f"the overlap hides more than compute takes: all messages alone need {said * 1e3:.3g} ms"
        )
    foreign = scenario.implementation == "rccl" and scenario.system.gpu.vendor == "NVIDIA"
    if foreign and at.tp > 1 and not any("rccl" in line for line in lines):
        lines.append(f"rccl is AMD's library: on {scenario.system.gpu.name} the messages are priced as nccl")
    kv_heads = scenario.model.kv_heads
    latent = scenario.model.kv_lora_rank is not None
    if latent and scenario.tp > 1:
        lines.append("MLA keeps one shared latent: every GPU of the group holds the whole cache")
    elif kv_heads is not None and kv_heads < scenario.tp:
        lines.append(
            f"{kv_heads} KV heads on {scenario.tp} GPUs: the cache is kept {scenario.tp / kv_heads:g} times"
        )
    if not first(at.fits):
        lines.append("weights and cache do not fit the usable memory")
    return tuple(lines)


def _without_yours(scenario: Scenario, at: Terms) -> str:
    """What the calibrated model says where a latency or rate of the asker's stands in for it."""
    own = replace(scenario, rates=Rates(points=scenario.rates.points))
    tokens = np.array([float(scenario.tokens)])
    said = first(terms(own, tokens, np.array([float(scenario.cached)]), at.tp).exchange.time_s)
    return (
        f"with a latency or rate of your own plain formulas answer, without launch or band: messages take "
        f"{first(at.exchange.time_s) * 1e3:.3g} ms, the calibrated model says {said * 1e3:.3g} ms"
    )


def _sources(scenario: Scenario, told: tuple[Source, ...]) -> tuple[Source, ...]:
    fit = kernels(scenario.system.gpu.architecture).fitted_on if scenario.by_kernels else ()
    return tuple(dict.fromkeys((*scenario.model.sources, *scenario.system.sources, *fit, *told)))
