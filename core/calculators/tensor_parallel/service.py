"""Serving figures: TTFT, TPOT, cost per million tokens, and the largest batch within a latency target."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.calculators.cost.tokens import usd_per_million_tokens
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms, memory_bytes, memory_limit_bytes, step, terms
from core.checks import Floats, count, optional_number

MOST_BATCH = 131072
POINTS = 65
TARGET, MEMORY, SEARCH = "latency target", "memory", "search"


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """
    What a service is held to, and what its GPUs cost.

    Attributes:
        input_tokens: Input sequence length (ISL) of the prompt of TTFT; None takes the context.
        tpot_s: Latency target: a decode step takes at most so long; None sets none.
        usd_per_gpu_hour: Price of a GPU-hour; None asks for no cost.
    """

    input_tokens: int | None = None
    tpot_s: float | None = None
    usd_per_gpu_hour: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be asked; raises InputError naming the argument."""
        if self.input_tokens is not None:
            count("input_tokens", self.input_tokens)
        optional_number("tpot_s", self.tpot_s, above=0)
        optional_number("usd_per_gpu_hour", self.usd_per_gpu_hour, least=0)


@dataclass(frozen=True, slots=True)
class LargestBatch:
    """
    The largest batch of one attention group within memory and latency target.

    Attributes:
        batch: Concurrent requests of one attention group; 0 where not even one is within.
        requests: Of all attention groups that share the experts.
        limit: ``latency target``, ``memory`` or an engine's ``max sequences``: what one more request
            exceeds; ``search`` beyond 131,072.
        tpot_s: Time per output token at ``batch``; None at 0.
        next_tpot_s: The same with one more.
        tokens_per_s_per_gpu, usd_per_million_tokens: At ``batch``.
    """

    batch: int
    requests: int
    limit: str
    tpot_s: float | None
    next_tpot_s: float
    tokens_per_s_per_gpu: float | None
    usd_per_million_tokens: float | None


@dataclass(frozen=True, slots=True)
class Service:
    """
    What a user of the service sees, and what it costs.

    Attributes:
        input_tokens: The prompt that ``ttft_s`` is for.
        ttft_s: Prefill of one prompt alone on the GPUs, without a queue; None where compute or messages are
            overridden.
        tpot_s: The decode step of the GPUs at the scenario's batch; None in prefill.
        tokens_per_s_per_gpu: Output tokens when decoding, prompt tokens in prefill.
        usd_per_million_tokens: Of those tokens, as if the GPUs did nothing else; None without a price.
        target_s: The latency target; None without one.
        largest: None in prefill.
        basis: What the messages of the step rest on, as ``calibrated:nvlink-hopper``.
        engine_ttft_s, engine_tpot_s: ``ttft_s`` and ``tpot_s`` with the serving engine's host time, chunks,
            prefix cache and drafts; None where no engine adds to the GPUs' time.
    """

    input_tokens: int
    ttft_s: float | None
    tpot_s: float | None
    tokens_per_s_per_gpu: float
    usd_per_gpu_hour: float | None
    usd_per_million_tokens: float | None
    target_s: float | None
    largest: LargestBatch | None
    basis: str
    engine_ttft_s: float | None = None
    engine_tpot_s: float | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """
    How an engine runs the requests of one attention group.

    Attributes:
        most_batch: Concurrent requests at most.
        limit: What one more exceeds.
        tpot_s: Seconds per output token by concurrent requests and their decode step; None takes the
            decode step of the GPUs.
    """

    most_batch: int
    limit: str = MEMORY
    tpot_s: Callable[[Floats, Terms], Floats] | None = None


def service(
    scenario: Scenario, objective: Objective | None = None, *, running: Running | None = None
) -> Service:
    """
    The serving figures of a scenario.

    Args:
        scenario: One step; its tokens are the batch when decoding.
        objective: Prompt, latency target and price; None takes the context and asks for no target or cost.
        running: How requests run, where the caller knows better than the scenario's weights and cache.

    Raises:
        InputError: A value that cannot be used.
    """
    goal = objective or Objective()
    decode = scenario.phase == "decode"
    prompt = goal.input_tokens or max(1, scenario.cached)
    at = step(scenario, scenario.tp)
    rate = first(at.tokens_per_s_per_gpu)
    return Service(
        input_tokens=prompt,
        ttft_s=ttft_s(scenario, prompt),
        tpot_s=first(at.step_s) if decode else None,
        tokens_per_s_per_gpu=rate,
        usd_per_gpu_hour=goal.usd_per_gpu_hour,
        usd_per_million_tokens=_usd(goal, rate),
        target_s=goal.tpot_s,
        largest=largest_batch(scenario, goal, running=running) if decode else None,
        basis=at.exchange.basis,
    )


