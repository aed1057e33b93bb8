"""Serving results looked up on 2026-11-28 and asked before anything moved: InferenceX's articles by model."""

from core.provenance import Source
from tests.figures.serving_run import at

ARTICLES = Source(
    "inferencex-articles",
    "InferenceX: articles on Kimi K2.5, MiniMax-M2.5, Llama 3.3 70B, GPT-OSS-120B and DeepSeek R1, median TPOT by concurrency",
    "github.com/SemiAnalysisAI/InferenceX-app, packages/app/content/blog",
    "2026-04 and 2026-05",
)
SHARE = 0.9
"""Mean length over the stated one: lengths are random between 0.8 and 1 times of it."""

# fmt: off
_SWEEPS = {
    ("kimi-k2", "dgx-h200", "w4a16", "bf16", 8, 1): ((4, 10.97), (8, 14.23), (16, 21.44), (32, 34.65), (64, 59.98)),
    ("kimi-k2", "dgx-b200", "w4a16", "bf16", 8, 1): ((4, 9.58), (8, 12.33), (16, 16.89), (32, 24.70), (64, 38.45)),
    ("kimi-k2", "dgx-b200", "nvfp4", "bf16", 8, 1): ((4, 7.97),),
    ("kimi-k2", "dgx-b200", "nvfp4", "bf16", 4, 1): ((4, 9.00), (8, 11.03), (16, 14.84), (32, 21.35), (64, 31.07)),
    ("minimax-m2", "dgx-h100", "fp8-block", "bf16", 8, 8): (
        (4, 9.01), (8, 11.15), (16, 14.47), (32, 20.12), (64, 30.31), (128, 47.19)),
    ("minimax-m2", "dgx-b200", "fp8-block", "fp8", 2, 2): (
        (4, 8.90), (8, 10.84), (16, 14.70), (32, 21.10), (64, 30.91), (128, 41.82)),
    ("minimax-m2", "dgx-b200", "fp8-block", "fp8", 4, 4): ((256, 50.85), (512, 78.68)),
    ("minimax-m2", "dgx-b200", "nvfp4", "fp8", 2, 2): ((128, 34.70), (256, 48.51)),
    ("minimax-m2", "dgx-b200", "nvfp4", "fp8", 1, 1): ((4, 7.62), (8, 10.22), (16, 14.54), (32, 22.65)),
    ("minimax-m2", "dgx-b200", "nvfp4", "fp8", 4, 4): ((4, 6.03), (8, 6.90)),
    ("minimax-m2", "dgx-b200", "nvfp4", "fp8", 8, 8): ((4, 5.55),),
}
"""vLLM 0.21 and later, 8,192 and 1,024 tokens: clients and median TPOT in ms."""
_BEST = (
    ("trtllm", "llama-3.1-70b", "dgx-b200", "nvfp4", "fp8", 1, 128, 1024, 22.2),
    ("trtllm", "llama-3.1-70b", "dgx-h200", "fp8", "fp8", 1, 128, 1024, 45.8),
    ("vllm-0.8", "llama-3.1-70b", "mi355x-x8", "mxfp4", "fp8", 1, 64, 1024, 28.5),
    ("vllm-0.8", "llama-3.1-70b", "mi325x-x8", "fp8", "bf16", 1, 64, 1024, 37.9),
    ("vllm-0.8", "llama-3.1-70b", "mi300x-x8", "fp8", "bf16", 1, 64, 1024, 50.9),
    ("vllm-0.8", "llama-3.1-70b", "dgx-h100", "fp8", "bf16", 2, 64, 1024, 29.1),
    ("trtllm", "llama-3.1-70b", "dgx-b200", "nvfp4", "fp8", 1, 128, 8192, 63.9),
    ("trtllm", "llama-3.1-70b", "dgx-h200", "fp8", "fp8", 1, 128, 8192, 81.5),
    ("vllm-0.8", "llama-3.1-70b", "mi355x-x8", "mxfp4", "fp8", 1, 64, 8192, 64.5),
    ("vllm-0.8", "llama-3.1-70b", "mi325x-x8", "fp8", "bf16", 1, 64, 8192, 120.5),
    ("vllm-0.8", "llama-3.1-70b", "mi300x-x8", "fp8", "bf16", 1, 64, 8192, 141.5),
    ("vllm-0.8", "llama-3.1-70b", "dgx-h100", "fp8", "bf16", 4, 64, 8192, 55.0),
    ("trtllm", "gpt-oss-120b", "dgx-b200", "mxfp4", "fp8", 1, 256, 1024, 17.9),
    ("trtllm", "gpt-oss-120b", "dgx-h200", "mxfp4", "bf16", 1, 64, 1024, 20.6),
    ("vllm", "gpt-oss-120b", "mi325x-x8", "mxfp4", "bf16", 2, 64, 1024, 13.8),
    ("vllm", "gpt-oss-120b", "mi300x-x8", "mxfp4", "bf16", 1, 64, 1024, 32.2),
    ("vllm", "gpt-oss-120b", "dgx-h100", "mxfp4", "bf16", 2, 64, 1024, 15.0),
    ("trtllm", "gpt-oss-120b", "dgx-b200", "mxfp4", "fp8", 1, 256, 8192, 36.7),
    ("trtllm", "gpt-oss-120b", "dgx-h200", "mxfp4", "bf16", 1, 64, 8192, 31.3),
    ("vllm", "gpt-oss-120b", "mi325x-x8", "mxfp4", "bf16", 1, 64, 8192, 43.5),
    ("vllm", "gpt-oss-120b", "mi300x-x8", "mxfp4", "bf16", 1, 64, 8192, 49.0),
    ("vllm", "gpt-oss-120b", "dgx-h100", "mxfp4", "bf16", 2, 64, 8192, 27.0),
)
"""Prompts as stated, answers of 1,024 tokens. TP is not printed: it is clients / TPOT over the tokens/s a GPU."""
# fmt: on


def _runs():
    for (model, system, weights, kv, tp, ep), points in _SWEEPS.items():
        for clients, ms in points:
            yield at(ARTICLES, "vllm", model, system, weights, tp, ep, clients, round(8192 * SHARE),
                     round(1024 * SHARE), ms, kv=kv)  # fmt: skip
    for software, model, system, weights, kv, tp, clients, isl, ms in _BEST:
        yield at(ARTICLES, software, model, system, weights, tp, 1, clients, round(isl * SHARE),
                 round(1024 * SHARE), ms, kv=kv)  # fmt: skip


SERVED = tuple(_runs())
"""Every run."""
