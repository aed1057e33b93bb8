"""The answer for one size: time, its parts, what binds, who comes second and where that changes."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.checks import Floats
from core.collectives.cost_model import MODEL_VERSION
from core.collectives.formulas.columns import FIGURES, CostFigures
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.crossovers import Crossover, crossovers
from core.collectives.pricing.limit import limiting_wire, limiting_wire_measured
from core.collectives.pricing.parts import composed
from core.collectives.pricing.placement import Placement, placement_of
from core.collectives.pricing.scenario import Scenario
from core.collectives.pricing.sweep import by_formula_only, priced
from core.provenance import Origin, Source
from core.units import format_rate

EDGE = "beyond the scale-up domain:"
"""How the warning begins that names the step from one domain to several."""


JSON_KEYS = (
    *("system", "collective", "ranks", "domains", "size_bytes", "rates", "implementation", "launch"),
    *("algorithm", "protocol", *FIGURES, "algbw_bytes_per_s", "busbw_bytes_per_s", "binding", "runner_up"),
    *("flips", "basis", "warnings", "sources", "model_version"),
)
"""Of ``python -m core collective --json``, in their order."""


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The second cheapest way and its time."""

    algorithm: str
    protocol: str | None
    time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(CostFigures[float]):
    """
    One collective, priced.

    Attributes:
        rates: The rates that answered; the datasheet's where the named ones could not.
        algorithm, protocol: The cheapest way; None where nothing moves.
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
    algbw_bytes_per_s: float | None
    busbw_bytes_per_s: float | None
    binding: str | None
    runner_up: RunnerUp | None
    crossovers: tuple[Crossover, ...]
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]
    model_version: str

    def json(self) -> dict[str, Any]:
        """The answer as the shell prints it: plain values, None for what is undefined."""
        values = asdict(self)
        values["sources"] = [f"{source.title} ({source.where})" for source in self.sources]
        values["flips"] = list(values.pop("crossovers"))
        values["warnings"] = list(self.warnings)
        return {key: values[key] for key in JSON_KEYS}


def answer(scenario: Scenario, *, with_crossovers: bool = True) -> Answer:
    """
    What this collective costs, and why.

    ``with_crossovers`` also looks for the sizes, ranks and rates where another algorithm takes over.

    Raises:
        InputError: Ranks that do not fit the system, or an algorithm that does not apply.
    """
    placement = placement_of(scenario)
    prices = priced(scenario, placement, np.array([float(scenario.size_bytes)]))
    algorithm, protocol = split_label(str(prices.algorithms[0]))
    return Answer(
        system=scenario.system.id,
        collective=scenario.collective,
        ranks=scenario.ranks,
        domains=placement.domains,
        size_bytes=float(scenario.size_bytes),
        rates=prices.rates,
        implementation=placement.implementation,
        launch=scenario.launch,
        algorithm=algorithm,
        protocol=protocol,
        **_figures(prices),
        binding=_binding(scenario, placement, prices, algorithm),
        runner_up=_runner_up(prices),
        crossovers=crossovers(scenario, placement) if with_crossovers else (),
        basis=prices.basis,
        warnings=(*prices.warnings, *_edge(scenario, placement)),
        sources=prices.sources,
        model_version=MODEL_VERSION,
    )


def _edge(scenario: Scenario, placement: Placement) -> tuple[str, ...]:
    """The step over ranks where a domain ends, named by the two rates on its sides."""
    if placement.outer is None:
        return ()
    inside, across = (format_rate(hop.bytes_per_s) for hop in (placement.inner, placement.outer))
    most = scenario.system.domain_gpus
    step = f"{across} per GPU instead of {inside}"
    return (f"{EDGE} with more than {most} GPUs data crosses the network, {step}",)


def split_label(text: str) -> tuple[str | None, str | None]:
    """Algorithm and protocol of ``ring/LL128``; None for what is not there."""
    algorithm, _, protocol = text.partition("/")
    return algorithm or None, protocol or None


def _figures(prices: Sweep) -> dict[str, Any]:
    figures: dict[str, Any] = {name: float(getattr(prices, name)[0]) for name in FIGURES}
    figures["algbw_bytes_per_s"] = _defined(prices.algbw_bytes_per_s)
    figures["busbw_bytes_per_s"] = _defined(prices.busbw_bytes_per_s)
    return figures


def _defined(column: Floats) -> float | None:
    value = float(column[0])
    return value if np.isfinite(value) else None


def _binding(scenario: Scenario, placement: Placement, prices: Sweep, algorithm: str | None) -> str | None:
    if prices.time_s[0] <= 0:
        return None
    parts = {
        "launch": prices.launch_s[0],
        "latency": prices.latency_s[0],
        _wire(scenario, placement, prices, algorithm or "auto"): prices.transfer_s[0],
        "reduction": prices.reduction_s[0],
    }
    return max(parts, key=lambda name: float(parts[name]))


def _wire(scenario: Scenario, placement: Placement, prices: Sweep, word: str) -> str:
    formula = prices.basis == str(Origin.SPEC) or composed(prices.basis, word)
    if formula or by_formula_only(scenario):
        return limiting_wire(scenario, placement, word)
    return limiting_wire_measured(scenario, placement, word, float(prices.transfer_s[0]))


def _runner_up(prices: Sweep) -> RunnerUp | None:
    algorithm, protocol = split_label(str(prices.runner_ups[0]))
    if algorithm is None or not np.isfinite(prices.runner_up_s[0]):
        return None
    return RunnerUp(algorithm, protocol, float(prices.runner_up_s[0]))
