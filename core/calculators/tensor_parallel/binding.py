"""Which term decides a step, and which inputs therefore change nothing."""

import numpy as np

from core.calculators.tensor_parallel.answer import Dead, first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms
from core.checks import Floats

DEAD_SHARE = 0.01
"""An input whose term is below this share of the step changes nothing that matters."""


def causes(scenario: Scenario, at: Terms) -> dict[str, Floats]:
    """Seconds of the step by what they wait for; arrays of the grid's shape."""
    said, worked, shown = at.exchange, at.compute, 1 - scenario.overlap
    wire = "NIC" if said.crosses else "wire"
    spread = np.zeros_like(at.step_s)
    return {
        "launch": shown * said.launch_s + spread,
        "latency": shown * said.latency_s + spread,
        wire: shown * said.transfer_s + spread,
        "reduction": shown * said.reduction_s + spread,
        "HBM": worked.hbm_bound_s + spread,
        "FLOPs": worked.flop_bound_s + spread,
        "kernel starts": worked.fixed_s + spread,
    }


def binding(scenario: Scenario, at: Terms) -> list[str]:
    """The largest cause of every cell, in the grid's flat order."""
    found = causes(scenario, at)
    names = list(found)
    largest = np.argmax(np.stack([np.ravel(value) for value in found.values()]), axis=0)
    return [names[index] for index in largest]


def dead_inputs(scenario: Scenario, at: Terms) -> tuple[Dead, ...]:
    """Inputs that change nothing in this cell, with the reason."""
    found = {name: first(value) for name, value in causes(scenario, at).items()}
    step = first(at.step_s)
    little = DEAD_SHARE * step
    system = scenario.system
    dead: list[Dead] = []

    def note(name: str, seconds: float, reason: str) -> None:
        if seconds <= little:
            dead.append(Dead(name, f"{reason} ({100 * seconds / step if step else 0:.1f} % of the step)"))

    if not at.exchange.crosses:
        where = f"all {max(at.tp, scenario.ep)} GPUs sit in one domain of {system.domain_gpus}"
        dead.append(Dead("network and NICs", f"{where}: no message leaves it"))
    size = first(at.exchange.size_bytes)
    if at.tp == 1 and scenario.ep == 1:
        dead.append(Dead("link, algorithm, implementation, overlap", "one GPU sends nothing"))
    else:
        note("link rate", found.get("wire", found.get("NIC", 0.0)), f"messages of {size:,.0f} B are short")
        note("launch and latency", found["launch"] + found["latency"], "messages are long")
        note("overlap", first(at.exchange.time_s), "there is next to nothing to hide")
    note("memory rate", found["HBM"], "FLOPs decide the layers")
    note("peak FLOP/s", found["FLOPs"], "reading memory decides the layers")
    note("KV format and context", first(at.compute.kv_s), "the cache read is small beside the weights")
    return tuple(dead)
