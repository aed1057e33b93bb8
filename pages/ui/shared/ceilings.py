"""Ceilings of bus bandwidth: what a link or the NICs of a domain carry."""

from dataclasses import replace

from core.collectives.pricing import Scenario
from core.collectives.pricing.placement import placement_of
from core.collectives.rates import Rates
from core.provenance import Origin
from pages.ui.shared.overlay import Ceiling


def of(scenario: Scenario) -> list[Ceiling]:
    """
    The ceilings of a collective in bytes/s at datasheet rates, the highest first.

    Inside one domain: the bidirectional and the unidirectional link rate of a GPU. Across domains:
    all NICs of a domain, and the unidirectional link rate inside it.
    """
    location = placement_of(replace(scenario, rates=Rates(Origin.SPEC)))
    link = location.inner.bytes_per_s
    if location.outer is None:
        return [
            Ceiling("bidirectional link rate (datasheet)", 2 * link),
            Ceiling("unidirectional link rate", link),
        ]
    nics = location.outer.bytes_per_s * location.local_ranks
    return [
        Ceiling("all NICs of a domain, unidirectional", nics),
        Ceiling("unidirectional link rate in a domain", link),
    ]


def lowest(scenario: Scenario) -> Ceiling:
    """The ceiling that binds."""
    return min(of(scenario), key=lambda ceiling: ceiling.bytes_per_s)
