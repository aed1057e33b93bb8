"""
Published training figures of 2024 to 2026 read late on 2026-11-28, asked with the calculator as it stood, before a change.

Qwen3 32B and 30B are asked with the full recomputation that the recipes they name have (Megatron-Bridge: recipes/qwen, which
their table leaves unsaid; asked without, they were 53, 94, 70 and 378 % too fast).
Assumed where the source keeps silent: OLMo-core ran on 64 GPUs with the micro-batches of its scripts; SmolLM's 1B has
Llama 3.2's shape and nanotron's default of whole states, and modules that nothing compiles (asked first as of a
framework unknown); GPT-2 XL counts six FLOPs a parameter and the whole square; Transformer Engine's rows are of one
GPU. The 18 rows of Qwen3 in Megatron-Bridge 0.1.0rc4 are asked with what their recipe module says beside it: TP that
nothing overlaps, no sequence parallelism (asked first without).
"""

from core.calculators.training import Layout
from tests.bench.held_out import GB300, H100, tables
from tests.bench.held_out_fresh import MI300X

BRIDGE_16 = (
    "github.com/BastiaanGroot/ML-Infrastructure-Engineer: training/README.md, Megatron-Bridge 0.1.0rc4, 2026"
)
OLMO = "github.com/allenai/OLMo-core: README, 2025-01"
AWS = "github.com/aws-samples/awsome-distributed-training: torchtitan on four p5, 2025-03"
DIST_MOE = "github.com/pytorch/torchtitan: branch dist-moe-256gpu-repro-final-20261005, 2026-10"
SMOL = "huggingface.co/spaces/HuggingFaceTB/smol-training-playbook, nanotron, 2025-10"
TE_GPT2 = "github.com/ROCm/TransformerEngine: issue 72, 2024-10"
_1B7, _8B, _32B, _30B = "qwen3-1.7b", "qwen3-8b", "qwen3-32b", "qwen3-30b-a3b"
_FP8, _FSDP = {"precision": "fp8"}, {"strategy": "fsdp"}
_FSDP8, _KEEP, _KEEP8 = (
    _FSDP | _FP8,
    _FSDP | {"recompute": "selective"},
    _FSDP | _FP8 | {"recompute": "selective"},
)
_FULL, _UNFUSED, _HOST = (
    {"recompute": "full"},
    {"flash": False, "framework": "megatron"},
    {"offload_activations": 0.97},
)
_PLAIN = {"tp_overlap": 0.0, "sequence_parallel": False}
_STOCK = {"dispatcher": "all-to-all", "cuda_graphs": "none"}
_ONE, _TP2, _TP4, _TP8 = Layout(), Layout(tp=2), Layout(tp=4), Layout(tp=8)
_GPT2_FLOP = 6 * 1.558e9 + 12 * 48 * 1600 * 1024


def _timed(gpus: int, sequences: float, seq: int, seconds: float) -> dict[int, float]:
    """Tokens/s per GPU from seconds of a step and sequences per GPU."""
    return {gpus: sequences * seq / seconds}


