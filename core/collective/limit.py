"""Which wire limits a transfer: the links inside a domain, or the NICs between domains."""

from dataclasses import replace

import numpy as np

from core.collective.choices import applicable_at, plainest
from core.collective.formulas import run
from core.collective.place import Place
from core.collective.scenario import Scenario
from core.hardware import Hop


def limiting_wire(scenario: Scenario, where: Place, word: str) -> str:
    """
    ``nic`` where a faster network would save more than faster links inside, else ``wire``.

    ``word`` is the algorithm that was chosen; one that the registry does not have counts as the
    plainest that it has.
    """
    wired = where.on(scenario.rates)
    if wired.outer is None:
        return "wire"
    able = applicable_at(scenario.collective, wired)
    item = next((item for item in able if item.word == word), plainest(able)[0])
    amount = np.array([float(scenario.size_bytes)])
    faster_inside = run(item, wired, amount, _twice(wired.inner), wired.outer).transfer_s[0]
    faster_across = run(item, wired, amount, wired.inner, _twice(wired.outer)).transfer_s[0]
    return "nic" if faster_across <= faster_inside else "wire"


def _twice(hop: Hop) -> Hop:
    return replace(hop, bytes_per_s=2 * hop.bytes_per_s)
