"""
Published training figures of 2024 to 2026 read in the night of 2026-11-28: asked as it stood, then compared.

Most are pairs of one publisher that differ in one setting, of stacks as a user finds them. Assumed where the source
keeps silent: torchtitan's Qwen3 32B has sequences of 4,096 (by its TFLOP/s), XTuner's all-to-all is Megatron's where
DeepEP is not named and its TP overlaps where it says so alone; modules that nothing compiles (nanotron's; torchtitan's with
TP8, asked as FSDP's at first) are asked as Hugging Face's, PithTrain's as FSDP's; layouts of DeepSeek-V3 on B300 and of Mixtral on MI300X are those of the recipe named (Megatron-Bridge:
scripts/performance/configs/deepseek; Primus: examples/megatron/configs). Llama 4 Scout tells a ratio alone.
"""

from core.calculators.training import Layout
from tests.bench.held_out import GB200, GB300, H100, H200_NODE, H800, tables
from tests.bench.held_out_evening import OLD_BENCH, _timed
from tests.bench.held_out_fresh import B200, B300, MI300X

TRAINY = "github.com/pytorch/torchtitan: benchmarks/llama3-8b_h200_202506_trainy-whitefiber.md"
TITAN_QWEN = "github.com/pytorch/torchtitan: pull request 1690, 2025-09"
THUNDER = "github.com/Lightning-AI/lightning-thunder: pull request 1528 and issue 1364, 2024"
XTUNER = "github.com/InternLM/xtuner: docs/zh_cn/benchmark/megatron_moe_benchmark.md, 2025-09"
PAI = "github.com/alibaba/Pai-Megatron-Patch: issue 643, 2025-08"
CARDS = "github.com/NVIDIA-NeMo/Megatron-Bridge: verification cards and pull request 5720, 2026-07 and 2026-08, night"
RECIPES = "github.com/NVIDIA-NeMo/Megatron-Bridge: pull requests 1760, 3561 and 4458, 2025-12 to 2026-06"
PITH = "github.com/mlc-ai/pith-train: issue 79, its own figures, 2026-07"
FLAGPERF = "github.com/FlagOpen/FlagPerf: pull request 541, Mixtral 8x7B, 2024-05"
PRIMUS = "github.com/AMD-AGI/Primus: pull request 55, 2025-05"
SCOUT = "pytorch.org/blog: MXFP8 training for MoEs, Llama 4 Scout on GB200, 2026-03"
_8B, _30B, _32B, _235B = "llama-3.1-8b", "qwen3-30b-a3b", "qwen3-32b", "qwen3-235b-a22b"
_V3, _OSS, _MOONLIGHT, _1B = "deepseek-v3-r1", "gpt-oss-120b", "moonlight-16b-a3b", "llama-3.2-1b"
_ONE, _EP8, _EP16, _EP4 = Layout(), Layout(ep=8), Layout(ep=16), Layout(ep=4)
_FSDP, _FULL = {"strategy": "fsdp"}, {"strategy": "fsdp", "recompute": "full"}
_KEEP8 = {"strategy": "fsdp", "recompute": "selective", "precision": "fp8"}
_MXFP8, _HIDDEN, _ALL = {"precision": "mxfp8"}, {"ep_overlap": 1.0}, {"dispatcher": "all-to-all"}
_DEEP = {"dispatcher": "deepep"}
_NONE, _PART, _WHOLE = ({"cuda_graphs": name} for name in ("none", "partial", "full-iteration"))
_EAGER = {"framework": "transformers"}
_ZERO2 = {"strategy": "zero2", "framework": "fsdp", "precision": "fp8"}
_AGAIN = {"recompute": "full"}
_ACT = {"recompute": "selective", "recompute_modules": ("layernorm", "moe_act")}
_MOE = {"recompute": "selective", "recompute_modules": ("layernorm", "moe")}
_UP = {"recompute": "selective", "recompute_modules": ("mla_up_proj",)}
_CORE = {"recompute": "selective", "recompute_modules": ("core_attn",), "framework": "megatron-2024"}
_PLAIN = _NONE | _ALL | {"tp_overlap": 0.0}
_OSS_FLOP, _V3_FLOP, _8X22B_FLOP, _TERA = 2.7163e10, 2.6e11, 2.5e11, 1e12
"""FLOPs of a token, as Megatron counts them."""


def _xtuner(name, layout, micro_batch, sequences, seconds, job):
    """A run of Qwen3 235B on 256 H800."""
    batch = (micro_batch, sequences / 256, 4096)
    return (name, H800, _235B, layout, batch, _timed(256, sequences / 256, 4096, seconds), _PLAIN | job)


