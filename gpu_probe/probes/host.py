"""Copies between host and GPU: both directions, from pinned and from pageable memory."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.measurement import Run, Sample
from core.units import KIB, MIB
from gpu_probe.probes.context import Context
from gpu_probe.timing import CudaClock, HostClock, measure

key = "host"
title = "copies between host and each GPU"
everywhere = False

_SIZES = (int(4 * KIB), int(1 * MIB), int(64 * MIB), int(512 * MIB))


def can_run(context: Context) -> str:
    """Only with a GPU."""
    return "" if context.gpus else "no CUDA device"


def run(context: Context) -> Iterator[Run]:
    """Samples ``host_to_device_pinned`` and its three siblings, per GPU and size."""
    run = context.new_run()
    for gpu in range(context.gpus):
        for size in (s for s in _SIZES if s <= context.sizes_most_bytes * 2):
            for pinned in (True, False):
                run = replace(run, samples=(*run.samples, *_pair(context, gpu, size, pinned=pinned)))
        context.torch.cuda.empty_cache()
        yield run


def _pair(context: Context, gpu: int, size: int, *, pinned: bool) -> list[Sample]:
    torch = context.torch
    host = torch.arange(size // 4, dtype=torch.int32, pin_memory=pinned)
    back = torch.empty_like(host, pin_memory=pinned)
    device = torch.empty(size // 4, dtype=torch.int32, device=f"cuda:{gpu}")
    memory = "pinned" if pinned else "pageable"
    to_device = _sample(context, gpu, f"host_to_device_{memory}", device, host)
    to_host = _sample(context, gpu, f"device_to_host_{memory}", back, device)
    torch.cuda.synchronize(gpu)
    wrong = int((back != host).sum().item())
    return [replace(sample, wrong=wrong) for sample in (to_device, to_host)]


def _sample(context: Context, gpu: int, operation: str, target: Any, source: Any) -> Sample:
    torch = context.torch
    pinned = operation.endswith("pinned")

    def copy() -> None:
        target.copy_(source, non_blocking=pinned)

    def copy_and_wait() -> None:
        target.copy_(source)
        torch.cuda.synchronize(gpu)

    # a pageable copy blocks the host: only the host's clock sees all of it
    clock = CudaClock(torch, gpu) if pinned else HostClock()
    with torch.cuda.device(gpu):
        timing = measure(copy if pinned else copy_and_wait, clock, context.effort)
    size = source.numel() * source.element_size()
    return Sample(
        operation, size, timing.median_s, low_s=timing.low_s, high_s=timing.high_s, detail=f"GPU{gpu}"
    )
