"""Sensitivity of serving: what moves the winner's token most, dead inputs named."""

from collections.abc import Callable
from dataclasses import replace

from core.calculators.layouts.sensitivity import Bar, Tornado, with_memory_rate, with_peaks
from core.calculators.layouts.serve import Serving, served
from core.calculators.layouts.serve_flips import SERVING_KNOBS, Load
from core.calculators.tensor_parallel import Scenario
from core.checks import number
from core.parallel.grow import enough

Turn = Callable[[Load, float], Load]


def _on_gpu(change: Callable[[Scenario, float], Scenario]) -> Turn:
    return lambda load, factor: replace(load, scenario=change(load.scenario, factor))


def _memory(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_memory_rate(scenario.system, factor))


def _peaks(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_peaks(scenario.system, factor))


TURNS: dict[str, Turn] = {
    **{knob.name.removesuffix(" per GPU"): knob.turned for knob in SERVING_KNOBS},
    "memory rate": _on_gpu(_memory),
    "peak FLOP/s": _on_gpu(_peaks),
}


def serving_tornado(
    scenario: Scenario, gpus: int, sequences: int, found: Serving, factor: float = 2.0
) -> Tornado:
    """
    Every input of the winner halved and doubled, one at a time.

    Seconds are those between two tokens where latency is the goal, else a GPU's seconds a token. A load
    that no longer fits has no bar on that side.
    """
    times = number("factor", factor, above=1)
    load = Load(replace(scenario, system=enough(scenario.system, gpus)), sequences)

    def seconds(at: Load) -> float | None:
        one = found.best
        again = served(at.scenario, gpus, at.sequences, one.tp, one.ep, one.pp)
        if again is None:
            return None
        return again.token_s if found.goal == "latency" else 1 / again.tokens_per_s_per_gpu

    base = seconds(load) or 0.0
    bars = []
    for name, turn in TURNS.items():
        less, more = (seconds(turn(load, each)) for each in (1 / times, times))
        bars.append(Bar(name, base, less, more))
    bars.sort(key=lambda bar: -bar.swing)
    dead = tuple(bar.input for bar in bars if bar.dead)
    return Tornado(times, tuple(bar for bar in bars if not bar.dead), dead)
