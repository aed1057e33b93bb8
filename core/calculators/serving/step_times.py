"""Times of an engine's steps as tables: by running requests, and by these and prompt tokens."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.calculators.serving.cycle import decode_step, fill_step, with_host
from core.calculators.serving.engine import Engine
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.mixed import Load, mixed_step
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats

FEW_TOKENS = 16
"""Of the end of a prompt that did not fit into one step."""
BATCHES, CHUNKS = 9, 9
"""Points of the tables of step times; between them times are linear."""


@dataclass(slots=True)
class StepTimes:
    """Seconds of a step by running requests, and by these and prompt tokens."""

    plain_s: Callable[[float], float]
    filling_s: Callable[[float, float], float]

    def times(self, factor: float) -> "StepTimes":
        """Steps that take so many times as long."""
        return StepTimes(
            lambda running: factor * self.plain_s(running),
            lambda running, held: factor * self.filling_s(running, held),
        )


def step_times(scenario: Scenario, engine: Engine, lengths: Lengths, most: int) -> StepTimes:
    """Steps of up to ``most`` running requests at the mean context."""
    batches = _grid(1, most, BATCHES)
    computed, chunk = engine.uncached(lengths.input_tokens), engine.chunk_tokens
    chunks = np.union1d(_grid(min(FEW_TOKENS, chunk), chunk, CHUNKS), [min(computed, chunk)])
    plain = _line(batches, decode_step(scenario, engine, lengths, batches).time_s)
    if not engine.mixes:
        fill = _line(chunks, fill_step(scenario, engine, lengths, chunks).time_s)
        return StepTimes(plain, lambda _, held: fill(held))
    beside = np.concatenate([[0.0], batches])
    running, held = np.meshgrid(beside, chunks, indexing="ij")
    load = Load(running, np.full_like(running, lengths.mean_context), held, computed,
                lengths.input_tokens - computed, engine.draft_tokens + 1.0)  # fmt: skip
    times = with_host(scenario, engine, mixed_step(scenario, load), running, lengths).time_s
    rows = [_line(chunks, row) for row in times]
    return StepTimes(plain, _between(beside, rows))


def _grid(least: float, most: float, points: int) -> Floats:
    return np.unique(np.round(np.geomspace(least, max(least, most), points)))


def _line(at: Floats, values: Floats) -> Callable[[float], float]:
    """Linear between points, constant outside."""
    places, heights = at.tolist(), values.tolist()

    def value(where: float) -> float:
        right = bisect_right(places, where)
        if right in {0, len(places)}:
            return float(heights[max(0, right - 1)])
        share = (where - places[right - 1]) / (places[right] - places[right - 1])
        return float(heights[right - 1] + share * (heights[right] - heights[right - 1]))

    return value


def _between(at: Floats, rows: list[Callable[[float], float]]) -> Callable[[float, float], float]:
    """Linear between lines."""
    places = at.tolist()

    def value(where: float, along: float) -> float:
        right = min(bisect_right(places, where), len(places) - 1)
        low, high = places[right - 1], places[right]
        share = min(1.0, (where - low) / (high - low)) if high > low else 0.0
        return (1 - share) * rows[right - 1](along) + share * rows[right](along)

    return value
