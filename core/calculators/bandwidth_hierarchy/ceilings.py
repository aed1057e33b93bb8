"""Ceilings: from the figure on the box down to the best that a collective reaches on it."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.wires import Wire, wires
from core.catalog.sources import cite
from core.checks import InputError
from core.collectives.formulas.nccl_protocols import LINK_BYTES_PER_S
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import answer as price
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin, Source
from core.units import GIB

LARGE_BYTES = 16 * GIB
"""Large enough that latency no longer shows."""

_NCCL_LINK = {"nvlink1": "P100", "nvlink2": "V100", "nvlink3": "A100", "nvlink4": "H100", "nvlink5": "B200"}


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One rung: bytes/s per GPU, and what it means."""

    name: str
    bytes_per_s: float
    meaning: str
    origin: Origin
    source: Source


def ladder(system: System) -> tuple[Ceiling, ...]:
    """
    What the GPUs of one domain can hope for, from the printed figure to busbw of a large all-reduce.

    busbw may stand above the wire where switches add: its factor assumes a ring.
    """
    wire = next((wire for wire in wires(system) if wire.level in ("scale-up", "host")), None)
    if wire is None:
        return ()
    return (*_wire_rungs(wire), *_protocol(system, wire), *_best(system))


def _wire_rungs(wire: Wire) -> list[Ceiling]:
    both = wire.nominal_bytes_per_s * wire.both_ways
    rungs = [
        Ceiling("both ways", both, "both directions added up, as printed", Origin.PUBLISHED, wire.source),
        Ceiling("one way", wire.nominal_bytes_per_s, "what one direction carries", Origin.SPEC, wire.source),
    ]
    effective = wire.effective_bytes_per_s
    if effective is not None and effective < wire.nominal_bytes_per_s:
        meaning = "after line code and headers"
        rungs.append(Ceiling("effective", effective, meaning, Origin.SPEC, wire.source))
    return rungs


def _protocol(system: System, wire: Wire) -> list[Ceiling]:
    generation = _NCCL_LINK.get(wire.link)
    if generation is None or system.gpu.scale_up_links is None:
        return []
    (source,) = cite("nccl-topo")
    rate = LINK_BYTES_PER_S[generation] * system.gpu.scale_up_links
    return [Ceiling("NCCL's own", rate, "what NCCL counts on these links", Origin.SPEC, source)]


def _best(system: System) -> list[Ceiling]:
    ceilings = []
    for algorithm, name in (("ring", "best ring"), ("nvls", "best in-switch")):
        for rates in (Rates(Origin.SPEC), Rates()):
            scenario = Collective(
                system, "all_reduce", system.domain_gpus, LARGE_BYTES, rates=rates, algorithm=algorithm
            )
            try:
                price_ = price(scenario, with_flips=False)
            except InputError:
                continue
            if price_.busbw_bytes_per_s is None or price_.rates != rates.label:
                continue
            meaning = f"busbw of a large all-reduce over {price_.ranks} GPUs, {rates.label} rates"
            ceilings.append(
                Ceiling(
                    name,
                    price_.busbw_bytes_per_s,
                    meaning,
                    rates.origin,
                    (price_.sources or system.sources)[0],
                )
            )
    return ceilings