def ttft_s(scenario: Scenario, input_tokens: int) -> float | None:
    """Seconds of a prefill of one prompt alone; None where the step's compute or messages are overridden."""
    if scenario.compute_s is not None or scenario.message_bytes is not None:
        return None
    prompt = replace(scenario, phase="prefill", context=None, tokens=input_tokens)
    return first(step(prompt, prompt.tp).step_s)


def largest_batch(
    scenario: Scenario, objective: Objective | None = None, *, running: Running | None = None
) -> LargestBatch:
    """
    The largest batch that keeps the latency target and whose cache fits; one more does not.

    Raises:
        InputError: A value that cannot be used.
    """
    goal = objective or Objective()
    decode = replace(scenario, phase="decode", context=scenario.cached)
    within = _search(decode, goal, running)
    grid = np.array([float(max(within, 1)), within + 1.0])
    ends = _step(decode, grid)
    tpot_s = _tpot_s(ends, grid, running)
    target = goal.tpot_s is not None and float(tpot_s[1]) > goal.tpot_s
    held = MEMORY if running is None else running.limit
    rate = float(ends.tokens_per_s_per_gpu[0] * ends.step_s[0] / tpot_s[0]) if within else None
    return LargestBatch(
        batch=within,
        requests=within * max(1, decode.ep // decode.tp),
        limit=TARGET if target else SEARCH if within >= MOST_BATCH else held,
        tpot_s=float(tpot_s[0]) if within else None,
        next_tpot_s=float(tpot_s[1]),
        tokens_per_s_per_gpu=rate,
        usd_per_million_tokens=None if rate is None else _usd(goal, rate),
    )


def _search(scenario: Scenario, goal: Objective, running: Running | None) -> int:
    """The largest batch within: on a grid of powers, then between its points, down to whole requests."""
    if goal.tpot_s is None and running is not None:
        return min(max(running.most_batch, 0), MOST_BATCH)

    def within(grid: Floats) -> list[bool]:
        fits = _fits(scenario, grid) if running is None else grid <= running.most_batch
        if goal.tpot_s is None:
            return list(fits)
        return list(fits & (_tpot_s(_step(scenario, grid), grid, running) <= goal.tpot_s))

    grid: Floats = np.unique(np.round(np.geomspace(1, MOST_BATCH, POINTS)))
    passed = within(grid)
    if not any(passed):
        return 0
    place = len(passed) - 1 - passed[::-1].index(True)
    if place == len(grid) - 1:
        return MOST_BATCH
    low, high = grid[place], grid[place + 1]
    while high - low > 1:
        fine: Floats = np.unique(np.round(np.linspace(low, high, POINTS)))
        passed = [True, *within(fine[1:-1]), False]
        place = len(passed) - 1 - passed[::-1].index(True)
        low, high = fine[place], fine[place + 1]
    return int(low)


def _tpot_s(at: Terms, grid: Floats, running: Running | None) -> Floats:
    return at.step_s if running is None or running.tpot_s is None else running.tpot_s(grid, at)


def _fits(scenario: Scenario, batch: Floats) -> NDArray[np.bool_]:
    memory = memory_bytes(scenario, batch, np.full_like(batch, float(scenario.cached)), scenario.tp)
    return np.asarray(memory <= memory_limit_bytes(scenario, scenario.tp))


def _step(scenario: Scenario, batch: Floats) -> Terms:
    return terms(scenario, batch, np.full_like(batch, float(scenario.cached)), scenario.tp)


def _usd(goal: Objective, rate: float) -> float | None:
    return None if goal.usd_per_gpu_hour is None else usd_per_million_tokens(goal.usd_per_gpu_hour, rate)
