"""Jobs that nobody ran, built from records: a data-parallel one, and one with tensor parallelism."""

from dataclasses import replace

import numpy as np

from core.traces.building import Call, collectives
from core.traces.records import Group, Job, RankTrace, Step, Stream
from core.traces.spans import merged

MS = 1e-3
MIB = 1 << 20


def rank_trace(rank, calls, compute, *, steps=(), end_s=None):
    """A rank with these calls and stretches of compute."""
    spans = merged([begin for begin, _ in compute], [end for _, end in compute])
    ends = [end for _, end in compute] + [call.start_s + call.duration_s for call in calls]
    return RankTrace(
        rank,
        0,
        "NVIDIA H100 80GB HBM3",
        0.0,
        max(ends) if end_s is None else end_s,
        collectives(calls, spans),
        compute=spans,
        steps=steps,
        streams=(Stream(7, spans),),
    )


def data_parallel(
    *, ranks=8, steps=2, buckets=4, bucket_bytes=64 * MIB, call_s=1 * MS, late_rank=None, traced=None
):
    """
    DDP: 4 ms of forward, 4 ms of backward with a bucket at each part of it, an optimizer step of 1 ms.

    The last bucket is exposed. ``late_rank`` comes 0.5 ms late to each call, so that the others wait.
    """
    traces = [
        _data_parallel_rank(
            rank,
            steps,
            buckets,
            bucket_bytes,
            call_s,
            0 if rank == late_rank or late_rank is None else 0.5 * MS,
        )
        for rank in range(ranks if traced is None else traced)
    ]
    group = Group("0", tuple(range(ranks)), ranks, "default_pg")
    return Job("kineto", tuple(traces), (group,), world_size=ranks, device_name="NVIDIA H100 80GB HBM3")


def _data_parallel_rank(rank, steps, buckets, bucket_bytes, call_s, waits_s):
    calls, compute, marks, at = [], [], [], 0.0
    for step in range(steps):
        begin = at
        backward = at + 4 * MS
        compute.append((at, backward + 4 * MS))
        free = 0.0
        for bucket in range(buckets):
            ready = backward + 4 * MS * (bucket + 1) / buckets
            start = max(ready, free)
            free = start + call_s + waits_s
            calls.append(
                Call(
                    "all_reduce",
                    group=0,
                    bytes_in=bucket_bytes,
                    bytes_out=bucket_bytes,
                    bytes_source="argument",
                    dtype="float",
                    start_s=start,
                    duration_s=call_s + waits_s,
                    producer_end_s=ready,
                    stream=20,
                    step=step,
                )
            )
        compute.append((free, free + 1 * MS))
        at = free + 1 * MS
        marks.append(Step(f"ProfilerStep#{step}", begin, at, begin, at))
    return rank_trace(rank, calls, compute, steps=tuple(marks))


def tensor_parallel(*, layers=32, ranks=8, size_bytes=16 * MIB, call_s=0.2 * MS):
    """One step of a model whose layers each end in an exposed all-reduce, twice; one rank of it."""
    calls, compute, at = [], [], 0.0
    for _ in range(2 * layers):
        compute.append((at, at + 0.5 * MS))
        at += 0.5 * MS
        calls.append(
            Call("all_reduce", group=0, bytes_in=size_bytes, bytes_out=size_bytes, dtype="bfloat16",
                 start_s=at, duration_s=call_s, stream=7, step=0)
        )  # fmt: skip
        at += call_s
    step = Step("ProfilerStep#1", 0.0, at, 0.0, at)
    trace = rank_trace(0, calls, compute, steps=(step,))
    group = Group("3", tuple(range(ranks)), ranks, "TENSOR_MODEL_PARALLEL_GROUP")
    return Job("kineto", (trace,), (group,), world_size=ranks, device_name="NVIDIA H100 80GB HBM3")


def random_job(seed):
    """A rank whose calls and compute lie anyhow, some on top of each other."""
    random = np.random.default_rng(seed)
    compute, at = [], 0.0
    for _ in range(random.integers(1, 30)):
        at += random.exponential(1e-4) * (random.random() < 0.7)
        length = random.exponential(5e-4)
        compute.append((at, at + length))
        at += length
    free = {0: 0.0, 1: 0.0}
    calls = []
    for _ in range(random.integers(1, 40)):
        stream = int(random.integers(0, 2))
        start = max(free[stream], random.random() * at) if random.random() < 0.6 else free[stream]
        length = random.exponential(4e-4)
        free[stream] = start + length * (1.0 if random.random() < 0.7 else 0.5)
        operation = ("all_reduce", "all_gather", "reduce_scatter")[random.integers(3)]
        producer = start - random.exponential(3e-4) if random.random() < 0.5 else float("nan")
        calls.append(
            Call(operation, group=0, bytes_in=MIB, bytes_out=MIB, start_s=start, duration_s=length,
                 stream=stream, producer_end_s=producer)
        )  # fmt: skip
    trace = rank_trace(0, calls, compute)
    return Job("kineto", (trace,), (Group("0", tuple(range(8)), 8),), world_size=8)


def without_bytes(job):
    """The same trace as old profilers write it: no bytes, no groups."""
    traces = tuple(
        replace(
            trace,
            collectives=replace(
                trace.collectives,
                bytes_in=np.full(len(trace.collectives), -1),
                bytes_out=np.full(len(trace.collectives), -1),
                group=np.full(len(trace.collectives), -1),
            ),
        )
        for trace in job.ranks
    )
    return replace(job, ranks=traces, groups=(), world_size=None)
