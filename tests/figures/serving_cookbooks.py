"""Serving results looked up on 2026-11-28 after all others and asked before anything moved: engines' cookbooks, pull requests."""

from itertools import chain

from core.provenance import Source
from tests.figures.serving_run import Served

COOKBOOK = Source(
    "sglang-cookbook-configs",
    "SGLang 0.5.10 to 0.5.16: measured cells of the cookbook (Qwen3.6, GLM-5.2, MiniMax-M2.7)",
    "github.com/sgl-project/sglang, docs_new/src/snippets/configs",
    "2026-08",
)
INFERENCEX = Source(
    "inferencex-828",
    "InferenceX: GPT-OSS-120B on 8x H100 in vLLM, issue 828; lengths 0.8 to 1 times the stated ones",
    "github.com/SemiAnalysisAI/InferenceX/issues/828",
    "2026-03",
)
VLLM = Source(
    "vllm-dense-fp8",
    "vLLM: Qwen3-32B-FP8 at TP8 on H100 (pull request 48757), Qwen3-8B on one H100 in 0.8.5 and 0.10.2 (issue 25915)",
    "github.com/vllm-project/vllm",
    "2026",
)
RECIPES = Source(
    "vllm-recipes-112",
    "vLLM recipes: MiniMax-M2 at TP4 on H100 without DeepGEMM, pull request 112",
    "github.com/vllm-project/recipes",
    "2025-11",
)
SGLANG_2024 = Source(
    "sglang-0.3-vllm-0.6",
    "SGLang 0.3 and vLLM 0.6: 5,000 ShareGPT requests; mean prompt and answer as the dataset has them",
    "github.com/sgl-project/sglang, benchmark/benchmark_vllm_060/README.md",
    "2024-09",
)

# fmt: off
_QWEN36 = {
    ("qwen3.6-35b-a3b", "dgx-h200", "bf16"): (18708, 182, (2.23, 8.13)),
    ("qwen3.6-35b-a3b", "dgx-h200", "fp8-block"): (30201, 138, (1.98, 6.2)),
    ("qwen3.6-27b", "dgx-h200", "bf16"): (6322, 734, (5.61, 17.28)),
    ("qwen3.6-27b", "dgx-h200", "fp8-block"): (9810, 487, (4.3, 12.58)),
    ("qwen3.6-35b-a3b", "dgx-b200", "bf16"): (38134, 98, (1.81, 5.27)),
    ("qwen3.6-35b-a3b", "dgx-b200", "fp8-block"): (46963, 116, (1.81, 4.62)),
    ("qwen3.6-35b-a3b", "dgx-b200", "nvfp4"): (47846, 110, (2.42, 5.44)),
    ("qwen3.6-27b", "dgx-b200", "bf16"): (12154, 402, (4.29, 10.84)),
    ("qwen3.6-27b", "dgx-b200", "fp8-block"): (16229, 292, (3.4, 8.59)),
    ("qwen3.6-27b", "dgx-b200", "nvfp4"): (7048, 966, (3.56, 17.26)),
    ("qwen3.6-35b-a3b", "dgx-b300", "bf16"): (49190, 95, (1.7, 5.17)),
    ("qwen3.6-35b-a3b", "dgx-b300", "fp8-block"): (54080, 101, (1.71, 4.47)),
    ("qwen3.6-35b-a3b", "dgx-b300", "nvfp4"): (51550, 115, (1.88, 5.2)),
    ("qwen3.6-27b", "dgx-b300", "bf16"): (14272, 389, (4.04, 11.03)),
    ("qwen3.6-27b", "dgx-b300", "fp8-block"): (18327, 284, (3.31, 8.28)),
}
"""Total tokens/s of a full queue at 8,192 and 1,024 tokens, TTFT of one request, TPOT of 1 and 16 with 3 drafted tokens."""
_GLM52 = {
    ("dgx-h200", 8): (0.8, 662, (3.03, 12.44), 5.96, 184),
    ("dgx-b200", 8): (0.8, 334, (2.30, 6.84), 5.98, 449),
    ("gb300-nvl72", 4): (0.85, 393, (2.78, 8.53), 5.98, 641),
}
"""Usable memory, TTFT, TPOT of 1 and 16 requests with 5 drafted tokens, tokens of a verification, output tokens/s a GPU with DP attention."""
_GPT_OSS = {
    (922, 922): ((4, 3.72), (8, 4.05), (16, 4.83), (32, 5.82), (64, 7.36)),
    (922, 7373): ((4, 3.68), (8, 4.00), (16, 4.53), (32, 5.65), (64, 16.01)),
    (7373, 922): ((4, 3.95), (8, 4.59)),
}
"""TPOT of so many requests at TP8."""
_MINIMAX = (
    ("gb300-nvl72", "bf16", 2, 1, 1, 8.02), ("gb300-nvl72", "bf16", 2, 1, 100, 35.75),
    ("mi300x-x8", "fp8", 2, 2, 1, 14.94), ("mi300x-x8", "fp8", 2, 2, 16, 31.80),
    ("mi300x-x8", "fp8", 4, 4, 64, 42.48), ("mi300x-x8", "fp8", 4, 4, 256, 71.72),
    ("mi300x-x8", "fp8", 8, 8, 1024, 239.18), ("mi300x-x8", "fp8", 8, 8, 4096, 431.16),
)
"""System, cache, TP, EP, requests and TPOT; lengths from 1 to 1,000 tokens."""
_SHAREGPT = (
    ("sglang", "llama-3.1-8b", "dgx-a100", 1, 0.88, 4281.51), ("vllm-0.8", "llama-3.1-8b", "dgx-a100", 1, 0.9, 4132.37),
    ("sglang", "llama-3.1-70b", "dgx-h100", 4, 0.88, 3856.01), ("vllm-0.8", "llama-3.1-70b", "dgx-h100", 4, 0.9, 3700.64),
)


