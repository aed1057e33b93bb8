"""Requests of a closed loop, step by step: clients that each send the next request when one ends."""

import heapq
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.serving.memory import cache
from core.calculators.serving.mixed import Load, mixed_step
from core.calculators.serving.speculative import output_tokens
from core.calculators.serving.throughput import Lengths, decode_step, fill_step, with_host
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats

GOLDEN = (5**0.5 - 1) / 2
"""Its multiples spread evenly over the unit interval, whatever their number."""
FEW_TOKENS = 16
"""Of the end of a prompt that did not fit into one step."""
BATCHES, CHUNKS = 9, 9
"""Points of the tables of step times; between them times are linear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedLoop:
    """
    A benchmark at a fixed concurrency (``--max-concurrency``, ``--num-prompts``).

    Attributes:
        clients: Concurrent requests of one attention group; the first ones arrive together.
        requests: Of the whole run.
        varied: Outputs from none to twice the mean, evenly; else every request has the same lengths.
    """

    clients: int
    requests: int
    varied: bool = False

    def outputs(self, mean: int) -> Floats:
        """Output tokens of each request."""
        if not self.varied:
            return np.full(self.requests, float(mean))
        share = np.arange(1, self.requests + 1) * GOLDEN % 1
        return np.maximum(np.round(2 * mean * share), 1.0)


@dataclass(frozen=True, slots=True)
class Measured:
    """
    What such a benchmark prints.

    Attributes:
        ttft_s: Time to the first token of each request, in the order of their first tokens.
        tpot_s: Time per output token of each request of more than one, in the order of their ends.
        duration_s: Of the whole run.
    """

    ttft_s: Floats
    tpot_s: Floats
    duration_s: float


@dataclass(slots=True)
class _Steps:
    """Seconds of a step by running requests, and by these and prompt tokens."""

    plain_s: Callable[[float], float]
    filling_s: Callable[[float, float], float]


@dataclass(slots=True)
class _State:
    """
    Who waits, by arrival and prompt tokens left, and who runs.

    A running request is known by what each has emitted when it ends, its first token and its further ones.
    """

    outputs: deque[float]
    waiting: deque[list[float]] = field(default_factory=deque)
    running: list[tuple[float, float, float]] = field(default_factory=list)
    now_s: float = 0.0
    emitted: float = 0.0
    ttft_s: list[float] = field(default_factory=list)
    tpot_s: list[float] = field(default_factory=list)


def measured(scenario: Scenario, engine: Engine, lengths: Lengths, loop: ClosedLoop) -> Measured:
    """
    A benchmark, first come first served, in the engine's own steps.

    A step decodes all running requests at the mean context, and holds as many prompt tokens as the chunk
    leaves room for (or none, where prefill steps are separate, in which no request decodes).

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    computed, tokens = engine.uncached(lengths.input_tokens), output_tokens(engine)
    most = max(1, cache(scenario, engine, lengths.input_tokens, lengths.output_tokens).requests)
    steps = _steps(scenario, engine, lengths, min(loop.clients, most))
    outputs = deque(float(value) for value in loop.outputs(lengths.output_tokens))
    state = _State(outputs)
    state.waiting.extend([0.0, computed] for _ in range(min(loop.clients, loop.requests)))
    sent = len(state.waiting)
    while state.waiting or state.running:
        room = engine.chunk_tokens - len(state.running) * (engine.draft_tokens + 1) * engine.mixes
        if state.waiting and len(state.running) < most and room >= 1:
            _fill(state, steps, room, most, tokens * engine.mixes)
        else:
            ahead = max(1.0, np.ceil((state.running[0][0] - state.emitted) / tokens))
            state.now_s += ahead * steps.plain_s(len(state.running))
            state.emitted += ahead * tokens
        ended = _end(state)
        state.waiting.extend([state.now_s, computed] for _ in range(min(ended, loop.requests - sent)))
        sent = min(sent + ended, loop.requests)
    return Measured(np.array(state.ttft_s), np.array(state.tpot_s), float(state.now_s))


def _fill(state: _State, steps: _Steps, room: float, most: int, tokens: float) -> None:
    """A step with prompt tokens; requests whose prompt ends have their first token at its end."""
    held, running = 0.0, len(state.running)
    arrivals: list[float] = []
    while state.waiting and held < room and running + len(arrivals) < most:
        part = min(state.waiting[0][1], room - held)
        held += part
        state.waiting[0][1] -= part
        if state.waiting[0][1] > 0:
            break
        arrivals.append(state.waiting.popleft()[0])
    state.now_s += steps.filling_s(running, held)
    state.emitted += tokens
    for arrival in arrivals:
        state.ttft_s.append(state.now_s - arrival)
        further = state.outputs.popleft() - 1
        heapq.heappush(state.running, (state.emitted + further, state.now_s, further))


def _end(state: _State) -> int:
    """Requests that have all their tokens leave."""
    before = len(state.running)
    while state.running and state.running[0][0] <= state.emitted:
        _, first_s, further = heapq.heappop(state.running)
        if further:
            state.tpot_s.append((state.now_s - first_s) / further)
    return before - len(state.running)


def _steps(scenario: Scenario, engine: Engine, lengths: Lengths, most: int) -> _Steps:
    batches = _grid(1, most, BATCHES)
    computed, chunk = engine.uncached(lengths.input_tokens), engine.chunk_tokens
    chunks = np.union1d(_grid(min(FEW_TOKENS, chunk), chunk, CHUNKS), [min(computed, chunk)])
    plain = _line(batches, decode_step(scenario, engine, lengths, batches).time_s)
    if not engine.mixes:
        fill = _line(chunks, fill_step(scenario, engine, lengths, chunks).time_s)
        return _Steps(plain, lambda _, held: fill(held))
    beside = np.concatenate([[0.0], batches])
    running, held = np.meshgrid(beside, chunks, indexing="ij")
    load = Load(running, np.full_like(running, lengths.mean_context), held, computed,
                lengths.input_tokens - computed, engine.draft_tokens + 1.0)  # fmt: skip
    times = with_host(scenario, engine, mixed_step(scenario, load), running, lengths).time_s
    rows = [_line(chunks, row) for row in times]
    return _Steps(plain, _between(beside, rows))


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
