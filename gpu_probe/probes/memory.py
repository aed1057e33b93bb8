"""Copies inside one GPU's memory: every byte is read once and written once."""

from collections.abc import Iterator
from dataclasses import replace

from core.measurement import Run, Sample
from core.units import MIB
from gpu_probe.probes.context import Context
from gpu_probe.timing import CudaClock, measure

key = "memory"
title = "copies inside each GPU's memory"
everywhere = False

_SIZES = (int(64 * MIB), int(512 * MIB), int(2048 * MIB))


def can_run(context: Context) -> str:
    """Only on a GPU."""
    return "" if context.gpus else "no CUDA device"


def run(context: Context) -> Iterator[Run]:
    """One sample per GPU and size; ``size_bytes`` is what was copied, memory traffic is twice that."""
    torch = context.torch
    run = context.new_run()
    for gpu in range(context.gpus):
        free_bytes, _ = torch.cuda.mem_get_info(gpu)
        limit_bytes = min(free_bytes // 3, context.sizes_most_bytes * 8)
        for size_bytes in (size for size in _SIZES if size <= limit_bytes):
            run = replace(run, samples=(*run.samples, _copy(context, gpu, size_bytes)))
        torch.cuda.empty_cache()
        yield run


def _copy(context: Context, gpu: int, size_bytes: int) -> Sample:
    """Time of one copy within the memory of a GPU; its result is checked."""
    torch = context.torch
    with torch.cuda.device(gpu):
        source = torch.arange(size_bytes // 4, dtype=torch.int32, device=f"cuda:{gpu}")
        target = torch.empty_like(source)
        timing = measure(lambda: target.copy_(source), CudaClock(torch, gpu), context.effort)
        wrong = int((source != target).sum().item())
    return Sample(
        "hbm_copy",
        size_bytes,
        timing.median_s,
        wrong=wrong,
        low_s=timing.low_s,
        high_s=timing.high_s,
        detail=f"GPU{gpu}",
    )
