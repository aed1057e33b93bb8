"""One decode or prefill step of the tensor-parallel calculator, without the comparisons of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.binding import binding
from core.calculators.tensor_parallel.compute import Compute, compute_degrees
from core.calculators.tensor_parallel.kernels import remember_experts
from core.calculators.tensor_parallel.terms import with_messages
from core.checks import Floats


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
    return serving_steps(scenario, [scenario.tokens])[0]


def serving_steps(scenario: Scenario, tokens: Sequence[int]) -> list[ServingStep]:
    """The same for several numbers of batched tokens at once."""
    return _of_degrees([scenario], tokens)[0]


def _of_degrees(scenarios: Sequence[Scenario], tokens: Sequence[int]) -> list[list[ServingStep]]:
    """Steps of so many tokens of scenarios that differ in EP."""
    first, amounts = scenarios[0], np.array(tokens, dtype=float)
    works = compute_degrees(scenarios, amounts, np.array([float(first.cached)]), first.tp)
    return [_steps(each, work, amounts) for each, work in zip(scenarios, works, strict=True)]


def _steps(scenario: Scenario, work: Compute, amounts: Floats) -> list[ServingStep]:
    parts = with_messages(scenario, work, amounts, scenario.tp)
    one_s = np.broadcast_to(np.ravel(parts.exchange.one_s), amounts.shape)
    columns = (parts.step_s.ravel(), parts.compute.total_s.ravel(), one_s, parts.share.ravel())
    rows = zip(*(column.tolist() for column in columns), binding(scenario, parts), strict=True)
    return [
        ServingStep(step_s, compute_s, message_s, float(parts.exchange.messages), share, bound)
        for step_s, compute_s, message_s, share, bound in rows
    ]


def steps_of_degrees(
    scenario: Scenario, wanted: Mapping[tuple[int, int], Sequence[int]]
) -> dict[tuple[int, int], dict[int, ServingStep]]:
    """
    Steps by TP and EP degrees, and by batched tokens among those wanted of any EP.

    What EP does not change is priced once a TP degree, the routed MLPs of all degrees side by side.

    Args:
        scenario: Its own degrees and tokens do not matter.
        wanted: Batched tokens by TP and EP.

    Raises:
        InputError: A degree or rates that cannot be priced.
    """
    tokens: dict[int, list[int]] = {}
    alike: dict[int, list[Scenario]] = {}
    for (tp, ep), counts in wanted.items():
        tokens[tp] = sorted({*tokens.get(tp, ()), *counts})
        alike.setdefault(tp, []).append(replace(scenario, tp=tp, ep=ep))
    remember_experts(
        (each, np.array(tokens[tp], dtype=float)) for tp, scenarios in alike.items() for each in scenarios
    )
    steps = {}
    for tp, scenarios in alike.items():
        for each, found in zip(scenarios, _of_degrees(scenarios, tokens[tp]), strict=True):
            steps[tp, each.ep] = dict(zip(tokens[tp], found, strict=True))
    return steps


def step_s(scenario: Scenario, tokens: float) -> float:
    """Seconds of a step of so many batched tokens, at least one."""
    return serving_step(replace(scenario, tokens=max(1, round(tokens)))).step_s
