"""Domains of any size side by side, and collectives of groups that fit one domain or span several."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core import checks
from core.calculators.capacity.exchange import leaving_share
from core.calculators.capacity.fabric import FabricFigures, fabric_figures
from core.checks import InputError
from core.collectives import pricing as collective
from core.collectives.rates import Rates
from core.hardware import Gpu, System
from core.parallel.grow import domains_for
from core.systems import configure, split
from core.workload import Precision

PRESETS = (8, 36, 72, 144, 256, 576)


@dataclass(frozen=True, slots=True)
class DomainRow:
    """One domain of ``gpus`` GPUs: memory, fabric, and the largest model per format (weights alone)."""

    gpus: int
    hbm_bytes: float
    fabric: FabricFigures
    largest_params: dict[str, float]


def domain_rows(
    gpu: Gpu,
    formats: Sequence[Precision],
    *,
    sizes: Sequence[int] = PRESETS,
    usable: float = 1.0,
    one_way_bytes_per_s: float | None = None,
) -> tuple[DomainRow, ...]:
    """
    The same GPU in domains of every size.

    ``one_way_bytes_per_s`` replaces the GPU's scale-up rate; a GPU without one needs it.
    """
    rate = one_way_bytes_per_s
    if rate is None:
        if gpu.scale_up is None:
            message = f"one_way_bytes_per_s: {gpu.name} has no scale-up link; give a rate"
            raise InputError(message)
        rate = gpu.scale_up.bytes_per_s
    share = checks.number("usable", usable, above=0, most=1)
    memory_rate = gpu.memory_rate.bytes_per_s
    return tuple(
        DomainRow(
            gpus=n,
            hbm_bytes=n * gpu.memory_bytes,
            fabric=fabric_figures(n, rate, memory_rate),
            largest_params={f.id: n * gpu.memory_bytes * share / f.bytes_per_value for f in formats},
        )
        for n in (checks.count("sizes", size) for size in sizes)
    )


@dataclass(frozen=True, slots=True)
class EdgeStep:
    """
    One group on one machine.

    Attributes:
        local, domains: GPUs of the group inside one domain, and domains it spans.
        leaving_share: Share of all-to-all bytes between GPUs that leaves the domain.
        announced: The system is announced, not shipped.
    """

    system: str
    network: str | None
    group: int
    local: int
    domains: int
    leaving_share: float
    all_reduce_s: float
    all_to_all_s: float
    basis: str
    announced: bool


def edge_steps(
    systems: Iterable[System], groups: Sequence[int], size_bytes: float, rates: Rates | None = None
) -> tuple[EdgeStep, ...]:
    """All-reduce and all-to-all of ``size_bytes`` in groups that do and do not fit one domain."""
    origin = rates or Rates()
    rows: list[EdgeStep] = []
    for system in systems:
        for group in groups:
            row = _edge(system, checks.count("groups", group), size_bytes, origin)
            rows += [row] if row else []
    return tuple(rows)


def _edge(system: System, group: int, size_bytes: float, rates: Rates) -> EdgeStep | None:
    needed = domains_for(system, group)
    if needed > 1 and system.scale_out is None:
        return None
    large = configure(system, domains=max(needed, system.domains))
    try:
        local, domains = split(large, group)
        sweeps = [
            collective.sweep(
                collective.Scenario(system=large, collective=name, ranks=group, rates=rates), [size_bytes]
            )
            for name in ("all_reduce", "all_to_all")
        ]
    except InputError:
        return None
    return EdgeStep(
        system=system.id,
        network=system.network,
        group=group,
        local=local,
        domains=domains,
        leaving_share=leaving_share(group, local),
        all_reduce_s=float(sweeps[0].time_s[0]),
        all_to_all_s=float(sweeps[1].time_s[0]),
        basis=sweeps[1].basis,
        announced="announced" in system.note,
    )
