"""Mixed batches: one step that decodes running requests and computes a chunk of a prompt."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.tensor_parallel.communication import exchange
from core.calculators.tensor_parallel.compute import Compute, compute_batch
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats, InputError
from core.workload.transformer.work import Batch

BY_SEQUENCE = ("attention", "state")
"""Parts of a layer whose time depends on what each sequence has cached."""


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
    running = compute_batch(
        replace(scenario, phase="decode"),
        Batch(decodes * ones, verified, np.maximum(load.context - load.verified, 0.0) * ones),
        scenario.tp,
    )
    tokens = decodes * load.verified + chunk
    new = np.clip(chunk, 1.0, load.prompt)
    filling = compute_batch(
        replace(scenario, phase="prefill"),
        Batch(np.maximum(chunk, 1.0) / new * ones, new * ones, load.prefix + (load.prompt - new) / 2 * ones),
        scenario.tp,
    )
    whole = compute_batch(scenario, Batch(tokens * ones, ones, 0 * ones), scenario.tp)
    exposed = (1 - scenario.overlap) * exchange(scenario, tokens, scenario.tp).time_s * ones
    layers = _together(whole, running, filling, np.asarray(chunk > 0, np.float64))
    return StepTime(layers + running.head_s + exposed, exposed)


def _together(whole: Compute, running: Compute, filling: Compute, fills: Floats) -> Floats:
    """The layers of a mixed step: GEMMs of all tokens at once, attention of each kind apart."""
    if whole.parts_s:
        apart = [name for name in BY_SEQUENCE if name in whole.parts_s]
        looked_back = [running.parts_s[name] + fills * filling.parts_s[name] for name in apart]
        rest = whole.layers_s - np.sum([whole.parts_s[name] for name in apart], axis=0)
        return np.asarray(rest + np.sum(looked_back, axis=0))
    flop_s = running.flop_s + fills * filling.flop_s
    weights_s = np.maximum(running.hbm_s - running.kv_s, fills * (filling.hbm_s - filling.kv_s))
    return np.maximum(flop_s, weights_s + running.kv_s + fills * filling.kv_s)