def _qwen36():
    for (model, system, weights), (total, ttft_ms, drafted) in _QWEN36.items():
        asked = (COOKBOOK, "sglang", model, system, weights, 1, 1, 8192, 1024)
        usable = 0.9 if weights == "nvfp4" else 0.8
        yield Served(*asked, tokens_per_s=total * 1024 / 9216, usable=usable)
        yield Served(*asked, requests=1, ttft_ms=ttft_ms, usable=usable)
        for requests, tpot_ms in zip((1, 16), drafted, strict=True):
            yield Served(*asked, requests=requests, tpot_ms=tpot_ms, usable=usable, engine=(("draft_tokens", 3),))


def _glm52():
    for (system, gpus), (usable, ttft_ms, drafted, accepted, each) in _GLM52.items():
        model = (COOKBOOK, "sglang", "glm-5.2", system, "fp8-block")
        yield Served(*model, gpus, 1, 8192, 1024, requests=1, ttft_ms=ttft_ms, usable=usable)
        for requests, tpot_ms in zip((1, 16), drafted, strict=True):
            yield Served(*model, gpus, 1, 8192, 1024, requests=requests, tpot_ms=tpot_ms, usable=usable,
                         accepted=accepted, engine=(("draft_tokens", 5),))
        yield Served(*model, 1, gpus, 8192, 1024, tokens_per_s=each * gpus, usable=0.85)


def _others():
    for (isl, osl), runs in _GPT_OSS.items():
        for requests, tpot_ms in runs:
            yield Served(INFERENCEX, "vllm", "gpt-oss-120b", "dgx-h100", "mxfp4", 8, 1, isl, osl, requests, tpot_ms)
    for system, kv, tp, ep, requests, tpot_ms in _MINIMAX:
        yield Served(COOKBOOK, "sglang", "minimax-m2", system, "fp8-block", tp, ep, 500, 500, requests, tpot_ms, kv=kv)
    for software, model, system, tp, usable, rate in _SHAREGPT:
        yield Served(SGLANG_2024, software, model, system, "bf16", tp, 1, 217, 194, tokens_per_s=rate, usable=usable,
                     prompts=5000, equal=False)  # fmt: skip
    for weights, rate in (("bf16", 4481.69), ("fp8-block", 4868.31), ("bf16", 5408.88), ("fp8-block", 5304.03)):
        yield Served(VLLM, "vllm-0.8", "qwen3-8b", "dgx-h100", weights, 1, 1, 1024, 2048, tokens_per_s=rate)
    yield Served(VLLM, "vllm", "qwen3-32b", "dgx-h100", "fp8-block", 8, 1, 128, 1024, 32, 5.85)
    yield Served(RECIPES, "vllm-0.8", "minimax-m2", "dgx-h100", "fp8-block", 4, 1, 2053, 945, 10, 16.39)


SERVED = tuple(chain(_qwen36(), _glm52(), _others()))
"""Every run."""
