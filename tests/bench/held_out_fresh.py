"""
Published training tables of 2023 to 2026 read on 2026-11-27: asked with the calculator as it stood, then compared.

A row is left out where it does not say its layout, batch or length, or where its own figures contradict one another
(BioNeMo's Mixtral on B200: tokens/s and step time 27 % apart; NeMo's 8B on B200 states four times the GPUs of its degrees,
which are what is asked).
"""

from typing import Any

from core.calculators.training import Layout
from tests.bench.held_out import DGXC_2026, GB200, H100, H200_NODE, MLPERF, ZOO, tables

NEMO_24 = "docs.nvidia.com/nemo-framework: performance summary, container 24.12"
NEMO_LONG = "github.com/NVIDIA/NeMo: docs/source/performance/performance_long_sequence.md, 24.03.01 and 25.04"
FLAGPERF = "github.com/FlagOpen/FlagPerf: training/nvidia/llama3_8B-megatron and llama3_70B-megatron, 2024"
ALPS = "github.com/swiss-ai/Megatron-LM: pull requests 29 and 33, 2025-02"
DEEPSPEED = "gist.github.com/chenyaofo: DeepSpeed 0.14.2 on eight A800, 2024"
BIONEMO = "github.com/NVIDIA-BioNeMo/bionemo-framework: recipes/mixtral_native_te/benchmarks, 2026"
PRIMUS = "github.com/AMD-AGI/Primus: agent/workspace/qwen3_fp8_tw_gfx950 and MLPerf notes, 2026"
TE_AMD = "github.com/ROCm/TransformerEngine: issues 78 and 79, 2024-10"
A800, GH200, B200, B300, MI300X, MI355X = (
    *("hgx-a800-x8", "gh200-x4", "dgx-b200", "dgx-b300"),
    *("mi300x-x8", "mi355x-x8"),
)

_8B, _70B, _405B = "llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b"
_ONE, _TP2, _EP8 = Layout(), Layout(tp=2), Layout(ep=8)
_FP8 = {"precision": "fp8"}
_2024 = {"framework": "megatron-2024"}
_FP8_2024 = _FP8 | _2024
_FSDP, _FSDP8 = {"strategy": "fsdp"}, {"strategy": "fsdp", "precision": "fp8"}
_CORE = {"recompute": "selective", "recompute_modules": ("core_attn",)}
_PLAIN = _CORE | _2024 | {"tp_overlap": 0.0}
_UP = {"recompute": "selective", "recompute_modules": ("mla_up_proj",)}
_NORM = {"recompute": "selective", "recompute_modules": ("layernorm", "moe_act")}
_LONG = {"recompute": "selective", "recompute_modules": ("layernorm", "moe")}
_FULL, _FULL_FSDP = {"recompute": "full"}, _FSDP | {"recompute": "full"}


def _deepspeed(stage: int, **job: Any) -> dict[str, Any]:
    return {"strategy": f"zero{stage}", "framework": "transformers", "grad_bytes": 2.0} | job


def _tflops(flop_per_token: float, **values: float) -> dict[int, float]:
    """Tokens/s per GPU by GPUs from TFLOP/s per GPU, as its publisher counts FLOPs."""
    return {int(gpus.removeprefix("on")): value * 1e12 / flop_per_token for gpus, value in values.items()}


def _llama_7b(seq: int) -> float:
    return 6 * 6.607e9 + 12 * 32 * 4096 * seq


def _llama_8b(seq: int) -> float:
    return 6 * 7.505e9 + 12 * 32 * 4096 * seq


def _qwen_235b(seq: int) -> float:
    """Half of the square, as its rows of 4,096 with TFLOP/s and seconds tell."""
    return 129.4e9 + 4.62e6 * seq


