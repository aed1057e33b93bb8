"""Serving results of 2025 and 2026 that were asked first and then compared: TPOT, throughput, TTFT, wide EP."""

from dataclasses import dataclass
from itertools import chain

from core.provenance import Source
from tests.figures.serving_held_out import GPUSTACK_PROMPTS
from tests.figures.serving_run import at, full

INFERENCEX = Source(
    "inferencex",
    "InferenceX: issue 870, pull requests 832 and 1061; lengths 0.8 to 1 times the stated ones",
    "github.com/SemiAnalysisAI/InferenceX",
    "2026",
)
ATOM = Source("rocm-atom", "ATOM in vLLM: pull request 409", "github.com/ROCm/ATOM", "2026")
SGLANG = Source("sglang-31044", "SGLang 0.5.13: pull request 31044", "github.com/sgl-project/sglang", "2026")
COOKBOOK = Source(
    "sglang-cookbook-newer",
    "SGLang 0.5.6 to 0.5.9: cookbook, models not in the first set",
    "github.com/sgl-project/sgl-cookbook, docs/autoregressive",
    "2026",
)
TENSTORRENT = Source(
    "tt-gpu-benchmarks",
    "GPU baselines of tt-inference-server: issues 143, 340, 356, 394; vLLM and SGLang of 2025, one request",
    "github.com/tenstorrent/tt-inference-server",
    "2025",
)
VULTR = Source(
    "vultr-cookbook",
    "Vultr inference cookbook: vLLM 0.16 on HGX B200, 400 prompts a level",
    "docs.vultr.com/inference-cookbook/cuda/optimization/concurrency-tuning",
    "2026-03",
)
VLLM = Source(
    "vllm-threads",
    "vLLM: issue 17788, pull requests 25135, 29217 and 43232; recipe of Kimi K2 Thinking",
    "github.com/vllm-project/vllm, github.com/vllm-project/recipes",
    "2025",
)
ACHATBOT = Source(
    "achatbot-183", "SGLang on one H100: pull request 183", "github.com/ai-bot-pro/achatbot", "2025"
)
GPUSTACK = Source(
    "gpustack-other-runs",
    "GPUStack performance lab: runs not in the first set, total tokens/s",
    "docs.gpustack.ai/latest/performance-lab",
    "2025",
)
WIDE_EP = Source(
    "wide-ep",
    "Wide expert parallelism of DeepSeek: SGLang on 96 H100 and on GB200 NVL72, vLLM on GB200 NVL72",
    "lmsys.org/blog/2025-05-05-large-scale-ep, lmsys.org/blog/2025-09-25-gb200-part-2, "
    "blog.vllm.ai/2026/02/03/dsr1-gb200-part1.html",
    "2026",
)


@dataclass(frozen=True, slots=True)
class Wide:
    """Tokens/s of one GPU of a prefill or decode group with wide expert parallelism."""

    source: Source
    system: str
    domains: int
    weights: str
    kv: str
    ep: int
    phase: str
    tokens: int
    context: int
    tokens_per_s_per_gpu: float


