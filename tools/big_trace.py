"""Write a profiler trace of any size, as Kineto lays it out: ``python tools/big_trace.py BYTES FILE``."""

import random
import sys
from pathlib import Path
from typing import IO

_GEMM = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn"
_REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
_HEADER = """{
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "NVIDIA H100 80GB HBM3"}
  ],
  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 8, "nccl_version": "2.21.5"},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1711964646000000000,
  "traceEvents": [
"""
_LAST = """  {"ph": "i", "name": "Record Window End", "pid": "", "tid": "", "ts": 1}
  ],
  "traceName": "big"
}
"""
_EVENT = """  {{
    "ph": "X", "cat": "{cat}", "name": "{name}", "pid": {pid}, "tid": {tid},
    "ts": {ts:.3f}, "dur": {dur:.3f},
    "args": {{
      {args}
    }}
  }},
"""
_SHAPES = (
    '"Record function id": 0, "Concrete Inputs": ["", "", "", "", "False", "0"], '
    '"Input type": ["c10::BFloat16", "c10::BFloat16", "", "", "Scalar", "Scalar"], '
    '"Input Strides": [[4096, 1], [1, 4096], [], [], [], []], '
    '"Input Dims": [[8192, 4096], [4096, 4096], [], [], [], []]'
)
_ARGUMENTS = (
    '"Collective name": "allreduce", "In msg nelems": 16777216, "Out msg nelems": 16777216, '
    '"Group size": 8, "dtype": "BFloat16", "Process Group Name": "0", '
    '"Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]"'
)


def write(size_bytes: int, file: IO[str]) -> int:
    """
    A trace of about this size, a fifth of its events on the GPU; every twentieth kernel an all-reduce.

    Returns:
        How many collectives it holds.
    """
    chance = random.Random(1)  # noqa: S311 (repeatable lengths of kernels)
    written, index, time_us, calls = file.write(_HEADER), 0, 4458676416431.397, 0
    while written < size_bytes:
        index += 1
        time_us += 20.0
        calls += index % 20 == 0
        written += file.write(_operator(index, time_us, chance))
    file.write(_LAST)
    return calls


def _operator(index: int, time_us: float, chance: random.Random) -> str:
    """One operator on the CPU with the Python frames above it, its launch and its kernel."""
    collective = index % 20 == 0
    operator = _event(
        "user_annotation" if collective else "cpu_op",
        "nccl:all_reduce" if collective else "aten::mm",
        (time_us + 1, 15.0),
        f'"External id": {index}, {_SHAPES}, "Ev Idx": {index}',
    )
    launch = _event(
        "cuda_runtime",
        "cudaLaunchKernelExC",
        (time_us + 4, 5.0),
        f'"External id": {index}, "cbid": 430, "correlation": {index}',
    )
    stream = 40 if collective else 7
    kernel = _event(
        "kernel",
        _REDUCE if collective else _GEMM,
        (time_us + 12, chance.uniform(4, 18)),
        f'"External id": {index}, "device": 0, "stream": {stream}, "correlation": {index}, '
        '"context": 1, "grid": [8, 1, 1], "block": [544, 1, 1]' + (f", {_ARGUMENTS}" if collective else ""),
        (0, stream),
    )
    return "".join([*_frames(index, time_us), operator, launch, kernel])


def _frames(index: int, time_us: float) -> list[str]:
    """The Python frames above an operator."""
    return [
        _event(
            "python_function",
            f"torch/nn/modules/module.py(1553): _wrapped_call_impl_{depth}",
            (time_us + depth * 0.1, 18.0),
            f'"Python parent id": {index}, "Python id": {index * 4 + depth}',
        )
        for depth in range(3)
    ]


def _event(
    kind: str, name: str, when: tuple[float, float], args: str, where: tuple[int, int] = (542, 542)
) -> str:
    """An event: its kind and name, its beginning and length in microseconds, its process and thread."""
    return _EVENT.format(cat=kind, name=name, pid=where[0], tid=where[1], ts=when[0], dur=when[1], args=args)


if __name__ == "__main__":
    with Path(sys.argv[2]).open("w", encoding="utf-8") as out:
        print(write(int(float(sys.argv[1])), out))
