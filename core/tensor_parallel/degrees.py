"""All tensor-parallel degrees side by side, and the batches at which the answer flips."""

from dataclasses import replace

import numpy as np

from core.checks import Floats, InputError
from core.tensor_parallel.answer import Degree, Flip, first
from core.tensor_parallel.binding import binding
from core.tensor_parallel.scenario import Scenario, valid_degrees
from core.tensor_parallel.terms import Terms, terms

MOST_TOKENS = 131072
COARSE_POINTS = 120
PHYSICAL_FLIPS = ("binding", "bound")


def degrees(scenario: Scenario) -> tuple[int, ...]:
    """
    Degrees worth comparing: those that divide the heads and that machines are cut into.

    Powers of two, the whole domain, and the degree asked for.
    """
    most = scenario.system.gpus
    heads = scenario.model.heads or most
    fitting = valid_degrees(heads, most)
    whole = scenario.system.domain_gpus
    kept = [n for n in fitting if n & (n - 1) == 0 or n in (whole, scenario.tp)]
    return tuple(n for n in kept if scenario.ep == 1 or scenario.ep % n == 0 or n % scenario.ep == 0)


def evaluated(scenario: Scenario, tp: int, tokens: Floats, context: Floats) -> Terms | None:
    """Terms at another degree, None where the implementation cannot do it (an engine's own kernel)."""
    try:
        return terms(replace(scenario, tp=scenario.tp), tokens, context, tp)
    except InputError:
        return None


def compared(scenario: Scenario, tokens: Floats, context: Floats) -> tuple[Degree, ...]:
    """Every degree at one cell."""
    rows: list[Degree] = []
    single = first(terms(scenario, tokens, context, 1).compute.total_s)
    for tp in degrees(scenario):
        at = evaluated(scenario, tp, tokens, context)
        if at is None:
            continue
        step = first(at.step_s)
        rows.append(
            Degree(
                tp=tp,
                step_s=step,
                compute_s=first(at.compute.total_s),
                comm_s=first(at.exchange.time_s),
                share=first(at.share),
                tokens_per_s=first(at.tokens_per_s),
                tokens_per_s_per_gpu=first(at.tokens_per_s_per_gpu),
                speedup=single / step if step > 0 else 1.0,
                memory_bytes=first(at.memory_bytes),
                fits=bool(first(at.fits)),
            )
        )
    return tuple(rows)


def best(rows: tuple[Degree, ...]) -> tuple[int, int]:
    """Degree with the shortest step and degree with the most tokens/s per GPU, among those that fit."""
    able = [row for row in rows if row.fits] or list(rows)
    fastest = min(able, key=lambda row: row.step_s)
    return fastest.tp, max(able, key=lambda row: row.tokens_per_s_per_gpu).tp


def flips(scenario: Scenario, context: int) -> tuple[Flip, ...]:
    """Tokens a step at which the binding term, or the fastest degree, changes."""
    grid = np.unique(np.round(np.geomspace(1, MOST_TOKENS, COARSE_POINTS)))
    lengths = _lengths(scenario, grid, context)
    at = terms(scenario, grid, lengths, scenario.tp)
    found = _changes("tokens", grid, binding(scenario, at), "binding term")
    return tuple(found + _changes("tokens", grid, _fastest(scenario, grid, lengths), "fastest TP"))


def _lengths(scenario: Scenario, grid: Floats, context: int) -> Floats:
    """The context of every batch: fixed when decoding; in prefill one prompt unless one was given."""
    if scenario.phase == "prefill" and scenario.context is None:
        return grid
    return np.full_like(grid, context)


def _fastest(scenario: Scenario, grid: Floats, lengths: Floats) -> list[str]:
    options = [(tp, evaluated(scenario, tp, grid, lengths)) for tp in degrees(scenario)]
    able = [(tp, at) for tp, at in options if at is not None]
    steps = np.stack([at.step_s + 1e6 * (1 - at.fits) for _, at in able])
    return [f"TP{able[index][0]}" for index in np.argmin(steps, axis=0)]


def _changes(name: str, grid: Floats, labels: list[str], what: str) -> list[Flip]:
    pairs = zip(grid[1:], labels, labels[1:], strict=False)
    return [Flip(name, float(value), what, old, new) for value, old, new in pairs if old != new]
