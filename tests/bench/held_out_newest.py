"""
Published training figures of 2023 to 2026, most of them ablations, read last: asked with the calculator as it stood.

Assumed where the source keeps silent: GPT-3 175B and Llama 3.1 70B on A3 Mega have the layout of the configuration beside
them; Megatron-LLaMA has TP2, as the job of its issue 27; sequences of Nous's Qwen3 30B are 4,096 (its TFLOP/s over
its tokens/s); a proxy of DeepSeek-V3 has one dense layer and two virtual stages.
"""

from core import catalog
from core.calculators.training import Layout, Scenario
from core.calculators.training.work import model_flop
from tests.bench.held_out import A100, DEEPSEEK_14, GB200, GB300, H100, model, tables
from tests.bench.held_out_fresh import A800, B200, B300

RECIPES = "github.com/NVIDIA/Megatron-LM: examples/moe_recipes, pull requests 5289 and 5728, 2026"
OVERLAP = "github.com/NVIDIA-NeMo/Megatron-Bridge: pull requests 5094 and 3862, 2026"
TUNING = "github.com/NVIDIA-NeMo/Megatron-Bridge: skills, activation recompute and memory tuning, 2026"
USER = "github.com/NVIDIA-NeMo/Megatron-Bridge: issue 4439, 2026"
PROXY = "github.com/NVIDIA/Megatron-LM: pull request 6311, 2026"
NOUS = "github.com/NousResearch/torchtitan: pull request 19, 2025-11"
PITH = "github.com/mlc-ai/pith-train: issue 79, 2026-07"
ASYNC_TP = "github.com/pytorch/torchtitan: pull request 1299 and issue 1185, 2025, H100 at 500 W"
TORCHAO = "github.com/pytorch/torchtitan: commit 7a04053, 2025-01, H100 at 500 W"
MEGATRON_LLAMA = "github.com/alibaba/Megatron-LLaMA: issues 22 and 27, 2023-09"
GOOGLE = "github.com/AI-Hypercomputer/gpu-recipes: a3mega, 2024"
DGXC_B200 = "github.com/NVIDIA/dgxc-benchmarking: nemotron4-340b, 2026"
_30B, _235B = "qwen3-30b-a3b", "qwen3-235b-a22b"
_8B, _70B = "llama-3.1-8b", "llama-3.1-70b"
_30B_FLOP, _235B_FLOP, _70B_FLOP = 23.0e9, 148.3e9, 6 * 69.5e9 + 12 * 80 * 8192 * 4096
"""Of a token of 4,096 as their publishers count: tokens/s and TFLOP/s of one run, and half of the square for 235B."""
_FP8, _MXFP8, _HIDDEN = {"precision": "fp8"}, {"precision": "mxfp8"}, {"ep_overlap": 1.0}
_ONCE, _ALL = {"dispatcher": "deepep"}, {"dispatcher": "all-to-all"}
_PART, _WHOLE = {"cuda_graphs": "partial"}, {"cuda_graphs": "full-iteration"}
_FULL = {"strategy": "fsdp", "recompute": "full"}
_KEEP = {"strategy": "fsdp", "recompute": "selective"}
_FULL8, _KEEP8, _PLAIN = _FULL | _FP8, _KEEP | _FP8, {"tp_overlap": 0.0}
_CORE = _FP8 | {"recompute": "selective", "recompute_modules": ("core_attn",)}
_MLP = _FP8 | {"recompute": "selective", "recompute_modules": ("mlp",)}
_NORM = {"recompute": "selective", "recompute_modules": ("layernorm", "moe_act")}
_2023 = {"dp_overlap": False, "framework": "megatron-2024"}
_EP8, _EP16, _EP64 = Layout(ep=8), Layout(ep=16), Layout(ep=64)
_FOUR_NICS, _A3_MEGA = 12.5e9, 25e9
"""Bytes/s of network per GPU: four of 200 Gb/s a node, eight of 200 Gb/s."""
_DEEP = Layout(pp=4, vpp=2, ep=16)


def _rate(flop: float, gpus: int, tera: float) -> dict[int, float]:
    """Tokens/s per GPU from TFLOP/s per GPU."""
    return {gpus: tera * 1e12 / flop}


