"""Ceilings: from the datasheet figure down to the best bus bandwidth of a collective."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.links import LevelLink, level_links
from core.catalog.links import LINKS
from core.catalog.nccl_tuning import nccl_link_bytes_per_s
from core.catalog.sources import cite
from core.checks import InputError
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import answer as price
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin, Source
from core.units import GIB

LARGE_BYTES = 16 * GIB
"""Large enough that latency no longer shows."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One ceiling: bytes/s per GPU, and what it means."""

    name: str
    bytes_per_s: float
    meaning: str
    origin: Origin
    source: Source


def ladder(system: System) -> tuple[Ceiling, ...]:
    """
    Ceilings of the GPUs of one domain, from the datasheet figure to busbw of a large all-reduce.

    busbw may exceed the link rate where switches reduce: its factor assumes a ring.
    """
    link = next((item for item in level_links(system) if item.level in ("scale-up", "host")), None)
    if link is None:
        return ()
    return (*_link_ceilings(link), *_protocol(system, link), *_best(system))


def _link_ceilings(link: LevelLink) -> list[Ceiling]:
    both = link.nominal_bytes_per_s * link.both_ways
    ceilings_ = [
        Ceiling(
            "bidirectional", both, "both directions added up, as published", Origin.PUBLISHED, link.source
        ),
        Ceiling(
            "unidirectional", link.nominal_bytes_per_s, "what one direction carries", Origin.SPEC, link.source
        ),
    ]
    effective = link.effective_bytes_per_s
    if effective is not None and effective < link.nominal_bytes_per_s:
        meaning = "after line code and headers"
        ceilings_.append(Ceiling("effective", effective, meaning, Origin.SPEC, link.source))
    return ceilings_


def _protocol(system: System, link: LevelLink) -> list[Ceiling]:
    counted = nccl_link_bytes_per_s(system.gpu.architecture, LINKS.get(link.link))
    if counted is None or system.gpu.scale_up_links is None:
        return []
    (source,) = cite("nccl-topo")
    rate = counted * system.gpu.scale_up_links
    return [Ceiling("NCCL's own", rate, "what NCCL counts on these links", Origin.SPEC, source)]


def _best(system: System) -> list[Ceiling]:
    ceilings = []
    for algorithm, name in (("ring", "best ring"), ("nvls", "best in-switch")):
        for rates in (Rates(Origin.SPEC), Rates()):
            scenario = Collective(
                system, "all_reduce", system.domain_gpus, LARGE_BYTES, rates=rates, algorithm=algorithm
            )
            try:
                collective = price(scenario, with_crossovers=False)
            except InputError:
                continue
            if collective.busbw_bytes_per_s is None or collective.rates != rates.label:
                continue
            meaning = f"busbw of a large all-reduce over {collective.ranks} GPUs, {rates.label} rates"
            ceilings.append(
                Ceiling(
                    name,
                    collective.busbw_bytes_per_s,
                    meaning,
                    rates.origin,
                    (collective.sources or system.sources)[0],
                )
            )
    return ceilings
