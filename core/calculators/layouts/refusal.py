"""Why no layout can be ranked: nothing divides, or nothing fits, and what comes closest."""

from collections.abc import Iterable
from dataclasses import replace

from core.calculators.layouts.candidates import Limits, possible
from core.calculators.training import Scenario
from core.calculators.training.memory import Memory, memory
from core.checks import InputError
from core.parallel.layout import check
from core.units import GB


def nothing_trains(scenario: Scenario, gpus: int, limits: Limits | None = None) -> InputError:
    """The error for a job without a layout: the leanest one and what it lacks, or what does not divide."""
    model, gpu = scenario.model, scenario.system.gpu
    leanest = min(
        _leanest(possible(scenario, gpus, limits)), key=lambda item: item[1].total_bytes, default=None
    )
    if leanest is None:
        message = (
            f"gpus: no layout divides {gpus:,} GPUs: DP must divide the batch of {scenario.global_batch:,}, "
            f"TP the {model.heads} heads and PP the {model.layers} layers of {model.name}"
        )
        return InputError(message)
    layout, held = leanest
    taken = f"{held.total_bytes / GB:,.1f} of {held.available_bytes / GB:,.0f} GB a GPU"
    message = (
        f"gpus: no layout of {model.name} fits the memory of {gpus:,} {gpu.name}: the leanest, {layout}, "
        f"takes {taken}, mostly {held.limiting}"
    )
    return InputError(message)


def _leanest(scenarios: Iterable[Scenario]) -> Iterable[tuple[str, Memory]]:
    for asked in scenarios:
        try:
            check(asked.layout, asked.model)
        except InputError:
            continue
        sharded = ", FSDP" if asked.strategy == "fsdp" else ""
        yield f"{asked.layout.text()}{sharded}", memory(replace(asked, recompute="full"))


def nothing_serves(name: str, gpu: str, gpus: int, sequences: int, context: float, most: int) -> InputError:
    """The error for a model that is not served: too many sequences, or no room for the weights."""
    if most > 0:
        message = (
            f"sequences: {sequences:,} of {context:,.0f} tokens do not fit {gpus:,} {gpu} beside {name}; "
            f"at most {most:,} do"
        )
    else:
        least = f"not even with one sequence of {context:,.0f} tokens"
        message = f"gpus: no layout of {name} fits {gpus:,} {gpu}, {least}"
    return InputError(message)
