"""Words shared by probe, readers, store and charts: machine, sample, matrix, run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

RUN_FORMAT_VERSION = 1
"""History: 1 (2026-11) first version."""

COLLECTIVES_MEASURED = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "broadcast",
    "reduce",
    "send_recv",
    "gather",
    "scatter",
    "hypercube",
)

FORMATS = (
    "nccl-tests-text",
    "nccl-tests-json",
    "rccl-tests-text",
    "nvbandwidth-text",
    "nvbandwidth-json",
    "p2p-bandwidth-latency-test",
    "topo-m",
    "nvlink-s",
    "wirespeed-run",
)


@dataclass(frozen=True, slots=True)
class GpuCount:
    """GPUs of one name in a run."""

    name: str
    count: int
    memory_bytes: float | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """What a run says about the machine; ``env`` holds NCCL_* variables only."""

    gpus: tuple[GpuCount, ...] = ()
    hosts: tuple[str, ...] = ()
    driver: str | None = None
    cuda: str | None = None
    nccl: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """
    One measured time.

    Attributes:
        operation: Collective (``all_reduce`` ...) or copy (``p2p_copy`` ...), None if unknown.
        size_bytes: nccl-tests' size: see ``core.collectives.busbw``.
        time_s: Seconds of one operation.
        placement: ``out-of-place``, ``in-place`` or None where the tool has no such notion.
        wrong: Wrong values found by the tool's own check; None where it did not check.
        reported_algbw_bytes_per_s, reported_busbw_bytes_per_s: As printed, kept only to check ours.
        low_s, high_s: Fastest and slowest of the repeats whose median is ``time_s``, where known.
        detail: What else tells this sample from its neighbours (``GPU0 to GPU1, both ways``).
    """

    operation: str | None
    size_bytes: int
    time_s: float
    placement: str | None = None
    wrong: int | None = None
    reported_algbw_bytes_per_s: float | None = None
    reported_busbw_bytes_per_s: float | None = None
    low_s: float | None = None
    high_s: float | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Matrix:
    """
    A table by pair, in SI units.

    Attributes:
        kind: ``bandwidth`` (bytes/s), ``latency`` (s), ``topology`` (words) or ``links``.
        direction: ``one_way``, ``both_ways`` or None.
        peer_access: Whether copies went directly; None where the tool does not say.
        values: One row per entry of ``rows``: a float, a word, or None for an empty cell.
    """

    name: str
    kind: str
    direction: str | None
    peer_access: bool | None
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader had to say about a file; ``line`` counts from 1, None for the whole."""

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """
    One execution of one tool on one machine: one header or block of a file.

    Attributes:
        collective_guess: What the printed rates fit when the log does not name the collective;
            offered to the user as an answer, never used in its place.
        ranks_guess: Likewise for the number of ranks.
        origin: Where the numbers were taken: ``gpu``, ``cpu`` (our probe over gloo), None for a tool.
    """

    file: str
    format: str
    collective: str | None
    ranks: int | None
    machine: Machine = field(default_factory=Machine)
    samples: tuple[Sample, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    warnings: tuple[Notice, ...] = ()
    dtype: str | None = None
    tool_version: str | None = None
    started_at: str | None = None
    collective_guess: str | None = None
    ranks_guess: int | None = None
    origin: str | None = None
