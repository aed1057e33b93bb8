"""What probe, readers, store and charts share: machine, sample, matrix, run."""

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
    "rccl-tests-json",
    "rccl-tests-csv",
    "nvbandwidth-text",
    "nvbandwidth-json",
    "p2p-bandwidth-latency-test",
    "topo-m",
    "nvlink-s",
    "perftest",
    "deepep",
    "cuda-bandwidth-test",
    "rocm-bandwidth-test",
    "transferbench",
    "osu",
    "wirespeed-run",
)


@dataclass(frozen=True, slots=True)
class GpuCount:
    """
    GPUs of one name in a run.

    Attributes:
        name: As the tool prints it.
        count: How many, over all hosts.
        memory_bytes: Memory of each, where the tool says.
    """

    name: str
    count: int
    memory_bytes: float | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """
    Where a run was made, as far as its log tells; the hardware question is a ``System``.

    Attributes:
        gpus: GPUs by name, over all hosts.
        hosts: Host names in the order of the log.
        driver, cuda, nccl: Versions of GPU driver, CUDA, and NCCL or RCCL.
        env: Variables whose name begins with NCCL_, no other.
    """

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
        size_bytes: The size column of nccl-tests (docs/MODEL-COLLECTIVES.md).
        time_s: Seconds of one operation.
        placement: ``out-of-place``, ``in-place`` or None where the tool has no such notion.
        wrong: Wrong values found by the tool's own check; None where it did not check.
        reported_algbw_bytes_per_s, reported_busbw_bytes_per_s: As printed, kept only to check ours.
        low_s, high_s: Fastest and slowest of the repeats whose median is ``time_s``, where known.
        detail: What else tells this sample from its neighbours (``GPU0 to GPU1, bidirectional``).
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
        name: The title that the tool gives it.
        kind: ``bandwidth`` (bytes/s), ``latency`` (s), ``topology`` (paths such as NV18) or ``links``
            (bytes/s of each link).
        direction: ``one_way``, ``both_ways`` or None.
        peer_access: Whether copies went directly between the GPUs; None where the tool does not say.
        rows, columns: Names of devices or links.
        values: One row per entry of ``rows``: a float, a path, or None for an empty cell.
    """

    name: str
    kind: str
    direction: str | None
    peer_access: bool | None
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | str | None, ...], ...]

    @property
    def direction_text(self) -> str:
        """The direction as pages and tables say it; empty where the tool does not."""
        return {"one_way": "unidirectional", "both_ways": "bidirectional"}.get(self.direction or "", "")

    @property
    def directions(self) -> int:
        """How many directions of a link each value counts; one where the tool does not say."""
        return 2 if self.direction == "both_ways" else 1


@dataclass(frozen=True, slots=True)
class Notice:
    """
    A warning of a reader or probe.

    Attributes:
        code: Stable code for scripts, such as ``rate_mismatch``.
        message: One sentence for people.
        line: Line of the file, from 1; None for the whole.
    """

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """
    What one line of a log says about the machine, as it was read and nothing guessed.

    Attributes:
        kind: Stable word, such as ``transport`` or ``nics`` (docs/PROBE.md lists them).
        value: In the form of its kind, such as ``NET/IB GDRDMA receive``.
        host: The host that says it; empty where the line names none.
        line: Line of the file, from 1.
    """

    kind: str
    value: str
    host: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """
    One execution of one tool on one machine: one header or block of a file.

    Attributes:
        file: Name of the file that it was read from.
        format: One of ``FORMATS``.
        collective, ranks: As the log names them; None where it does not.
        machine: Where it was made.
        samples: Measured times, in the order of the log.
        matrices: Tables by pair of devices.
        warnings: What the reader remarked.
        dtype: Element type as the tool calls it.
        tool_version: Version of the tool that measured.
        started_at: When it began, as printed.
        collective_guess: What the printed rates fit when the log does not name the collective;
            offered to the user as an answer, and where nobody answers taken with a warning.
        ranks_guess: Likewise for the number of ranks.
        origin: Where the numbers were taken: ``gpu``, ``cpu`` (our probe over gloo), None for a tool.
        observations: What NCCL's own lines and other tools' output in the same file say of the machine.
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
    observations: tuple[Observation, ...] = ()

    @property
    def collective_or_guess(self) -> str | None:
        """The collective that the log names, else what its printed rates fit."""
        return self.collective or self.collective_guess

    @property
    def ranks_or_guess(self) -> int | None:
        """The ranks that the log names, else what its printed rates fit."""
        return self.ranks if self.ranks is not None else self.ranks_guess
