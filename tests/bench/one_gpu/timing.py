"""Seconds of a call on a GPU: replays of a CUDA graph between two events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

REPLAYS = (3, 200)
SPAN_MS = 25.0
"""How long the replays of one figure take together, unless ``REPLAYS`` says otherwise."""

Call = Callable[[], object]


@dataclass(frozen=True)
class Timing:
    """Seconds of one call: the median of all replays and the quickest."""

    median_s: float
    least_s: float


def graph_timing(calls: Sequence[Call]) -> Timing:
    """Time of one of ``calls``, captured one after the other: launch gaps of the host are left out."""
    graph = _graph(calls)
    graph.replay()
    once_ms = elapsed_ms(graph.replay)
    replays = max(REPLAYS[0], min(REPLAYS[1], int(SPAN_MS / max(once_ms, 1e-3))))
    times = sorted(elapsed_ms(graph.replay) / 1e3 / len(calls) for _ in range(replays))
    return Timing(times[len(times) // 2], times[0])


def call_timing(call: Call, *, warm: int = 2, repeats: int = 5) -> Timing:
    """Time of a call launched from the host, for what no graph captures."""
    for _ in range(warm):
        call()
    times = sorted(elapsed_ms(call) / 1e3 for _ in range(repeats))
    return Timing(times[len(times) // 2], times[0])


def elapsed_ms(call: Call) -> float:
    """Milliseconds of the GPU's clock from before ``call`` to its end."""
    before, after = (torch.Event("cuda", enable_timing=True) for _ in range(2))
    before.record()
    call()
    after.record()
    torch.cuda.synchronize()
    return float(before.elapsed_time(after))


def _graph(calls: Sequence[Call]) -> torch.cuda.CUDAGraph:
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for call in calls[:2]:
            call()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    torch.cuda.synchronize()
    return graph