# fmt: off
_NEMO_24 = (
    ("GPT 5B", H100, "gpt-5b", _ONE, (4, 32, 2048), {64: 23406}, _FP8_2024),
    ("GPT 20B", H100, "gpt3-20b", _TP2, (2, 4, 2048), {64: 5851}, _FP8_2024),
    ("GPT 175B", H100, "gpt3-175b", Layout(tp=4, pp=8, vpp=6), (1, 2, 2048), {128: 716}, _FP8_2024),
    ("GPT 175B, micro-batch 2", H100, "gpt3-175b", Layout(tp=4, pp=8, vpp=6), (2, 4, 2048), {512: 825}, _FP8_2024),
    ("Llama 2 7B", H100, "llama-2-7b", _ONE, (1, 16, 4096), {8: 16934}, _FP8_2024),
    ("Llama 2 13B", H100, "llama-2-13b", Layout(pp=4, vpp=10), (1, 8, 4096), {16: 8715}, _FP8_2024),
    ("Llama 2 70B", H100, "llama-2-70b", Layout(tp=4, pp=4, vpp=20), (1, 2, 4096), {64: 1728}, _FP8_2024),
    ("Nemotron 8B", H100, "nemotron-8b", _TP2, (4, 4, 4096), {64: 12507}, _FP8_2024),
    ("Nemotron 22B", H100, "nemotron-22b", Layout(tp=2, pp=4, vpp=10), (2, 4, 4096), {64: 4312}, _FP8_2024),
    ("Nemotron 340B", H100, "nemotron4-340b", Layout(tp=8, pp=8, vpp=12), (1, 0.25, 4096), {128: 326}, _FP8_2024),
    ("Llama 3 8B, CP2", H100, _8B, Layout(cp=2), (1, 16, 8192), {8: 12273}, _FP8_2024),
    ("Llama 3 70B, CP2", H100, _70B, Layout(tp=4, pp=4, vpp=5, cp=2), (1, 2, 8192), {64: 1524}, _FP8_2024),
)
_NEMO_LONG = (
    ("7B, 4K", H100, "llama-2-7b", _ONE, (1, 256, 4096), _tflops(_llama_7b(4096), on4=768), _FP8_2024),
    ("7B, 8K", H100, "llama-2-7b", Layout(pp=2), (1, 64, 8192), _tflops(_llama_7b(8192), on8=730), _FP8_2024),
    *((f"7B, {k}K, TP{tp} CP{cp}", H100, "llama-2-7b", Layout(tp=tp, cp=cp), (1, 4096 / k / gpus, 1024 * k),
       _tflops(_llama_7b(1024 * k), **{f"on{gpus}": value}), _FP8_2024)
      for k, gpus, tp, cp, value in ((16, 16, 2, 1, 660), (32, 32, 2, 2, 610), (64, 64, 4, 2, 574), (128, 128, 4, 4, 555),
                                     (256, 256, 4, 8, 549), (512, 512, 8, 16, 549), (1024, 1024, 8, 32, 536))),
    *((f"8B, {k}K, TP{tp} CP{cp}", B200, _8B, Layout(tp=tp, cp=cp), (1, 4096 / k / gpus, 1024 * k),
       _tflops(_llama_8b(1024 * k), **{f"on{gpus}": value}), _FP8)
      for k, gpus, tp, cp, value in ((8, 2, 1, 1, 1671), (16, 4, 1, 1, 1717), (32, 8, 1, 2, 1624), (64, 16, 1, 4, 1600),
                                     (128, 32, 2, 4, 1588), (256, 64, 4, 4, 1590), (512, 128, 4, 8, 1619),
                                     (1024, 256, 4, 16, 1608))),
)
_FLAGPERF = (
    ("8B, PP2", A800, _8B, Layout(pp=2), (1, 64, 8192), {8: 3698.7}, _CORE),
    ("8B, TP2, strong scaling", H100, _8B, _TP2, (1, 512, 8192), {8: 8103, 16: 7914}, _PLAIN),
    ("8B, TP2, strong scaling", H100, _8B, _TP2, (1, 512, 8192), {8: 10486, 16: 10280}, _PLAIN | _FP8),
    ("70B", H100, _70B, Layout(tp=8, pp=4), (1, 8, 8192), {64: 851}, _PLAIN),
)
_ALPS = (
    ("8B, TP2", GH200, _8B, _TP2, (4, 2, 4096), {256: 8000}),
    ("8B, 8K", GH200, _8B, _ONE, (1, 1, 8192), {256: 8290}),
    ("8B, 4K", GH200, _8B, _ONE, (2, 2, 4096), {256: 8840}),
    ("8B, TP2, strong scaling", GH200, _8B, _TP2, (4, 512, 4096), _tflops(_llama_8b(4096), on64=430, on128=413)),
)
_DEEPSPEED = tuple(
    (table, A800, "llama-2-7b", _ONE, (micro, 8, 4096), {8: samples * 4096 / 8}, job)
    for table, micro, samples, job in (
        ("ZeRO-2", 1, 5.33, _deepspeed(2)),
        ("ZeRO-2, recomputed", 1, 4.19, _deepspeed(2) | _FULL),
        ("ZeRO-2, recomputed, optimizer offloaded", 1, 1.81, _deepspeed(2, offload_optimizer=1.0) | _FULL),
        ("ZeRO-2, recomputed, micro-batch 4", 4, 4.69, _deepspeed(2) | _FULL),
        ("ZeRO-3", 2, 4.95, _deepspeed(3)),
        ("ZeRO-3, recomputed", 2, 4.45, _deepspeed(3) | _FULL),
        ("ZeRO-3, recomputed, optimizer offloaded", 2, 2.05, _deepspeed(3, offload_optimizer=1.0) | _FULL),
        ("ZeRO-3, recomputed, micro-batch 8", 8, 4.73, _deepspeed(3) | _FULL),
    )
)
_DGXC = (
    ("Nemotron-4 15B", H100, "nemotron4-15b", _TP2, (2, 4, 4096), {64: 2.693}),
    ("Llama 3.1 405B", GB200, _405B, Layout(tp=4, pp=8, vpp=8, cp=2), (1, 0.5, 8192), {128: 9.347, 256: 9.479}),
)
_NEMOTRON_H = (
    ("Nemotron-H 56B", H100, "nemotron-h-56b", Layout(tp=8), (1, 3, 8192),
     {32: 15.119, 64: 15.058, 128: 15.496, 256: 15.892, 512: 15.586, 1024: 15.678, 2048: 15.723}, _FP8),
)
_MLPERF = (
    ("GPT-3 175B on Eos", H100, "gpt3-175b", Layout(tp=4, pp=8, vpp=12), (1, 0.25, 2048), {10752: 479.4}, _FP8_2024),
)
_PRIMUS = (
    ("8B, MLPerf, with its evaluation", MI355X, _8B, _ONE, (2, 4, 8192), {8: 29.27 * 8192 / 8}, _FP8),
)
_TE_AMD = (
    ("8B, micro-batch 4", MI300X, _8B, _ONE, (4, 4, 4096), _tflops(6 * 8.03e9 + 12 * 32 * 4096 * 4096, on8=410.42), _FSDP),
    ("8B, micro-batch 2", MI300X, _8B, _ONE, (2, 2, 4096), _tflops(6 * 8.03e9 + 12 * 32 * 4096 * 4096, on8=442), _FSDP8),
    ("8B, micro-batch 4", MI300X, _8B, _ONE, (4, 4, 4096), _tflops(6 * 8.03e9 + 12 * 32 * 4096 * 4096, on8=474), _FSDP8),
    ("four layers of 70B", MI300X, "llama-70b-4-layers", _ONE, (12, 12, 4096),
     _tflops(6 * 5.524e9 + 12 * 4 * 8192 * 4096, on8=522), _FSDP),
    ("four layers of 70B, micro-batch 2", MI300X, "llama-70b-4-layers", _ONE, (2, 2, 4096),
     _tflops(6 * 5.524e9 + 12 * 4 * 8192 * 4096, on8=572), _FSDP8),
    ("four layers of 70B, micro-batch 10", MI300X, "llama-70b-4-layers", _ONE, (10, 10, 4096),
     _tflops(6 * 5.524e9 + 12 * 4 * 8192 * 4096, on8=696), _FSDP8),
    ("8B, micro-batch 1", H200_NODE, _8B, _ONE, (1, 1, 4096), _tflops(6 * 8.03e9 + 12 * 32 * 4096 * 4096, on8=609.32), _FSDP8),
    ("8B, micro-batch 4", H200_NODE, _8B, _ONE, (4, 4, 4096), _tflops(6 * 8.03e9 + 12 * 32 * 4096 * 4096, on8=897.56), _FSDP8),
)
_QWEN = "qwen3-235b-a22b"
_ZOO = (
    ("Qwen3 235B, EP32", H100, _QWEN, Layout(tp=2, pp=8, vpp=4, ep=32), (1, 8, 4096), {256: 19.7}, _NORM),
    ("Qwen3 235B, EP32, overlapped", H100, _QWEN, Layout(tp=2, pp=8, vpp=4, ep=32), (1, 8, 4096), {256: 17.6},
     _NORM | {"ep_overlap": 1.0}),
    ("Qwen3 235B, FSDP", H100, _QWEN, Layout(tp=2, ep=8), (4, 8, 4096), {256: 17.6},
     _FULL_FSDP | {"framework": "megatron"}),
    ("Qwen3 235B, PP32", H100, _QWEN, Layout(tp=2, pp=32, vpp=3, ep=8), (1, 8, 4096), {256: 24.2}, _NORM),
    ("Qwen3 235B, TP4", H100, _QWEN, Layout(tp=4, pp=8, vpp=4, ep=8), (1, 8, 4096), {256: 29.0}),
    ("Qwen3-Next", H100, "qwen3-next-80b-a3b", Layout(pp=4, vpp=3, ep=32), (1, 2, 4096), {128: 2.2},
     {"recompute": "selective", "recompute_modules": ("layernorm", "moe_act", "shared_experts")}),
    *((f"Qwen3 235B, {k}K, CP{cp}", H100, _QWEN, Layout(tp=4, pp=8, vpp=4, cp=cp, ep=8), (1, 1, 1024 * k),
       {256: 1024 * k * _qwen_235b(1024 * k) / value / 1e12}, _LONG)
      for k, cp, value in ((16, 1, 295), (32, 2, 335), (64, 4, 368), (128, 8, 389))),
)
_DGXC_MOE = (
    ("DeepSeek-V3", GB200, "deepseek-v3-r1", Layout(pp=4, vpp=4, ep=64), (1, 8, 4096), {256: 11.0715}, _UP),
    ("Qwen3 235B", H100, _QWEN, Layout(tp=2, pp=8, vpp=4, ep=32), (1, 8, 4096), {256: 25.532}),
    ("Llama 4 Maverick", GB200, "llama-4-maverick", Layout(pp=2, vpp=12, ep=64), (1, 8, 8192), {128: 7.781}),
)
_MIXTRAL = tuple(
    (f"Mixtral 8x7B, EP{ep}", B300, "mixtral-8x7b", Layout(ep=ep), (2, 2, 8192), {8: value}, _FSDP | {"precision": precision})
    for precision, values in (("mxfp8", (11300, 13900, 14433, 13100)), ("bf16", (6757, 8737, 8780, 7950)))
    for ep, value in zip((8, 4, 2, 1), values, strict=True)
)
_PRIMUS_MOE = (
    ("Qwen3 30B", MI355X, "qwen3-30b-a3b", _EP8, (8, 64, 4096), {8: 27344}, {"grad_bytes": 2.0, "optimizer_bytes": 8.0}),
    ("Qwen3 30B", MI355X, "qwen3-30b-a3b", _EP8, (8, 64, 4096), {8: 29474},
     _FP8 | {"grad_bytes": 2.0, "optimizer_bytes": 8.0}),
    ("Qwen3 30B, tuned kernels", MI355X, "qwen3-30b-a3b", _EP8, (8, 64, 4096), {8: 40283},
     _FP8 | {"grad_bytes": 2.0, "optimizer_bytes": 8.0}),
    ("GPT-OSS 20B", MI355X, "gpt-oss-20b", _ONE, (2, 2, 8192), {8: 16 * 8192 / 8 / 0.796}, _FP8),
    ("GPT-OSS 20B, BF16 gradients", MI355X, "gpt-oss-20b", _ONE, (2, 2, 8192), {8: 16 * 8192 / 8 / 0.713},
     _FP8 | {"grad_bytes": 2.0}),
)
# fmt: on
DENSE_TABLES = tables(
    *((NEMO_24, _NEMO_24), (NEMO_LONG, _NEMO_LONG), (FLAGPERF, _FLAGPERF), (ALPS, _ALPS)),
    *((DEEPSPEED, _DEEPSPEED), (DGXC_2026, _DGXC), (MLPERF, _MLPERF), (PRIMUS, _PRIMUS), (TE_AMD, _TE_AMD)),
)
HYBRID_TABLES = tables((DGXC_2026, _NEMOTRON_H))
MOE_TABLES = tables((ZOO, _ZOO), (DGXC_2026, _DGXC_MOE), (BIONEMO, _MIXTRAL), (PRIMUS, _PRIMUS_MOE))
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
HYBRID = tuple(run for series in HYBRID_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
