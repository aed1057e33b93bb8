"""What a calculated step sends: calls and bytes of one GPU of the slowest stage, by parallelism."""

from dataclasses import dataclass

from core.calculators.training.comm import Calls, calls_of_layers
from core.calculators.training.compute import compute
from core.calculators.training.data_parallel import phases_of_step
from core.calculators.training.price import Call, Exchange
from core.calculators.training.recompute import repeated
from core.calculators.training.scenario import Scenario
from core.calculators.training.step import pacing_stage


@dataclass(frozen=True, slots=True)
class StepCalls:
    """
    Calls of one operation in a step of one GPU.

    Attributes:
        parallelism: TP, CP, EP, PP or DP.
        operation: As ``all_gather``; an exchange between experts is an ``all_to_all``.
        ranks: In the group.
        calls: In a step; None for DP, whose buckets the calculator does not count.
        bytes: Of all of them, as nccl-tests counts them; of an exchange what leaves the GPU.
    """

    parallelism: str
    operation: str
    ranks: int
    calls: float | None
    bytes: float


def step_calls(scenario: Scenario) -> tuple[StepCalls, ...]:
    """
    The calls that ``step`` takes the time of, one entry a parallelism, operation and group.

    Raises:
        InputError: A scenario that cannot be calculated.
    """
    entries = [
        _entry(scenario, part.parallelism, call, _passes(scenario, part) * part.times)
        for part in calls_of_layers(scenario)
        for call in part.calls
    ]
    entries += [
        StepCalls("DP", phase.collective, int(group.size), None, float(phase.times * phase.size_bytes))
        for phase, group in phases_of_step(scenario)
    ]
    return tuple(_added(entries))


def _passes(scenario: Scenario, part: Calls) -> float:
    """Forwards of a layer (for PP of a stage) in a step, backwards and repeated ones counted as forwards."""
    if part.parallelism == "PP":
        return scenario.micro_batches * scenario.layout.vpp * (1 + part.backward)
    layers, again = float(pacing_stage(scenario, compute(scenario)).layers), repeated(scenario)
    more = {"TP": again.tensor, "CP": again.context, "EP": again.expert}[part.parallelism]
    return scenario.micro_batches * layers * (1 + more + part.backward)


def _entry(scenario: Scenario, parallelism: str, call: Call | Exchange, times: float) -> StepCalls:
    if isinstance(call, Exchange):
        size_bytes, operation, ranks = call.sent_bytes, "all_to_all", scenario.layout.ep
    else:
        size_bytes, operation, ranks = call.size_bytes, call.collective, call.group.size
    if parallelism == "CP":
        ranks = scenario.layout.cp
    return StepCalls(parallelism, operation, int(ranks), float(times), float(times * size_bytes))


def _added(entries: list[StepCalls]) -> list[StepCalls]:
    """Entries of the same parallelism, operation and group as one."""
    sums: dict[tuple[str, str, int], StepCalls] = {}
    for entry in entries:
        key = entry.parallelism, entry.operation, entry.ranks
        before = sums.get(key)
        if before is not None:
            calls = None if entry.calls is None or before.calls is None else entry.calls + before.calls
            entry = StepCalls(*key, calls, entry.bytes + before.bytes)  # noqa: PLW2901 (the sum so far)
        sums[key] = entry
    return list(sums.values())
