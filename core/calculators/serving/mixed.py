"""Mixed batches: one step that decodes running requests and computes a chunk of a prompt."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.tensor_parallel.communication import exchange, exposed_s
from core.calculators.tensor_parallel.compute import compute_batch, compute_kernels
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats, InputError
from core.workload.transformer.work import Batch


@dataclass(frozen=True, slots=True)
class Load:
    """
    What a step holds; arrays that broadcast.

    Attributes:
        decodes: Requests that decode.
        context: Tokens that each of them has cached by the end of the step.
        chunk: Prompt tokens of the step, of as many prompts as it holds.
        prompt: Computed tokens of one prompt.
        prefix: Tokens of each prompt that are cached before any is computed.
        verified: Tokens of each decoding request in the step: 1, and what is drafted.
    """

    decodes: Floats
    context: Floats
    chunk: Floats
    prompt: float = 1.0
    prefix: float = 0.0
    verified: float = 1.0


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of a step, and of them the exposed communication; arrays."""

    time_s: Floats
    exposed_s: Floats

    def plus(self, more_s: Floats | float) -> "StepTime":
        """The step with more seconds that are no communication."""
        return StepTime(self.time_s + more_s, self.exposed_s)


def priced_by_shape(scenario: Scenario) -> bool:
    """Whether a step of any batch can be priced: nothing replaces the model's compute or messages."""
    replaced = (scenario.compute_s, scenario.message_bytes, scenario.params_per_layer)
    return all(value is None for value in replaced) and scenario.model.hidden is not None


def check_priced_by_shape(scenario: Scenario, name: str) -> None:
    """Refuse an input that needs what the question overrides; raises InputError beginning with ``name``."""
    if not priced_by_shape(scenario):
        message = f"{name}: needs the model's own compute and messages, which the question overrides"
        raise InputError(message)


def mixed_step(scenario: Scenario, load: Load) -> StepTime:
    """
    Seconds of a step that decodes and computes a chunk: weights are read once, attention apart for each.

    A chunk of a longer prompt is the mean of that prompt's chunks.

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    check_priced_by_shape(scenario, "prefill_chunk")
    decodes, chunk = (np.asarray(value, np.float64) for value in (load.decodes, load.chunk))
    ones = np.ones_like(decodes * chunk)
    verified = load.verified * ones
    running = Batch(decodes * ones, verified, np.maximum(load.context - load.verified, 0.0) * ones)
    tokens = decodes * load.verified + chunk
    new = np.clip(chunk, 1.0, load.prompt)
    before = load.prefix + (load.prompt - new) / 2
    filling = Batch(chunk / new * ones, new * ones, before * ones)
    compute_s = _compute_s(scenario, running, filling)
    exposed = exposed_s(scenario, exchange(scenario, tokens, scenario.tp).time_s * ones, compute_s)
    return StepTime(compute_s + exposed, exposed)


def _compute_s(scenario: Scenario, running: Batch, filling: Batch) -> Floats:
    """GEMMs of all tokens at once, attention of each kind apart; a roofline reads the weights once."""
    if scenario.by_kernels:
        return compute_kernels(scenario, (running, filling), scenario.tp).total_s
    decode = compute_batch(scenario, running, scenario.tp)
    fills = np.asarray(filling.sequences > 0, np.float64)
    prompts = replace(filling, sequences=np.maximum(filling.tokens, 1.0) / filling.new)
    prefill = compute_batch(scenario, prompts, scenario.tp)
    flop_s = decode.flop_s + fills * prefill.flop_s
    weights_s = np.maximum(decode.hbm_s - decode.kv_s, fills * (prefill.hbm_s - prefill.kv_s))
    layers_s = np.maximum(flop_s, weights_s + decode.kv_s + fills * prefill.kv_s)
    return layers_s + decode.head_s
