"""Copies between GPUs of one host: every ordered pair, unidirectional, bidirectional, and their latency."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from core.measurement import Matrix, Notice, Run
from core.units import MIB
from gpu_probe.machine import topology
from gpu_probe.probes.context import Context
from gpu_probe.timing import CudaClock, inner_count, measure, summary

key = "peers"
title = "copies between every pair of GPUs"
everywhere = False

_SIZE_BYTES = int(64 * MIB)
_LATENCY_BYTES = 4

Pair = tuple[int, int]


@dataclass(slots=True)
class PeerCopies:
    """
    What was measured so far, by (source, target) GPU.

    Attributes:
        one_way, both_ways: Bytes/s of one direction, and of both directions at once together.
        latency_s: Seconds of a copy of four bytes.
        access: Whether the source can reach the target's memory directly.
        wrong: Wrong values found after the copies.
    """

    access: dict[Pair, bool]
    one_way: dict[Pair, float] = field(default_factory=dict)
    both_ways: dict[Pair, float] = field(default_factory=dict)
    latency_s: dict[Pair, float] = field(default_factory=dict)
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class Buffers:
    """A copy between two GPUs: the source GPU, and the tensors to copy from and to."""

    gpu: int
    source: Any
    target: Any

    def copy(self) -> None:
        """Put the copy on the current stream of the source GPU."""
        self.target.copy_(self.source, non_blocking=True)


def can_run(context: Context) -> str:
    """Only where a host has two GPUs that this process sees."""
    if not context.gpus:
        return "no CUDA device"
    return "" if context.gpus > 1 else "one GPU has no peer"


def run(context: Context) -> Iterator[Run]:
    """Matrices: unidirectional, bidirectional with both streams timed, and latency of four bytes."""
    pairs = [(i, j) for i in range(context.gpus) for j in range(context.gpus) if i != j]
    access = {pair: bool(context.torch.cuda.can_device_access_peer(*pair)) for pair in pairs}
    copies = PeerCopies(access)
    for source, target in pairs:
        _copy(context, copies, source, target)
        copies.latency_s[source, target] = _latency_s(context, source, target)
        if source < target:
            rate = _both_ways(context, source, target)
            copies.both_ways[source, target] = copies.both_ways[target, source] = rate
        yield _run(context, copies)
    complete = _run(context, copies)
    yield replace(complete, matrices=(*complete.matrices, *topology()))


def _buffers(context: Context, source: int, target: int, size_bytes: int) -> Buffers:
    torch = context.torch
    data = torch.arange(size_bytes // 4, dtype=torch.int32, device=f"cuda:{source}")
    return Buffers(source, data, torch.empty(size_bytes // 4, dtype=torch.int32, device=f"cuda:{target}"))


def _copy(context: Context, copies: PeerCopies, source: int, target: int) -> None:
    """Time a large copy, and count the values that arrived wrong."""
    buffers = _buffers(context, source, target, _SIZE_BYTES)
    timing = measure(buffers.copy, CudaClock(context.torch, source), context.effort)
    context.torch.cuda.synchronize(target)
    copies.one_way[source, target] = _SIZE_BYTES / timing.median_s
    copies.wrong += int((buffers.target.cpu() != buffers.source.cpu()).sum().item())


def _latency_s(context: Context, source: int, target: int) -> float:
    buffers = _buffers(context, source, target, _LATENCY_BYTES)
    return measure(buffers.copy, CudaClock(context.torch, source), context.effort).median_s


def _both_ways(context: Context, first: int, second: int) -> float:
    """Bytes/s of both directions together; the slower of the two streams ends the time."""
    forth = _buffers(context, first, second, _SIZE_BYTES)
    back = _buffers(context, second, first, _SIZE_BYTES)
    _two_streams_s(context, forth, back, context.effort.warmup)
    inner = inner_count(_two_streams_s(context, forth, back, 1), context.effort)
    times = [_two_streams_s(context, forth, back, inner) / inner for _ in range(context.effort.repeats)]
    return 2 * _SIZE_BYTES / summary(times).median_s


def _two_streams_s(context: Context, forth: Buffers, back: Buffers, inner: int) -> float:
    """Seconds of ``inner`` copies in each direction at once, each on a stream of its own."""
    torch = context.torch
    events = []
    for buffers in (forth, back):
        torch.cuda.synchronize(buffers.gpu)
    for buffers in (forth, back):
        with torch.cuda.device(buffers.gpu):
            stream = torch.cuda.Stream(buffers.gpu)
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            with torch.cuda.stream(stream):
                start.record()
                for _ in range(inner):
                    buffers.copy()
                end.record()
            events.append((start, end))
    for _, end in events:
        end.synchronize()
    return max(float(start.elapsed_time(end)) for start, end in events) / 1e3


def _run(context: Context, copies: PeerCopies) -> Run:
    matrices = (
        _matrix(context, copies, "P2P copy, unidirectional", "bandwidth", "one_way", copies.one_way),
        _matrix(context, copies, "P2P copy, bidirectional", "bandwidth", "both_ways", copies.both_ways),
        _matrix(context, copies, "P2P copy latency, 4 bytes", "latency", None, copies.latency_s),
    )
    notices = []
    staged = [f"{source}-{target}" for (source, target), direct in copies.access.items() if not direct]
    if staged:
        text = f"no peer access ({', '.join(staged)[:300]}): these copies are staged through the host"
        notices.append(Notice("staged_copies", text))
    if copies.wrong:
        notices.append(Notice("wrong_results", f"{copies.wrong} wrong values in copies between GPUs"))
    return replace(context.new_run(), matrices=matrices, warnings=tuple(notices))


def _matrix(
    context: Context,
    copies: PeerCopies,
    name: str,
    kind: str,
    direction: str | None,
    cells: dict[Pair, float],
) -> Matrix:
    gpus = range(context.gpus)
    names = tuple(str(gpu) for gpu in gpus)
    values = tuple(tuple(cells.get((source, target)) for target in gpus) for source in gpus)
    return Matrix(name, kind, direction, all(copies.access.values()), names, names, values)
