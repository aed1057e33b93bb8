"""Sensitivity of serving: which inputs change the best layout's token most, and which have no effect."""

from collections.abc import Callable
from dataclasses import replace

from core.calculators.layouts.scaled_system import with_memory_rate, with_peaks
from core.calculators.layouts.sensitivity import Bar, Tornado, sorted_tornado
from core.calculators.layouts.serving_crossovers import SERVING_INPUTS, Load, grown_load, served
from core.calculators.layouts.serving_layout import cost_s
from core.calculators.layouts.serving_ranking import ServingRanking
from core.calculators.tensor_parallel import Scenario
from core.checks import number
from core.hardware import System

Scaled = Callable[[Load, float], Load]


def _on_system(change: Callable[[System, float], System]) -> Scaled:
    def scaled(load: Load, factor: float) -> Load:
        return replace(load, scenario=replace(load.scenario, system=change(load.scenario.system, factor)))

    return scaled


INPUTS: dict[str, Scaled] = {
    **{changed.name.removesuffix(" per GPU"): changed.scaled for changed in SERVING_INPUTS},
    "memory bandwidth": _on_system(with_memory_rate),
    "peak FLOP/s": _on_system(with_peaks),
}


def serving_tornado(
    scenario: Scenario, gpus: int, sequences: int, ranking: ServingRanking, factor: float = 2.0
) -> Tornado:
    """
    A token of the best layout with each input halved and doubled, one at a time.

    Seconds are the inter-token latency where latency is the goal, else the GPU-seconds of a token. A
    load that no longer fits has no bar on that side.

    Raises:
        InputError: A factor that is not above one.
    """
    factor = number("factor", factor, above=1)
    load = grown_load(scenario, gpus, sequences)

    def seconds(changed: Load) -> float | None:
        layout = served(changed, ranking.best)
        return None if layout is None else cost_s(layout, ranking.goal)

    base_s = seconds(load) or 0.0
    bars = (
        Bar(name, base_s, seconds(scaled(load, 1 / factor)), seconds(scaled(load, factor)))
        for name, scaled in INPUTS.items()
    )
    return sorted_tornado(factor, bars)
