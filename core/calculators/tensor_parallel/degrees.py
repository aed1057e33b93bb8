"""All tensor-parallel degrees side by side, and the batch sizes at which the answer changes."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np

from core.calculators.tensor_parallel.answer import Crossover, Degree, first
from core.calculators.tensor_parallel.binding import binding
from core.calculators.tensor_parallel.scenario import Scenario, valid_degrees
from core.calculators.tensor_parallel.terms import Terms, step, terms
from core.checks import Floats, InputError

Value = TypeVar("Value")
Options = list[tuple[int, Terms | None]]
"""Degrees, each with its terms where it can run."""
MOST_TOKENS = 131072
COARSE_POINTS = 120
FINE_POINTS = 33
BAND_EDGES = (0.1, 0.25, 0.5)
BANDS = ("below 10 %", "10 to 25 %", "25 to 50 %", "above 50 %")


def degrees(scenario: Scenario) -> tuple[int, ...]:
    """
    Degrees worth comparing: those that divide the heads and that machines are cut into.

    Powers of two, the whole domain, and the degree asked for.
    """
    most = scenario.system.gpus
    heads = scenario.model.heads or most
    fitting = valid_degrees(heads, most)
    whole = scenario.system.domain_gpus
    candidates = [n for n in fitting if n & (n - 1) == 0 or n in (whole, scenario.tp)]
    return tuple(n for n in candidates if scenario.ep == 1 or scenario.ep % n == 0 or n % scenario.ep == 0)


def evaluated(scenario: Scenario, tp: int, tokens: Floats, context: Floats) -> Terms | None:
    """Terms at another degree, None where the implementation cannot do it (an engine's own kernel)."""
    try:
        return terms(scenario, tokens, context, tp)
    except InputError:
        return None


def compared(scenario: Scenario) -> tuple[Degree, ...]:
    """Every degree at the scenario's own tokens and context."""
    rows: list[Degree] = []
    single = first(step(scenario, 1).compute.total_s)
    for tp in degrees(scenario):
        try:
            point = step(scenario, tp)
        except InputError:
            continue
        step_s = first(point.step_s)
        rows.append(
            Degree(
                tp=tp,
                step_s=step_s,
                low_s=first(point.low_s),
                high_s=first(point.high_s),
                compute_s=first(point.compute.total_s),
                comm_s=first(point.exchange.time_s),
                share=first(point.share),
                tokens_per_s=first(point.tokens_per_s),
                tokens_per_s_per_gpu=first(point.tokens_per_s_per_gpu),
                speedup=single / step_s if step_s > 0 else 1.0,
                memory_bytes=first(point.memory_bytes),
                fits=bool(first(point.fits)),
            )
        )
    return tuple(rows)


def crossovers(scenario: Scenario, context: int) -> tuple[Crossover, ...]:
    """
    Tokens a step at which an answer changes, whatever the scenario's own tokens.

    What decides, how much of the step communicates, whether memory still holds it, the degree with
    the shortest step and the one with the most tokens/s per GPU (each among those that fit).
    """
    return _crossovers(replace(scenario, tokens=1), context)


@lru_cache(maxsize=64)
def _crossovers(scenario: Scenario, context: int) -> tuple[Crossover, ...]:
    @_once
    def here(grid: Floats) -> Terms:
        return terms(scenario, grid, _lengths(scenario, grid, context), scenario.tp)

    @_once
    def options(grid: Floats) -> Options:
        lengths = _lengths(scenario, grid, context)
        return [(tp, evaluated(scenario, tp, grid, lengths)) for tp in degrees(scenario)]

    def ranked(grid: Floats, *, throughput: bool) -> list[str]:
        return _ranked(options(grid), throughput=throughput)

    return (
        *_changes("binding term", lambda grid: binding(scenario, here(grid))),
        *_changes("share of communication", lambda grid: _bands(here(grid).share)),
        *_changes("memory", lambda grid: ["enough" if fits else "full" for fits in here(grid).fits]),
        *_changes("fastest degree", lambda grid: ranked(grid, throughput=False)),
        *_changes("degree with the most tokens/s a GPU", lambda grid: ranked(grid, throughput=True)),
    )


def fits_at(scenario: Scenario, tp: int, tokens: float, context: int) -> bool:
    """Whether memory holds a step of so many tokens at another degree; False where it cannot run at all."""
    return _fits_at(replace(scenario, tokens=1), tp, tokens, context)


@lru_cache(maxsize=256)
def _fits_at(scenario: Scenario, tp: int, tokens: float, context: int) -> bool:
    grid: Floats = np.array([tokens])
    point = evaluated(scenario, tp, grid, _lengths(scenario, grid, context))
    return point is not None and bool(first(point.fits))


def _bands(share: Floats) -> list[str]:
    """Shares in words."""
    return [BANDS[index] for index in np.searchsorted(BAND_EDGES, share)]


def _lengths(scenario: Scenario, grid: Floats, context: int) -> Floats:
    """The context of every batch: fixed when decoding; in prefill one prompt unless one was given."""
    if scenario.phase == "prefill" and scenario.context is None:
        return grid
    return np.full_like(grid, context)


def _once(function: Callable[[Floats], Value]) -> Callable[[Floats], Value]:
    """The function with its values remembered by the grid: several answers are read off the same one."""
    values: dict[bytes, Value] = {}

    def remembered(grid: Floats) -> Value:
        key = grid.tobytes()
        if key not in values:
            values[key] = function(grid)
        return values[key]

    return remembered


def _ranked(options: Options, *, throughput: bool) -> list[str]:
    """The best degree of every batch; where none fits, the one asked for."""
    able = [(tp, at) for tp, at in options if at is not None]
    fits = np.stack([at.fits for _, at in able]) > 0
    values = np.stack([-at.tokens_per_s_per_gpu if throughput else at.step_s for _, at in able])
    best_one = np.argmin(np.where(fits, values, np.inf), axis=0)
    some = np.sum(fits, axis=0) > 0
    return [
        f"TP{able[index][0]}" if fit else "none that fits" for index, fit in zip(best_one, some, strict=True)
    ]


def _changes(what: str, labels: Callable[[Floats], list[str]]) -> list[Crossover]:
    """
    Where a label changes between 1 and MOST_TOKENS, to the token: new at its value, old one below it.

    Found on a coarse grid, then between its points.
    """
    grid: Floats = np.unique(np.round(np.geomspace(1, MOST_TOKENS, COARSE_POINTS)))
    changes: list[Crossover] = []
    for (start, before), (end, to) in pairwise(zip(grid.tolist(), labels(grid), strict=True)):
        low, old = start, before
        while old != to:
            low, reached = _first_change(labels, low, end, old)
            changes.append(Crossover("tokens", low, what, old, reached))
            old = reached
    return changes


def _first_change(
    labels: Callable[[Floats], list[str]], low: float, high: float, old: str
) -> tuple[float, str]:
    """The tokens from which the label is not ``old``, and the label there; ``high`` has another one."""
    reached = old
    while high - low > 1 or reached == old:
        fine: Floats = np.unique(np.round(np.linspace(low, high, FINE_POINTS)))
        names = labels(fine)
        place = next(index for index, name in enumerate(names) if name != old)
        low, high, reached = float(fine[place - 1]), float(fine[place]), names[place]
    return high, reached
