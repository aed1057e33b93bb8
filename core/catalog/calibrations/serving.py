"""How much of a datasheet serving kernels reach: fitted on published runs, with the runs named."""

from dataclasses import dataclass

from core.hardware import Architecture, Gpu
from core.provenance import Source

TOKENWEAVE = Source(
    "tokenweave", "TokenWeave, prefill with the all-reduce deleted", "arXiv:2505.11329, artifact", "2025"
)
GPT_FAST = Source("gpt-fast", "gpt-fast, tensor-parallel decode", "github.com/pytorch-labs/gpt-fast", "2023")
TENSORRT_LLM = Source(
    "trtllm-perf-overview",
    "TensorRT-LLM performance overview",
    "docs/source/performance/perf-overview.md",
    "2025",
)


@dataclass(frozen=True, slots=True)
class Overheads:
    """
    What a step takes beyond its kernels timed alone, on one generation of GPU.

    Attributes:
        clock: Matrix rate of a node that computes without a pause over that of a kernel timed alone: power.
        hbm: Share of the memory rate that elementwise passes reach.
        graph_s: Kernel launch overhead of a layer inside a CUDA graph.
        stream_s: The same launched kernel by kernel.
        step_s: Seconds a step outside the layers: sampling, scheduling.
        moe_graph_s: What routing adds to ``graph_s`` of a MoE layer.
        moe_stream_s: The same of ``stream_s``.
        sequence_s: Seconds a step for every running sequence: sampling and bookkeeping, not divided by TP.
    """

    clock: float
    hbm: float
    graph_s: float
    stream_s: float
    fitted_on: tuple[Source, ...]
    note: str = ""
    step_s: float = 0.3e-3
    moe_graph_s: float = 10e-6
    moe_stream_s: float = 50e-6
    sequence_s: float = 1e-6


OVERHEADS = {
    (Architecture.AMPERE): Overheads(0.95, 0.8, 5e-6, 60e-6, (GPT_FAST,)),
    (Architecture.HOPPER): Overheads(0.86, 0.8, 5e-6, 60e-6, (TOKENWEAVE, TENSORRT_LLM)),
    (Architecture.BLACKWELL): Overheads(0.9, 0.8, 5e-6, 60e-6, (TENSORRT_LLM,)),
}
OTHER = Overheads(0.9, 0.8, 10e-6, 60e-6, (), "no published run of this generation was fitted")


THROUGHPUT_BAND = (0.89, 1.14)
"""Measured over computed throughput at saturation, 10th and 90th percentile of 210 runs of TensorRT-LLM's
performance overview (0.17 to 1.0) with its preset, rounded outwards."""


def overheads(gpu: Gpu) -> Overheads:
    """The fitted figures of a GPU's generation, or the general ones with a note that says so."""
    return OVERHEADS.get(gpu.architecture, OTHER)
