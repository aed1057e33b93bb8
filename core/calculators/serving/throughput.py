"""Throughput at saturation: as many requests as run at once, with prefill of the ones that follow."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving.cycle import Cycle, cycle, fill_step
from core.calculators.serving.engine import Engine
from core.calculators.serving.interval import throughput_interval
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.memory import ENGINE, MEMORY, cache
from core.calculators.serving.mixed import Load, check_priced_by_shape, mixed_step, priced_by_shape
from core.calculators.serving.speculative import drafting_s
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats

BATCHED, TARGET = "batched tokens", "latency target"
POINTS = 129


@dataclass(frozen=True, slots=True)
class Offline:
    """
    Throughput when the queue never empties.

    Attributes:
        sequences: Concurrent requests of one attention group: what the memory left by the weights holds, at
            most the limit of the engine, and what keeps the latency target.
        decode_step_s: One token of each of them at the mean context (TPOT while no prompt is computed).
        prefill_s: Prefill of as many prompts.
        output_tokens_per_s: Of the whole group: all attention groups that share the experts.
        output_tokens_per_s_low, output_tokens_per_s_high: Of ``throughput_interval``; with DP attention
            down to ranks that wait for each other's prompts.
        running: Requests that decode at once: fewer than ``sequences`` where prompts take the step's tokens.
        tpot_s: Mean time per output token of a request, prefill of the others included.
        mixed_step_s: A step that also holds a chunk; None where prefill steps are separate.
        mixed_share: Share of the steps that do.
        ttft_s: Prefill of one prompt at this load, without a queue; None where compute or messages are
            overridden.
        limit: What bounds it: ``memory``, ``max sequences``, ``batched tokens`` or ``latency target``.
    """

    sequences: int
    decode_step_s: float
    prefill_s: float
    output_tokens_per_s: float
    comm_share: float
    output_tokens_per_s_low: float
    output_tokens_per_s_high: float
    running: float
    tpot_s: float
    mixed_step_s: float | None
    mixed_share: float | None
    ttft_s: float | None
    requests_per_s: float
    tokens_per_s_per_gpu: float
    limit: str


def offline(
    scenario: Scenario,
    input_tokens: int,
    output_tokens: int,
    *,
    engine: Engine | None = None,
    tpot_s: float | None = None,
) -> Offline | None:
    """
    Output tokens/s when the queue never empties; None where the weights or the latency target do not fit.

    Every decode step is priced at the mean context, input + output / 2.

    Args:
        scenario: Model, GPUs and formats; its own tokens and context are not used.
        input_tokens: ISL.
        output_tokens: OSL.
        engine: How it schedules and what it keeps in memory.
        tpot_s: Latency target of the mean time per output token.

    Raises:
        InputError: A value that cannot be used.
    """
    lengths = Lengths(input_tokens=input_tokens, output_tokens=output_tokens)
    runs = engine or Engine()
    if runs.draft_tokens:
        check_priced_by_shape(scenario, "draft_tokens")
    held = cache(scenario, runs, input_tokens, output_tokens)
    if held.requests < 1:
        return None
    requests, limit = held.requests, held.limit
    if tpot_s is not None:
        requests = most_within(lambda grid: _tpot_s(scenario, runs, lengths, grid), held.requests, tpot_s)
        limit = TARGET if requests < held.requests else limit
    return _answer(scenario, runs, lengths, requests, limit) if requests else None


def prompt_s(scenario: Scenario, engine: Engine, input_tokens: int, load: Load | None = None) -> float:
    """
    First token of one prompt in chunks, without a queue; ``load`` decodes beside it where the engine mixes.

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    computed = engine.uncached(input_tokens)
    beside = load if load is not None and engine.mixes else Load(np.zeros(1), np.ones(1), np.zeros(1))
    room = engine.prefill_chunk or computed
    room = max(1.0, room - first(beside.decodes) * beside.verified)
    whole, rest = divmod(computed, min(room, computed))

    outside_s = first(
        engine.host_s(beside.decodes, scenario) + drafting_s(scenario, engine, beside.decodes, beside.context)
    )

    def step(tokens: float) -> float:
        part = replace(beside, chunk=np.array([tokens]), prompt=computed, prefix=input_tokens - computed)
        return first(engine.prompt_s(mixed_step(scenario, part).time_s + outside_s, scenario.model))

    return engine.server_s + whole * step(min(room, computed)) + (step(rest) if rest >= 1 else 0.0)


def _per_s(scenario: Scenario, at: Cycle) -> float:
    """Output tokens/s of all attention groups."""
    groups = max(1.0, scenario.ep / scenario.tp)
    return groups * first(at.running) * at.tokens / first(at.step_s)


def _answer(scenario: Scenario, engine: Engine, lengths: Lengths, requests: int, limit: str) -> Offline:
    at = cycle(scenario, engine, lengths, np.array([float(requests)]))
    step, running = first(at.step_s), first(at.running)
    rate = _per_s(scenario, at)
    prefill = first(fill_step(scenario, engine, lengths).time_s) * requests / engine.chunk_tokens
    load = Load(at.running, np.full_like(at.running, lengths.mean_context), np.zeros(1),
                verified=engine.draft_tokens + 1.0)  # fmt: skip
    priced = priced_by_shape(scenario)
    low, high = throughput_interval(scenario, engine, rate)
    if scenario.ep > scenario.tp and lengths.equal:
        apart = cycle(scenario, engine, replace(lengths, equal=False), np.array([float(requests)]))
        low = min(low, _per_s(scenario, apart))
    return Offline(
        sequences=requests,
        decode_step_s=first(at.plain.time_s),
        prefill_s=prefill * engine.uncached(lengths.input_tokens),
        output_tokens_per_s=rate,
        comm_share=first(at.exposed_s) / step,
        output_tokens_per_s_low=low,
        output_tokens_per_s_high=high,
        running=running,
        tpot_s=first(at.tpot_s),
        mixed_step_s=None if at.mixed is None else first(at.mixed.time_s),
        mixed_share=None if at.mixed is None else first(at.mixed_share),
        ttft_s=prompt_s(scenario, engine, lengths.input_tokens, load) if priced else None,
        requests_per_s=rate / lengths.output_tokens,
        tokens_per_s_per_gpu=rate / max(scenario.tp, scenario.ep),
        limit=BATCHED if running < requests and limit in (MEMORY, ENGINE) else limit,
    )


def _tpot_s(scenario: Scenario, engine: Engine, lengths: Lengths, requests: Floats) -> Floats:
    return cycle(scenario, engine, lengths, requests).tpot_s


def most_within(tpot_s: Callable[[Floats], Floats], most: int, target_s: float) -> int:
    """The most requests, up to ``most``, whose TPOT keeps the target; 0 where none does."""
    low, high = 0, most + 1
    while high - low > 1:
        ends = max(1, low), high - 1
        grid: Floats = np.unique(np.round(np.linspace(*ends, POINTS) if low else np.geomspace(*ends, POINTS)))
        keeps = tpot_s(grid) <= target_s
        low = int(grid[keeps][-1]) if keeps.any() else low
        above = grid[~keeps & (grid > low)]
        if not above.size or not low:
            break
        high = int(above[0])
    return low
