"""
Published training tables read after those of ``held_out``: asked with the calculator as it stood, then compared.

One row is left out: a 70B on GB300 whose table states neither FSDP nor TP nor PP, which no GPU holds. prime-rl's dense runs
are asked today with FlashAttention-2, its default (first with PyTorch's attention of today).
"""

from core.calculators.training import Layout
from tests.bench.held_out import A100, GB200, GB300, H100, H200, tables

KEMPNER = "github.com/KempnerInstitute/KempnerForge: benchmarks, 2026"
PRIME = "github.com/PrimeIntellect-ai/prime-rl: benchmarks/baselines and docs, 2026"
NEMO = "docs.nvidia.com/nemo-framework: performance summaries, containers 25.04 and 25.07, GB200"
TITAN = "github.com/pytorch/torchtitan: benchmarks/llama3_h100_202412_torchtitan.md, 4D"
BRIDGE = (
    "docs.nvidia.com/nemo/megatron-bridge: performance summaries 25.09 to 26.02.01, rows of no other table"
)
PAX = "github.com/NVIDIA/JAX-Toolbox: rosetta/projects/pax, 2023"
B200, B300 = "dgx-b200", "dgx-b300"

_FULL = {"strategy": "fsdp", "recompute": "full"}
_FP8, _MXFP8 = {"precision": "fp8"}, {"precision": "mxfp8"}
_FULL8 = _FULL | _FP8
_BRIDGE_FSDP = _FP8 | {"strategy": "fsdp", "framework": "megatron"}
_PLAIN, _FLASH_2 = _FULL | {"tp_overlap": 0.0}, {"framework": "fsdp-2024"}
_ONE, _TP2, _TP4 = Layout(), Layout(tp=2), Layout(tp=4)
_340B, _405B, _70B = Layout(tp=8, pp=4, vpp=12), Layout(tp=4, pp=8, vpp=8, cp=2), Layout(tp=2, pp=4, vpp=5)
_13, _175 = "llama-13b-kempner", "llama-175b-kempner"
# fmt: off
_KEMPNER = (
    ("8B", H200, "llama-3.1-8b", _ONE, (4, 8, 4096), {1: 10471, 2: 9364, 4: 9746}, _FULL),
    ("8B, TP2", H200, "llama-3.1-8b", _TP2, (4, 4, 4096), {2: 6582, 4: 6495}, _PLAIN),
    ("8B, TP4", H200, "llama-3.1-8b", _TP4, (4, 2, 4096), {4: 6284, 8: 5537, 16: 5187, 32: 4872}, _PLAIN),
    ("13B", H200, _13, _ONE, (4, 16, 4096), {8: 4426}, _FULL),
    ("13B, TP4", H200, _13, _TP4, (4, 4, 4096), {8: 3733, 32: 3449, 64: 3383, 128: 3307, 160: 3342}, _PLAIN),
    ("70B, TP4", H200, "llama-3.1-70b", _TP4, (2, 2, 4096), {32: 584, 64: 560, 96: 544, 128: 547, 160: 535}, _PLAIN),
    ("175B, TP4", H200, _175, _TP4, (8, 2, 4096), {360: 429}, _PLAIN),
)
_TITAN = tuple(
    ("405B", H100, "llama-3.1-405b", Layout(tp=8, pp=8, cp=cp), (1, 1 / 8 / cp, 32768 * cp), {512: rate}, _FULL8)
    for cp, rate in ((1, 76), (2, 47), (4, 31), (8, 16))
)
_PRIME = (
    ("Qwen3 4B", H100, "qwen3-4b", _ONE, (1, 2, 16384), {8: 6215}, _FULL | _FLASH_2),
    ("Qwen3 4B", B200, "qwen3-4b", _ONE, (1, 2, 16384), {8: 8544}, _FULL | _FLASH_2),
)
_NEMO = (
    ("25.04, GPT-3 175B", GB200, "gpt3-175b", Layout(tp=4, pp=4, vpp=12), (2, 2, 2048), {128: 1804}, _FP8),
    ("25.04, 8B", GB200, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 33099}, _FP8),
    ("25.04, 70B, FSDP", GB200, "llama-3.1-70b", _ONE, (1, 2, 8192), {64: 4035}, _BRIDGE_FSDP),
    ("25.04, 405B", GB200, "llama-3.1-405b", _405B, (1, 0.5, 8192), {128: 665}, _FP8),
    ("25.04, Nemotron-4 15B", GB200, "nemotron4-15b", _ONE, (2, 4, 4096), {64: 17809}, _FP8),
    ("25.04, Nemotron-4 340B", GB200, "nemotron4-340b", _340B, (1, 0.25, 4096), {128: 737}, _FP8),
    ("25.07, 8B", GB200, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 30341}, _MXFP8),
    ("25.07, 70B", GB200, "llama-3.1-70b", Layout(tp=2, pp=4, vpp=5, cp=2), (1, 2, 8192), {64: 2605}, _MXFP8),
    ("25.07, 405B", GB200, "llama-3.1-405b", _405B, (1, 0.5, 8192), {128: 638}, _MXFP8),
)
_BRIDGE = (
    ("25.09, 8B", GB200, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 29925}, _MXFP8),
    ("25.09, 70B", GB200, "llama-3.1-70b", _70B, (1, 2, 8192), {64: 3546}, _MXFP8),
    ("25.11, 8B", GB200, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 29789}, _MXFP8),
    ("25.11, 8B", B200, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 29521}, _MXFP8),
    ("25.11, 405B", B200, "llama-3.1-405b", _405B, (1, 0.5, 8192), {128: 624}, _MXFP8),
    ("26.02.01, 70B, PP4", GB300, "llama-3.1-70b", Layout(pp=4), (2, 4, 8192), {64: 4798}, _MXFP8),
)
_PAX = (
    ("GPT 5B", A100, "gpt-5b", _ONE, (8, 8, 2048), {256: 4791}, {"strategy": "fsdp", "framework": "any"}),
    ("GPT 175B", A100, "gpt3-175b", _ONE, (6, 6, 2048), {256: 157}, _FULL | {"framework": "any"}),
)
_PRIME_MOE = (
    ("Qwen3 30B", B200, "qwen3-30b-a3b", _ONE, (1, 2, 16384), {8: 6960}, _FULL),
    ("Qwen3 235B", B300, "qwen3-235b-a22b", Layout(ep=8), (8, 8, 2048), {32: 3732}, _FULL),
    ("Qwen3 235B, torchtitan", B300, "qwen3-235b-a22b", Layout(ep=8), (8, 8, 2048), {32: 3253}, _FULL),
    ("Qwen3 235B, overlapped", B300, "qwen3-235b-a22b", Layout(ep=8), (8, 8, 2048), {32: 3998},
     _FULL | {"ep_overlap": 1.0}),
    ("Qwen3 235B, overlapped, selective", B300, "qwen3-235b-a22b", Layout(ep=8), (8, 8, 2048), {32: 4168},
     {"strategy": "fsdp", "recompute": "selective", "ep_overlap": 1.0}),
)
_NEMO_MOE = (
    ("25.07, Llama 4 Scout", GB200, "llama-4-scout", Layout(ep=16), (1, 16, 8192), {64: 13783}, _FP8),
    ("25.07, Llama 4 Scout", GB200, "llama-4-scout", Layout(ep=16), (1, 16, 8192), {64: 10717}, _MXFP8),
)
_BRIDGE_MOE = (
    ("25.11, GPT-OSS 120B", GB300, "gpt-oss-120b", Layout(ep=64), (2, 20, 8192), {64: 18347}),
)
# fmt: on
DENSE_TABLES = tables(
    (KEMPNER, _KEMPNER), (TITAN, _TITAN), (PRIME, _PRIME), (NEMO, _NEMO), (BRIDGE, _BRIDGE), (PAX, _PAX)
)
MOE_TABLES = tables((PRIME, _PRIME_MOE), (NEMO, _NEMO_MOE), (BRIDGE, _BRIDGE_MOE))
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
