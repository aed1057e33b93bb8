"""Throughput at saturation: as many requests as memory holds, with prefill of the ones that follow."""

from dataclasses import dataclass, replace

import numpy as np

from core import checks
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import memory_bytes, terms

CHUNK_TOKENS = 8192
MOST_SEQUENCES = 2048


@dataclass(frozen=True, slots=True)
class Offline:
    """
    Throughput when the queue never empties.

    Attributes:
        sequences: Concurrent requests of one attention group: what the memory left by the weights holds, at
            most the limit of the engine.
        decode_step_s: One token of each of them at the mean context (TPOT).
        prefill_s: Prefill of as many prompts.
        output_tokens_per_s: Of the whole group: all attention groups that share the experts.
    """

    sequences: int
    decode_step_s: float
    prefill_s: float
    output_tokens_per_s: float
    comm_share: float


def offline(
    scenario: Scenario, input_tokens: int, output_tokens: int, *, most_sequences: int = MOST_SEQUENCES
) -> Offline | None:
    """
    Output tokens/s when the queue never empties; None where the weights do not fit.

    Memory is counted at the mean context, input + output / 2; every decode step is priced there.
    """
    checks.count("input_tokens", input_tokens)
    checks.count("output_tokens", output_tokens)
    mean = float(input_tokens + output_tokens / 2)
    decode = replace(scenario, phase="decode", context=None)
    length = np.array([mean])
    limit = scenario.system.gpu.memory_bytes * scenario.usable
    weights = first(memory_bytes(decode, np.zeros(1), length, scenario.tp))
    each = first(memory_bytes(decode, np.ones(1), length, scenario.tp)) - weights
    sequences = int(min(most_sequences, (limit - weights) // each)) if limit > weights else 0
    if sequences < 1:
        return None
    running = terms(decode, np.array([float(sequences)]), length, scenario.tp)
    chunk = np.array([float(CHUNK_TOKENS)])
    prompts = np.array([float(min(input_tokens, CHUNK_TOKENS))])
    filled = terms(replace(scenario, phase="prefill", context=None), chunk, prompts, scenario.tp)
    step, fill = first(running.step_s), first(filled.step_s) * sequences * input_tokens / CHUNK_TOKENS
    whole = output_tokens * step + fill
    exposed_s = output_tokens * first(running.exposed_s)
    exposed_s += first(filled.exposed_s) * sequences * input_tokens / CHUNK_TOKENS
    groups = max(1.0, scenario.ep / scenario.tp)
    return Offline(sequences, step, fill, groups * sequences * output_tokens / whole, exposed_s / whole)
