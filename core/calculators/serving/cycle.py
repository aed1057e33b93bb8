"""Steps of a load that goes on: decode, prompts beside it or apart, and the mean of both."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.mixed import Load, StepTime, mixed_step, priced_by_shape
from core.calculators.serving.speculative import drafting_s, output_tokens
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import terms
from core.checks import Floats


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
