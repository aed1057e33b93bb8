"""One decode or prefill step of the tensor-parallel calculator, without the comparisons of its answer."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.binding import binding
from core.calculators.tensor_parallel.terms import terms


@dataclass(frozen=True, slots=True)
class ServingStep:
    """
    One step of a serving layout.

    Attributes:
        step_s, compute_s: Seconds of the step, and of its compute.
        message_s: Seconds of one collective of the step.
        messages: Collectives of the step.
        share: Exposed communication as a share of the step.
        binding: What bounds the step.
    """

    step_s: float
    compute_s: float
    message_s: float
    messages: float
    share: float
    binding: str


def serving_step(scenario: Scenario) -> ServingStep:
    """
    The scenario's step, as the tensor-parallel calculator computes it.

    Raises:
        InputError: A degree or rates that cannot be priced.
    """
    tokens, context = (np.array([float(value)]) for value in (scenario.tokens, scenario.cached))
    parts = terms(scenario, tokens, context, scenario.tp)
    return ServingStep(
        step_s=float(parts.step_s.ravel()[0]),
        compute_s=float(parts.compute.total_s.ravel()[0]),
        message_s=float(np.ravel(parts.exchange.one_s)[0]),
        messages=float(parts.exchange.messages),
        share=float(parts.share.ravel()[0]),
        binding=binding(scenario, parts)[0],
    )


def step_s(scenario: Scenario, tokens: float) -> float:
    """Seconds of a step of so many batched tokens, at least one."""
    return serving_step(replace(scenario, tokens=max(1, round(tokens)))).step_s
