"""Published TPOT, TTFT and fixed-batch throughput of other engines and versions, first asked, then compared."""

from itertools import chain

from core.provenance import Source
from tests.figures.serving_run import at

SGLANG_COOKBOOK = Source(
    "sglang-cookbook",
    "SGLang 0.5.6 and 0.5.7: cookbook, serving benchmarks with random lengths",
    "github.com/sgl-project/sgl-cookbook, docs/autoregressive",
    "2026",
)
OVERVIEW_0_6 = Source(
    "tensorrt-llm-0.6",
    "TensorRT-LLM 0.6.1 (L40S and first tokens: 0.5): fixed batches without in-flight batching",
    "github.com/NVIDIA/TensorRT-LLM at 138f96d45f, docs/source/performance.md",
    "2023",
)

_CHAT = ((1.0, 610, 421), (13.6, 496, 510), (90.5, 500, 505))
_REASONING = ((1.0, 610, 4446), (13.9, 496, 3978), (56.3, 497, 4065))
_SUMMARY = ((1.0, 4194, 421), (14.0, 3750, 521), (59.0, 3981, 531))
_NINE = _CHAT + _REASONING + _SUMMARY
# fmt: off
_TPOT_MS = {
    ("qwen3-235b-a22b", "dgx-b200", "bf16", 8, _NINE): (10.12, 16.36, 32.94, 10.23, 14.82, 23.66, 10.31, 16.81, 32.5),
    ("glm-4.6", "dgx-b200", "bf16", 8, _NINE): (14.81, 24.24, 49.97, 14.92, 21.97, 33.47, 15.02, 25.37, 46.62),
    ("ernie-4.5-21b-a3b", "mi300x-x8", "bf16", 1, _NINE): (4.07, 11.99, 23.89, 4.13, 11.92, 18.81, 4.19, 14.04, 26.97),
    ("llama-3.1-70b", "dgx-a100", "bf16", 8, _CHAT + _SUMMARY): (18.63, 26.09, 47.19, 18.8, 36.94, 74.95),
    ("llama-4-maverick", "mi300x-x8", "bf16", 8, _CHAT): (5.95, 10.53, 33.63),
    ("qwen3-coder-480b-a35b", "mi300x-x8", "fp8", 8, _CHAT[:2]): (17.06, 29.41),
    ("kimi-k2", "mi300x-x8", "fp8", 8, _CHAT): (40.41, 46.85, 74.58),
    ("gpt-oss-120b", "dgx-b200", "mxfp4", 8, ((1.0, 332, 213), (89.2, 297, 192))): (2.31, 14.31),
    ("qwen3-next-80b-a3b", "dgx-b200", "bf16", 8, ((1.0, 338, 216), (93.1, 302, 196))): (6.19, 50.87),
    ("nemotron-3-nano-30b-a3b", "dgx-b200", "bf16", 1, ((249.8, 508, 510),)): (43.27,),
}
_TTFT_MS = {
    "qwen3-235b-a22b": (92.2, 109.4, 114.9), "glm-4.6": (149.8, 140.3, 159.2),
    "ernie-4.5-21b-a3b": (36.8, 32.1, 72.3), "llama-3.1-70b": (131.8, 318.0), "llama-4-maverick": (57.5,),
    "qwen3-coder-480b-a35b": (126.1,), "kimi-k2": (161.2,), "gpt-oss-120b": (31.8,),
    "qwen3-next-80b-a3b": (132.9,),
}
_FIRST_TOKEN_MS = {
    ("gpt-j-6b", "dgx-h100", "fp8", 1): (7, 29), ("llama-2-7b", "dgx-h100", "fp8", 1): (7, 36),
    ("llama-2-70b", "dgx-h100", "fp8", 4): (26, 109), ("falcon-180b", "dgx-h100", "fp8", 8): (27, 205),
    ("gpt-j-6b", "l40s-x8", "fp8", 1): (12, 71), ("llama-2-7b", "l40s-x8", "fp8", 1): (14, 73),
    ("gpt-j-6b", "dgx-a100", "bf16", 1): (12, 129), ("llama-2-7b", "dgx-a100", "bf16", 1): (16, 133),
    ("llama-2-70b", "dgx-a100", "bf16", 4): (47, 377), ("falcon-180b", "dgx-a100", "bf16", 8): (61, 509),
}
"""Of a prompt of 128 and of one of 2,048 tokens."""
_LENGTHS = ((128, 128), (128, 2048), (2048, 128), (2048, 2048))
_PER_GPU = {
    ("gpt-j-6b", "dgx-h100", "fp8"): ((1024, 1, 26150), (120, 1, 8011), (64, 1, 2551), (64, 1, 3327)),
    ("llama-2-7b", "dgx-h100", "fp8"): ((768, 1, 19694), (112, 1, 6818), (80, 1, 2244), (48, 1, 2740)),
    ("llama-2-70b", "dgx-h100", "fp8"): ((1024, 2, 2657), (480, 4, 1486), (96, 2, 306), (64, 2, 547)),
    ("falcon-180b", "dgx-h100", "fp8"): ((1024, 4, 987), (1024, 8, 724), (64, 4, 112), (64, 4, 264)),
    ("gpt-j-6b", "l40s-x8", "fp8"): ((64, 1, 3630), (64, 1, 1859), (32, 1, 616), (32, 1, 757)),
    ("llama-2-7b", "l40s-x8", "fp8"): ((64, 1, 3240), (64, 1, 1622), (32, 1, 581), (16, 1, 531)),
    ("gpt-j-6b", "dgx-a100", "bf16"): ((512, 1, 6374), (120, 2, 2192), (60, 1, 670), (64, 2, 903)),
    ("llama-2-7b", "dgx-a100", "bf16"): ((384, 1, 5586), (60, 1, 1928), (52, 1, 591), (64, 2, 782)),
    ("llama-2-70b", "dgx-a100", "bf16"): ((1280, 4, 670), (240, 4, 525), (120, 4, 79)),
    ("falcon-180b", "dgx-a100", "bf16"): ((1024, 8, 232), (128, 8, 180)),
}
"""Batch, TP and output tokens/s of each GPU, by lengths; the tables of A100 are read as those of H100 say."""
# fmt: on


def _sglang():
    for (name, machine, weights, tp, loads), times in _TPOT_MS.items():
        first = iter(_TTFT_MS.get(name, ()))
        for (requests, isl, osl), tpot in zip(loads, times, strict=True):
            ttft = next(first, None) if requests == 1 else None
            yield at(SGLANG_COOKBOOK, "sglang", name, machine, weights, tp, 1, requests, isl, osl, tpot, ttft)


def _first_tokens():
    for (name, machine, weights, tp), times in _FIRST_TOKEN_MS.items():
        for isl, ttft in zip((128, 2048), times, strict=True):
            yield at(
                OVERVIEW_0_6, "trtllm-0", name, machine, weights, tp, 1, 1.0, isl, 1, None, ttft, kv=weights
            )


def _fixed():
    for (name, machine, weights), runs in _PER_GPU.items():
        for (isl, osl), (batch, tp, rate) in zip(_LENGTHS, runs, strict=False):
            yield at(OVERVIEW_0_6, "trtllm-0", name, machine, weights, tp, 1, float(batch), isl, osl,
                     tokens_per_s=rate * tp, kv=weights)  # fmt: skip


SERVED = tuple(chain(_sglang(), _first_tokens()))
FIXED_BATCHES = tuple(_fixed())
"""Batches that begin and end together."""
