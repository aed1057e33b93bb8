"""The answer as the JSON of the outside contract: SI units, absent is null."""

from dataclasses import asdict
from typing import Any

from core.calculators.tensor_parallel.answer import Answer, Totals
from core.calculators.tensor_parallel.by_tokens import routed_library
from core.calculators.tensor_parallel.intervals import with_intervals
from core.calculators.tensor_parallel.required import required_bytes_per_s
from core.collectives.pricing import answered

RANGES = {
    "step_low_s to step_high_s": "prediction interval of step_s: published runs of the GPU's generation",
    "low_s to high_s": "overlap range of step_s: all communication overlapped that can be, to none",
}
"""Which pair of keys is which range of the step's time; tokens_per_s_low and the like are intervals."""


def required_json(answer: Answer, steps_per_s: float) -> dict[str, float]:
    """The bandwidth that so many steps a second need, and its share of the scale-up bandwidth of a GPU."""
    scenario = answer.scenario
    link = scenario.rates.bytes_per_s or scenario.system.scale_up.bytes_per_s
    size = answer.per_layer.message_bytes
    needed = required_bytes_per_s(size, scenario.layer_count, steps_per_s, ranks=scenario.tp)
    return {
        "steps_per_s": steps_per_s,
        "payload_bytes_per_s": needed.payload_bytes_per_s,
        "wire_bytes_per_s": needed.wire_bytes_per_s,
        "payload_share_of_link_both_ways": needed.payload_bytes_per_s / (2 * link),
        "wire_share_of_link_one_way": needed.wire_bytes_per_s / link,
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """Everything the shell prints for ``tp --json``; plain types only, rates with their intervals."""
    scenario = answer.scenario
    figures = {
        **_asked(answer),
        **_step(answer),
        "verdict": asdict(answer.verdict),
        "binding": answer.binding,
        "parts_s": answer.parts_s,
        "degrees": [with_intervals(scenario, asdict(row)) for row in answer.degrees],
        "flips": [asdict(crossover) for crossover in answer.crossovers],
        "dead_inputs": [asdict(dead) for dead in answer.dead_inputs],
        "memory_bytes": answer.memory_bytes,
        "memory_limit_bytes": answer.memory_limit_bytes,
        "fits": answer.fits,
        "kv_copies": answer.kv_copies,
        "algorithm": answer.choice or None,
        "basis": answer.basis,
        "overrides": scenario.rates.overrides,
        "headline": answer.headline,
        "assumptions": list(answer.assumptions),
        "warnings": list(answer.warnings),
        "sources": [source.title for source in answer.sources],
    }
    return with_intervals(scenario, figures)


def _asked(answer: Answer) -> dict[str, Any]:
    """The question: model, system, step and layout, and how it is priced."""
    scenario = answer.scenario
    return {
        "model": scenario.model.id,
        "system": scenario.system.id,
        "phase": scenario.phase,
        "tokens": scenario.tokens,
        "context": scenario.cached,
        "tp": scenario.tp,
        "ep": scenario.ep,
        "imbalance": scenario.imbalance if scenario.model.moe else None,
        "routing": scenario.routing if scenario.model.moe else None,
        "layers": scenario.layer_count,
        "weights": scenario.weights.id,
        "activations": scenario.activations.id,
        "kv": scenario.kv.id,
        "overlap": scenario.overlap,
        "rates": answered(scenario.rates, answer.basis.split(", ")),
        "implementation": scenario.implementation,
        "launch": scenario.launch,
        "compute_model": "kernels" if scenario.by_kernels else "roofline",
        "expert_kernels": routed_library(scenario) if scenario.by_kernels and scenario.model.moe else None,
    }


def _step(answer: Answer) -> dict[str, Any]:
    """A layer and a step in time, the rates that follow, and the degrees that are best."""
    return {
        "per_layer": _totals(answer.per_layer),
        "per_step": _totals(answer.per_step),
        "step_s": answer.per_step.time_s,
        "low_s": answer.per_step.low_s,
        "high_s": answer.per_step.high_s,
        "ranges": RANGES,
        "share": answer.per_step.share,
        "tokens_per_s": answer.tokens_per_s,
        "tokens_per_s_per_gpu": answer.tokens_per_s_per_gpu,
        "speedup": answer.speedup,
        "efficiency": answer.efficiency,
        "speedup_over_smaller": answer.speedup_over_smaller,
        "smaller_tp": answer.smaller_tp,
        "best_latency_tp": answer.best_latency_tp,
        "best_throughput_tp": answer.best_throughput_tp,
    }


def _totals(totals: Totals) -> dict[str, Any]:
    """A layer or a step, the seconds of its communication beside those of its compute."""
    values: dict[str, Any] = asdict(totals)
    comm: dict[str, float] = values.pop("comm")
    interval = {f"comm_{name}": comm.pop(name) for name in ("low_s", "high_s")}
    return values | {"comm_s": comm.pop("time_s")} | interval | comm
