"""Tests between two NICs beside others of the same paste: the fastest tells what the port can."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.hardware import System
from core.measurement import Observation, Run
from core.verdict.adapter_causes import PORT_REACHED
from core.verdict.adapters import BEST_TOLD, LARGE_BYTES
from core.verdict.records import UNTOLD_PORT, RunVerdict, Status

LEAST_SHARE = 0.8
"""Tests of one paste differ less where nothing is slow: pairs of sound nodes, repeats."""


def rates_told(runs: Sequence[Run]) -> list[float]:
    """The best large transfer by RDMA of each run, bytes/s; none of latencies, TCP or other formats."""
    return [
        max(rates)
        for run in runs
        if run.format == "perftest"
        if (
            rates := [
                item.size_bytes / item.time_s
                for item in run.samples
                if item.size_bytes >= LARGE_BYTES and (item.operation or "").startswith("rdma_")
                if not (item.operation or "").endswith("_latency")
            ]
        )
    ]


def differ(runs: Sequence[Run]) -> bool:
    """Whether one test of a paste is clearly slower than another, so that they can be compared."""
    rates = rates_told(runs)
    return len(rates) > 1 and min(rates) < LEAST_SHARE * max(rates)


def with_best_told(runs: Sequence[Run], system: System) -> Iterator[Run]:
    """The runs, each test of a port that nothing names with the rate of the fastest beside it."""
    best = max(rates_told(runs), default=0.0)
    for run in runs:
        compared = system.unverified == UNTOLD_PORT and bool(rates_told([run]))
        said = (*run.observations, Observation(BEST_TOLD, f"{best:.6g}")) if compared else ()
        yield replace(run, observations=said) if said else run


def port_reached(
    run: Run, verdict: RunVerdict, runs: Sequence[Run], verdicts: Sequence[RunVerdict]
) -> tuple[Observation, ...]:
    """Of a slow test of a port: that another of the same paste reached that port."""
    if run.format != "perftest" or verdict.status is not Status.LOW:
        return ()
    fine = any(
        other.format == "perftest" and found.status is Status.FINE and rates_told([other])
        for other, found in zip(runs, verdicts, strict=True)
    )
    return (Observation(PORT_REACHED, "yes"),) if fine else ()
