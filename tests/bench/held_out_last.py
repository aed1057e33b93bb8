"""
Published training figures of 2023 to 2026 that were read on 2026-11-28, asked with the calculator as it stood.

Assumed where the source keeps silent: ATorch counts full recomputation in its TFLOP/s (its share is HFU) and has the
sequences of 4,096 that its scripts have; DeepSpeed's pipeline overlaps no gradients and its TP has no sequence parallelism;
packed documents of prime-rl, whose attention is 5 % of a step, are sequences of 1,024. Today the checks of 2026-08 on Blackwell
are asked with what the recipes that they name say (one graph of the iteration, dispatch and combine overlapped, nothing
recomputed on GB300: Megatron-Bridge, pull requests 3983 and 4606), and the runs of 2026-07 with their graphs of parts.
"""

from core.calculators.training import Layout
from tests.bench.held_out import A100, GB200, GB300, H100, tables
from tests.bench.held_out_fresh import B300

ATORCH = "github.com/intelligent-machine-learning/dlrover: atorch/examples/llama2/README.md, 2023-11"
TITAN_2024 = "github.com/pytorch/torchtitan: docs/performance.md, 2024"
AUTOTP = "github.com/deepspeedai/DeepSpeedExamples: TP benchmarking tool, Qwen3 32B, 2025-12"
CARDS = "github.com/NVIDIA-NeMo/Megatron-Bridge: examples/model_verification_cards, 2026-07 and 2026-08"
PRIME = "github.com/PrimeIntellect-ai/prime-rl: docs/performance.md, 2026-10"
_7B, _13B, _70B2, _8B, _405B = "llama-2-7b", "llama-2-13b", "llama-2-70b", "llama-3.1-8b", "llama-3.1-405b"
_30B, _235B, _MOONLIGHT = "qwen3-30b-a3b", "qwen3-235b-a22b", "moonlight-16b-a3b"
_HARDWARE_FLOP = 4 / 3 * (6 * 6.74e9 + 12 * 32 * 4096 * 4096)
"""Of a token of Llama 2 7B with full recomputation."""
_FP8, _MXFP8, _PLAIN, _HIDDEN = (
    {"precision": "fp8"},
    {"precision": "mxfp8"},
    {"tp_overlap": 0.0},
    {"ep_overlap": 1.0},
)
_WHOLE, _PART = _HIDDEN | {"cuda_graphs": "full-iteration"}, {"cuda_graphs": "partial"}
_FSDP = {"strategy": "fsdp"}
_FULL, _KEEP = _FSDP | {"recompute": "full"}, _FSDP | {"recompute": "selective"}
_DS_3D = {"precision": "fp16", "recompute": "full", "dp_overlap": False, "sequence_parallel": False}
_RDMA = 12.5e9
"""Bytes/s of network per GPU: 800 Gb/s a node of eight."""


def _counted(*values: tuple[int, float]) -> dict[int, float]:
    """Tokens/s per GPU from TFLOP/s with recomputation, by GPUs."""
    return {gpus: tera * 1e12 / _HARDWARE_FLOP for gpus, tera in values}


def _timed(gpus: int, sequences: float, seq: int, seconds: float) -> dict[int, float]:
    """Tokens/s per GPU from seconds of a step and sequences per GPU."""
    return {gpus: sequences * seq / seconds}


