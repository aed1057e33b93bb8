"""One cell of the tensor-parallel calculator, without the comparisons that a page shows beside it."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.binding import binding
from core.calculators.tensor_parallel.terms import terms


@dataclass(frozen=True, slots=True)
class Cell:
    """
    Seconds of one step: in all, of compute, of one message; how many messages; what decides.

    Attributes:
        share: Part of the step that communicates and is not hidden.
    """

    step_s: float
    compute_s: float
    message_s: float
    messages: float
    share: float
    binding: str


def cell(scenario: Scenario) -> Cell:
    """The scenario's step, priced as the calculator prices it."""
    tokens, context = (np.array([float(value)]) for value in (scenario.tokens, scenario.cached))
    at = terms(scenario, tokens, context, scenario.tp)
    return Cell(
        step_s=float(at.step_s.ravel()[0]),
        compute_s=float(at.compute.total_s.ravel()[0]),
        message_s=float(np.ravel(at.exchange.one_s)[0]),
        messages=float(at.exchange.messages),
        share=float(at.share.ravel()[0]),
        binding=binding(scenario, at)[0],
    )


def step_s(scenario: Scenario, tokens: float) -> float:
    """Seconds of a step of so many tokens, at least one."""
    return cell(replace(scenario, tokens=max(1, round(tokens)))).step_s
