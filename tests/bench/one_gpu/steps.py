"""Measures training steps on one GPU: seconds, and the bytes that torch holds at the peak."""

import gc
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import distributed
from torch.nn import functional

from tests.bench.one_gpu.llama import Llama, sharded
from tests.bench.one_gpu.models import MODELS, Widths

CASES = (
    *(("1b", 4096, micro, False, False) for micro in (1, 2, 4, 8)),
    *(("1b", 4096, micro, True, False) for micro in (4, 8, 16)),
    ("1b", 8192, 4, False, False),
    *(("1b-small-vocab", 2048, micro, micro > 8, False) for micro in (4, 8, 16, 32)),
    *(("8b-8-layers", 4096, micro, False, False) for micro in (1, 2, 4)),
    *(("8b-8-layers", *rest, False) for rest in ((4096, 4, True), (16384, 1, False), (32768, 1, True))),
    *(("3b", *rest, False) for rest in ((4096, 1, False), (4096, 1, True), (4096, 2, True), (4096, 4, True))),
    ("3b", 8192, 2, True, False),
    *(("70b-4-layers", 4096, *rest, False) for rest in ((1, False), (2, True), (4, True))),
    *(
        (name, *rest, False, True)
        for name, rest in (("1b-small-vocab", (2048, 8)), ("8b-8-layers", (4096, 2)))
    ),
    *(("70b-4-layers", 4096, 1, False, True), ("1b", 4096, 4, False, True)),
)
"""Model, sequence length, micro-batch size, full recomputation, compiled layers."""
STEPS, WARM = 7, 3


class StepRow(NamedTuple):
    """One global batch of one micro-batch: seconds of a step and bytes of the allocator at its peak; 0 s ran out."""

    model: str
    length: int
    micro_batch: int
    recompute: int
    compiled: int
    step_s: float
    allocated_bytes: int
    reserved_bytes: int
    device_bytes: int


def step_rows() -> Iterator[StepRow]:
    """All cases, each from an empty allocator."""
    distributed.init_process_group("nccl", init_method="tcp://127.0.0.1:29511", rank=0, world_size=1)
    try:
        for name, length, micro, recompute, compiled in CASES:
            torch.cuda.reset_peak_memory_stats()
            try:
                step_s = _step_s(MODELS[name], length, micro, recompute=recompute, compiled=compiled)
            except torch.OutOfMemoryError:
                step_s = 0.0
            yield StepRow(
                name,
                length,
                micro,
                int(recompute),
                int(compiled),
                step_s,
                torch.cuda.max_memory_allocated(),
                torch.cuda.max_memory_reserved(),
                torch.cuda.mem_get_info()[1],
            )
            gc.collect()
            torch.cuda.empty_cache()
    finally:
        distributed.destroy_process_group()


def _step_s(widths: Widths, length: int, micro: int, *, recompute: bool, compiled: bool) -> float:
    model = sharded(widths, recompute=recompute, compiled=compiled)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    ids = torch.randint(0, widths.vocab, (micro, length + 1), device="cuda")
    times = [_seconds(model, optimizer, ids, widths.vocab) for _ in range(STEPS)]
    return statistics.median(times[WARM:])


def _seconds(model: Llama, optimizer: torch.optim.Optimizer, ids: torch.Tensor, vocab: int) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    logits = model(ids[:, :-1]).float().view(-1, vocab)
    functional.cross_entropy(logits, ids[:, 1:].reshape(-1)).backward()  # type: ignore[no-untyped-call]
    del logits
    optimizer.step()
    optimizer.zero_grad()
    torch.cuda.synchronize()
    return time.perf_counter() - start
