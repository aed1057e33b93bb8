"""The answer for one size: time, its parts, what binds, who comes second and where that changes."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.checks import Floats
from core.collectives.cost_model import MODEL_VERSION
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.flips import Flip, flips
from core.collectives.pricing.limit import limiting_wire, limiting_wire_measured
from core.collectives.pricing.place import Place, place
from core.collectives.pricing.scenario import Scenario
from core.collectives.pricing.sweep import by_formula_only, priced
from core.provenance import Origin, Source
from core.units import format_rate

EDGE = "the domain's edge:"
"""How the warning begins that names the step from one domain to several."""


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The second cheapest way and its time."""

    algorithm: str
    protocol: str | None
    time_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """
    One collective, priced; the fields are the keys of ``python -m core collective --json``.

    Attributes:
        rates: The rates that answered; the datasheet's where the asked ones could not.
        algorithm, protocol: The cheapest way; None where nothing moves.
        wire_bytes: What each GPU sends (or receives, if more), on all its wires together.
        busbw_bytes_per_s, algbw_bytes_per_s: None where undefined: one rank, or no bytes.
        binding: The part that costs most: launch, latency, wire, nic or reduction; None where free.
    """

    system: str
    collective: str
    ranks: int
    domains: int
    size_bytes: float
    rates: str
    implementation: str
    launch: str
    algorithm: str | None
    protocol: str | None
    time_s: float
    low_s: float
    high_s: float
    launch_s: float
    latency_s: float
    transfer_s: float
    reduction_s: float
    wire_bytes: float
    algbw_bytes_per_s: float | None
    busbw_bytes_per_s: float | None
    binding: str | None
    runner_up: RunnerUp | None
    flips: tuple[Flip, ...]
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]
    model_version: str

    def json(self) -> dict[str, Any]:
        """The answer as the shell prints it: plain values, None for what is undefined."""
        plain = asdict(self)
        plain["sources"] = [f"{source.title} ({source.where})" for source in self.sources]
        return plain | {"flips": list(plain["flips"]), "warnings": list(self.warnings)}


def answer(scenario: Scenario, *, with_flips: bool = True) -> Answer:
    """
    What this collective costs, and why.

    Raises:
        InputError: A value that no machine could be asked, or ranks that do not fit.
    """
    where = place(scenario)
    found = priced(scenario, where, np.array([float(scenario.size_bytes)]))
    algorithm, protocol = split_label(str(found.algorithms[0]))
    return Answer(
        system=scenario.system.id,
        collective=scenario.collective,
        ranks=scenario.ranks,
        domains=where.domains,
        size_bytes=float(scenario.size_bytes),
        rates=found.rates,
        implementation=where.implementation,
        launch=scenario.launch,
        algorithm=algorithm,
        protocol=protocol,
        **_figures(found),
        binding=_binding(scenario, where, found, algorithm),
        runner_up=_runner_up(found),
        flips=flips(scenario, where) if with_flips else (),
        basis=found.basis,
        warnings=(*found.warnings, *_edge(scenario, where)),
        sources=found.sources,
        model_version=MODEL_VERSION,
    )


def _edge(scenario: Scenario, where: Place) -> tuple[str, ...]:
    """The step over ranks where a domain ends, named by the two rates on its sides."""
    if where.outer is None:
        return ()
    inside, across = (format_rate(hop.bytes_per_s) for hop in (where.inner, where.outer))
    most = scenario.system.domain_gpus
    return (f"{EDGE} past {most} GPUs bytes cross the network, {across} a GPU instead of {inside}",)


def split_label(text: str) -> tuple[str | None, str | None]:
    """Algorithm and protocol of ``ring/LL128``; None for what is not there."""
    algorithm, _, protocol = text.partition("/")
    return algorithm or None, protocol or None


_FIGURES = ("time_s", "low_s", "high_s", "launch_s", "latency_s", "transfer_s", "reduction_s", "wire_bytes")


def _figures(found: Sweep) -> dict[str, Any]:
    figures: dict[str, Any] = {name: float(getattr(found, name)[0]) for name in _FIGURES}
    figures["algbw_bytes_per_s"] = _defined(found.algbw_bytes_per_s)
    figures["busbw_bytes_per_s"] = _defined(found.busbw_bytes_per_s)
    return figures


def _defined(column: Floats) -> float | None:
    value = float(column[0])
    return value if np.isfinite(value) else None


def _binding(scenario: Scenario, where: Place, found: Sweep, algorithm: str | None) -> str | None:
    if found.time_s[0] <= 0:
        return None
    parts = {
        "launch": found.launch_s[0],
        "latency": found.latency_s[0],
        _wire(scenario, where, found, algorithm or "auto"): found.transfer_s[0],
        "reduction": found.reduction_s[0],
    }
    return max(parts, key=lambda name: float(parts[name]))


def _wire(scenario: Scenario, where: Place, found: Sweep, word: str) -> str:
    if found.basis == str(Origin.SPEC) or by_formula_only(scenario):
        return limiting_wire(scenario, where, word)
    return limiting_wire_measured(scenario, where, word, float(found.transfer_s[0]))


def _runner_up(found: Sweep) -> RunnerUp | None:
    algorithm, protocol = split_label(str(found.runner_ups[0]))
    if algorithm is None or not np.isfinite(found.runner_up_s[0]):
        return None
    return RunnerUp(algorithm, protocol, float(found.runner_up_s[0]))