_1K, _8K = 922, 7373
# fmt: off
_CHAT = ((1.0, 610, 421), (13.93, 496, 509), (92.26, 500, 504))
_REASONING = ((1.0, 610, 4445), (14.07, 496, 3978), (57.03, 497, 4065))
_SUMMARY = ((1.0, 4194, 421), (14.25, 3750, 520), (59.45, 3981, 530))
_CLOSED = {
    (INFERENCEX, "sglang", "deepseek-v3-r1", "dgx-h200", "fp8", 8, 1): (
        (8, _1K, _1K, 12.8), (16, _1K, _1K, 17.2), (32, _1K, _1K, 25.6), (64, _1K, _1K, 34.6)),
    (INFERENCEX, "vllm", "gpt-oss-120b", "mi300x-x8", "mxfp4", 1, 1): (
        (64, _1K, _1K, 31.4), (96, _1K, _1K, 36.6), (128, _1K, _1K, 41.3), (256, _1K, _1K, 58.3)),
    (INFERENCEX, "vllm", "minimax-m2", "dgx-h100", "fp8-block", 8, 8): ((4, _1K, _1K, 8.96),),
    (INFERENCEX, "vllm", "minimax-m2", "dgx-h100", "fp8-block", 4, 4): ((4, _1K, _1K, 13.34),),
    (ATOM, "vllm", "deepseek-v3-r1", "mi355x-x8", "fp8", 8, 1): (
        (4, _1K, _1K, 11.20), (8, _1K, _1K, 11.98), (16, _1K, _1K, 13.48), (32, _1K, _1K, 17.80),
        (64, _1K, _1K, 21.27), (4, _1K, _8K, 11.22), (8, _1K, _8K, 11.86), (16, _1K, _8K, 13.48),
        (32, _1K, _8K, 17.32), (64, _1K, _8K, 20.52), (4, _8K, _1K, 12.42)),
    (SGLANG, "sglang", "minimax-m2", "mi300x-x8", "fp8-block", 2, 2): ((1, 1000, 1000, 14.94), (16, 1000, 1000, 31.80)),
    (SGLANG, "sglang", "minimax-m2", "mi300x-x8", "fp8-block", 4, 4): ((64, 1000, 1000, 42.48), (256, 1000, 1000, 71.72)),
    (SGLANG, "sglang", "minimax-m2", "mi300x-x8", "fp8-block", 8, 8): ((1024, 1000, 1000, 239.18), (3596, 1000, 1000, 431.16)),
    (COOKBOOK, "sglang", "minimax-m2", "dgx-b200", "fp8-block", 8, 8): (
        (1, 610, 422, 9.89), (13.67, 495, 510, 16.20), (91.19, 499, 505, 33.04),
        (1, 4194, 422, 10.0), (13.93, 3750, 521, 16.60), (58.87, 3981, 531, 32.19)),
    (COOKBOOK, "sglang", "minimax-m2", "dgx-h100", "fp8-block", 8, 8): ((1, 610, 422, 8.05), (13.83, 496, 510, 14.81)),
    (COOKBOOK, "sglang", "deepseek-v3-r1", "dgx-b200", "fp8", 8, 1): tuple(
        (*load, ms) for load, ms in zip(
            _CHAT + _REASONING + _SUMMARY, (9.16, 17.56, 40.11, 9.21, 15.42, 25.94, 9.26, 19.06, 39.93), strict=True)),
    (COOKBOOK, "sglang", "qwen3-next-80b-a3b", "dgx-b200", "bf16", 2, 1): ((1, 200, 280, 6.61), (95.07, 302, 196, 92.28)),
    (COOKBOOK, "sglang", "deepseek-v3.2", "dgx-b200", "fp8", 1, 8): ((88.05, 302, 188, 106.16),),
    (COOKBOOK, "sglang", "deepseek-v3-r1", "mi300x-x8", "fp8", 1, 8): ((87.53, 302, 188, 214.73),),
    (TENSTORRENT, "vllm-0.8", "qwen2.5-72b", "dgx-h100", "bf16", 2, 1): ((1, 128, 128, 30.9), (1, 4096, 128, 31.1), (1, 8192, 128, 31.3)),
    (TENSTORRENT, "vllm-0.8", "qwen3-1.7b", "dgx-a100", "bf16", 1, 1): ((1, 128, 128, 4.6), (1, 1024, 128, 4.8), (1, 2048, 128, 5.0)),
    (TENSTORRENT, "vllm-0.8", "qwen3-30b-a3b", "dgx-a100", "bf16", 1, 1): (
        (1, 128, 128, 9.6), (1, 1024, 128, 9.8), (1, 2048, 128, 9.9), (1, 4096, 128, 10.3), (1, 8192, 128, 10.6)),
    (TENSTORRENT, "vllm-0.8", "deepseek-v3-r1", "dgx-h100", "w4a16", 8, 1): ((1, 128, 128, 16.1), (1, 2048, 128, 16.3), (1, 8192, 128, 16.6)),
    (TENSTORRENT, "sglang", "deepseek-v3-r1", "dgx-h100", "fp8", 16, 1): ((1, 128, 128, 23.1), (1, 2048, 128, 23.3), (1, 8192, 128, 24.0)),
    (TENSTORRENT, "vllm-0.8", "qwen3-4b", "rtx-4090-x8", "bf16", 1, 1): (
        (1, 128, 128, 10.5), (1, 1024, 128, 10.3), (1, 2048, 128, 10.8), (1, 4096, 128, 10.9)),
    (VULTR, "vllm", "nemotron-3-nano-30b-a3b", "dgx-b200", "fp8", 2, 1): (
        (1, 2048, 512, 2.91), (8, 2048, 512, 3.96), (16, 2048, 512, 4.32), (32, 2048, 512, 7.86), (64, 2048, 512, 6.74),
        (128, 2048, 512, 8.91), (256, 2048, 512, 11.77), (400, 2048, 512, 15.46)),
    (VLLM, "vllm-0.8", "llama-3.1-405b", "mi355x-x8", "mxfp4", 1, 1): ((64, 1024, 1024, 75.58),),
}
_FIRST_MS = {
    ("minimax-m2", "dgx-b200", 610): 116.1, ("minimax-m2", "dgx-b200", 4194): 126.76, ("minimax-m2", "dgx-h100", 610): 80.38,
    ("deepseek-v3-r1", "dgx-b200", 610): 140.76, ("deepseek-v3-r1", "dgx-b200", 4194): 154.96,
    ("qwen3-next-80b-a3b", "dgx-b200", 200): 290.78,
}
_RATES = (
    *(at(INFERENCEX, "sglang", "deepseek-v3-r1", "dgx-b200", "nvfp4", 8, 8, requests, _1K, _1K, tokens_per_s=8 * rate)
      for requests, rate in ((4, 59.7), (8, 104.8), (16, 169.3), (32, 282.4))),
    at(VLLM, "vllm", "qwen3-235b-a22b", "dgx-b200", "fp8-block", 4, 1, 64, 30000, 1000, tokens_per_s=847.07),
    at(ACHATBOT, "sglang", "gpt-oss-20b", "dgx-h100", "mxfp4", 1, 1, 31.78, 512, 1024, tokens_per_s=2765.4),
)
_LENGTHS = ((2000, 100), (4000, 200), (32000, 100))
_GPUSTACK = {
    ("vllm-0.8", "qwen3-235b-a22b", "dgx-h100", "bf16", 8, 1, 8192): (23858.69, 21113.53, 22657.51),
    ("vllm-0.8", "qwen3-235b-a22b", "dgx-h100", "fp8-block", 4, 1, 16384): (18950.04, 16478.79, 15366.32),
    ("vllm-0.8", "deepseek-v3-r1", "dgx-h200", "fp8", 8, 1, 8192): (17690.89, 15808.55, 15514.57),
    ("sglang", "deepseek-v3-r1", "dgx-h200", "fp8", 8, 1, 8192): (19024.33, 16096.80, 16091.68),
    ("trtllm", "qwen3-32b", "dgx-h100", "fp8-block", 1, 1, 8192): (5901.95, 4929.16, 4068.16),
    ("trtllm", "qwen3-32b", "dgx-a100", "bf16", 1, 1, 8192): (2715.90, 2037.67, 1580.36),
    ("trtllm", "qwen3-14b", "dgx-a100", "bf16", 1, 1, 8192): (7474.00, 6418.65, 4413.82),
}
_OTHER_FULL = (
    full(VLLM, "vllm-0.8", "qwen3-32b", "h100-nvl-x8", "bf16", 1, 1, 217, 201, 653.61, (("max_sequences", 32),), prompts=1000, equal=False),
    full(VLLM, "vllm-0.8", "qwen3-32b", "l40s-x8", "fp8-block", 1, 1, 217, 190, 621.91, (("prefill_chunk", 2048),), prompts=1000, equal=False),
    full(VLLM, "vllm-0.8", "kimi-k2", "dgx-h200", "w4a16", 8, 1, 8000, 390, 485.78),
)
# fmt: on
WIDE = (
    Wide(WIDE_EP, "dgx-h100", 4, "fp8", "bf16", 32, "prefill", 16384, 2000, 52300 / 8),
    Wide(WIDE_EP, "gb200-nvl72", 1, "nvfp4", "fp8", 4, "prefill", 16384, 2000, 26156),
    Wide(WIDE_EP, "gb200-nvl72", 1, "fp8", "bf16", 4, "prefill", 16384, 2000, 18471),
    Wide(WIDE_EP, "gb200-nvl72", 1, "nvfp4", "fp8", 2, "prefill", 16384, 2000, 26200),
    Wide(WIDE_EP, "dgx-h100", 9, "fp8", "bf16", 72, "decode", 256, 2050, 22300 / 8),
    Wide(WIDE_EP, "gb200-nvl72", 1, "nvfp4", "fp8", 48, "decode", 0, 2050, 13386),
    Wide(WIDE_EP, "gb200-nvl72", 1, "fp8", "bf16", 48, "decode", 0, 2050, 9087),
    Wide(WIDE_EP, "gb200-nvl72", 1, "nvfp4", "fp8", 8, "decode", 0, 3072, 10100),
)
"""Tokens of a step of one GPU; 0: as many requests as its memory holds."""


