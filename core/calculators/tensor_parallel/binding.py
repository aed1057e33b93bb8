"""What a step is bound by, and which inputs therefore have no effect."""

import numpy as np

from core.calculators.tensor_parallel.answer import Dead, first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import StepParts
from core.checks import Floats

NO_EFFECT_SHARE = 0.01
"""An input whose term is below this share of the step has no effect."""


def causes(scenario: Scenario, point: StepParts) -> dict[str, Floats]:
    """Seconds of the step by what they wait for; arrays of the grid's shape."""
    exchange, compute = point.exchange, point.compute
    wire = "NIC" if exchange.crosses else "wire"
    spread = np.zeros_like(point.step_s)
    sent_s = exchange.time_s + spread
    shown = np.divide(
        point.exposed_s, sent_s, out=np.full_like(spread, 1 - scenario.overlap), where=sent_s > 0
    )
    return {
        "launch": shown * exchange.launch_s + spread,
        "latency": shown * exchange.latency_s + spread,
        wire: shown * exchange.transfer_s + spread,
        "reduction": shown * exchange.reduction_s + spread,
        "HBM": compute.hbm_bound_s + spread,
        "FLOPs": compute.flop_bound_s + spread,
        "kernel launch overhead": compute.fixed_s + spread,
    }


def binding(scenario: Scenario, point: StepParts) -> list[str]:
    """The largest cause of every cell, in the grid's flat order."""
    seconds = causes(scenario, point)
    names = list(seconds)
    largest = np.argmax(np.stack([np.ravel(value) for value in seconds.values()]), axis=0)
    return [names[index] for index in largest]


def dead_inputs(scenario: Scenario, point: StepParts) -> tuple[Dead, ...]:
    """Inputs without effect on this step, with the reason."""
    seconds_of = {name: first(value) for name, value in causes(scenario, point).items()}
    step = first(point.step_s)
    threshold_s = NO_EFFECT_SHARE * step
    system = scenario.system
    dead: list[Dead] = []

    def note(name: str, seconds: float, reason: str) -> None:
        if seconds <= threshold_s:
            dead.append(Dead(name, f"{reason} ({100 * seconds / step if step else 0:.1f} % of the step)"))

    if not point.exchange.crosses:
        where = f"all {max(point.tp, scenario.ep)} GPUs are in one scale-up domain of {system.domain_gpus}"
        dead.append(Dead("network and NICs", f"{where}: no message leaves it"))
    size = first(point.exchange.size_bytes)
    if point.tp == 1 and scenario.ep == 1:
        dead.append(Dead("link, algorithm, implementation, overlap", "one GPU sends nothing"))
    else:
        note(
            "link rate",
            seconds_of.get("wire", seconds_of.get("NIC", 0.0)),
            f"messages of {size:,.0f} B are short",
        )
        note("launch and latency", seconds_of["launch"] + seconds_of["latency"], "messages are long")
        note("overlap", first(point.exchange.time_s), "there is almost no communication to overlap")
    note("memory rate", seconds_of["HBM"], "compute bounds the layers")
    note("peak FLOP/s", seconds_of["FLOPs"], "memory bandwidth bounds the layers")
    note(
        "KV format and context", first(point.compute.kv_s), "reading the KV cache is small beside the weights"
    )
    return tuple(dead)
