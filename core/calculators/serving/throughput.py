"""Throughput at saturation: as many requests as run at once, with prefill of the ones that follow."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core import checks
from core.calculators.serving.engine import Engine
from core.calculators.serving.interval import throughput_interval
from core.calculators.serving.memory import ENGINE, MEMORY, cache
from core.calculators.serving.mixed import Load, StepTime, check_priced_by_shape, mixed_step, priced_by_shape
from core.calculators.serving.speculative import drafting_s, output_tokens
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import terms
from core.checks import Floats

BATCHED, TARGET = "batched tokens", "latency target"
POINTS = 129


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """
    Requests of one kind: input and output sequence length (ISL, OSL) in tokens.

    Attributes:
        equal: Every request has these lengths, as in benchmarks: ranks of DP attention prefill in the same
            steps. Else these are means, and all ranks wait for whichever prefills.
    """

    input_tokens: int
    output_tokens: int
    equal: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no length; raises InputError naming the argument."""
        checks.count("input_tokens", self.input_tokens)
        checks.count("output_tokens", self.output_tokens)

    @property
    def mean_context(self) -> float:
        """Tokens that a decoding request has cached on average."""
        return float(self.input_tokens + self.output_tokens / 2)


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


@dataclass(frozen=True, slots=True)
class Cycle:
    """Steps of a load over concurrent requests; arrays."""

    running: Floats
    plain: StepTime
    mixed: StepTime | None
    mixed_share: Floats
    fill: StepTime
    tokens: float

    @property
    def step_s(self) -> Floats:
        """The mean step, with its part of the prefill."""
        return self._mean(
            self.plain.time_s, self.fill.time_s, None if self.mixed is None else self.mixed.time_s
        )

    @property
    def tpot_s(self) -> Floats:
        """Time per output token of a request: the prompts of the others delay it, its own comes before."""
        others = np.maximum(self.running - 1, 0.0) / np.maximum(self.running, 1.0)
        return (self.plain.time_s + others * (self.step_s - self.plain.time_s)) / self.tokens

    @property
    def exposed_s(self) -> Floats:
        """Exposed communication of the mean step."""
        return self._mean(
            self.plain.exposed_s, self.fill.exposed_s, None if self.mixed is None else self.mixed.exposed_s
        )

    def _mean(self, plain: Floats, fill: Floats, mixed: Floats | None) -> Floats:
        if mixed is None:
            return plain + fill
        return self.mixed_share * mixed + (1 - self.mixed_share) * plain


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


def cycle(scenario: Scenario, engine: Engine, lengths: Lengths, requests: Floats) -> Cycle:
    """The steps of a load of ``requests`` concurrent requests."""
    computed = engine.uncached(lengths.input_tokens)
    tokens = output_tokens(engine)
    verified = engine.draft_tokens + 1.0
    per_step = computed * tokens / lengths.output_tokens
    if not engine.mixes or not priced_by_shape(scenario):
        plain = decode_step(scenario, engine, lengths, requests)
        held = np.full_like(requests, engine.chunk_tokens)
        if engine.prefill_chunk is not None:
            held = np.clip(requests * per_step, min(computed, engine.chunk_tokens), engine.chunk_tokens)
        whole = fill_step(scenario, engine, lengths, held)
        share = requests * per_step / held
        if not lengths.equal:
            share = _filling(scenario, engine, share)
        fill = StepTime(whole.time_s * share, whole.exposed_s * share)
        return Cycle(requests, plain, None, np.zeros_like(requests), fill, tokens)
    running = np.minimum(requests, engine.chunk_tokens / (verified + per_step))
    room = engine.chunk_tokens - running * verified
    chunk = np.minimum(room, np.maximum(running * per_step, computed))
    load = Load(running, np.full_like(running, lengths.mean_context), chunk, computed,
                lengths.input_tokens - computed, verified)  # fmt: skip
    mixed = with_host(scenario, engine, mixed_step(scenario, load), running, lengths)
    plain = decode_step(scenario, engine, lengths, running)
    nothing = StepTime(np.zeros_like(running), np.zeros_like(running))
    return Cycle(running, plain, mixed, np.minimum(running * per_step / chunk, 1.0), nothing, tokens)


def _filling(scenario: Scenario, engine: Engine, share: Floats) -> Floats:
    """Prefill steps for each decode step, of which each attention group has ``share``: all wait for any."""
    groups = max(1.0, scenario.ep / scenario.tp)
    if groups == 1 or engine.prefill_chunk is None:
        return share
    return np.where(share < 1, np.maximum(share, 1 - (1 - np.minimum(share, 1.0)) ** groups), share)


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


def decode_step(scenario: Scenario, engine: Engine, lengths: Lengths, requests: Floats) -> StepTime:
    """A step that only decodes."""
    context = np.full_like(requests, lengths.mean_context)
    if engine.draft_tokens:
        load = Load(requests, context, np.zeros_like(requests), verified=engine.draft_tokens + 1.0)
        return with_host(scenario, engine, mixed_step(scenario, load), requests, lengths)
    decode = replace(scenario, phase="decode", context=None)
    at = terms(decode, requests, context, scenario.tp)
    return StepTime(at.step_s, at.exposed_s).plus(engine.host_s(requests, scenario))


def with_host(
    scenario: Scenario, engine: Engine, step: StepTime, requests: Floats, lengths: Lengths
) -> StepTime:
    """The step with host time and drafting."""
    context = np.full_like(requests, lengths.mean_context)
    host_s = engine.host_s(requests, scenario)
    return step.plus(host_s + drafting_s(scenario, engine, requests, context))


def fill_step(scenario: Scenario, engine: Engine, lengths: Lengths, held: Floats | None = None) -> StepTime:
    """A step of so many prompt tokens alone, by default a whole chunk; of a longer prompt the mean chunk."""
    chunk = np.array([float(engine.chunk_tokens)]) if held is None else held
    computed = engine.uncached(lengths.input_tokens)
    if engine.prefix_hit or (computed > engine.chunk_tokens and priced_by_shape(scenario)):
        nothing = np.zeros_like(chunk)
        load = Load(nothing, nothing + 1, chunk, computed, lengths.input_tokens - computed)
        step = mixed_step(scenario, load)
    else:
        prompts = np.minimum(chunk, lengths.input_tokens)
        at = terms(replace(scenario, phase="prefill", context=None), chunk, prompts, scenario.tp)
        step = StepTime(at.step_s, at.exposed_s)
    time_s = engine.prompt_s(step.time_s + engine.layers_s(scenario), scenario.model)
    return StepTime(time_s, step.exposed_s).plus(engine.host_step_s)