def _closed():
    for (source, software, name, machine, weights, tp, ep), runs in _CLOSED.items():
        firsts = dict(_FIRST_MS)
        for requests, isl, osl, tpot in runs:
            alone = source is COOKBOOK and requests == 1 and osl < 1000
            ttft = firsts.pop((name, machine, isl), None) if alone else None
            asked = (source, software, name, machine, weights, tp, ep, requests, isl, osl, tpot, ttft)
            yield at(*asked, equal=source is not COOKBOOK)


def _gpustack():
    for (software, name, machine, weights, tp, ep, chunk), rates in _GPUSTACK.items():
        limits = (
            ("max_sequences", 256 if machine == "dgx-a100" else 1024),
            ("prefill_chunk", 2048 if machine == "dgx-a100" and software == "vllm-0.8" else chunk),
        )
        for (isl, osl), rate in zip(_LENGTHS, rates, strict=True):
            output = rate * osl / (isl + osl)
            yield full(
                GPUSTACK,
                software,
                name,
                machine,
                weights,
                tp,
                ep,
                isl,
                osl,
                output,
                limits,
                prompts=GPUSTACK_PROMPTS[isl],
            )


AT = (*_closed(), *_RATES)
FULL = tuple(chain(_gpustack(), _OTHER_FULL))
