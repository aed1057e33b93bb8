"""The break-even questions that apply to one system and model: a link, a bucket, TP across domains."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from core.calculators.layouts.break_even import (
    BreakEven,
    bucket_for_a_network,
    budget_across,
    rate_for_a_share,
    tokens_for_a_link,
)
from core.calculators.layouts.candidates import divisors
from core.calculators.layouts.joined import slot
from core.calculators.layouts.pcie import on_pcie
from core.calculators.tensor_parallel import Scenario
from core.catalog.networks import next_generation
from core.checks import InputError
from core.collectives.rates import Rates
from core.parallel.grow import grow_to
from core.provenance import Origin

SPEC = Rates(Origin.SPEC)


def break_even_questions(scenario: Scenario) -> tuple[BreakEven, ...]:
    """
    Those questions that make sense for the scenario, answered: at most three.

    Below how many batched tokens per step the scale-up links do not pay against PCIe, or where PCIe is all
    there is, from which rate its communication takes less than a tenth of the step; from which bucket the
    next network saves a tenth, and what a message of TP across domains may cost. The first and the last
    are about decoding with the widest TP inside a domain, and the next wider one; links against PCIe are
    at datasheet rates on both sides, for no measurement of those GPUs without their links exists.
    """
    return tuple(_answer(question) for question in _questions(scenario))


def _questions(scenario: Scenario) -> Iterator[Callable[[], BreakEven]]:
    system = scenario.system
    degrees = divisors(scenario.model.heads or 1, 2 * system.domain_gpus)
    inside = max((tp for tp in degrees if tp <= system.domain_gpus), default=1)
    beyond = min((tp for tp in degrees if tp > system.domain_gpus), default=None)
    if inside > 1 and system.scale_up.topology.pcie:
        over_pcie = replace(scenario, tp=inside)
        yield lambda: rate_for_a_share(over_pcie)
    elif inside > 1:
        rates = scenario.rates if _datasheet(scenario) else SPEC
        linked = replace(scenario, tp=inside, rates=rates)
        yield lambda: tokens_for_a_link(linked, on_pcie(system, slot(system)))
    faster = next_generation(system.network or "")
    if faster is not None:
        ranks = max(2 * system.domain_gpus, system.gpus)
        yield lambda: bucket_for_a_network(grow_to(system, ranks), ranks, faster, rates=scenario.rates)
    if beyond is not None and system.scale_out is not None:
        across = replace(scenario, tp=inside, system=grow_to(system, beyond))
        yield lambda: budget_across(across, beyond)


def _datasheet(scenario: Scenario) -> bool:
    """Whether both systems are taken at datasheet rates: measured against never measured is unfair."""
    return scenario.rates.origin in (Origin.SPEC, Origin.PUBLISHED)


def _answer(question: Callable[[], BreakEven]) -> BreakEven:
    """The answer, or the reason why there is none in its place."""
    try:
        return question()
    except InputError as problem:
        return BreakEven(None, 0.0, 0.0, f"{problem}.".replace("..", "."))