_32_STAGES, _8_STAGES = Layout(tp=2, pp=32, vpp=3, ep=8), Layout(tp=2, pp=8, ep=8)
_WIDE, _TP1 = Layout(tp=2, pp=8, vpp=4, ep=32), Layout(pp=32, vpp=3, ep=8)
# fmt: off
_TRAINY = (("8B", H200_NODE, _8B, _ONE, (2, 2, 8192), {32: 10938, 64: 10753}, _KEEP8),)
_TITAN = (
    ("Qwen3 32B", H100, _32B, _ONE, (2, 2, 4096), {8: 1874}, _FULL),
    ("Qwen3 32B, TP8", H100, _32B, Layout(tp=8), (16, 2, 4096), {32: 876}, _FULL | _EAGER),
    ("Qwen3 32B, TP8, micro-batch 32", H100, _32B, Layout(tp=8), (32, 4, 4096), {32: 883, 64: 873}, _FULL | _EAGER),
)
_THUNDER = (
    ("Llama 2 7B", H100, "llama-2-7b", _ONE, (1, 1, 4096), {8: 13947}, _ZERO2),
    ("Llama 3 8B", H100, _8B, _ONE, (1, 1, 8192), {8: 12404}, _ZERO2),
    ("Phi 3 mini", H100, "phi-3-mini", _ONE, (1, 1, 4096), {1: 22460}, {"precision": "fp8"}),
)
_NANOTRON = (
    ("1B, TP2", H100, _1B, Layout(tp=2), (8, 128, 4096), {8: 33200}, _EAGER),
    ("1B, TP2 PP4", H100, _1B, Layout(tp=2, pp=4), (4, 128, 4096), {8: 22250}, _EAGER),
    ("1B, PP4", H100, _1B, Layout(pp=4), (2, 128, 4096), {8: 23400}, _EAGER),
    ("1B, TP2 PP2, micro-batch 1", H100, _1B, Layout(tp=2, pp=2), (1, 128, 4096), {8: 11200}, _EAGER),
    ("1B, TP8", H100, _1B, Layout(tp=8), (32, 128, 4096), {8: 5690}, _EAGER),
    ("1B, TP4 PP4", H100, _1B, Layout(tp=4, pp=4), (4, 64, 4096), {16: 14600}, _EAGER),
    ("1B, PP8", H100, _1B, Layout(pp=8), (4, 64, 4096), {16: 9200}, _EAGER),
)
_XTUNER = (
    _xtuner("235B, TP2 PP32", _32_STAGES, 1, 2048, 22.42, _ACT),
    _xtuner("235B, TP4 PP8", Layout(tp=4, pp=8, vpp=4, ep=8), 1, 2048, 35.481, {}),
    _xtuner("235B, EP32", _WIDE, 1, 2048, 35.392, _ACT),
    _xtuner("235B, EP32, DeepEP", _WIDE, 1, 2048, 25.73, _ACT | _DEEP),
    _xtuner("235B, TP2 PP8, DP exposed", _8_STAGES, 1, 2048, 27.555, _ACT | {"dp_overlap": False}),
    _xtuner("235B, TP2 PP8", _8_STAGES, 1, 2048, 29.66, _ACT),
    _xtuner("235B, TP2 PP8, TP overlapped", _8_STAGES, 1, 2048, 29.276, _ACT | {"tp_overlap": None}),
    _xtuner("235B, TP2 PP32, recomputed", _32_STAGES, 4, 4096, 43.495, _AGAIN),
    _xtuner("235B, TP2 PP32, recomputed, not interleaved", Layout(tp=2, pp=32, ep=8), 4, 8192, 92.652, _AGAIN),
    _xtuner("235B, PP32, experts recomputed", _TP1, 1, 2048, 22.946, _MOE),
    _xtuner("235B, PP32, recomputed", _TP1, 4, 4096, 42.537, _AGAIN),
    _xtuner("235B, PP32, recomputed, micro-batch 8", _TP1, 8, 8192, 86.186, _AGAIN),
)
_PAI = (
    ("30B, PP2 EP8", H800, _30B, Layout(pp=2, ep=8), (1, 8, 8192), {16: 6325}, _NONE | _ALL),
    ("30B, PP4 EP4", H800, _30B, Layout(pp=4, ep=4), (1, 16, 8192), {16: 6244}, _NONE | _ALL),
)
_CARDS = (
    ("Qwen3 30B, learned routing", H100, _30B, _EP16, (1, 64, 4096), _timed(16, 64, 4096, 30.28955), _DEEP | _PART),
    ("Qwen3 30B, whole graph", GB300, _30B, _EP8, (4, 64, 4096), _timed(8, 64, 4096, 5.85491), _MXFP8 | _HIDDEN | _WHOLE),
    ("Moonlight 16B, fine-tuned", H100, _MOONLIGHT, _EP8, (1, 1, 8192), _timed(8, 1, 8192, 0.56214), _DEEP | _HIDDEN),
    ("Moonlight 16B, fine-tuned, TP2 CP2", H100, _MOONLIGHT, Layout(tp=2, cp=2, ep=4), (1, 16, 8192),
     _timed(8, 16, 8192, 60.59931)),
)
_RECIPES = (
    ("Qwen3 235B", B200, _235B, Layout(pp=8, ep=8), (1, 16, 4096), _timed(64, 16, 4096, 16.9), _MXFP8),
    ("Qwen3 235B", B200, _235B, Layout(pp=8, vpp=2, ep=8), (1, 16, 4096), _timed(64, 16, 4096, 16.0)),
    ("GPT-OSS 120B, all-to-all", GB200, _OSS, Layout(ep=64), (4, 20, 4096), {64: 423.6 * _TERA / _OSS_FLOP}, _ACT | _HIDDEN | _ALL),
    ("GPT-OSS 120B, HybridEP", GB200, _OSS, Layout(ep=64), (4, 20, 4096), {64: 406.6 * _TERA / _OSS_FLOP}, _ACT | _HIDDEN | _DEEP),
    ("GPT-OSS 120B, all-to-all", GB200, _OSS, Layout(ep=64), (4, 20, 4096), {64: 438.5 * _TERA / _OSS_FLOP},
     _ACT | _HIDDEN | _ALL | _MXFP8),
    ("GPT-OSS 120B, HybridEP", GB200, _OSS, Layout(ep=64), (4, 20, 4096), {64: 431.0 * _TERA / _OSS_FLOP},
     _ACT | _HIDDEN | _DEEP | _MXFP8),
    ("DeepSeek-V3", B300, _V3, Layout(pp=8, vpp=2, ep=8), (1, 16, 4096), {256: 842.48 * _TERA / _V3_FLOP}, _UP | _PART),
    ("DeepSeek-V3", B300, _V3, Layout(pp=8, vpp=2, ep=8), (1, 16, 4096), {256: 1161.4 * _TERA / _V3_FLOP},
     _UP | _WHOLE | _HIDDEN | _MXFP8),
    ("DeepSeek-V3", B300, _V3, Layout(pp=8, vpp=2, ep=8), (2, 16, 4096), {256: 1097.11 * _TERA / _V3_FLOP},
     _UP | _PART | {"precision": "nvfp4"}),
)
_PITH = (
    ("Qwen3 30B, EP4", B200, _30B, _EP4, (1, 128, 8192), {8: 20300}, _FSDP),
    ("Qwen3 30B, PP2 EP4", B200, _30B, Layout(pp=2, ep=4), (1, 128, 8192), {8: 19740}, _FSDP),
    ("Qwen3 30B, EP8", B200, _30B, _EP8, (1, 128, 8192), {8: 19400}, _FSDP),
    ("Qwen3 30B, PP2 EP4", B200, _30B, Layout(pp=2, ep=4), (1, 128, 8192), {8: 18200}, _FSDP | {"precision": "fp8"}),
)
_MIXTRAL = (
    ("8x7B, TP8 PP2", H100, "mixtral-8x7b", Layout(tp=8, pp=2), (1, 37.5, 4096), {32: 2844}, _CORE),
)
_PRIMUS = (
    ("8x22B", MI300X, "mixtral-8x22b", Layout(pp=4, ep=8), (2, 4, 8192), {32: 290 * _TERA / _8X22B_FLOP}),
)
_SCOUT = (
    ("Llama 4 Scout", GB200, "llama-4-scout", _EP16, (1, 1, 8192), {256: 1000.0}, _FULL),
    ("Llama 4 Scout", GB200, "llama-4-scout", _EP16, (1, 1, 8192), {256: 1302.0}, _FULL | _MXFP8),
)
# fmt: on
DENSE_TABLES = tables((TRAINY, _TRAINY), (TITAN_QWEN, _TITAN), (THUNDER, _THUNDER), (OLD_BENCH, _NANOTRON))
MOE_TABLES = tables(
    *((XTUNER, _XTUNER), (PAI, _PAI), (CARDS, _CARDS), (RECIPES, _RECIPES)),
    *((PITH, _PITH), (FLAGPERF, _MIXTRAL), (PRIMUS, _PRIMUS)),
)
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
PROXIES = tuple(run for series in tables((SCOUT, _SCOUT)) for run in series.runs())
