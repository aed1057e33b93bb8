"""One decode or prefill step of the tensor-parallel calculator, without the comparisons of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.binding import binding
from core.calculators.tensor_parallel.kernels import remember_experts
from core.calculators.tensor_parallel.terms import step_parts


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
    amounts, context = np.array(tokens, dtype=float), np.array([float(scenario.cached)])
    parts = step_parts(scenario, amounts, context, scenario.tp)
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
    for tp in {tp for tp, _ in wanted}:
        tokens[tp] = sorted(
            {count for degrees, counts in wanted.items() if degrees[0] == tp for count in counts}
        )
    scenarios = {(tp, ep): replace(scenario, tp=tp, ep=ep) for tp, ep in wanted}
    remember_experts((each, np.array(tokens[tp], dtype=float)) for (tp, _), each in scenarios.items())
    return {
        (tp, ep): dict(zip(tokens[tp], serving_steps(each, tokens[tp]), strict=True))
        for (tp, ep), each in scenarios.items()
    }


def step_s(scenario: Scenario, tokens: float) -> float:
    """Seconds of a step of so many batched tokens, at least one."""
    return serving_step(replace(scenario, tokens=max(1, round(tokens)))).step_s
