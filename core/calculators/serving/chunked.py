"""Chunked prefill at a decode batch: TPOT while a chunk runs beside it, TTFT in chunks, the chunk to take."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.serving.mixed import Load, mixed_step, priced_by_shape
from core.calculators.serving.speculative import drafting_s, output_tokens
from core.calculators.serving.throughput import prompt_s
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario

MOST_CHUNK = 65536
CHUNK_STEP = 64
"""Chunks are advised in multiples of this, as engines are configured."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """
    A prompt that arrives while the scenario's batch decodes.

    Attributes:
        batched_tokens: Of a step that holds a chunk, the decode tokens among them.
        chunk_tokens: Prompt tokens of such a step; the whole prompt where it is shorter.
        prompt_tokens: Of the prompt that are computed: those the prefix cache does not hold.
        chunks: Steps that the prompt takes.
        decode_step_s: A step without a prompt, with drafting: TPOT, where nothing is drafted.
        mixed_step_s: A step with a chunk, with drafting: TPOT while the prompt is computed, likewise.
        ttft_s: Of the prompt in its chunks beside the batch, without a queue.
        alone_ttft_s: Of the prompt in one step, nothing beside it.
        largest_chunk: Most batched tokens of a step (a multiple of 64, up to the whole prompt) whose time
            keeps the latency target; None without a target, 0 where not even the smallest keeps it.
        largest_chunk_ttft_s: TTFT with that chunk.
    """

    batched_tokens: int
    chunk_tokens: float
    prompt_tokens: float
    chunks: int
    decode_step_s: float
    mixed_step_s: float
    ttft_s: float
    alone_ttft_s: float
    largest_chunk: int | None
    largest_chunk_ttft_s: float | None


def chunked(
    scenario: Scenario, engine: Engine, input_tokens: int, tpot_s: float | None = None
) -> Chunked | None:
    """
    Chunked prefill beside the scenario's decode batch; None where none can run beside it.

    That is where the engine does not mix, the scenario prefills, compute or messages are overridden, or the
    decode tokens leave no room in the step.
    """
    if not engine.mixes or scenario.phase != "decode" or not priced_by_shape(scenario):
        return None
    verified = engine.draft_tokens + 1
    room = engine.chunk_tokens - scenario.tokens * verified
    if room < 1:
        return None
    load = _load(scenario, verified)
    computed = engine.uncached(input_tokens)
    chunk = min(float(room), computed)
    host_s = engine.host_s(load.decodes, scenario)
    outside_s = first(host_s + drafting_s(scenario, engine, load.decodes, load.context))
    ends = replace(load, chunk=np.array([0.0, chunk]), prompt=computed, prefix=input_tokens - computed)
    times = mixed_step(scenario, ends).time_s + outside_s
    largest = None if tpot_s is None else _largest(scenario, ends, tpot_s * output_tokens(engine) - outside_s)
    return Chunked(
        batched_tokens=int(scenario.tokens * verified + chunk),
        chunk_tokens=chunk,
        prompt_tokens=computed,
        chunks=int(np.ceil(computed / chunk)),
        decode_step_s=float(times[0]),
        mixed_step_s=float(times[1]),
        ttft_s=prompt_s(scenario, engine, input_tokens, load),
        alone_ttft_s=prompt_s(scenario, replace(engine, prefill_chunk=None), input_tokens),
        largest_chunk=largest,
        largest_chunk_ttft_s=prompt_s(scenario, replace(engine, prefill_chunk=largest), input_tokens, load)
        if largest
        else None,
    )


def _load(scenario: Scenario, verified: int) -> Load:
    batch = np.array([float(scenario.tokens)])
    return Load(batch, np.full(1, float(scenario.cached)), np.zeros(1), verified=float(verified))


def _largest(scenario: Scenario, load: Load, target_s: float) -> int:
    """The largest multiple of 64 within the target, the decode tokens included; 0 for none."""
    decoding = first(load.decodes) * load.verified
    most = min(MOST_CHUNK, decoding + load.prompt + CHUNK_STEP)
    batched = np.arange(CHUNK_STEP, most, CHUNK_STEP, dtype=np.float64)
    batched = batched[batched > decoding]
    chunk = np.minimum(batched - decoding, load.prompt)
    kept = mixed_step(scenario, replace(load, chunk=chunk)).time_s <= target_s
    within = batched[np.logical_and.accumulate(kept)]
    return int(within[-1]) if within.size else 0
