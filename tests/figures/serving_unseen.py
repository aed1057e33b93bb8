"""Serving results looked up on 2026-11-28 and asked before anything moved: steps by batch, saturated engines."""

from itertools import chain

from core.provenance import Source
from tests.figures.serving_held_out import GPUSTACK_PROMPTS
from tests.figures.serving_run import at, full

ML_ENERGY = Source(
    "ml-energy",
    "ML.ENERGY leaderboard, chat (LM Arena prompts) on H100 and B200 in vLLM of 2025; TP over all GPUs; "
    "prompt lengths not stated",
    "github.com/ml-energy/leaderboard at 0ea52b6a21, public/data/tasks/lm-arena-chat.json",
    "2025-12",
)
GPUSTACK = Source(
    "gpustack-later-runs",
    "GPUStack performance lab: GLM-4.5-Air, GLM-4.6, GPT-OSS and Qwen3-235B as recommended, total tokens/s",
    "docs.gpustack.ai/latest/performance-lab",
    "2025",
)
LAMBDA = Source(
    "lambda-minimax-m2.5",
    "MiniMax-M2.5 in SGLang on four H100, 512 prompts",
    "lambda.ai/inference-models/minimaxai/minimax-m2.5",
    "2026",
)
VLLM_TUNED = Source(
    "vllm-28200",
    "vLLM: tuned kernels of MiniMax-M2 on H100, pull request 28200; TP not stated",
    "github.com/vllm-project/vllm",
    "2025-11",
)
PROMPT_TOKENS = 200
"""Assumed of a chat prompt whose length is not stated; from 50 to 400 tokens a step moves by 1.2 % in the median, by 12 % at most."""
# fmt: off
_STEPS = {
    ("qwen3-14b", "dgx-h100", "bf16", 1, 1, 617): (
        (7.99, 12.54), (15.97, 13.34), (31.92, 15.01), (63.84, 18.94), (95.88, 23.50), (127.71, 26.16)),
    ("qwen3-32b", "dgx-h100", "bf16", 1, 1, 633): ((7.99, 25.21), (29.26, 28.81)),
    ("qwen3-32b", "dgx-h100", "bf16", 2, 1, 633): (
        (7.99, 15.06), (15.97, 16.04), (31.94, 17.91), (63.86, 22.45), (95.81, 26.10), (127.84, 29.66)),
    ("qwen3-8b", "dgx-h100", "bf16", 1, 1, 650): ((15.96, 8.90), (31.94, 10.57), (127.80, 20.70)),
    ("qwen3-235b-a22b", "dgx-h100", "fp8-block", 4, 4, 868): (
        (7.99, 35.24), (15.98, 37.27), (31.97, 42.75), (63.91, 49.00), (95.89, 52.74), (127.89, 53.13)),
    ("qwen3-235b-a22b", "dgx-h100", "fp8-block", 8, 8, 876): ((15.98, 26.79), (127.83, 42.14)),
    ("llama-3.1-70b", "dgx-h100", "bf16", 4, 1, 411): ((7.98, 16.87), (31.91, 19.86), (63.86, 22.34), (95.86, 25.38)),
    ("llama-4-maverick", "dgx-h100", "fp8", 8, 8, 411): (
        (7.98, 11.49), (15.97, 13.28), (31.91, 16.15), (63.86, 20.67), (95.80, 24.52), (127.72, 27.63)),
    ("qwen3-235b-a22b", "dgx-b200", "fp8-block", 2, 2, 875): (
        (7.99, 36.72), (15.98, 40.43), (31.96, 43.22), (63.94, 47.81), (127.85, 53.92)),
    ("qwen3-14b", "dgx-b200", "bf16", 1, 1, 613): ((7.94, 7.16), (15.95, 7.84), (31.91, 9.42), (127.70, 19.07)),
    ("llama-3.1-405b", "dgx-b200", "fp8", 4, 1, 372): ((63.86, 38.19),),
    ("llama-3.1-70b", "dgx-b200", "bf16", 2, 1, 352): (
        (7.98, 16.36), (15.94, 16.78), (31.93, 18.68), (63.77, 21.75), (127.68, 27.30)),
}
"""Median ms between tokens by mean concurrent requests."""
_RATES = {
    ("qwen3-14b", "dgx-h100", "bf16", 1, 1, 617): ((191.66, 5309.1), (253.41, 5760.3)),
    ("qwen3-32b", "dgx-h100", "bf16", 2, 1, 634): ((255.59, 5155.5),),
    ("qwen3-8b", "dgx-h100", "bf16", 1, 1, 650): ((255.49, 7718.8), (474.40, 8534.6)),
    ("llama-3.1-70b", "dgx-h100", "bf16", 4, 1, 413): ((255.45, 5130.2), (510.80, 5858.5)),
    ("llama-4-maverick", "dgx-h100", "fp8", 8, 8, 408): ((255.42, 6257.6), (383.32, 7149.1)),
    ("qwen3-235b-a22b", "dgx-b200", "bf16", 4, 4, 876): ((255.71, 4506.3), (511.38, 6506.2), (1022.60, 8735.1)),
    ("qwen3-235b-a22b", "dgx-b200", "fp8-block", 2, 2, 876): ((255.75, 3776.4),),
    ("qwen3-14b", "dgx-b200", "bf16", 1, 1, 620): ((255.57, 10708.7), (1022.02, 15050.1)),
    ("llama-3.1-70b", "dgx-b200", "bf16", 2, 1, 355): ((255.28, 5372.4), (510.52, 7134.0), (1021.48, 8551.4)),
}
"""Output tokens/s by mean concurrent requests."""
_LENGTHS = ((2000, 100), (4000, 200), (32000, 100))
_SATURATED = {
    ("sglang", "glm-4.5-air", "dgx-a100", "bf16", 4, 4): (10956.49, 9100.71, 7945.66),
    ("sglang", "glm-4.5-air", "dgx-h100", "fp8", 4, 4): (35741.37, 33207.02, 26683.88),
    ("sglang", "glm-4.6", "dgx-h200", "fp8", 4, 1): (17363.22, 14979.90, 12223.53),
    ("vllm", "gpt-oss-20b", "dgx-h100", "mxfp4", 1, 1): (33149.54, 33823.34, 29718.21),
    ("vllm", "gpt-oss-20b", "dgx-a100", "mxfp4", 1, 1): (18920.16, 16550.81, 7363.09),
    ("vllm", "gpt-oss-120b", "dgx-h100", "mxfp4", 2, 1): (34083.02, 34491.13, 32471.01),
    ("vllm-0.8", "qwen3-235b-a22b", "dgx-a100", "fp8-block", 4, 1): (5333.91, 4633.41, 4132.51),
}
"""Total tokens/s by the lengths above."""
_SMALL = (("max_sequences", 256), ("prefill_chunk", 2048))
_LIMITS = {("vllm", "dgx-a100"): _SMALL, ("vllm-0.8", "dgx-a100"): _SMALL}
"""What vLLM takes on an A100 where nothing is set."""
# fmt: on
STEPS = tuple(
    at(
        ML_ENERGY,
        "vllm-0.8",
        *key[:5],
        requests,
        PROMPT_TOKENS,
        key[5],
        itl_ms=ms,
        engine=(("max_sequences", 2048),),
    )
    for key, each in _STEPS.items()
    for requests, ms in each
)
AT = (
    *(
        at(ML_ENERGY, "vllm-0.8", *key[:5], requests, PROMPT_TOKENS, key[5], tokens_per_s=rate,
           engine=(("max_sequences", 2048),))
        for key, each in _RATES.items()
        for requests, rate in each
    ),
    at(LAMBDA, "sglang", "minimax-m2", "dgx-h100", "fp8-block", 4, 1, 32, 8192, 1024, tokens_per_s=849.0),
    at(VLLM_TUNED, "vllm-0.8", "minimax-m2", "dgx-h100", "fp8-block", 4, 1, 10, 2048, 1024, tpot_ms=16.39),
)  # fmt: skip
FULL = tuple(
    chain.from_iterable(
        (
            full(
                GPUSTACK,
                *key,
                isl,
                osl,
                total * osl / (isl + osl),
                _LIMITS.get((key[0], key[2]), ()),
                prompts=GPUSTACK_PROMPTS[isl],
            )
            for (isl, osl), total in zip(_LENGTHS, totals, strict=True)
        )
        for key, totals in _SATURATED.items()
    )
)
