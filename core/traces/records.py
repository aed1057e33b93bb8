"""What a trace of a job holds, whatever tool wrote it: collectives and compute of each rank, in columns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.traces.labels import Labels
from core.traces.spans import EMPTY, Spans

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

JOB_FORMAT_VERSION = 1
"""History: 1 (2026-11) first version."""

OPERATIONS = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "broadcast",
    "reduce",
    "gather",
    "scatter",
    "all_to_all",
    "send",
    "recv",
    "send_recv",
    "barrier",
    "moe_dispatch",
    "moe_combine",
    "unknown",
)

OPERATION_SOURCES = ("launching range", "argument", "kernel name", "record", "none")
"""What says which operation a call is, best first: the CPU range that launched the kernel, the kernel's own
arguments, its name, or the record of a tool that knows it."""

BYTES_SOURCES = ("argument", "launching argument", "shapes", "record", "none")
"""What says how many bytes: arguments of the kernel, those of the CPU range that launched it, recorded shapes
of its tensors, or a tool's record."""

FORMATS = (
    "kineto",
    "nccl-inspector",
    "flight-recorder",
    "nccl-debug",
    "pytorch-et",
    "chakra",
    "nsys-summary",
    "nsys-trace",
    "tracelens-report",
)


@dataclass(frozen=True, slots=True)
class Group:
    """
    A communicator of the job.

    Attributes:
        name: As the tool names it (a process group's name, a communicator's id); "" where it has none.
        ranks: Global ranks in it; None where not told.
        size: How many ranks; None where not told.
        description: What the program calls it (``TENSOR_MODEL_PARALLEL_GROUP``); "" where not told.
    """

    name: str
    ranks: tuple[int, ...] | None = None
    size: int | None = None
    description: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Collectives:
    """
    Calls of one rank on one device, in order of start (of issue where no time is known), in equal columns.

    Attributes:
        operation: One of OPERATIONS.
        operation_source: One of OPERATION_SOURCES.
        kernel: The kernel's, range's or record's name as the tool writes it; "" where none.
        group: Index into the job's groups; -1 unknown.
        bytes_in, bytes_out: Bytes of this rank's input and output tensors as they are; -1 unknown.
        bytes_source: One of BYTES_SOURCES.
        dtype: Plain name of the element type (``bfloat16``, ``float32``, ``int64``); "" unknown.
        start_s: Start on the device since the job's origin; NaN where the tool tells no time.
        duration_s: Time on the device, waiting for other ranks included; NaN where not told.
        exposed_s: Part of it in which no compute kernel ran on the same device; NaN where not told.
        launch_s: When the CPU issued it (start of the launching range or call); NaN unknown.
        producer_end_s: End of the last compute kernel issued before it on the device: what it had to wait
            for; NaN unknown.
        stream: Stream (CPU thread for gloo); -1 unknown.
        step: Index into the rank's ``steps``, the step that issued it; -1 unknown.
        sequence: Number of the call in its group, sends and receives counted apart; -1 unknown.
        peer: The other global rank of a send or recv; -1 unknown or none.
        asynchronous: 1 yes, 0 no, -1 unknown.
        state: ``completed``, ``started``, ``scheduled`` (flight recorder); "" where every call has completed.
    """

    operation: Labels
    operation_source: Labels
    kernel: Labels
    group: Integers
    bytes_in: Integers
    bytes_out: Integers
    bytes_source: Labels
    dtype: Labels
    start_s: Floats
    duration_s: Floats
    exposed_s: Floats
    launch_s: Floats
    producer_end_s: Floats
    stream: Integers
    step: Integers
    sequence: Integers
    peer: Integers
    asynchronous: Integers
    state: Labels

    def __len__(self) -> int:
        """How many calls."""
        return len(self.start_s)

    @property
    def end_s(self) -> Floats:
        """End on the device; NaN where the tool tells no time."""
        return self.start_s + self.duration_s


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Compute kernels of one stream, merged: what a timeline draws."""

    number: int
    compute: Spans


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """
    One step of the program.

    Attributes:
        name: As the profiler writes it (``ProfilerStep#4``).
        start_s, end_s: On the CPU that issued it.
        device_start_s, device_end_s: First start and last end of the kernels it issued; they may run
            past ``end_s``, even whole steps behind. NaN where not told.
    """

    name: str
    start_s: float
    end_s: float
    device_start_s: float
    device_end_s: float


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """
    How far one rank came in one group, by the numbers that ``Collectives.sequence`` counts in.

    Attributes:
        group: Index into the job's groups.
        enqueued, started, completed: Number of the last such collective; -1 unknown or none.
    """

    group: int
    enqueued: int
    started: int
    completed: int


@dataclass(frozen=True, slots=True, eq=False)
class RankTrace:
    """
    What one rank did on one device.

    Attributes:
        rank: Global rank; -1 where the file does not tell (one such at most, unless several files lack it).
        device: Index of the device on its host; -1 for CPU or unknown. It is not the rank.
        device_name: ``NVIDIA A100-PG509-200``; "" where not told.
        start_s, end_s: First start and last end of anything on the device (the CPU for gloo); NaN where
            no times are told.
        collectives: Its calls.
        compute: Every kernel that is no collective, merged over streams (for gloo: operators on the CPU
            outside waits). Empty where the format tells none.
        copies: Copies and sets of memory, merged.
        steps: Steps in order; empty where none are marked.
        streams: Compute per stream.
        kernels: Number of kernels on the device, collectives included; 0 where not told.
        progress: How far it came in each group (flight recorder).
        source: Name of the file.
        notes: What could not be told, one sentence each.
    """

    rank: int
    device: int
    device_name: str
    start_s: float
    end_s: float
    collectives: Collectives
    compute: Spans = EMPTY
    copies: Spans = EMPTY
    steps: tuple[Step, ...] = ()
    streams: tuple[Stream, ...] = ()
    kernels: int = 0
    progress: tuple[GroupProgress, ...] = ()
    source: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """
    Totals of one kind of call, from reports that keep no single calls.

    Attributes:
        operation: One of OPERATIONS.
        kernel: As the report writes it.
        rank: Global rank; None for all ranks together.
        group: Index into the job's groups; -1 unknown.
        bytes_in, bytes_out: Bytes of one rank's tensors; -1 unknown.
        dtype: As in ``Collectives``.
        count: Calls.
        total_s: Sum of durations; over all ranks together, of the wire time (the shortest rank of each call).
        mean_s, low_s, high_s: Of one call; NaN where not told.
        bus_bytes_per_s: The report's own mean bus bandwidth in SI; NaN where not told.
    """

    operation: str
    kernel: str
    rank: int | None
    group: int
    bytes_in: int
    bytes_out: int
    dtype: str
    count: int
    total_s: float
    mean_s: float
    low_s: float
    high_s: float
    bus_bytes_per_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """
    A traced job: one entry per rank and device that was traced.

    Attributes:
        format: One of FORMATS.
        ranks: Sorted by rank and device; empty for a summary.
        groups: Communicators that the collectives point into.
        summary: Rows of a report without single calls.
        summary_kernels_s: Time of all kernels in the report, others included; NaN where not told.
        world_size: Ranks of the whole job; None where not told.
        device_name: GPU of the job; "" where not told.
        software: Versions as told (``NCCL 2.27.3``), one a library.
        origin_ns: Epoch nanoseconds that second 0 stands for; 0 where clocks are not absolute.
        notes: What could not be told, and what was left out, one sentence each.
    """

    format: str
    ranks: tuple[RankTrace, ...]
    groups: tuple[Group, ...] = ()
    summary: tuple[SummaryRow, ...] = ()
    summary_kernels_s: float = float("nan")
    world_size: int | None = None
    device_name: str = ""
    software: tuple[str, ...] = ()
    origin_ns: int = 0
    notes: tuple[str, ...] = ()
