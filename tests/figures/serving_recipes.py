"""Serving results looked up on 2026-11-27 and asked before anything moved: engines' recipes, tuned kernels, formats."""

from core.provenance import Source
from tests.figures.serving_run import at

TRTLLM_RECIPES = Source(
    "trtllm-glm-4.7",
    "TensorRT-LLM: recipes of GLM-4.7 in FP8 on 8x H100 and 4x GB200, pull requests 11559 and 11691",
    "github.com/NVIDIA/TensorRT-LLM",
    "2026-02",
)
SGLANG_TUNED = Source(
    "sglang-tuned-experts",
    "SGLang: tuned kernels of Qwen3-Next (pull requests 10404, 10467, 18195) and DeepSeek-V3 (7631), "
    "DP attention of GPT-OSS (9359)",
    "github.com/sgl-project/sglang",
    "2026",
)
VLLM_TUNED = Source(
    "vllm-tuned-experts",
    "vLLM: tuned kernels of Qwen3 in FP8 on MI300X, 200 prompts, pull requests 17530 and 17535",
    "github.com/vllm-project/vllm",
    "2025-05",
)
AWQ = Source(
    "treeru-awq",
    "AWQ and BF16 on one RTX PRO 6000, SGLang 0.5.8, one request; lengths not stated",
    "treeru.com/en/blog/awq-quantization-speed-comparison",
    "2026-02",
)
QWEN = Source(
    "qwen3-speed",
    "Qwen3: speed benchmark, SGLang 0.4.6 on H20, one request, 2,048 tokens; time of prompt and answer",
    "qwen.readthedocs.io/zh-cn/latest/getting_started/speed_benchmark.html",
    "2025",
)

# fmt: off
_GLM = {
    ("dgx-h100", 8, 1024, 1024): ((4, 19.8, 354), (8, 22.3, 353), (16, 26.1, 355), (32, 31.2, 359), (64, 35.4, 412),
                                  (128, 39.3, None), (256, 55.8, None)),
    ("dgx-h100", 8, 1024, 8192): ((4, 20.2, None), (8, 22.6, None), (16, 26.0, None), (32, 30.4, None),
                                  (64, 34.8, None), (128, 40.2, None)),
    ("gb200-nvl72", 4, 1024, 1024): ((4, 17.2, 505.6), (8, 19.6, 521.3), (16, 22.7, 548.3), (32, 29.1, 560.4),
                                     (64, 30.3, 571.8), (256, 49.8, None), (512, 71.5, None)),
}
"""TPOT and mean time to the first token in ms of so many concurrent requests."""
_LONE_MS = (
    ("qwen3-4b", "bf16", 1e3 / 208.1), ("qwen3-8b", "bf16", 1e3 / 90.8), ("qwen3-14b", "bf16", 1e3 / 53.2),
    ("qwen3-32b", "bf16", 1e3 / 23.9), ("qwen3-30b-a3b", "bf16", 1e3 / 168.9), ("qwen3-4b", "w4a16", 1e3 / 391.2),
    ("qwen3-8b", "w4a16", 1e3 / 208.0), ("qwen3-14b", "w4a16", 1e3 / 136.1), ("qwen3-32b", "w4a16", 1e3 / 70.2),
)
_H20_RATES = (("bf16", 1, 414.17), ("fp8-block", 1, 458.03), ("bf16", 6144, 1426.46), ("fp8-block", 6144, 1572.95),
              ("bf16", 14336, 2478.02), ("fp8-block", 14336, 2689.08))
_RATES = (
    (SGLANG_TUNED, "sglang", "gpt-oss-120b", "dgx-b200", "mxfp4", 1, 4, 2560, 1024, 2048, 66941.4),
    (SGLANG_TUNED, "sglang", "qwen3-next-80b-a3b", "dgx-h200", "bf16", 2, 1, 8, 1000, 2000, 937.94),
    (SGLANG_TUNED, "sglang", "qwen3-next-80b-a3b", "dgx-h200", "bf16", 4, 1, 8, 1000, 2000, 1137.94),
    (SGLANG_TUNED, "sglang", "qwen3-next-80b-a3b", "dgx-h200", "bf16", 8, 1, 8, 1000, 2000, 1239.43),
    (SGLANG_TUNED, "sglang", "qwen3-next-80b-a3b", "hgx-h20-x8", "bf16", 4, 1, 32, 1000, 2000, 2233.44),
    (SGLANG_TUNED, "sglang", "qwen3-next-80b-a3b", "hgx-h20-x8", "bf16", 8, 1, 32, 1000, 2000, 2704.56),
    (SGLANG_TUNED, "sglang", "qwen3-next-80b-a3b", "dgx-h100", "fp8-block", 2, 1, 8, 505, 524, 390.63),
    (VLLM_TUNED, "vllm-0.8", "qwen3-30b-a3b", "mi300x-x8", "fp8-block", 1, 1, 200, 5000, 1000, 1924.98),
    (VLLM_TUNED, "vllm-0.8", "qwen3-30b-a3b", "mi300x-x8", "fp8-block", 1, 1, 200, 1000, 2000, 4336.96),
    (VLLM_TUNED, "vllm-0.8", "qwen3-30b-a3b", "mi300x-x8", "fp8-block", 1, 1, 200, 10000, 500, 678.94),
    (VLLM_TUNED, "vllm-0.8", "qwen3-235b-a22b", "mi300x-x8", "fp8-block", 4, 1, 200, 5000, 1000, 1032.81),
    (VLLM_TUNED, "vllm-0.8", "qwen3-235b-a22b", "mi300x-x8", "fp8-block", 4, 1, 200, 1000, 2000, 2358.50),
)
# fmt: on


def _runs():
    for (machine, tp, isl, osl), loads in _GLM.items():
        for load, tpot, first in loads:
            yield at(TRTLLM_RECIPES, "trtllm", "glm-4.6", machine, "fp8", tp, tp, load, isl, osl, tpot,
                     loaded_ttft_ms=first, prompts=10 * load)  # fmt: skip
    for name, weights, tpot in _LONE_MS:
        yield at(AWQ, "sglang", name, "rtx-pro-6000-x8", weights, 1, 1, 1, 128, 512, tpot)
    for weights, isl, rate in _H20_RATES:
        seconds = (isl + 2048) / rate
        yield at(
            QWEN,
            "sglang",
            "qwen3-0.6b",
            "hgx-h20-x8",
            weights,
            1,
            1,
            1,
            isl,
            2048,
            tokens_per_s=2048 / seconds,
        )
    yield at(SGLANG_TUNED, "sglang", "deepseek-v3-r1", "hgx-h20-x8", "fp8", 8, 1, 7.83, 515, 268, 22.99)
    for *run, rate in _RATES:
        yield at(*run, tokens_per_s=rate)


AT = tuple(_runs())
