"""
Published training figures of 2025 and 2026 read in the evening of 2026-11-28: asked as it stood, then compared.

Most are of stacks that nobody tuned for a benchmark, or pairs that differ in one setting. Assumed where the source
keeps silent: nanotron's 3B has 32 heads of 96, an MLP of 8,192 and a vocabulary of 131,072, is alone on its TP ranks
and takes eight micro-batches a step, and its modules, which nothing compiles, are asked today as Hugging Face's (first
with a framework unknown); the layouts of DeepSeek-V3 on GB200 and of GPT-OSS on H100 are those of the recipe named
(Megatron-Bridge: perf_recipes/deepseek, recipes/gpt_oss); the ModelZoo's users have its base configuration; AMD's
images recompute in full.
"""

from core.calculators.training import Layout
from tests.bench.held_out import GB200, GB300, H100, MI350X, tables
from tests.bench.held_out_fresh import A800, B200

CARDS = "github.com/NVIDIA-NeMo/Megatron-Bridge: examples/model_verification_cards, 2026-07 and 2026-08, read later"
GRAPHS = "github.com/NVIDIA-NeMo/Megatron-Bridge: skills, CUDA graphs and dispatchers, 2026-05"
FULL_GRAPH = "github.com/NVIDIA-NeMo/Megatron-Bridge: pull requests 4226 and 4330, 2026-06"
NVFP4 = "github.com/NVIDIA-NeMo/Megatron-Bridge: pull request 4080, 2026-05"
MODEL_ZOO = "github.com/yanring/Megatron-MoE-ModelZoo: issues 7 and 21, 2025"
SWIFT = "github.com/modelscope/ms-swift: Megatron-SWIFT, benchmark, and examples/train/megatron, 2025"
ULTRA = "huggingface.co/spaces/nanotron/ultrascale-playbook: tp_scaling and tp_sp_scaling, 2025-02"
OLD_BENCH = "huggingface.co/nanotron/old_bench: llama-1B/8_GPUS/dp-2_tp-4_pp-1_mbz-8, 2024-07"
TRL = "github.com/huggingface/trl: pull request 6845, one million tokens, 2026-08"
MAD = "AMD MI350X training benchmark results, torchtune in AMD's MAD, 2026-01"
_30B, _235B, _V3, _OSS = "qwen3-30b-a3b", "qwen3-235b-a22b", "deepseek-v3-r1", "gpt-oss-120b"
_8B, _14B, _3B, _32B = "qwen3-8b", "qwen2.5-14b", "nanotron-3b", "qwen3-32b"
_MXFP8, _ALL, _HIDDEN = {"precision": "mxfp8"}, {"dispatcher": "all-to-all"}, {"ep_overlap": 1.0}
_FULL, _PLAIN = {"recompute": "full"}, {"tp_overlap": 0.0}
_MLP = {"recompute": "selective", "recompute_modules": ("mlp",)}
_ACT = {"recompute": "selective", "recompute_modules": ("moe_act",)}
_CORE = {"recompute": "selective", "recompute_modules": ("core_attn",)}
_NONE, _PART, _WHOLE = ({"cuda_graphs": name} for name in ("none", "partial", "full-iteration"))
_EP8, _EP16, _TP4 = Layout(ep=8), Layout(ep=16), Layout(tp=4)
_EAGER = {"framework": "transformers"}
_NO_SP = _EAGER | {"sequence_parallel": False}
_HF = {
    "strategy": "fsdp",
    "framework": "transformers",
    "recompute": "full",
    "fused_linear_loss": True,
    "offload_activations": 1.0,
    "optimizer_bytes": 4.0,
}
_TUNE = {"strategy": "fsdp", "recompute": "full", "fused_loss": True}
_ZERO2, _ZERO3 = (
    {"strategy": name, "framework": "transformers", "recompute": "full", "grad_bytes": 2.0}
    for name in ("zero2", "zero3")
)
_MILLION = 1_048_576
_30B_FLOP = 23.0e9
"""Of a token of 4,096 as Megatron counts."""


def _timed(gpus: int, sequences: float, seq: int, seconds: float) -> dict[int, float]:
    """Tokens/s per GPU from seconds of a step and sequences per GPU."""
    return {gpus: sequences * seq / seconds}