def _timed(gpus: int, sequences: float, seq: int, seconds: float) -> dict[int, float]:
    """Tokens/s per GPU from seconds of a step and sequences per GPU."""
    return {gpus: sequences * seq / seconds}


_PROXY_JOB = Scenario(catalog.system(H100), model(DEEPSEEK_14), global_batch=8, seq=2048)
_PROXY_FLOP = model_flop(_PROXY_JOB) / _PROXY_JOB.tokens
"""Of a token as counted here: its publisher's count is not stated, so that only ratios of its rows tell anything."""

# fmt: off
_RECIPES = (
    ("Qwen3 235B", H100, _235B, Layout(tp=2, pp=8, vpp=4, ep=32), (1, 8, 4096), _rate(_235B_FLOP, 256, 302.0), _NORM | _HIDDEN),
    ("Qwen3 235B, whole graph", GB200, _235B, _EP64, (1, 64, 4096), _rate(_235B_FLOP, 128, 1208.3), _MXFP8 | _HIDDEN | _WHOLE),
    ("Qwen3 235B, part of a graph", GB200, _235B, _EP64, (1, 64, 4096), _rate(_235B_FLOP, 128, 876.2), _MXFP8 | _HIDDEN | _PART),
    ("Qwen3 235B, whole graph", GB300, _235B, _EP64, (1, 64, 4096), _rate(_235B_FLOP, 128, 1396.1), _MXFP8 | _HIDDEN | _WHOLE),
    ("Qwen3 235B, TP2", B300, _235B, Layout(tp=2, ep=16), (3, 72, 4096), _rate(_235B_FLOP, 128, 922.6), _MXFP8),
    ("Qwen3 235B, TP2 PP4", B200, _235B, Layout(tp=2, pp=4, vpp=12, ep=16), (3, 24, 4096), _rate(_235B_FLOP, 128, 633.9), _MXFP8),
    ("Qwen3 30B", H100, _30B, _EP8, (1, 8, 4096), _rate(_30B_FLOP, 32, 242.9), _FP8),
    ("Qwen3 30B", H100, _30B, _EP8, (1, 8, 4096), _rate(_30B_FLOP, 32, 240.5)),
    ("Qwen3 30B", GB200, _30B, _EP16, (4, 32, 4096), _rate(_30B_FLOP, 16, 504.2)),
    ("Qwen3 30B, part of a graph", GB200, _30B, _EP16, (4, 32, 4096), _rate(_30B_FLOP, 16, 480.3), _MXFP8 | _PART),
    ("Qwen3 30B, whole graph", GB200, _30B, _EP16, (4, 32, 4096), _rate(_30B_FLOP, 16, 598.1), _MXFP8 | _WHOLE),
)
_OVERLAP = (
    ("Qwen3 30B, HybridEP", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 24.714), _ONCE),
    ("Qwen3 30B, HybridEP, overlapped", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 20.992), _ONCE | _HIDDEN),
    ("Qwen3 30B, all-to-all", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 41.25), _ALL),
    ("Qwen3 30B, all-to-all, overlapped", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 31.31), _ALL | _HIDDEN),
)
_USER = (
    ("Qwen3 30B", B200, _30B, _EP8, (4, 64, 4096), _rate(_30B_FLOP, 8, 562), _MXFP8),
    ("Qwen3 30B", B200, _30B, _EP8, (4, 64, 4096), _rate(_30B_FLOP, 8, 552)),
)
_TUNING = (
    ("70B", H100, _70B, Layout(4, 4, 5), (1, 1, 4096), _rate(_70B_FLOP, 32, 704), _CORE),
    ("70B, PP8", H100, _70B, Layout(4, 8, 5), (1, 1, 4096), _rate(_70B_FLOP, 32, 668.0), _CORE),
    ("70B, TP8", H100, _70B, Layout(8, 4, 5), (1, 1, 4096), _rate(_70B_FLOP, 32, 508.7), _CORE),
    ("70B, MLP recomputed", H100, _70B, Layout(4, 4, 5), (1, 1, 4096), _rate(_70B_FLOP, 32, 593.6), _MLP),
)
_PROXIES = (
    ("DeepSeek-V3, 14 layers", H100, DEEPSEEK_14, _DEEP, (1, 4, 2048), _rate(_PROXY_FLOP, 64, 225.1)),
    ("DeepSeek-V3, 14 layers, recomputed", H100, DEEPSEEK_14, _DEEP, (1, 4, 2048), _rate(_PROXY_FLOP, 64, 184.2), {"recompute": "full"}),
    ("DeepSeek-V3, 14 layers, recomputed, overlapped", H100, DEEPSEEK_14, _DEEP, (1, 4, 2048), _rate(_PROXY_FLOP, 64, 198.5),
     {"recompute": "full"} | _HIDDEN),
)
_NOUS = (
    ("Qwen3 30B, DeepEP", B200, _30B, _EP8, (8, 8, 4096), {8: 14796, 16: 14380, 32: 14276, 64: 14107, 128: 13856},
     {"strategy": "fsdp"} | _ONCE),
    ("Qwen3 30B, all-to-all", B200, _30B, _EP8, (8, 8, 4096), {8: 9930}, {"strategy": "fsdp"} | _ALL),
)
_PITH = (
    ("Qwen3 30B, FSDP alone", B200, _30B, Layout(), (8, 8, 8192), {8: 19500}, _KEEP),
)
_ASYNC_TP = tuple(
    (f"70B, {gpus} GPUs{name}", H100, _70B, Layout(tp=8), (16, 2, 8192), {gpus: value}, job)
    for gpus, name, value, job in (
        (256, "", 652.4, _FULL), (256, ", TP exposed", 597.3, _FULL | _PLAIN),
        (256, "", 942.4, _FULL8), (256, ", TP exposed", 809.8, _FULL8 | _PLAIN),
        (128, "", 673, _FULL), (128, ", TP exposed", 598, _FULL | _PLAIN),
    )
)
_TORCHAO = (
    ("8B, micro-batch 1", H100, _8B, Layout(), (1, 1, 8192), {8: 5760}, _KEEP),
    ("8B, micro-batch 1", H100, _8B, Layout(), (1, 1, 8192), {8: 7186}, _KEEP8),
)
_LLAMA = (
    ("13B, 2,048 sequences", A800, "llama-2-13b", Layout(tp=2), (2, 16, 2048), {128: 2045.4}, _2023, _FOUR_NICS),
    ("13B, 1,024 sequences", A800, "llama-2-13b", Layout(tp=2), (2, 8, 2048), {128: 1885.8}, _2023, _FOUR_NICS),
    ("13B, 32 GPUs", A100, "llama-2-13b", Layout(tp=2), (2, 64, 2048), {32: 2027.8}, _2023),
)
_GOOGLE = (
    ("GPT-3 175B", H100, "gpt3-175b", Layout(tp=4, pp=8, vpp=2), (1, 8, 2048), _timed(256, 8, 2048, 25.116),
     _FP8 | _PLAIN | {"framework": "megatron-2024"}, _A3_MEGA),
    ("Llama 3.1 70B", H100, _70B, Layout(tp=4, pp=4, vpp=4, cp=2), (1, 8, 8192), _timed(256, 8, 8192, 67.82), _PLAIN | {"framework": "megatron-2024"},
     _A3_MEGA),
)
_DGXC = (
    ("Nemotron-4 340B, 512 sequences", B200, "nemotron4-340b", Layout(tp=8, pp=4, vpp=12), (1, 4, 4096), _timed(128, 4, 4096, 21.542), _FP8),
)
# fmt: on
DENSE_TABLES = tables(
    *((TUNING, _TUNING), (ASYNC_TP, _ASYNC_TP), (TORCHAO, _TORCHAO), (MEGATRON_LLAMA, _LLAMA)),
    *((GOOGLE, _GOOGLE), (DGXC_B200, _DGXC)),
)
MOE_TABLES = tables((RECIPES, _RECIPES), (OVERLAP, _OVERLAP), (USER, _USER), (NOUS, _NOUS), (PITH, _PITH))
PROXY_TABLES = tables((PROXY, _PROXIES))
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
PROXIES = tuple(run for series in PROXY_TABLES for run in series.runs())
