"""Why no layout can be ranked: nothing divides, or nothing fits, and what comes closest."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.calculators.layouts.candidates import SHARDED, Limits, possible
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.training import Memory, Scenario, Verdict, fit, memory
from core.calculators.training.memory_saving import recomputing
from core.checks import InputError
from core.parallel.layout import check
from core.units import GB


@dataclass(frozen=True, slots=True)
class _Leanest:
    """A layout with full activation recomputation, and its memory."""

    layout: str
    scenario: Scenario
    memory: Memory


def no_training_layout(scenario: Scenario, gpus: int, limits: Limits | None = None) -> InputError:
    """The error for a job without a layout: the one of least memory, or what does not divide."""
    model, gpu = scenario.model, scenario.system.gpu
    leanest = min(
        _leanest(scenario, gpus, limits), key=lambda option: option.memory.total_bytes, default=None
    )
    if leanest is None:
        message = (
            f"gpus: no layout divides {gpus:,} GPUs: DP must divide the global batch of "
            f"{scenario.global_batch:,}, TP the {model.heads} heads and PP the {model.layers} layers of "
            f"{model.name}"
        )
        return InputError(message)
    usage = leanest.memory
    memory_text = f"{usage.total_bytes / GB:,.1f} of {usage.available_bytes / GB:,.0f} GB per GPU"
    message = (
        f"gpus: no layout of {model.name} fits the memory of {gpus:,} {gpu.name}: the leanest, "
        f"{leanest.layout}, takes {memory_text}, mostly {usage.limiting}{_remedy(leanest.scenario)}"
    )
    return InputError(message)


def _remedy(scenario: Scenario) -> str:
    """What would make the leanest layout fit, where anything does."""
    verdict = fit(scenario)
    return f"; it {verdict.text}" if verdict.verdict is Verdict.FITS_IF else ""


def _leanest(scenario: Scenario, gpus: int, limits: Limits | None) -> Iterator[_Leanest]:
    for candidate in possible(scenario, gpus, limits):
        try:
            check(candidate.layout, candidate.model)
        except InputError:
            continue
        sharded = ", FSDP" if candidate.strategy == SHARDED else ""
        name = f"{candidate.layout.text()}{sharded}"
        lean = replace(candidate, **recomputing(candidate, "full"))
        yield _Leanest(name, lean, memory(lean))


def no_serving_layout(scenario: Serving, gpus: int, sequences: int, most: int) -> InputError:
    """
    The error for a load that cannot be served: too many concurrent requests, or no room for the weights.

    ``most`` is the number of sequences that fit; 0 where the weights alone do not.
    """
    model, gpu, context = scenario.model.name, scenario.system.gpu.name, f"{scenario.cached:,.0f} tokens"
    if most > 0:
        message = (
            f"sequences: {sequences:,} of {context} do not fit {gpus:,} {gpu} beside {model}; "
            f"at most {most:,} do"
        )
    else:
        message = f"gpus: no layout of {model} fits {gpus:,} {gpu}, not even with one sequence of {context}"
    return InputError(message)