# fmt: off
_CARD_MOE = (
    ("Qwen3 30B, HybridEP, overlapped", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 20.14729), _HIDDEN | _PART),
    ("Qwen3 30B, whole graph", GB200, _30B, _EP8, (4, 64, 4096), _timed(8, 64, 4096, 6.50112), _MXFP8 | _HIDDEN | _WHOLE),
    ("Qwen3 30B, fine-tuned", H100, _30B, _EP16, (1, 2, 2048), _timed(16, 2, 2048, 1.20632), _NONE),
    ("Qwen3 235B, learned routing, no graph", GB200, _235B, Layout(pp=16, ep=16), (1, 32, 4096), {256: 1622.596}, _MXFP8 | _NONE),
    ("GPT-OSS 120B, learned routing", H100, _OSS, Layout(tp=2, pp=4, ep=16), (1, 8, 4096), {64: 1966.285}, _ALL | _NONE),
    ("GPT-OSS 120B, fine-tuned", H100, _OSS, Layout(tp=2, pp=4, ep=8), (1, 4, 2048), {32: 1015.98}, _ALL | _ACT | _NONE),
    ("Nemotron 3 Nano", GB300, "nemotron-3-nano-30b-a3b", _EP8, (4, 64, 8192), {8: 42094.107}, _MXFP8),
)
_CARD_DENSE = (
    ("Qwen3 8B, fine-tuned, TP4", H100, _8B, _TP4, (1, 2, 8192), _timed(4, 2, 8192, 2.02678)),
)
_GRAPHS = (
    ("Qwen3 30B, all-to-all, no graph", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 41.36), _ALL | _NONE),
    ("Qwen3 30B, all-to-all, part of a graph", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 42.00), _ALL | _PART),
    ("Qwen3 30B, all-to-all, permutation not fused", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 45.65), _ALL | _PART),
)
_FULL_GRAPH = (
    ("DeepSeek-V3, part of a graph", GB200, _V3, Layout(pp=4, vpp=4, ep=64), (1, 16, 4096), _timed(256, 16, 4096, 13.89),
     _MLP | _MXFP8 | _PART),
    ("DeepSeek-V3, whole graph", GB300, _V3, Layout(pp=2, vpp=8, ep=32), (1, 60, 4096), _timed(256, 60, 4096, 38.3),
     _HIDDEN | _MXFP8 | _WHOLE),
)
_ZOO = (
    ("Qwen3 30B, all-to-all", B200, _30B, _EP8, (1, 8, 4096), {8: 150e12 / _30B_FLOP}, _ALL),
    ("Qwen3 30B", H100, _30B, _EP8, (1, 8, 4096), {32: 120e12 / _30B_FLOP}, _ALL),
)
_SWIFT_DENSE = (
    ("14B, TP4", A800, _14B, _TP4, (1, 2, 8192), _timed(8, 2, 8192, 9.04), _CORE),
    ("14B, ZeRO-2", A800, _14B, Layout(), (1, 2, 8192), _timed(8, 2, 8192, 10.32), _ZERO2),
    ("14B, ZeRO-3", A800, _14B, Layout(), (1, 2, 8192), _timed(8, 2, 8192, 10.56), _ZERO3),
)
_SWIFT_MOE = (
    ("Qwen3 30B", A800, _30B, Layout(tp=2, ep=8), (1, 1, 8192), _timed(16, 1, 8192, 9.6), _ALL | _FULL),
)
_ULTRA = tuple(
    (f"3B, TP{tp}{name}", H100, _3B, Layout(tp=tp), (micro_batch, 8 * micro_batch / tp, 4096), {tp: value}, job)
    for name, job, series in (
        ("", _NO_SP, ((2, 3, 13923), (4, 8, 12421), (8, 12, 10903), (16, 16, 6246), (32, 20, 2146))),
        (", SP", _EAGER, ((2, 4, 14167), (4, 10, 13460), (8, 20, 10889), (16, 40, 6159), (32, 100, 3610))),
    )
    for tp, micro_batch, value in series
)
_OLD = (("1B, TP4", H100, "llama-3.2-1b", _TP4, (8, 128, 4096), {8: 27700}, _EAGER),)
_TRL_DENSE = (
    ("Qwen3 8B", H100, _8B, Layout(cp=8), (1, 1 / 8, _MILLION), _timed(8, 1 / 8, _MILLION, 364), _HF),
    ("Qwen3 8B, two nodes", H100, _8B, Layout(cp=16), (1, 1 / 16, 2 * _MILLION), _timed(16, 1 / 16, 2 * _MILLION, 696), _HF),
    ("Qwen3 8B, four nodes", H100, _8B, Layout(cp=32), (1, 1 / 32, 4 * _MILLION), _timed(32, 1 / 32, 4 * _MILLION, 1346), _HF),
    ("Qwen3 32B", H100, _32B, Layout(cp=8), (1, 1 / 8, _MILLION), _timed(8, 1 / 8, _MILLION, 1295), _HF),
)
_TRL_MOE = (
    ("Qwen3 30B", H100, _30B, Layout(cp=8), (1, 1 / 8, _MILLION), _timed(8, 1 / 8, _MILLION, 483), _HF),
)
_MAD = (
    ("Qwen3 8B", MI350X, _8B, Layout(), (14, 14, 8192), {8: 14471}, _TUNE),
    ("Qwen3 8B", MI350X, _8B, Layout(), (14, 14, 8192), {8: 20497}, _TUNE | {"precision": "fp8"}),
)
# fmt: on
DENSE_TABLES = tables(
    *((CARDS, _CARD_DENSE), (SWIFT, _SWIFT_DENSE), (ULTRA, _ULTRA), (OLD_BENCH, _OLD)),
    *((TRL, _TRL_DENSE), (MAD, _MAD)),
)
MOE_TABLES = tables(
    *((CARDS, _CARD_MOE), (GRAPHS, _GRAPHS), (FULL_GRAPH, _FULL_GRAPH)),
    *((MODEL_ZOO, _ZOO), (SWIFT, _SWIFT_MOE), (TRL, _TRL_MOE)),
)
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
