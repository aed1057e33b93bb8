"""Serving runs at a rate of arrivals, looked up on 2026-11-28 and asked before anything moved."""

from dataclasses import dataclass

from core.provenance import Source

H200_LOGS = Source(
    "vllm-suite-h200",
    "vLLM's benchmark suite of 2024 on one H200: Llama 3.1 8B, Phi-3 14B, Gemma 2 27B; 200 ShareGPT prompts (two builds)",
    "benchmark_results.md of .buildkite/nightly-benchmarks",
    "2024",
)
AZURE = Source(
    "llm-k8s",
    "vLLM's benchmark suite on Azure: Llama 3.3 70B on eight A100 of 40 GB, Phi-4 on one A100 PCIe; 200 prompts",
    "github.com/surajssd/llm-k8s, results_serving_meta-llama-Llama-3.3-70B-Instruct",
    "2025",
)
KVCACHED = Source(
    "kvcached-331",
    "kvcached: Qwen3 0.6B in vLLM 0.19 on one H100, without its cache; 500 prompts",
    "github.com/ovg-project/kvcached/pull/331",
    "2026",
)
RTX_5090 = Source(
    "vllm-16515",
    "vLLM issue 16515: Llama 3.1 8B on one RTX 5090 at 30 requests/s for two minutes",
    "github.com/vllm-project/vllm/issues/16515",
    "2025-05",
)
DATACRUNCH = Source(
    "sglang-deepseek-h200",
    "SGLang 0.4.1: DeepSeek V3 in FP8 with DP attention on eight H200, equal lengths, medians",
    "github.com/datacrunch-research/h200-benchmarks",
    "2025-01",
)
LATENCIES = ("ttft", "tpot", "itl")
STATISTICS = ("mean_s", "p50_s", "p99_s")


@dataclass(frozen=True, slots=True)
class Arriving:
    """
    A run of ``prompts`` requests at ``rate`` requests/s.

    Attributes:
        figures: Latency, statistic and milliseconds as printed.
        tokens_per_s: Output tokens/s of the whole run; None where the rate alone decides.
        equal: Whether every request has these lengths.
    """

    source: Source
    software: str
    model: str
    system: str
    weights: str
    tp: int
    ep: int
    isl: int
    osl: int
    rate: float
    prompts: int
    figures: tuple[tuple[str, str, float], ...]
    tokens_per_s: float | None = None
    equal: bool = False
    engine: tuple[tuple[str, float], ...] = ()
    usable: float = 0.9
    kv: str = "bf16"
    accepted: float | None = None


def printed(latencies, *milliseconds):
    """Mean, median and 99th percentile of each latency, in the order of the table."""
    names = [(latency, statistic) for latency in latencies for statistic in STATISTICS]
    return tuple((*name, ms) for name, ms in zip(names, milliseconds, strict=True))


# fmt: off
_H200 = {
    ("llama-3.1-8b", 1): ((30.67, 22.76, 76.52, 7.867, 7.649, 12.82), (38.35, 29.02, 94.75, 8.604, 8.303, 16.07)),
    ("llama-3.1-8b", 4): ((28.24, 25.52, 54.84, 9.871, 9.710, 18.93), (40.73, 33.94, 136.14, 11.92, 11.40, 27.11)),
    ("phi-3-14b", 1): ((42.56, 38.24, 87.55, 14.85, 14.17, 37.50), (54.56, 51.91, 107.84, 15.78, 14.82, 51.74)),
    ("phi-3-14b", 4): ((51.75, 48.53, 91.83, 23.71, 21.27, 75.84), (67.57, 64.62, 102.23, 27.80, 23.71, 103.73)),
    ("gemma-2-27b", 1): ((68.71, 46.38, 167.66, 21.96, 20.96, 48.00), (77.69, 56.70, 151.39, 22.93, 21.78, 58.53)),
    ("gemma-2-27b", 4): ((87.96, 58.07, 275.05, 32.87, 28.53, 115.15), (104.44, 72.26, 248.42, 36.84, 30.51, 137.35)),
}
"""By model and requests/s: TTFT and inter-token latency of two builds."""
_LLAMA = (
    (1, (65.26, 56.37, 143.80, 24.56, 24.54, 28.03, 24.48, 24.31, 42.96)),
    (4, (50.33, 49.50, 67.56, 27.08, 27.35, 27.91, 27.10, 27.19, 29.63)),
    (16, (59.58, 58.10, 120.34, 31.58, 31.68, 36.51, 31.25, 30.42, 40.34)),
)
_PHI = (
    (1, (67.13, 53.46, 154.89, 22.48, 22.10, 29.21, 22.36, 21.27, 41.42)),
    (4, (78.55, 64.23, 201.16, 28.33, 27.66, 50.02, 27.74, 23.00, 119.41)),
)
"""Requests/s: TTFT, TPOT and inter-token latency."""
_DEEPSEEK = ((1, 300, 563.41, 143.71, 773.15), (2, 600, 684.33, 228.78, 1401.77),
             (4, 1200, 865.26, 366.48, 2214.76), (8, 2400, 1358.77, 675.95, 2864.31))
"""Requests/s, prompts, median TTFT and TPOT, output tokens/s."""
# fmt: on
_A100 = (("max_sequences", 256), ("prefill_chunk", 2048))

_CACHED = (("prefix_hit", 0.99),)
"""The same 200 prompts were sent before: with all at once, 42,000 prompt tokens took 0.45 s, a tenth of computing."""


def _runs():
    for (model, rate), builds in _H200.items():
        for figures in builds:
            yield Arriving(H200_LOGS, "vllm-0.8", model, "dgx-h200", "bf16", 1, 1, 213, 205, rate, 200,
                           printed(("ttft", "itl"), *figures))  # fmt: skip
    for rate, figures in _LLAMA:
        yield Arriving(AZURE, "vllm-0.8", "llama-3.1-70b", "a100-40gb-x8", "bf16", 8, 1, 213, 213, rate, 200,
                       printed(LATENCIES, *figures), engine=(*_A100, *(_CACHED if rate > 1 else ())))  # fmt: skip
    for rate, figures in _PHI:
        yield Arriving(AZURE, "vllm-0.8", "phi-4", "a100-pcie-x8", "bf16", 1, 1, 215, 98, rate, 200,
                       printed(LATENCIES, *figures), engine=_A100)  # fmt: skip
    yield Arriving(KVCACHED, "vllm", "qwen3-0.6b", "dgx-h100", "bf16", 1, 1, 512, 128, 16, 500,
                   (("ttft", "mean_s", 38.9), ("tpot", "mean_s", 2.39)), equal=True, usable=0.5)  # fmt: skip
    for weights, rate in (("bf16", 3413.0), ("fp8", 4840.0)):
        yield Arriving(RTX_5090, "vllm-0.8", "llama-3.1-8b", "rtx-5090-x2", weights, 1, 1, 200, 200, 30, 3600, (),
                       tokens_per_s=rate, equal=True, engine=(("prefill_chunk", 2048),))  # fmt: skip
    for rate, prompts, ttft, tpot, tokens in _DEEPSEEK:
        yield Arriving(DATACRUNCH, "sglang", "deepseek-v3-r1", "dgx-h200", "fp8", 1, 8, 1024, 1024, rate, prompts,
                       (("ttft", "p50_s", ttft), ("tpot", "p50_s", tpot)), tokens_per_s=tokens, equal=True,
                       kv="fp8")  # fmt: skip


ARRIVING = tuple(_runs())
"""Every run."""
