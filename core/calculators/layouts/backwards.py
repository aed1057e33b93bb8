"""The questions of the flip finder put to one machine and model: a link, a bucket, TP across domains."""

from collections.abc import Callable
from dataclasses import replace

from core.calculators.layouts.candidates import divisors
from core.calculators.layouts.need import without_link
from core.calculators.layouts.questions import Solved, bucket_for_a_network, budget_across, tokens_for_a_link
from core.calculators.tensor_parallel import Scenario
from core.checks import InputError
from core.collectives.rates import Rates
from core.parallel.grow import enough
from core.provenance import Origin

FASTER = {"ib-hdr": "ib-ndr", "ib-ndr": "ib-xdr", "roce-200": "roce-400", "roce-400": "roce-800"}
"""The network one generation on."""
PCIE, PCIE_NOW = "pcie", "pcie5-x16"
SPEC = Rates(Origin.SPEC)


def solved_backwards(scenario: Scenario) -> tuple[Solved, ...]:
    """
    What makes sense to ask here, answered: at most three sentences.

    Below how many tokens a step the links inside a domain do not pay against PCIe, from which bucket
    the next network saves a tenth, and what a message of TP across domains may cost. The first and the
    last are about decoding with the widest TP inside a domain, and the next wider one; the first is asked
    at datasheet rates on both sides, for nobody measured those GPUs without their links.
    """
    system = scenario.system
    degrees = divisors(scenario.model.heads or 1, 2 * system.domain_gpus)
    inside = max((tp for tp in degrees if tp <= system.domain_gpus), default=1)
    beyond = min((tp for tp in degrees if tp > system.domain_gpus), default=None)
    asked: list[Callable[[], Solved]] = []
    if inside > 1 and not system.scale_up.link.startswith(PCIE):
        fair = replace(scenario, tp=inside, rates=scenario.rates if _plain(scenario) else SPEC)
        slot = system.host_link if (system.host_link or "").startswith(PCIE) else PCIE_NOW
        asked.append(lambda: tokens_for_a_link(fair, without_link(system, slot or PCIE_NOW)))
    faster = FASTER.get(system.network or "")
    if faster is not None:
        ranks = max(2 * system.domain_gpus, system.gpus)
        wide = enough(system, ranks)
        asked.append(lambda: bucket_for_a_network(wide, ranks, faster, rates=scenario.rates))
    if beyond is not None and system.scale_out is not None:
        across = replace(scenario, tp=inside, system=enough(system, beyond))
        asked.append(lambda: budget_across(across, beyond))
    return tuple(_said(question) for question in asked)


def _plain(scenario: Scenario) -> bool:
    """Whether both machines are reckoned alike: measured links against never measured ones are not."""
    return scenario.rates.origin in (Origin.SPEC, Origin.PUBLISHED)


def _said(question: Callable[[], Solved]) -> Solved:
    """The answer, or in a sentence why there is none."""
    try:
        return question()
    except InputError as problem:
        return Solved(None, 0.0, 0.0, f"{problem}.".replace("..", "."))