# fmt: off
_BRIDGE = (
    ("Qwen3 1.7B", H100, _1B7, _ONE, (2, 2, 4096), _timed(16, 2, 4096, 0.275), _PLAIN),
    ("Qwen3 1.7B, 256 sequences", H100, _1B7, _ONE, (2, 16, 4096), _timed(16, 16, 4096, 1.88), _PLAIN),
    ("Qwen3 1.7B, TP2", H100, _1B7, _TP2, (2, 2, 4096), _timed(16, 2, 4096, 0.338), _PLAIN),
    ("Qwen3 1.7B, PP2", H100, _1B7, Layout(pp=2), (2, 2, 4096), _timed(16, 2, 4096, 0.427), _PLAIN),
    ("Qwen3 8B, recomputed", H100, _8B, _ONE, (1, 4, 4096), _timed(16, 4, 4096, 2.17), _FULL | _PLAIN),
    ("Qwen3 8B, TP2, one node", H100, _8B, _TP2, (1, 4, 4096), _timed(8, 4, 4096, 1.93), _PLAIN),
    ("Qwen3 8B, TP2", H100, _8B, _TP2, (1, 4, 4096), _timed(16, 4, 4096, 1.94), _PLAIN),
    ("Qwen3 8B, TP2", H100, _8B, _TP2, (1, 4, 4096), _timed(16, 4, 4096, 1.86), _FP8 | _PLAIN),
    ("Qwen3 8B, TP2, unfused attention", H100, _8B, _TP2, (1, 4, 4096), _timed(16, 4, 4096, 2.61), _UNFUSED | _PLAIN),
    ("Qwen3 8B, TP2, activations offloaded", H100, _8B, _TP2, (1, 4, 4096), _timed(16, 4, 4096, 7.87), _HOST | _PLAIN),
    ("Qwen3 8B, TP4", H100, _8B, _TP4, (1, 4, 4096), _timed(16, 4, 4096, 2.60), _PLAIN),
    ("Qwen3 8B, TP8", H100, _8B, _TP8, (1, 4, 4096), _timed(16, 4, 4096, 5.06), _PLAIN),
    ("Qwen3 8B, TP8, one node", H100, _8B, _TP8, (1, 8, 4096), _timed(8, 8, 4096, 9.92), _PLAIN),
    ("Qwen3 8B, TP2 PP2", H100, _8B, Layout(tp=2, pp=2), (1, 4, 4096), _timed(16, 4, 4096, 2.29), _PLAIN),
    ("Qwen3 8B, TP2 CP2", H100, _8B, Layout(tp=2, cp=2), (1, 2, 16384), _timed(16, 2, 16384, 4.46), _PLAIN),
    ("Qwen3 8B, TP4, 16K", H100, _8B, _TP4, (1, 2, 16384), _timed(16, 2, 16384, 4.76), _PLAIN),
    ("Qwen3 32B, TP4 PP2", H100, _32B, Layout(tp=4, pp=2), (1, 4, 4096), _timed(16, 4, 4096, 10.69), _FULL | _PLAIN),
    ("Qwen3 32B, TP8 PP2", H100, _32B, Layout(tp=8, pp=2), (1, 4, 4096), _timed(16, 4, 4096, 14.79), _FULL | _PLAIN),
)
_BRIDGE_MOE = (
    ("Qwen3 30B, EP8", H100, _30B, Layout(ep=8), (1, 4, 4096), _timed(16, 4, 4096, 3.73), _FULL | _STOCK),
    ("Qwen3 30B, EP16", H100, _30B, Layout(ep=16), (1, 4, 4096), _timed(16, 4, 4096, 9.42), _FULL | _STOCK),
)
_OLMO = (
    ("7B", H100, "olmo2-7b", _ONE, (2, 16, 4096), {64: 10000}, _FSDP),
    ("7B", H100, "olmo2-7b", _ONE, (2, 16, 4096), {64: 13000}, _FSDP8),
    ("8B", H100, "llama-3.1-8b", _ONE, (1, 16, 4096), {64: 9500}, _FSDP),
    ("8B", H100, "llama-3.1-8b", _ONE, (1, 16, 4096), {64: 12500}, _FSDP8),
    ("13B", H100, "olmo2-13b", _ONE, (1, 32, 4096), {64: 4600}, _FSDP),
    ("13B", H100, "olmo2-13b", _ONE, (1, 32, 4096), {64: 5500}, _FSDP8),
)
_AWS = (
    ("8B, eager", H100, "llama-3.1-8b", _ONE, (1, 1, 8192), {32: 6785}, _KEEP),
    ("8B, compiled", H100, "llama-3.1-8b", _ONE, (1, 1, 8192), {32: 7865}, _KEEP8),
)
_SMOL = (("1B", H100, "llama-3.2-1b", _ONE, (3, 48, 4096), {8: 42000}, {"strategy": "ddp", "framework": "transformers"}),)
_GPT2 = (
    ("GPT-2 XL", H100, "gpt2-xl", _ONE, (14, 14, 1024), {1: 490e12 / _GPT2_FLOP}, _FSDP8),
    ("GPT-2 XL", "dgx-h200", "gpt2-xl", _ONE, (14, 14, 1024), {1: 532.68e12 / _GPT2_FLOP}, _FSDP8),
    ("GPT-2 XL", MI300X, "gpt2-xl", _ONE, (14, 14, 1024), {1: 174.87e12 / _GPT2_FLOP}, _FSDP8),
)
_DIST = (
    ("DeepSeek-V3", GB300, "deepseek-v3-r1", Layout(ep=64), (1, 16, 4096), {256: 5822},
     _FSDP | {"precision": "mxfp8", "whole_gradients": True, "cuda_graphs": "full-iteration"}),
)
# fmt: on
DENSE_TABLES = tables((BRIDGE_16, _BRIDGE), (OLMO, _OLMO), (AWS, _AWS), (SMOL, _SMOL), (TE_GPT2, _GPT2))
MOE_TABLES = tables((BRIDGE_16, _BRIDGE_MOE), (DIST_MOE, _DIST))
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
