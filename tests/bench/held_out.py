"""Published training tables of 2023 to 2025 that no constant was fitted to: one layout on many numbers of GPUs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from core import catalog
from core.calculators.training import Layout, Scenario
from core.catalog.calibrations.training import FSDP, FSDP_2024
from core.hardware import System
from core.parallel.grow import grow_to
from core.workload import Model
from core.workload.config import read_config
from tests.bench.recipes import LLAMA_4_SCOUT, MOONLIGHT, QWEN3_30B, QWEN3_32B, RECIPES, experts
from tests.core.hybrid_shapes import NEMOTRON_56B

DGXC = "github.com/NVIDIA/dgxc-benchmarking: recipes of 2024-11 to 2025-08"
FMS = "github.com/foundation-model-stack/fms-fsdp: README, 2024"
INTERNEVO = "github.com/InternLM/InternEvo: doc/en/train_performance.md, 2023-11"
BRIDGE = "github.com/NVIDIA-NeMo/Megatron-Bridge: docs/performance-summary.md, 25.11, GB300"
DGXC_2026 = "github.com/NVIDIA/dgxc-benchmarking: recipes of 2025-09 to 2026"
ZOO = "github.com/yanring/Megatron-MoE-ModelZoo: best_practice/Qwen3, 2025"
MLPERF = "github.com/mlcommons/training_results_v3.1: NVIDIA Eos, 1,344 nodes"
IN_FP32 = (
    "pytorch/torchtitan",
    "NousResearch/torchtitan",
    "prime-rl",
    "NVIDIA-NeMo/Automodel",
    "KempnerForge",
    "bionemo",
)
"""Publishers of FSDP whose configurations reduce gradients in FP32."""
WHOLE = "KempnerForge"
"""A publisher whose loop leaves gradients whole between micro-batches (FSDP2's ``set_requires_gradient_sync``)."""
EARLY = ("2023", "2024", "2025")
"""Years of publishers before PyTorch's attention on Hopper was cuDNN's."""
TODAY = "2026"
"""Of publishers whose tables reach into it."""
IN_SECONDS = (DGXC, DGXC_2026, ZOO)
"""Publishers of seconds of a step."""
H100, A100, GB200, GB300, H200 = "dgx-h100", "dgx-a100", "gb200-nvl72", "gb300-nvl72", "dgx-h200"
H200_NODE, H800 = "dgx-h200, eight a node", "hgx-h800-x8"
"""H200 as sold, where ``H200`` is the node of four that KempnerForge runs on; H800."""
MI350X = "mi350x-x8"
"""A node of eight that the catalog does not hold: MI355X's with other GPUs."""
NIC_BYTES_PER_S = {(FMS, A100): 6.25e9, (FMS, H100): 12.5e9, (INTERNEVO, A100): 6.25e9}
"""Network per GPU and way where it is not the system's: 400 and 800 Gb/s a node."""
DEEPSEEK_14 = "deepseek-v3-14-layers"
"""A proxy of DeepSeek-V3: fourteen of its layers."""
STRONG = "strong scaling"
"""In the name of a table whose global batch stays."""
SHAPES = {
    "llama-2-7b": (32, 4096, 32, 32, 11008, 32000),
    "llama-2-13b": (40, 5120, 40, 40, 13824, 32000),
    "llama-34b": (48, 8192, 64, 8, 22016, 32000),
    "internlm-7b": (32, 4096, 32, 32, 11008, 103168),
    "nemotron4-15b": (32, 6144, 48, 8, 24576, 256000),
    "nemotron4-340b": (96, 18432, 96, 8, 73728, 256000),
    "gpt3-175b": (96, 12288, 96, 96, 49152, 51200),
    "gpt-5b": (24, 4096, 32, 32, 16384, 51200),
    "llama-13b-kempner": (40, 5120, 40, 8, 17920, 128256),
    "llama-175b-kempner": (96, 12288, 96, 8, 39680, 128256),
    "qwen3-4b": (36, 2560, 32, 8, 9728, 151936),
    "qwen3-8b": (36, 4096, 32, 8, 12288, 151936),
    "gpt3-20b": (44, 6144, 48, 48, 24576, 51200),
    "nemotron-8b": (32, 4096, 32, 32, 16384, 256000),
    "nemotron-22b": (40, 6144, 48, 48, 24576, 256000),
    "baichuan2-13b": (40, 5120, 40, 40, 13696, 125696),
    "qwen2.5-1.5b": (28, 1536, 12, 2, 8960, 151936),
    "qwen2.5-32b": (64, 5120, 40, 8, 27648, 152064),
    "mistral-7b-64k": (32, 4096, 32, 8, 14336, 64000),
    "nanochat-d20": (20, 1280, 10, 10, 5120, 65536),
    "gpt2-774m": (36, 1280, 20, 20, 5120, 50304),
    "llama-70b-4-layers": (4, 8192, 64, 8, 28672, 128256),
    "qwen3-1.7b": (28, 2048, 16, 8, 6144, 151936),
    "llama-3.2-1b": (16, 2048, 32, 8, 8192, 128256),
    "olmo2-7b": (32, 4096, 32, 32, 11008, 100352),
    "olmo2-13b": (40, 5120, 40, 40, 13824, 100352),
    "gpt2-xl": (48, 1600, 25, 25, 6400, 50304),
    "qwen2.5-14b": (48, 5120, 40, 8, 13824, 152064),
    "nanotron-3b": (28, 3072, 32, 32, 8192, 131072),
    "phi-3-mini": (32, 3072, 32, 32, 8192, 32064),
}
"""Layers, hidden size, heads, KV heads, MLP and vocabulary of models that the catalog does not hold."""
CONFIGS = {
    "qwen3-30b-a3b": QWEN3_30B,
    "llama-4-scout": LLAMA_4_SCOUT,
    "nemotron-h-56b": NEMOTRON_56B,
    "moonlight-16b-a3b": MOONLIGHT,
    "qwen3-32b": QWEN3_32B,
    "kempner-8-experts": experts(8),
    "kempner-64-experts": experts(64),
}
"""config.json of models that it does not hold either."""
CONFIG = (
    *("num_hidden_layers", "hidden_size", "num_attention_heads"),
    *("num_key_value_heads", "intermediate_size", "vocab_size"),
)


@lru_cache
def model(name: str) -> Model:
    """A model of the catalog, or of its publisher's figures."""
    if name in CONFIGS:
        return read_config(json.dumps(CONFIGS[name])).model
    if name == DEEPSEEK_14:
        return replace(catalog.model("deepseek-v3-r1"), layers=14, dense_layers=1)
    if name not in SHAPES:
        return catalog.model(name)
    config = {"model_type": "llama"} | dict(zip(CONFIG, SHAPES[name], strict=True))
    plain = config["intermediate_size"] == 4 * SHAPES[name][1]
    return replace(read_config(json.dumps(config)).model, gated_mlp=not plain)


def _node(name: str) -> System:
    """One node: of the catalog, or half of one where its publisher's hold four GPUs and as many NICs."""
    if name == MI350X:
        return replace(catalog.system("mi355x-x8"), gpu=catalog.gpu("mi350x"))
    if name == H200_NODE:
        return catalog.system(H200)
    if name != H200:
        return catalog.system(name)
    whole = catalog.system(name)
    inside, *outside = whole.fabrics
    return replace(whole, domain_gpus=4, nics_per_domain=4, fabrics=(replace(inside, ranks=4), *outside))


@lru_cache
def _system(name: str, gpus: int, nic_bytes_per_s: float | None) -> System:
    grown = grow_to(_node(name), gpus)
    if nic_bytes_per_s is None:
        return grown
    inside, *outside = grown.fabrics
    return replace(grown, fabrics=(inside, *(replace(tier, bytes_per_s=nic_bytes_per_s) for tier in outside)))


@dataclass(frozen=True, slots=True)
class Series:
    """
    One table: a layout whose data parallelism grows with its GPUs.

    Attributes:
        table: What it is of.
        layout: Degrees but data parallel.
        batch: Micro-batch, sequences of the global batch per GPU (of all in strong scaling), sequence length.
        values: By GPUs: seconds of a step of publishers of seconds, tokens/s per GPU elsewhere.
        nic_bytes_per_s: Network per GPU and way where it is neither the system's nor its publisher's usual one.
    """

    source: str
    table: str
    system: str
    model: str
    layout: Layout
    batch: tuple[int, float, int]
    values: dict[int, float]
    job: dict[str, Any] = field(default_factory=dict)
    nic_bytes_per_s: float | None = None

    def runs(self) -> Iterator["HeldOut"]:
        """Every run of the table."""
        micro_batch, sequences, seq = self.batch
        for gpus, value in self.values.items():
            layout = replace(self.layout, dp=gpus // self.layout.gpus)
            global_batch = round(sequences if STRONG in self.table else sequences * gpus)
            rate = global_batch * seq / value / gpus if self.source in IN_SECONDS else value
            nic = self.nic_bytes_per_s or NIC_BYTES_PER_S.get((self.source, self.system))
            system = _system(self.system, gpus, nic)
            batch = {"micro_batch": micro_batch, "global_batch": global_batch, "seq": seq}
            job = reduced(self.source, self.job)
            scenario = Scenario(system, model(self.model), layout, **batch, **job)
            yield HeldOut(self, gpus, dated(self.source, scenario), rate)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One run of a table, and its tokens/s per GPU."""

    series: Series
    gpus: int
    scenario: Scenario
    tokens_per_s_per_gpu: float

    @property
    def source(self) -> str:
        """Its publisher."""
        return self.series.source


def reduced(source: str, job: dict[str, Any]) -> dict[str, Any]:
    """A job with the bytes of gradients that its publisher is known to reduce."""
    known = any(name in source for name in IN_FP32) and job.get("strategy") == "fsdp"
    whole = {"whole_gradients": True} if WHOLE in source else {}
    return {"grad_bytes": 4.0} | whole | job if known else job


def dated(source: str, scenario: Scenario) -> Scenario:
    """The job with PyTorch's kernels of its publisher's year."""
    early = scenario.kernels == FSDP and any(year in source for year in EARLY) and TODAY not in source
    return replace(scenario, framework=FSDP_2024) if early else scenario


def _by_gpus(first: int, *values: float) -> dict[int, float]:
    """Values of a series whose GPUs double."""
    return {first << place: value for place, value in enumerate(values)}


_FP8, _MXFP8 = {"precision": "fp8"}, {"precision": "mxfp8"}
_HSDP, _FSDP = {"strategy": "hsdp"}, {"strategy": "fsdp"}
_FULL, _BRIDGE_FSDP = _FSDP | {"recompute": "full"}, _FSDP | _FP8 | {"framework": "megatron"}
_BF16_GRADS = {"grad_bytes": 2.0}
_NO_SP, _AGAIN = _BF16_GRADS | {"sequence_parallel": False}, _BF16_GRADS | {"recompute": "full"}
_340B, _175B = Layout(tp=8, pp=4, vpp=12), Layout(tp=4, pp=8, vpp=12)
_70B, _405B = Layout(tp=4, pp=4, vpp=5), Layout(tp=2, pp=8, vpp=4, cp=2)
_GROK, _V3 = Layout(tp=4, pp=8, vpp=8, cp=2, ep=8), Layout(pp=2, vpp=4, ep=32)
_TP2, _TP4, _ONE = Layout(tp=2), Layout(tp=4), Layout()
_15 = "nemotron4-15b"
_ZERO, _ZERO2 = "optimizer in a node", "optimizer in a node, TP2"
# fmt: off
_DGXC = (
    ("Nemotron-4 15B", H100, _15, _TP4, (4, 4, 4096),
     _by_gpus(16, 2.812, 2.824, 2.845, 2.859, 2.852, 2.875, 2.895, 2.887)),
    ("Nemotron-4 15B", H100, _15, _TP4, (4, 4, 4096),
     _by_gpus(16, 2.039, 2.046, 2.048, 2.059, 2.075, 2.12, 2.094, 2.12), _FP8),
    ("Nemotron-4 15B, TP2", H100, _15, _TP2, (2, 4, 4096), {16: 2.746}),
    ("Nemotron-4 15B, TP2", H100, _15, _TP2, (2, 4, 4096), {16: 1.988}, _FP8),
    ("GPT-3 175B", H100, "gpt3-175b", _175B, (1, 2, 2048), _by_gpus(128, 8.309, 8.408, 8.42, 8.453, 8.49)),
    ("GPT-3 175B", H100, "gpt3-175b", _175B, (1, 2, 2048), _by_gpus(128, 5.626, 5.725, 5.774, 5.82, 5.96), _FP8),
    ("Nemotron-4 340B", GB200, "nemotron4-340b", _340B, (1, 0.25, 4096), _by_gpus(128, 2.189, 2.19, 2.229)),
    ("Nemotron-4 340B", GB200, "nemotron4-340b", _340B, (1, 0.25, 4096), _by_gpus(128, 1.483, 1.517, 1.549), _FP8),
    ("Nemotron-4 340B, strong scaling", GB200, "nemotron4-340b", _340B, (1, 512, 4096),
     _by_gpus(128, 32.66, 16.58, 8.468)),
    ("Nemotron-4 340B, strong scaling", GB200, "nemotron4-340b", _340B, (1, 512, 4096),
     _by_gpus(128, 21.83, 11.21, 5.668), _FP8),
    ("Llama 3 8B, fine-tuned", H100, "llama-3.1-8b", _ONE, (1, 4, 4096), _by_gpus(8, 1.32, 1.32, 1.33)),
    ("Llama 3 8B, fine-tuned", H100, "llama-3.1-8b", _ONE, (1, 4, 4096), _by_gpus(8, 0.95, 0.96, 0.96), _FP8),
    ("Llama 3 70B, fine-tuned", H100, "llama-3.1-70b", _70B, (1, 1, 4096), {32: 3.36}),
    ("Llama 3 70B, fine-tuned", H100, "llama-3.1-70b", _70B, (1, 1, 4096), {32: 2.26}, _FP8),
)
_FMS = (
    ("7B", A100, "llama-2-7b", _ONE, (2, 2, 4096), {128: 3760}, _HSDP),
    ("13B", A100, "llama-2-13b", _ONE, (1, 1, 4096), {128: 1700}, _HSDP),
    ("34B", A100, "llama-34b", _ONE, (8, 8, 4096), {128: 772}, _FULL),
    ("70B", A100, "llama-2-70b", _ONE, (6, 6, 4096), {128: 380}, _FULL),
    ("34B, micro-batch 2", A100, "llama-34b", _ONE, (2, 2, 4096), {128: 700}, _FULL),
    ("7B", H100, "llama-2-7b", _ONE, (2, 2, 4096), {96: 7500}, _HSDP),
    ("34B", H100, "llama-34b", _ONE, (2, 2, 4096), {96: 1550}, _FULL),
)
_INTERNEVO = (
    (_ZERO, A100, "internlm-7b", _ONE, (2, 8, 2048),
     _by_gpus(8, 4078, 3939, 3919, 3944, 3928, 3920, 3835, 3625), _BF16_GRADS),
    (_ZERO2, A100, "internlm-7b", _TP2, (4, 8, 2048),
     _by_gpus(8, 3761, 3658, 3655, 3650, 3651, 3653, 3589, 3486), _NO_SP),
    ("recomputed", A100, "internlm-7b", _ONE, (8, 8, 2048),
     _by_gpus(8, 3314, 3268, 3323, 3217, 3260, 3215, 3199, 3163), _AGAIN),
    ("recomputed, micro-batch 4", A100, "internlm-7b", _ONE, (4, 4, 2048), _by_gpus(512, 2963, 2796), _AGAIN),
    ("recomputed, micro-batch 2", A100, "internlm-7b", _ONE, (2, 2, 2048), {1024: 2341}, _AGAIN),
    ("two micro-batches", A100, "internlm-7b", _ONE, (2, 4, 2048), _by_gpus(512, 3084, 2817), _BF16_GRADS),
    ("one micro-batch", A100, "internlm-7b", _ONE, (2, 2, 2048), {1024: 2346}, _BF16_GRADS),
)
_BRIDGE = (
    ("8B", GB300, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 37556}, _FP8),
    ("8B", GB300, "llama-3.1-8b", _ONE, (2, 16, 8192), {8: 36108}, _MXFP8),
    ("70B, FSDP", GB300, "llama-3.1-70b", _ONE, (2, 4, 8192), {64: 4520}, _BRIDGE_FSDP),
    ("405B", GB300, "llama-3.1-405b", _405B, (1, 6, 8192), {256: 999}, _FP8),
)
_GROKS = (
    ("Grok-1", H100, "grok-1", _GROK, (1, 2, 8192), _by_gpus(512, 20.83, 21, 21.09)),
    ("Grok-1", H100, "grok-1", _GROK, (1, 2, 8192), _by_gpus(512, 16.69, 16.89, 17.04), _FP8),
)
_EXPERTS = (
    ("DeepSeek-V3", GB300, "deepseek-v3-r1", _V3, (1, 16, 4096), {256: 3848}, RECIPES["deepseek-v3", "32"]),
    ("DeepSeek-V3", GB300, "deepseek-v3-r1", _V3, (1, 16, 4096), {256: 4357},
     RECIPES["deepseek-v3", "32"] | _MXFP8),
    ("Qwen3 30B", GB300, "qwen3-30b-a3b", Layout(ep=8), (4, 64, 4096), {8: 28934}, _MXFP8),
    ("Qwen3 235B", GB300, "qwen3-235b-a22b", Layout(pp=4, vpp=12, ep=16), (2, 32, 4096), {256: 6131}),
)
# fmt: on


def tables(*parts: tuple[str, tuple[tuple[Any, ...], ...]]) -> tuple[Series, ...]:
    """Series of tables by source."""
    return tuple(Series(source, *table) for source, every in parts for table in every)


DENSE_TABLES = tables((DGXC, _DGXC), (FMS, _FMS), (INTERNEVO, _INTERNEVO), (BRIDGE, _BRIDGE))
MOE_TABLES = tables((DGXC, _GROKS), (BRIDGE, _EXPERTS))
DENSE = tuple(run for series in DENSE_TABLES for run in series.runs())
MOE = tuple(run for series in MOE_TABLES for run in series.runs())
