"""Serving results looked up on 2026-11-28 after all others and asked before anything moved: first tokens under load."""

from itertools import chain

from core.provenance import Source
from tests.figures.serving_run import at

RECIPES = Source(
    "vllm-recipes-outputs",
    "vLLM recipes: outputs of the benchmark (DeepSeek-V3.2, GLM-5, MiniMax-M2, Nemotron 3 Nano, Llama 3.3 70B)",
    "github.com/vllm-project/recipes",
    "2026",
)
DGXC = Source(
    "dgxc-glm-5",
    "NVIDIA DGX Cloud benchmarking: GLM-5 in NVFP4, TensorRT-LLM with prefill and decode apart, three decode groups",
    "github.com/NVIDIA/dgxc-benchmarking, agenticInference/inference_short",
    "2026",
)
TRTLLM = Source(
    "trtllm-5929",
    "TensorRT-LLM 0.21: DeepSeek-R1 in FP8 on H200 and in FP4 on B200, medians of LLMPerf, issue 5929",
    "github.com/NVIDIA/TensorRT-LLM/issues/5929",
    "2025-07",
)
MISTRAL = Source(
    "mushfiqrahman-4090",
    "Mistral 7B in vLLM on one RTX 4090, 300 prompts of 256 tokens, 100 tokens out in the mean",
    "mushfiqrahman.dev/?p=1668",
    "2026",
)
INFERENCEX = Source(
    "inferencex-870",
    "InferenceX: issue 870, mean time to the first token; ten prompts a client, lengths 0.8 to 1 times the stated ones",
    "github.com/SemiAnalysisAI/InferenceX/issues/870",
    "2026-03",
)

# fmt: off
_RECIPES = (
    at(RECIPES, "vllm-0.8", "deepseek-v3.2", "hgx-h20-3e-x8", "fp8", 8, 1, 100, 2048, 1024, 99.71,
       loaded_ttft_ms=21147.2, prompts=100),
    at(RECIPES, "vllm", "llama-3.1-70b", "mi355x-x8", "fp8", 1, 1, 64, 8191, 1024, 61.81, kv="fp8",
       loaded_ttft_ms=11639.66, prompts=128, engine=(("prefill_chunk", 32768),)),
    at(RECIPES, "vllm", "llama-3.1-70b", "mi355x-x8", "mxfp4", 1, 1, 64, 8191, 1024, 54.10, kv="fp8",
       loaded_ttft_ms=10128.3, prompts=128, engine=(("prefill_chunk", 32768),)),
    at(RECIPES, "vllm", "glm-5", "dgx-h200", "fp8-block", 8, 1, 32, 8000, 1024, 35.39, loaded_ttft_ms=13395.44,
       prompts=32, accepted=1.64, engine=(("draft_tokens", 3),)),
    at(RECIPES, "vllm-0.8", "minimax-m2", "hgx-h20-3e-x8", "fp8-block", 4, 1, 10, 2048, 987, 82.82,
       loaded_ttft_ms=520.98, prompts=100),
    at(RECIPES, "vllm", "nemotron-3-nano-30b-a3b", "dgx-h200", "fp8", 1, 1, 1024, 1024, 1024, 59.45,
       loaded_ttft_ms=4490.58, prompts=2048, tokens_per_s=15828.3),
)
_DEEPSEEK = {
    ("dgx-h200", "fp8", 1): ((1, 1600, 13.78, 164.63), (1, 8192, 14.53, 515.83), (8, 1600, 18.18, 694.81)),
    ("dgx-h200", "fp8", 8): ((1, 1600, 11.0, 124.11), (1, 8192, 11.78, 352.81), (8, 1600, 16.42, 477.33)),
    ("dgx-b200", "nvfp4", 1): ((1, 1600, 6.78, 161.04), (1, 8192, 7.14, 394.11)),
    ("dgx-b200", "nvfp4", 8): ((1, 1600, 6.81, 172.65), (1, 8192, 7.17, 448.09)),
}
"""Requests, ISL, median ms between tokens and to the first at TP8, by EP."""
_MISTRAL = ((4, 210, 63), (8, 377, 79), (16, 644, 155), (32, 975, 362), (48, 1190, 667))
_INFERENCEX = ((8, 330.6), (16, 356.0), (32, 426.5), (64, 423.1))
# fmt: on


def _deepseek():
    for (system, weights, ep), runs in _DEEPSEEK.items():
        for requests, isl, itl_ms, ttft_ms in runs:
            first = {"ttft_ms": ttft_ms} if requests == 1 else {"loaded_ttft_ms": ttft_ms, "prompts": 64}
            run = (TRTLLM, "trtllm", "deepseek-v3-r1", system, weights, 8, ep, requests, isl, 600, itl_ms)
            yield at(*run, **first)


def _others():
    # Of decode groups apart from prefill: the step without prompts.
    yield at(DGXC, "trtllm", "glm-5", "gb300-nvl72", "nvfp4", 8, 8, 64 / 3, 7384, 921, itl_ms=17.53, kv="fp8")
    for requests, rate, ttft_ms in _MISTRAL:
        yield at(MISTRAL, "vllm", "mistral-7b", "rtx-4090-x2", "bf16", 1, 1, requests, 256, 100, tokens_per_s=rate,
                 loaded_ttft_ms=ttft_ms, prompts=300, equal=False, engine=(("prefill_chunk", 2048),))  # fmt: skip
    for requests, ttft_ms in _INFERENCEX:
        yield at(INFERENCEX, "sglang", "deepseek-v3-r1", "dgx-h200", "fp8", 8, 1, requests, 922, 922,
                 loaded_ttft_ms=ttft_ms, prompts=10 * requests, equal=False)  # fmt: skip


SERVED = tuple(chain(_RECIPES, _deepseek(), _others()))
"""Every run."""
