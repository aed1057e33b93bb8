"""The verdict of a comparison of systems in words."""

from collections.abc import Sequence

from core.calculators.system_comparison.result import SystemResult
from core.calculators.tensor_parallel import Scenario
from core.units import format_number, format_time

SAME = 1.005


def headline(
    scenario: Scenario, results: Sequence[SystemResult], sequences: int, target_s: float | None
) -> str:
    """Which system makes the most tokens/s per GPU, what that is worth, and the break-even price."""
    load = f"{sequences:,} concurrent requests of {scenario.cached:,} tokens"
    at = f"at {load}" if target_s is None else f"within {format_time(target_s)} a step"
    return f"{scenario.model.name} {at}: {verdict(results)}"


def verdict(results: Sequence[SystemResult]) -> str:
    """The headline without the load."""
    ordered = sorted((result for result in results if result.rate), key=lambda result: -result.rate)
    if not ordered:
        return "none of these systems serves it."
    first = ordered[0]
    if len(ordered) == 1:
        return f"only {first.place} serve it, at {format_number(first.rate)} tokens/s per GPU."
    second = ordered[1]
    return f"{_rates(first, second)} {_price(first, second)}"


def _rates(first: SystemResult, second: SystemResult) -> str:
    steps, ratio = _steps(first, second), first.rate / second.rate
    if ratio < SAME:
        places = f"{first.place} and {second.place}"
        return f"{places} make the same {format_number(first.rate)} tokens/s per GPU{steps}."
    return (
        f"{first.place} make {format_number(first.rate)} tokens/s per GPU, {ratio:.2f}× the "
        f"{format_number(second.rate)} of {second.place}{steps}."
    )


def _steps(first: SystemResult, second: SystemResult) -> str:
    """The decode steps at the load, where that is what is compared."""
    if first.tpot_s is None or second.tpot_s is None or first.target_s is not None:
        return ""
    return f": {format_time(first.tpot_s)} against {format_time(second.tpot_s)} a step"


def _price(first: SystemResult, second: SystemResult) -> str:
    """The cheaper one where both have a price, else the price that breaks even."""
    ratio = first.rate / second.rate
    if second.usd_per_gpu_hour is not None:
        price = format_number(second.usd_per_gpu_hour * ratio)
        even = f"{first.name} breaks even at ${price} per GPU-hour."
        if first.cost is None or second.cost is None:
            return even
        cheaper = first if first.cost <= second.cost else second
        costs = f"${format_number(first.cost)} against ${format_number(second.cost)}"
        return f"A million output tokens cost {costs}: {cheaper.name} is cheaper; {even}"
    if first.usd_per_gpu_hour is not None:
        price = format_number(first.usd_per_gpu_hour / ratio)
        return f"{second.name} breaks even at ${price} per GPU-hour."
    return f"A GPU-hour of {first.name} may cost up to {ratio:.2f}× one of {second.name}."
