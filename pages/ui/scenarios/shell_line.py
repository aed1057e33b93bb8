"""The shell command that gives the same numbers as a scenario of the page."""

import shlex

from core.calculators.tensor_parallel import Scenario
from core.catalog.software import COMMUNICATION_DEFAULT
from core.collectives.rates import Rates
from core.provenance import Origin
from core.units import GB, US


def command(
    scenario: Scenario, own_model: str = "config.json", own_system: str = "system.json"
) -> str | None:
    """``python -m core tp ...``; None where no option of the shell states the rates (typed measured times)."""
    rates = _rates(scenario.rates)
    if rates is None:
        return None
    model, system = scenario.model, scenario.system
    options = [
        *("--model", own_model if model.yours else model.id),
        *(("--system-file", own_system) if system.yours else ("--system", system.id)),
        *("--phase", scenario.phase, "--tokens", f"{scenario.tokens}"),
        *("--context", f"{scenario.cached}", "--tp", f"{scenario.tp}"),
        *("--weights", scenario.weights.id, "--kv", scenario.kv.id),
        *("--activations", scenario.activations.id),
        *_network(scenario),
        *_execution(scenario),
        *rates,
    ]
    return f"python -m core tp {shlex.join(options)} --json"


def _network(scenario: Scenario) -> list[str]:
    system = scenario.system
    if system.domains <= 1:
        return []
    options = ["--domains", f"{system.domains}"]
    if not system.yours and system.network:
        options += ["--network", system.network, "--nics-per-domain", f"{system.nics_per_domain}"]
    return options


def _execution(scenario: Scenario) -> list[str]:
    """Options that differ from the shell's defaults, and the software: nobody's but what is named."""
    options = ["--ep", f"{scenario.ep}"] if scenario.ep > 1 else []
    options += ["--overlap", f"{scenario.overlap:g}"] if scenario.overlap else []
    options += ["--sequence-parallel"] if scenario.sequence_parallel else []
    options += ["--software", COMMUNICATION_DEFAULT]
    options += ["--engine", scenario.engine] if scenario.engine else []
    return [*options, "--implementation", scenario.implementation, "--launch", scenario.launch]


def _rates(rates: Rates) -> list[str] | None:
    if rates.points or (rates.origin is Origin.FITTED and rates.fit is None):
        return None
    options = ["--rates", f"fitted:{rates.name}.json" if rates.fit else str(rates.origin)]
    if rates.latency_s is not None:
        options += ["--latency-us", f"{rates.latency_s / US:g}", "--latency-per", rates.latency_per]
    if rates.bytes_per_s is not None:
        options += ["--rate-gbps-one-way", f"{rates.bytes_per_s / GB:g}"]
    return options
