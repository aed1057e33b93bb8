"""Published serving runs to three digits: prefill with and without all-reduce, throughput, decode, latency."""

from dataclasses import dataclass

from core.provenance import Source

TOKENWEAVE = Source(
    "tokenweave",
    "TokenWeave, figure 11 and its artifact",
    "arxiv.org/abs/2505.11329; github.com/microsoft/tokenweave at f483d1c431, artifact/csvs/figure_11a.csv",
    "2025-05",
)
TENSORRT_LLM_0_17 = Source(
    "tensorrt-llm-0.17",
    "TensorRT-LLM 0.17: performance overview",
    "github.com/NVIDIA/TensorRT-LLM at 258c7540c0, docs/source/performance/perf-overview.md",
    "2025",
)
TENSORRT_LLM_1_0 = Source(
    "tensorrt-llm-1.0",
    "TensorRT-LLM 1.0: performance overview",
    "github.com/NVIDIA/TensorRT-LLM at 00f37686aa, docs/source/performance/perf-overview.md",
    "2025",
)
GPT_FAST = Source(
    "gpt-fast",
    "gpt-fast: tensor parallelism",
    "github.com/meta-pytorch/gpt-fast at 6ecad9b5b6, README.md",
    "2023",
)
NIM = Source(
    "nim-1.8",
    "NIM 1.8.0: Llama 3.3 70B on two H100 in FP8",
    "docs.nvidia.com/nim/benchmarking/llm/1.0.0/performance.md",
    "2025",
)
VLLM_CI = Source(
    "vllm-9515",
    "vLLM performance benchmark 9515",
    "buildkite.com/vllm/performance-benchmark/builds/9515",
)


@dataclass(frozen=True, slots=True)
class Prefill:
    """Milliseconds of a prefill at TP8 on 8x H100 in BF16, and of the same with its all-reduces deleted."""

    model: str
    tokens: int
    with_ms: float
    without_ms: float
    source: Source = TOKENWEAVE


@dataclass(frozen=True, slots=True)
class Throughput:
    """Output tokens/s at saturation: input and output sequence length, GPUs (TP, or EP with DP attention)."""

    model: str
    system: str
    precision: str
    gpus: int
    isl: int
    osl: int
    tokens_per_s: float
    source: Source = TENSORRT_LLM_0_17


@dataclass(frozen=True, slots=True)
class MixedServing:
    """Prompt and output tokens/s of vLLM at TP8 on 8x H100 in BF16, chunks of 2,048 batched tokens, OSL 128."""

    model: str
    isl: int
    tokens_per_s: float
    source: Source = TOKENWEAVE


@dataclass(frozen=True, slots=True)
class Decode:
    """Tokens/s of one user on A100s without NVSwitch, BF16, by TP."""

    model: str
    tokens_per_s: dict[int, float]
    source: Source = GPT_FAST


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds to the first token and between tokens by concurrent requests; ISL 5,000, OSL 500."""

    requests: int
    first_ms: float | None
    between_ms: float
    source: Source = NIM


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """Milliseconds of a batch of 8, ISL 32, OSL 128, on H200 in BF16."""

    model: str
    tp: int
    ms: float
    source: Source = VLLM_CI


# fmt: off
PREFILLS = (
    Prefill("llama-3.1-70b", 1024, 53.7, 41.9),
    Prefill("llama-3.1-70b", 2048, 94.2, 74.9),
    Prefill("llama-3.1-70b", 4096, 179, 145),
    Prefill("llama-3.1-70b", 8192, 356, 290),
    Prefill("llama-3.1-70b", 16384, 744, 610),
    Prefill("llama-3.1-70b", 32768, 1640, 1370),
    Prefill("mixtral-8x22b", 2048, 68.2, 57.1),
    Prefill("mixtral-8x22b", 4096, 121, 102),
    Prefill("mixtral-8x22b", 8192, 231, 196),
    Prefill("mixtral-8x22b", 16384, 471, 405),
)
LLAMA_70B = tuple(
    Throughput("llama-3.1-70b", system, "fp8", gpus, isl, osl, rate)
    for system, isl, osl, *rates in (
        ("dgx-h100", 128, 2048, 11500, 17100),
        ("dgx-h100", 1000, 1000, 7430, 11500),
        ("dgx-h100", 2048, 2048, 5480, 8800),
        ("dgx-h100", 5000, 500, 1600, 2460),
        ("dgx-h200", 128, 2048, 14200, 21200),
        ("dgx-h200", 1000, 1000, 8910, 13200),
        ("dgx-h200", 2048, 2048, 7130, 11100),
        ("dgx-h200", 5000, 500, 1810, 2720),
    )
    for gpus, rate in zip((4, 8), rates, strict=True)
)
MIXED = (
    MixedServing("llama-3.1-70b", 512, 17800),
    MixedServing("llama-3.1-70b", 1024, 18000),
    MixedServing("llama-3.1-70b", 2048, 19400),
    MixedServing("mixtral-8x22b", 1024, 27400),
    MixedServing("mixtral-8x22b", 2048, 28300),
)
QWEN3_30B = (
    Throughput("qwen3-30b-a3b", "rtx-pro-6000-x8", "nvfp4", 1, 1000, 1000, 9910, TENSORRT_LLM_1_0),
    Throughput("qwen3-30b-a3b", "rtx-pro-6000-x8", "nvfp4", 2, 2048, 2048, 10700, TENSORRT_LLM_1_0),
    Throughput("qwen3-30b-a3b", "rtx-pro-6000-x8", "nvfp4", 4, 128, 2048, 35700, TENSORRT_LLM_1_0),
    Throughput("qwen3-30b-a3b", "rtx-pro-6000-x8", "nvfp4", 8, 1000, 1000, 31800, TENSORRT_LLM_1_0),
)
DECODES = (
    Decode("llama-2-7b", {1: 105, 2: 169, 4: 254, 8: 328}),
    Decode("llama-2-70b", {2: 21.3, 4: 38.0, 8: 62.5}),
)
FIRST_TOKENS_MS = {
    1: 406.77, 5: 546.7, 25: 688.69, 50: 834.51, 100: 7996.25, 150: 34794.22, 200: 61680.22, 250: 88605.32,
}
"""Mean milliseconds to the first token of NIM by concurrent requests, at the same lengths: beyond 100 the memory is full."""
LATENCIES = (Latency(1, 407, 18.6), Latency(5, None, 21.8), Latency(25, None, 38.8), Latency(50, None, 59.7))
WHOLE_ANSWERS = (WholeAnswer("llama3-70b", 4, 2080), WholeAnswer("llama3-8b", 1, 833), WholeAnswer("mixtral-8x7b", 2, 1920))
