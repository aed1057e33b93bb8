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
    """One sample per GPU and size; ``size_bytes`` is what was copied, traffic is twice that."""
    torch = context.torch
    done = context.new_run()
    for gpu in range(context.gpus):
        free, _ = torch.cuda.mem_get_info(gpu)
        for size in (s for s in _SIZES if s <= min(free // 3, context.sizes_most_bytes * 8)):
            with torch.cuda.device(gpu):
                source = torch.arange(size // 4, dtype=torch.int32, device=f"cuda:{gpu}")
                target = torch.empty_like(source)
                timing = measure(lambda t=target, s=source: t.copy_(s), CudaClock(torch, gpu), context.effort)
                wrong = int((source != target).sum().item())
            sample = Sample(
                "hbm_copy",
                size,
                timing.median_s,
                wrong=wrong,
                low_s=timing.low_s,
                high_s=timing.high_s,
                detail=f"GPU{gpu}",
            )
            done = replace(done, samples=(*done.samples, sample))
            del source, target
        torch.cuda.empty_cache()
        yield done
