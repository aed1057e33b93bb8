"""Which wire limits a transfer: the links inside a domain, or the NICs between domains."""

from dataclasses import replace

import numpy as np

from core.collectives.pricing.calibrated import by_cost_model
from core.collectives.pricing.choices import applicable_at, plainest
from core.collectives.pricing.formulas import run
from core.collectives.pricing.placement import Placement
from core.collectives.pricing.scenario import Scenario
from core.hardware import Hop

HALF_SAVED = 0.75
"""What is left of the transfer where twice the NIC rate saves half of what it could."""


def limiting_wire(scenario: Scenario, placement: Placement, word: str) -> str:
    """
    ``nic`` where a faster network would save more than faster links inside, else ``wire``.

    ``word`` is the algorithm that answered; one that the registry does not have counts as the
    plainest that it has.
    """
    wired = placement.on(scenario.rates)
    if wired.outer is None:
        return "wire"
    algorithms = applicable_at(scenario.collective, wired)
    item = next((item for item in algorithms if item.word == word), plainest(algorithms)[0])
    amount = np.array([float(scenario.size_bytes)])
    faster_inside = run(item, wired, amount, _twice(wired.inner), wired.outer).transfer_s[0]
    faster_across = run(item, wired, amount, wired.inner, _twice(wired.outer)).transfer_s[0]
    return "nic" if faster_across <= faster_inside else "wire"


def limiting_wire_measured(scenario: Scenario, placement: Placement, word: str, transfer_s: float) -> str:
    """
    The same of an answer of the cost model, priced again with NICs twice as fast.

    Where they would save more than half of what they could, they limit; else the links inside do.
    """
    if placement.outer is None or transfer_s <= 0:
        return "wire"
    faster = replace(placement, rate_scale=2 * placement.rate_scale)
    amount = np.array([float(scenario.size_bytes)])
    forced = replace(scenario, algorithm=word)
    remaining = float(by_cost_model(forced, faster, amount).transfer_s[0]) / transfer_s
    return "nic" if remaining < HALF_SAVED else "wire"


def _twice(hop: Hop) -> Hop:
    return replace(hop, bytes_per_s=2 * hop.bytes_per_s)
