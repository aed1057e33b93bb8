"""Seconds of one collective of a layout, on the part of the system that its group uses."""

from core.calculators.training.scenario import Scenario
from core.parallel.groups import Group
from core.parallel.prices import collective_s


def price_s(scenario: Scenario, group: Group, collective: str, size_bytes: float) -> float:
    """
    Seconds of one collective of ``size_bytes`` (nccl-tests' size) in a group of the layout.

    Raises:
        InputError: A collective, a group or rates that cannot be priced.
    """
    system = scenario.system
    return collective_s(
        system,
        group,
        collective,
        size_bytes,
        scenario.rates,
        scenario.software,
        scenario.latency,
        straddles=scenario.layout.straddles(group, system.domain_gpus, system.domains),
    )
