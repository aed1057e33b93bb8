"""Runs and jobs to put into a store: one with everything filled in, and as many different ones as wanted."""

import json

from core.measurement import GpuCount, Machine, Matrix, Notice, Observation, Run, Sample
from core.traces.job_json import job_to_json
from tests.core.jobs import data_parallel

MACHINE = Machine(
    gpus=(GpuCount("NVIDIA H100 80GB HBM3", 16, 80e9),),
    hosts=("node-b", "node-a"),
    driver="550.54.15",
    cuda="12.4",
    nccl="2.22.3",
    env={"NCCL_ALGO": "Ring", "NCCL_DEBUG": "INFO"},
)

FULL = Run(
    file="all_reduce.log",
    format="nccl-tests-text",
    collective="all_reduce",
    ranks=16,
    machine=MACHINE,
    samples=(
        Sample("all_reduce", 1024, 31.1e-6, "out-of-place", 0, 33e6, 61.9e6, 30e-6, 40e-6),
        Sample("all_reduce", 1024, 30.9e-6, "in-place", None),
        Sample("all_reduce", 2048, 32.0e-6, "out-of-place", 7),
        Sample("all_reduce", 2048, 32.5e-6, "in-place", 0),
        Sample(None, 0, 0.0, None, detail="GPU0 to GPU1, both ways"),
    ),
    matrices=(
        Matrix(
            "copies", "bandwidth", "both_ways", True, ("0", "1"), ("0", "1"), ((None, 4.5e10), (4.4e10, None))
        ),
        Matrix("topology", "topology", None, None, ("GPU0",), ("GPU0", "mlx5_0"), (("X", "PXB"),)),
    ),
    warnings=(Notice("collective_unknown", "no name", 12), Notice("cut", "the end is missing")),
    dtype="float",
    tool_version="2.13.9",
    started_at="2026-03-01T12:00:00+01:00",
    collective_guess="all_gather",
    ranks_guess=8,
    origin="gpu",
    observations=(
        Observation("nics", "mlx5_0:1/IB mlx5_1:1/IB", "node-a", 14),
        Observation("transport", "NET/IB GDRDMA receive"),
    ),
)


def simple(number=0, *, samples=4, gpu="NVIDIA A100-SXM4-80GB", operation="all_reduce", **changes):
    """A small run; another ``number`` is another measurement."""
    measured = tuple(
        Sample(operation, 1024 << index, (10 + index + number / 1000) * 1e-6, "out-of-place", 0)
        for index in range(samples)
    )
    machine = Machine((GpuCount(gpu, 8),), (f"host{number % 3}",), nccl="2.20.5")
    facts = {"file": f"run{number}.log", "format": "nccl-tests-text", "collective": operation, "ranks": 8}
    return Run(**{**facts, "machine": machine, "samples": measured, "dtype": "float"} | changes)


def log(number=0, sizes=(1024, 2048, 4096)):
    """What all_reduce_perf prints on two GPUs of one host, with times of our own making."""
    lines = [
        "# Collective test starting: all_reduce_perf",
        "# nThread 1 nGpus 2 minBytes 1024 maxBytes 4096 step: 2(factor) warmup iters: 5 iters: 20",
        "#",
        "# Using devices",
        "#  Rank  0 Group  0 Pid   4242 on    worker device  0 [0x04] NVIDIA A100-SXM4-80GB",
        "#  Rank  1 Group  0 Pid   4242 on    worker device  1 [0x05] NVIDIA A100-SXM4-80GB",
        "#",
        "#                                                              out-of-place                       in-place",
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)",
    ]
    for size in sizes:
        time_us = 20 + size / 1024 + number / 100
        rate = size / time_us / 1e3
        half = f"{time_us:8.2f} {rate:7.2f} {rate:7.2f}      0"
        lines.append(f"{size:12d} {size // 4:13d}     float     sum      -1  {half}  {half}")
    return "\n".join([*lines, "# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 0.05", ""])


def trace_file(**job):
    """The file of a small job, data parallel unless it is told otherwise."""
    return json.dumps(job_to_json(data_parallel(**{"ranks": 2, "steps": 2} | job))).encode()
