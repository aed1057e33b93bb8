"""Traces written by tests, as the profilers write them."""

import io
import json

from core.traces.detect import read_job

DDP = {"backend": "nccl", "rank": 3, "world_size": 4, "nccl_version": "2.21.5", "pg_config": []}
H100 = [{"id": 0, "name": "NVIDIA H100"}, {"id": 5, "name": "NVIDIA H100"}]


def kernel(name, start, length, *, device=0, stream=7, correlation=0, **arguments):
    """A kernel on a GPU; times in microseconds."""
    args = {"device": device, "stream": stream, "correlation": correlation} | arguments
    event = {"ph": "X", "cat": "kernel", "name": name, "pid": device, "tid": stream}
    return event | {"ts": start, "dur": length, "args": args}


def launch(start, correlation, *, tid=11):
    """The call that launches a kernel."""
    event = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 1, "tid": tid}
    return event | {"ts": start, "dur": 2, "args": {"correlation": correlation}}


def cpu(name, start, length, *, tid=11, category="user_annotation", **arguments):
    """A range or operator on the CPU."""
    event = {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": tid}
    return event | {"ts": start, "dur": length, "args": arguments}


def called(
    correlation, start, length, *, name="nccl:all_reduce", kernel_name="ncclDevKernel_Generic", **more
):
    """A collective from its range to its kernel, launched 10 microseconds before it runs."""
    return [
        cpu(name, start - 15, 10),
        launch(start - 10, correlation),
        kernel(kernel_name, start, length, stream=20, correlation=correlation, **more),
    ]


def trace(*events, indent=1, told=DDP, before=None, after=None, devices=H100):
    """A trace's bytes."""
    flat = [event for part in events for event in (part if isinstance(part, list) else [part])]
    value = {"schemaVersion": 1, "deviceProperties": devices, "distributedInfo": told}
    value |= (before or {}) | {"traceEvents": flat} | (after or {})
    return json.dumps(value, indent=indent).encode()


def read(*files, names=None, progress=None):
    """The job of these contents."""
    names = names or [f"rank{index}.json" for index in range(len(files))]
    return read_job([(name, io.BytesIO(data)) for name, data in zip(names, files, strict=True)], progress)


def calls(*files, **more):
    """The collectives of the first rank."""
    return read(*files, **more).ranks[0].collectives