# fmt: off
_ATORCH = (
    ("7B", A100, _7B, Layout(), (4, 4, 4096), _counted((8, 204.67), (16, 197.22), (32, 196.04), (64, 195.14)), _FULL, _RDMA),
    ("7B, PP2", A100, _7B, Layout(pp=2), (8, 256, 4096), _counted((8, 190.27)), _DS_3D, _RDMA),
    ("7B, TP2", A100, _7B, Layout(tp=2), (8, 256, 4096), _counted((8, 159.19)), _DS_3D, _RDMA),
    ("7B, TP2 PP2", A100, _7B, Layout(tp=2, pp=2), (8, 128, 4096),
     _counted((8, 155.73), (16, 154.84), (32, 154.44), (64, 153.93)), _DS_3D, _RDMA),
)
_TITAN = (
    ("13B", A100, _13B, Layout(), (2, 2, 4096), {64: 2162}, _FSDP),
    ("13B, every other layer recomputed", A100, _13B, Layout(), (2, 2, 4096), {64: 1914}, _FULL | {"recompute_layers": 20}),
    ("13B, operations recomputed", A100, _13B, Layout(), (2, 2, 4096), {64: 1904}, _KEEP),
    ("70B, operations recomputed", A100, _70B2, Layout(), (1, 1, 4096), {64: 355}, _KEEP),
    ("70B, recomputed", A100, _70B2, Layout(), (2, 2, 4096), {64: 353}, _FULL),
    ("8B, every other layer recomputed", A100, _8B, Layout(), (1, 1, 8192), {64: 2904}, _FULL | {"recompute_layers": 16}),
    ("405B", H100, _405B, Layout(tp=8), (2, 0.25, 8192), {128: 109}, _FULL | _PLAIN),
    ("405B", H100, _405B, Layout(tp=8), (2, 0.25, 8192), {128: 177}, _FULL | _FP8 | _PLAIN),
    ("405B, TP overlapped", H100, _405B, Layout(tp=8), (2, 0.25, 8192), {128: 185}, _FULL | _FP8),
)
_AUTOTP = (
    ("32B, AutoTP", H100, "qwen3-32b", Layout(tp=8), (1, 0.125, 2048), {8: 2479 / 8},
     {"recompute": "full", "framework": "transformers", "sequence_parallel": False}),
    ("32B, DTensor", H100, "qwen3-32b", Layout(tp=8), (1, 0.125, 2048), {8: 1513 / 8}, _FULL | _PLAIN),
    ("32B, torchtitan", H100, "qwen3-32b", Layout(tp=8), (1, 0.125, 2048), {8: 1000 / 8}, _FULL | _PLAIN),
)
_CARDS = (
    ("Qwen3 8B", H100, "qwen3-8b", Layout(), (1, 64, 4096), _timed(16, 64, 4096, 24.36181)),
)
_EXPERTS = (
    ("Qwen3 30B, learned routing", H100, _30B, Layout(ep=16), (1, 64, 4096), _timed(16, 64, 4096, 30.28955), _PART),
    ("Qwen3 30B, learned routing", GB200, _30B, Layout(ep=8), (4, 64, 4096), _timed(8, 64, 4096, 12.36234), _MXFP8 | _PART),
    ("Moonlight 16B, learned routing", H100, _MOONLIGHT, Layout(ep=8), (2, 64, 4096), _timed(16, 64, 4096, 11.63635)),
    ("Qwen3 235B", GB300, _235B, Layout(pp=4, vpp=12, ep=32), (2, 32, 4096), {256: 8784.492}, _MXFP8 | _WHOLE),
    ("Qwen3 235B", GB200, _235B, Layout(pp=8, vpp=3, ep=32), (1, 32, 4096), {256: 7320.274}, _MXFP8 | _WHOLE),
    ("Qwen3 235B, learned routing", GB200, _235B, Layout(pp=16, ep=16), (1, 32, 4096), {256: 1806.546}, _MXFP8 | _PART),
    ("DeepSeek-V3", GB300, "deepseek-v3-r1", Layout(pp=2, vpp=8, ep=32), (1, 32, 4096), _timed(256, 32, 4096, 20.85782),
     _MXFP8 | _WHOLE),
)
_PRIME = (
    ("Qwen3 235B, torchtitan", B300, _235B, Layout(ep=8), (16, 16, 1024), {32: 3253}, _FULL),
    ("Qwen3 235B", B300, _235B, Layout(ep=8), (16, 16, 1024), {32: 3732}, _FULL),
    ("Qwen3 235B, exchange in GEMMs", B300, _235B, Layout(ep=8), (16, 16, 1024), {32: 3998}, _FULL | _HIDDEN),
    ("Qwen3 235B, exchange in GEMMs, operations recomputed", B300, _235B, Layout(ep=8), (16, 16, 1024), {32: 4168}, _KEEP | _HIDDEN),
)
# fmt: on
DENSE_TABLES = tables((ATORCH, _ATORCH), (TITAN_2024, _TITAN), (AUTOTP, _AUTOTP), (CARDS, _CARDS))
MOE_TABLES = tables((CARDS, _EXPERTS), (PRIME, _PRIME))
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
