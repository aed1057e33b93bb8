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
ROCM_VLLM = Source(
    "rocm-vllm-405b",
    "vLLM on 8x MI300X: Llama 3.1 405B in FP8, throughput and latency",
    "github.com/ROCm/vllm, docs/dev-docker/README.md",
    "2025",
)


@dataclass(frozen=True, slots=True)
class Overheads:
    """
    What a step takes beyond its kernels timed alone, on one generation of GPU.

    Attributes:
        clock: Matrix rate of a node that computes without a pause over that of a kernel timed alone: power.
        graph_s: Kernel launch overhead of a layer inside a CUDA graph, as engines run decode steps: launches,
            first tiles, small kernels.
        stream_s: The same of a step with prompt tokens launched kernel by kernel.
        fitted_on: Published runs.
        note: What was fitted on nothing.
        elementwise: Share of the memory rate that norms, additions and activation functions reach.
        sequence_s: Seconds a step for every running sequence: sampling, not divided by TP.
        decode_attention: Time of a decode step's attention over that of its kernel timed alone, as far as
            its bytes allow.
        narrow_experts: Time of routed MLPs in FP8 and FP4 over that of the kernels which stand in for them.
    """

    clock: float
    graph_s: float
    stream_s: float
    fitted_on: tuple[Source, ...]
    note: str = ""
    elementwise: float = 0.66
    sequence_s: float = 1e-6
    decode_attention: float = 1.0
    narrow_experts: float = 1.0


OVERHEADS = {
    Architecture.AMPERE: Overheads(0.94, 7e-6, 100e-6, (GPT_FAST,)),
    Architecture.HOPPER: Overheads(0.875, 37e-6, 100e-6, (TOKENWEAVE, TENSORRT_LLM), decode_attention=0.8),
    Architecture.BLACKWELL: Overheads(0.94, 20e-6, 100e-6, (TENSORRT_LLM,)),
    Architecture.CDNA3: Overheads(
        0.5,
        25e-6,
        100e-6,
        (ROCM_VLLM,),
        "its kernels are those of Blackwell, at half of their matrix rate, narrow experts at half of their speed",
        narrow_experts=2.0,
    ),
}
OTHER = Overheads(0.9, 25e-6, 100e-6, (), "no published run of this generation was fitted")


def overheads(gpu: Gpu) -> Overheads:
    """The fitted figures of a GPU's generation, or the general ones with a note that says so."""
    return OVERHEADS.get(gpu.architecture, OTHER)
