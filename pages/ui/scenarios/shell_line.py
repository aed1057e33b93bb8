"""The shell command that gives the same numbers as a scenario of the TP calculator."""

import shlex

from core.provenance import Origin
from core.units import GB, US


def tp(asked, own_model="config.json", own_system="system.json"):
    """``python -m core tp ...``; None where the shell has no words for the rates (measured times typed in)."""
    rates = _rates(asked.rates)
    if rates is None:
        return None
    system = asked.system
    words = [
        *("--model", own_model if asked.model.yours else asked.model.id),
        *(("--system-file", own_system) if system.yours else ("--system", system.id)),
        *("--phase", asked.phase, "--tokens", asked.tokens, "--context", asked.cached, "--tp", asked.tp),
        *("--weights", asked.weights.id, "--kv", asked.kv.id, "--activations", asked.activations.id),
        *_unusual(asked),
        *rates,
    ]
    return f"python -m core tp {shlex.join(str(word) for word in words)} --json"


def _unusual(asked):
    """Options that only some questions need."""
    system = asked.system
    words = ["--domains", system.domains] if system.domains > 1 else []
    if system.domains > 1 and not system.yours and system.network:
        words += ["--network", system.network, "--nics-per-domain", system.nics_per_domain]
    words += ["--ep", asked.ep] if asked.ep > 1 else []
    words += ["--overlap", f"{asked.overlap:g}"] if asked.overlap else []
    words += ["--sequence-parallel"] if asked.sequence_parallel else []
    words += ["--implementation", asked.implementation] if asked.implementation != "nccl" else []
    return words + (["--launch", asked.launch] if asked.launch != "stream" else [])


def _rates(rates):
    if rates.points or (rates.origin is Origin.FITTED and rates.fit is None):
        return None
    named = f"fitted:{rates.name}.json" if rates.fit else str(rates.origin)
    words = ["--rates", named]
    if rates.latency_s is not None:
        words += ["--latency-us", f"{rates.latency_s / US:g}", "--latency-per", rates.latency_per]
    if rates.bytes_per_s is not None:
        words += ["--rate-gbps-one-way", f"{rates.bytes_per_s / GB:g}"]
    return words
