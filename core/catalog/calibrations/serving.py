"""How much of a datasheet serving kernels reach: fitted on published runs, with the runs named."""

from dataclasses import dataclass

from core.hardware import Architecture
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
class Kernels:
    """
    What kernels reach on one generation of GPU.

    Attributes:
        matmul: Share of the dense peak that the GEMMs of a layer reach.
        attention: Share of the BF16 peak in attention.
        four_bit: Share of ``matmul`` that products in FP4 reach.
        experts: Share of ``matmul`` that grouped products of experts reach.
        hbm: Share of the memory rate.
        layer_s: Seconds a layer that neither FLOPs nor bytes explain: kernel launch overhead and tails.
        step_s: Seconds a step outside the layers: sampling, scheduling.
        moe_layer_s: What routing adds to ``layer_s`` of a MoE layer launched kernel by kernel.
        moe_graph_s: The same inside a CUDA graph.
        sequence_s: Seconds a step for every running sequence: sampling and bookkeeping, not divided by TP.
    """

    matmul: float
    attention: float
    hbm: float
    layer_s: float
    step_s: float
    fitted_on: tuple[Source, ...]
    note: str = ""
    four_bit: float = 0.75
    experts: float = 0.85
    moe_layer_s: float = 50e-6
    moe_graph_s: float = 10e-6
    sequence_s: float = 3e-6


KERNELS = {
    Architecture.AMPERE: Kernels(0.70, 0.55, 0.76, 15e-6, 0.3e-3, (GPT_FAST,)),
    Architecture.ADA: Kernels(0.65, 0.50, 0.78, 45e-6, 0.3e-3, (), "between Ampere and Hopper"),
    Architecture.HOPPER: Kernels(0.60, 0.60, 0.80, 45e-6, 0.5e-3, (TOKENWEAVE, TENSORRT_LLM)),
    Architecture.BLACKWELL: Kernels(0.60, 0.50, 0.80, 40e-6, 0.5e-3, (TENSORRT_LLM,)),
}
OTHER = Kernels(0.55, 0.50, 0.80, 45e-6, 0.5e-3, (), "no published run of this generation was fitted")


THROUGHPUT_BAND = (0.89, 1.14)
"""Measured over computed throughput at saturation, 10th and 90th percentile of 210 runs of TensorRT-LLM's
performance overview (0.17 to 1.0) with its preset, rounded outwards."""


def kernels(architecture: Architecture) -> Kernels:
    """The fitted figures of a GPU architecture, or the general ones with a note that says so."""
    return KERNELS.get(architecture, OTHER)
