"""Serving results looked up on 2026-11-28 after all others, of a publisher known for others, and asked as they stand: bursts."""

from core.provenance import Source
from tests.figures.serving_run import Served, at

GPUSTACK = Source(
    "gpustack-bursts",
    "GPUStack performance lab: ShareGPT (means of its lengths) and 8,192 + 1,024 tokens, mean TTFT and output tokens/s",
    "github.com/gpustack/gpustack, docs/performance-lab: qwen3-8b, gpt-oss-120b, deepseek-v3.2, glm-5.2",
    "2026",
)
# fmt: off
_FOUR = (("vllm-0.8", "bf16", 7.38, 496.88, 64.0), ("sglang", "bf16", 7.19, 525.59, 27.7), ("trtllm", "bf16", 7.67, 487.38, 51.61),
         ("sglang", "fp8-block", 5.65, 657.83, 39.66))
"""Qwen3-8B on one H100 at four clients: format, TPOT, output tokens/s and mean TTFT."""
_BURSTS = (
    ("vllm-0.8", "gpt-oss-120b", "dgx-h100", "mxfp4", 1, 1, 215, 196, 2901.05, 24830.45),
    ("vllm", "gpt-oss-120b", "dgx-h100", "mxfp4", 2, 1, 215, 196, 7648.67, 4612.68),
    ("vllm", "gpt-oss-120b", "dgx-h100", "mxfp4", 4, 1, 215, 196, 11327.22, 2952.04),
    ("sglang", "gpt-oss-120b", "dgx-h100", "mxfp4", 1, 1, 215, 197, 865.81, 132612.71),
    ("trtllm", "gpt-oss-120b", "dgx-h100", "mxfp4", 1, 1, 215, 194, 1013.72, 55896.64),
    ("vllm-0.8", "deepseek-v3.2", "dgx-h200", "fp8", 8, 1, 219, 197, 2702.26, 13054.63),
    ("vllm-0.8", "deepseek-v3.2", "dgx-h200", "fp8", 1, 8, 219, 197, 3003.9, 9144.24),
    ("sglang", "deepseek-v3.2", "dgx-h200", "fp8", 8, 1, 219, 197, 1427.44, 11470.15),
    ("trtllm", "deepseek-v3.2", "dgx-h200", "fp8", 8, 1, 219, 198, 823.39, 65710.22),
)
"""A thousand requests at once: output tokens/s, mean milliseconds to the first token; two of them with asynchronous scheduling."""
_LONG = (("vllm", 8, 1, 608.31, 592315.54), ("sglang", 8, 1, 719.9, 499353.08))
"""GLM-5.2 on eight H200 at 512 clients, a thousand requests: TP, EP, output tokens/s, mean TTFT."""
# fmt: on


def _runs():
    for software, weights, tpot_ms, rate, first in _FOUR:
        yield at(GPUSTACK, software, "qwen3-8b", "dgx-h100", weights, 1, 1, 4, 233, 221, tpot_ms,
                 tokens_per_s=rate, loaded_ttft_ms=first, prompts=100, equal=False)  # fmt: skip
    for *asked, rate, first in _BURSTS:
        limits = (("max_sequences", 1024),) if asked[0] == "vllm-0.8" else ()
        yield Served(
            GPUSTACK,
            *asked,
            tokens_per_s=rate,
            loaded_ttft_ms=first,
            prompts=1000,
            equal=False,
            engine=limits,
        )
    for software, tp, ep, rate, first in _LONG:
        yield at(GPUSTACK, software, "glm-5.2", "dgx-h200", "fp8-block", tp, ep, 512, 8192, 1024,
                 tokens_per_s=rate, loaded_ttft_ms=first, prompts=1000)  # fmt: skip


SERVED = tuple(_runs())
"""Every run."""
