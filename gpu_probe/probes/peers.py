"""Copies between GPUs of one host: every ordered pair, one way and both ways, and their latency."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.measurement import Matrix, Notice, Run
from core.units import MIB
from gpu_probe.machine import topology
from gpu_probe.probes.context import Context
from gpu_probe.timing import CudaClock, Timing, inner_count, measure, summary

key = "peers"
title = "copies between every pair of GPUs"
everywhere = False

_SIZE = int(64 * MIB)
_SMALL = 4

Cells = dict[tuple[int, int], float]


def can_run(context: Context) -> str:
    """Only where a host has two GPUs that this process sees."""
    if not context.gpus:
        return "no CUDA device"
    return "" if context.gpus > 1 else "one GPU has no peer"


def run(context: Context) -> Iterator[Run]:
    """Matrices: one way, both ways with both streams timed, and latency of four bytes."""
    pairs = [(i, j) for i in range(context.gpus) for j in range(context.gpus) if i != j]
    access = {pair: _access(context, *pair) for pair in pairs}
    one_way: Cells = {}
    both: Cells = {}
    latency: Cells = {}
    wrong = 0
    for i, j in pairs:
        rate, bad = _copy(context, i, j)
        one_way[i, j] = rate
        wrong += bad
        latency[i, j] = _latency(context, i, j)
        if i < j:
            both[i, j] = both[j, i] = _both_ways(context, i, j)
        yield _filled(context, one_way, both, latency, access, wrong)
    done = _filled(context, one_way, both, latency, access, wrong)
    yield replace(done, matrices=(*done.matrices, *topology()))


def _access(context: Context, first: int, second: int) -> bool:
    return bool(context.torch.cuda.can_device_access_peer(first, second))


def _buffers(context: Context, first: int, second: int, size: int) -> tuple[Any, Any]:
    torch = context.torch
    source = torch.arange(size // 4, dtype=torch.int32, device=f"cuda:{first}")
    return source, torch.empty(size // 4, dtype=torch.int32, device=f"cuda:{second}")


def _copy(context: Context, first: int, second: int) -> tuple[float, int]:
    source, target = _buffers(context, first, second, _SIZE)
    timing = measure(
        lambda: target.copy_(source, non_blocking=True), CudaClock(context.torch, first), context.effort
    )
    context.torch.cuda.synchronize(second)
    return _SIZE / timing.median_s, int((target.cpu() != source.cpu()).sum().item())


def _latency(context: Context, first: int, second: int) -> float:
    source, target = _buffers(context, first, second, _SMALL)
    timing = measure(
        lambda: target.copy_(source, non_blocking=True), CudaClock(context.torch, first), context.effort
    )
    return timing.median_s


def _both_ways(context: Context, first: int, second: int) -> float:
    """Bytes/s of both directions together; the slower of the two streams ends the time."""
    forth = _buffers(context, first, second, _SIZE)
    back = _buffers(context, second, first, _SIZE)
    _two_streams(context, (first, forth), (second, back), context.effort.warmup)
    inner = inner_count(_two_streams(context, (first, forth), (second, back), 1), context.effort)
    times = [
        _two_streams(context, (first, forth), (second, back), inner) / inner
        for _ in range(context.effort.repeats)
    ]
    timing: Timing = summary(times)
    return 2 * _SIZE / timing.median_s


def _two_streams(context: Context, one: Any, other: Any, inner: int) -> float:
    torch = context.torch
    ends = []
    for gpu, _ in (one, other):
        torch.cuda.synchronize(gpu)
    for gpu, (source, target) in (one, other):
        with torch.cuda.device(gpu):
            stream = torch.cuda.Stream(gpu)
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            with torch.cuda.stream(stream):
                start.record()
                for _ in range(inner):
                    target.copy_(source, non_blocking=True)
                end.record()
            ends.append((start, end))
    for _, end in ends:
        end.synchronize()
    return max(float(start.elapsed_time(end)) for start, end in ends) / 1e3


def _filled(
    context: Context,
    one_way: Cells,
    both: Cells,
    latency: Cells,
    access: dict[tuple[int, int], bool],
    wrong: int,
) -> Run:
    direct = all(access.values())
    matrices = (
        _matrix(context, "P2P copy, one way", ("bandwidth", "one_way"), access, one_way),
        _matrix(context, "P2P copy, both ways", ("bandwidth", "both_ways"), access, both),
        _matrix(context, "P2P copy latency, 4 bytes", ("latency", None), access, latency),
    )
    notices = []
    if not direct:
        apart = ", ".join(f"{i}-{j}" for (i, j), yes in access.items() if not yes)[:300]
        text = f"no peer access ({apart}): these copies are staged through the host"
        notices.append(Notice("staged_copies", text))
    if wrong:
        notices.append(Notice("wrong_results", f"{wrong} wrong values in copies between GPUs"))
    return replace(context.new_run(), matrices=matrices, warnings=tuple(notices))


def _matrix(
    context: Context,
    name: str,
    kind: tuple[str, str | None],
    access: dict[tuple[int, int], bool],
    cells: Cells,
) -> Matrix:
    names = tuple(str(i) for i in range(context.gpus))
    values = tuple(tuple(cells.get((i, j)) for j in range(context.gpus)) for i in range(context.gpus))
    return Matrix(name, kind[0], kind[1], all(access.values()), names, names, values)
