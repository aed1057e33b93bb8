"""Published training tables of 2023 to 2025 that no constant was fitted to: one layout on many numbers of GPUs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from core import catalog
from core.calculators.training import Layout, Scenario
from core.hardware import System
from core.parallel.grow import grow_to
from core.workload import Model
from core.workload.config import read_config
from tests.bench.recipes import QWEN3_30B, RECIPES
from tests.bench.unseen_training import Unseen

DGXC = "github.com/NVIDIA/dgxc-benchmarking: recipes of 2024-11 to 2025-08"
FMS = "github.com/foundation-model-stack/fms-fsdp: README, 2024"
INTERNEVO = "github.com/InternLM/InternEvo: doc/en/train_performance.md, 2023-11"
BRIDGE = "github.com/NVIDIA-NeMo/Megatron-Bridge: docs/performance-summary.md, 25.11, GB300"
H100, A100, GB200, GB300 = "dgx-h100", "dgx-a100", "gb200-nvl72", "gb300-nvl72"


def _config(layers: int, hidden: int, heads: int, kv_heads: int, ffn: int, vocab: int) -> Model:
    names = (
        *("num_hidden_layers", "hidden_size", "num_attention_heads"),
        *("num_key_value_heads", "intermediate_size", "vocab_size"),
    )
    values = dict(zip(names, (layers, hidden, heads, kv_heads, ffn, vocab), strict=True))
    model = read_config(json.dumps({"model_type": "llama"} | values)).model
    return replace(model, gated_mlp=ffn != 4 * hidden)


SHAPES = {
    "llama-2-7b": (32, 4096, 32, 32, 11008, 32000),
    "llama-2-13b": (40, 5120, 40, 40, 13824, 32000),
    "llama-34b": (48, 8192, 64, 8, 22016, 32000),
    "internlm-7b": (32, 4096, 32, 32, 11008, 103168),
    "nemotron4-15b": (32, 6144, 48, 8, 24576, 256000),
    "nemotron4-340b": (96, 18432, 96, 8, 73728, 256000),
    "gpt3-175b": (96, 12288, 96, 96, 49152, 51200),
}


@lru_cache
def model(name: str) -> Model:
    """A model of the catalog, or of its publisher's figures."""
    if name == "qwen3-30b-a3b":
        return read_config(json.dumps(QWEN3_30B)).model
    return _config(*SHAPES[name]) if name in SHAPES else catalog.model(name)


@lru_cache
def _system(name: str, gpus: int, nic_bytes_per_s: float | None) -> System:
    grown = grow_to(catalog.system(name), gpus)
    if nic_bytes_per_s is None:
        return grown
    inside, *outside = grown.fabrics
    return replace(grown, fabrics=(inside, *(replace(tier, bytes_per_s=nic_bytes_per_s) for tier in outside)))


@dataclass(frozen=True, slots=True)
class Series:
    """
    One table: a layout whose data parallelism grows with its GPUs.

    Attributes:
        table: Its publisher, and what it is of.
        layout: Degrees but data parallel.
        batch: Micro-batch, sequences of the global batch per GPU (or of all, ``strong``), sequence length.
        values: By GPUs: seconds of a step, or tokens/s per GPU where ``rate``.
        nic_bytes_per_s: Network per GPU and way where it is not the system's.
    """

    source: str
    table: str
    system: str
    model: str
    layout: Layout
    batch: tuple[int, float, int]
    values: dict[int, float]
    job: dict[str, Any] = field(default_factory=dict)
    rate: bool = False
    strong: bool = False
    nic_bytes_per_s: float | None = None

    def runs(self) -> Iterator["HeldOut"]:
        """Every run of the table."""
        micro_batch, sequences, seq = self.batch
        for gpus, value in self.values.items():
            degrees = replace(self.layout, dp=1)
            layout = replace(degrees, dp=gpus // degrees.gpus)
            global_batch = round(sequences if self.strong else sequences * gpus)
            tokens_per_s = value if self.rate else global_batch * seq / value / gpus
            system = _system(self.system, gpus, self.nic_bytes_per_s)
            scenario = Scenario(
                system,
                model(self.model),
                layout,
                micro_batch=micro_batch,
                global_batch=global_batch,
                seq=seq,
                **self.job,
            )
            yield HeldOut(self, gpus, scenario, tokens_per_s)


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


_FP8 = {"precision": "fp8"}
_WIDE = (8, 16, 32, 64, 128, 256, 512, 1024)
_NEMOTRON = (16, 32, 64, 128, 256, 512, 1024, 2048)
_GPT3 = (128, 256, 512, 1024, 2048)
_15B, _340B = Layout(tp=4), Layout(tp=8, pp=4, vpp=12)
_175B = Layout(tp=4, pp=8, vpp=12)
_GROK = Layout(tp=4, pp=8, vpp=8, cp=2, ep=8)


def _by_gpus(gpus: tuple[int, ...], *values: float) -> dict[int, float]:
    return dict(zip(gpus, values, strict=True))


_RACK = (128, 256, 512)
_DGXC = (
    Series(
        DGXC,
        "Nemotron-4 15B",
        H100,
        "nemotron4-15b",
        _15B,
        (4, 4, 4096),
        _by_gpus(_NEMOTRON, 2.812, 2.824, 2.845, 2.859, 2.852, 2.875, 2.895, 2.887),
    ),
    Series(
        DGXC,
        "Nemotron-4 15B",
        H100,
        "nemotron4-15b",
        _15B,
        (4, 4, 4096),
        _by_gpus(_NEMOTRON, 2.039, 2.046, 2.048, 2.059, 2.075, 2.12, 2.094, 2.12),
        _FP8,
    ),
    Series(DGXC, "Nemotron-4 15B, TP2", H100, "nemotron4-15b", Layout(tp=2), (2, 4, 4096), {16: 2.746}),
    Series(DGXC, "Nemotron-4 15B, TP2", H100, "nemotron4-15b", Layout(tp=2), (2, 4, 4096), {16: 1.988}, _FP8),
    Series(
        DGXC,
        "GPT-3 175B",
        H100,
        "gpt3-175b",
        _175B,
        (1, 2, 2048),
        _by_gpus(_GPT3, 8.309, 8.408, 8.42, 8.453, 8.49),
    ),
    Series(
        DGXC,
        "GPT-3 175B",
        H100,
        "gpt3-175b",
        _175B,
        (1, 2, 2048),
        _by_gpus(_GPT3, 5.626, 5.725, 5.774, 5.82, 5.96),
        _FP8,
    ),
    Series(
        DGXC,
        "Nemotron-4 340B",
        GB200,
        "nemotron4-340b",
        _340B,
        (1, 0.25, 4096),
        _by_gpus(_RACK, 2.189, 2.19, 2.229),
    ),
    Series(
        DGXC,
        "Nemotron-4 340B",
        GB200,
        "nemotron4-340b",
        _340B,
        (1, 0.25, 4096),
        _by_gpus(_RACK, 1.483, 1.517, 1.549),
        _FP8,
    ),
    Series(
        DGXC,
        "Nemotron-4 340B, strong",
        GB200,
        "nemotron4-340b",
        _340B,
        (1, 512, 4096),
        _by_gpus(_RACK, 32.66, 16.58, 8.468),
        strong=True,
    ),
    Series(
        DGXC,
        "Nemotron-4 340B, strong",
        GB200,
        "nemotron4-340b",
        _340B,
        (1, 512, 4096),
        _by_gpus(_RACK, 21.83, 11.21, 5.668),
        _FP8,
        strong=True,
    ),
    Series(
        DGXC,
        "Llama 3 8B, fine-tuned",
        H100,
        "llama-3.1-8b",
        Layout(),
        (1, 4, 4096),
        {8: 1.32, 16: 1.32, 32: 1.33},
    ),
    Series(
        DGXC,
        "Llama 3 8B, fine-tuned",
        H100,
        "llama-3.1-8b",
        Layout(),
        (1, 4, 4096),
        {8: 0.95, 16: 0.96, 32: 0.96},
        _FP8,
    ),
    Series(
        DGXC,
        "Llama 3 70B, fine-tuned",
        H100,
        "llama-3.1-70b",
        Layout(tp=4, pp=4, vpp=5),
        (1, 1, 4096),
        {32: 3.36},
    ),
    Series(
        DGXC,
        "Llama 3 70B, fine-tuned",
        H100,
        "llama-3.1-70b",
        Layout(tp=4, pp=4, vpp=5),
        (1, 1, 4096),
        {32: 2.26},
        _FP8,
    ),
)
_HSDP, _SHARDED = {"strategy": "hsdp"}, {"strategy": "fsdp"}
_FULL = _SHARDED | {"recompute": "full"}
_400G, _800G = 6.25e9, 12.5e9
_FMS = (
    Series(
        FMS, "7B", A100, "llama-2-7b", Layout(), (2, 2, 4096), {128: 3760}, _HSDP, True, nic_bytes_per_s=_400G
    ),
    Series(
        FMS,
        "13B",
        A100,
        "llama-2-13b",
        Layout(),
        (1, 1, 4096),
        {128: 1700},
        _HSDP,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        FMS, "34B", A100, "llama-34b", Layout(), (8, 8, 4096), {128: 772}, _FULL, True, nic_bytes_per_s=_400G
    ),
    Series(
        FMS,
        "70B",
        A100,
        "llama-2-70b",
        Layout(),
        (6, 6, 4096),
        {128: 380},
        _FULL,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        FMS,
        "34B, micro-batch 2",
        A100,
        "llama-34b",
        Layout(),
        (2, 2, 4096),
        {128: 700},
        _FULL,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        FMS, "7B", H100, "llama-2-7b", Layout(), (2, 2, 4096), {96: 7500}, _HSDP, True, nic_bytes_per_s=_800G
    ),
    Series(
        FMS, "34B", H100, "llama-34b", Layout(), (2, 2, 4096), {96: 1550}, _FULL, True, nic_bytes_per_s=_800G
    ),
)
_FLAT = {"grad_bytes": 2.0}
_PLAIN = _FLAT | {"sequence_parallel": False}
_AGAIN = _FLAT | {"recompute": "full"}
_INTERNEVO = (
    Series(
        INTERNEVO,
        "optimizer in a node",
        A100,
        "internlm-7b",
        Layout(),
        (2, 8, 2048),
        _by_gpus(_WIDE, 4078, 3939, 3919, 3944, 3928, 3920, 3835, 3625),
        _FLAT,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        INTERNEVO,
        "optimizer in a node, TP2",
        A100,
        "internlm-7b",
        Layout(tp=2),
        (4, 8, 2048),
        _by_gpus(_WIDE, 3761, 3658, 3655, 3650, 3651, 3653, 3589, 3486),
        _PLAIN,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        INTERNEVO,
        "recomputed",
        A100,
        "internlm-7b",
        Layout(),
        (8, 8, 2048),
        _by_gpus(_WIDE, 3314, 3268, 3323, 3217, 3260, 3215, 3199, 3163),
        _AGAIN,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        INTERNEVO,
        "recomputed, 8 M tokens",
        A100,
        "internlm-7b",
        Layout(),
        (4, 4, 2048),
        {512: 2963, 1024: 2796},
        _AGAIN,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        INTERNEVO,
        "recomputed, 4 M tokens",
        A100,
        "internlm-7b",
        Layout(),
        (2, 2, 2048),
        {1024: 2341},
        _AGAIN,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        INTERNEVO,
        "4,096 tokens a GPU, two micro-batches",
        A100,
        "internlm-7b",
        Layout(),
        (2, 4, 2048),
        {512: 3084, 1024: 2817},
        _FLAT,
        True,
        nic_bytes_per_s=_400G,
    ),
    Series(
        INTERNEVO,
        "4,096 tokens a GPU",
        A100,
        "internlm-7b",
        Layout(),
        (2, 2, 2048),
        {1024: 2346},
        _FLAT,
        True,
        nic_bytes_per_s=_400G,
    ),
)
_BRIDGE = (
    Series(BRIDGE, "8B", GB300, "llama-3.1-8b", Layout(), (2, 16, 8192), {8: 37556}, _FP8, True),
    Series(
        BRIDGE,
        "8B, MXFP8",
        GB300,
        "llama-3.1-8b",
        Layout(),
        (2, 16, 8192),
        {8: 36108},
        {"precision": "mxfp8"},
        True,
    ),
    Series(
        BRIDGE,
        "70B, FSDP",
        GB300,
        "llama-3.1-70b",
        Layout(),
        (2, 4, 8192),
        {64: 4520},
        _FP8 | _SHARDED | {"framework": "megatron"},
        True,
    ),
    Series(
        BRIDGE,
        "405B",
        GB300,
        "llama-3.1-405b",
        Layout(tp=2, pp=8, vpp=4, cp=2),
        (1, 6, 8192),
        {256: 999},
        _FP8,
        True,
    ),
)
DENSE = tuple(run for series in (*_DGXC, *_FMS, *_INTERNEVO, *_BRIDGE) for run in series.runs())
_GROKS = (512, 1024, 2048)
_MOE = (
    Series(DGXC, "Grok-1", H100, "grok-1", _GROK, (1, 2, 8192), _by_gpus(_GROKS, 20.83, 21, 21.09)),
    Series(DGXC, "Grok-1", H100, "grok-1", _GROK, (1, 2, 8192), _by_gpus(_GROKS, 16.69, 16.89, 17.04), _FP8),
    Series(
        BRIDGE,
        "DeepSeek-V3",
        GB300,
        "deepseek-v3-r1",
        Layout(pp=2, vpp=4, ep=32),
        (1, 16, 4096),
        {256: 3848},
        RECIPES["deepseek-v3", "32"],
        True,
    ),
    Series(
        BRIDGE,
        "DeepSeek-V3, MXFP8",
        GB300,
        "deepseek-v3-r1",
        Layout(pp=2, vpp=4, ep=32),
        (1, 16, 4096),
        {256: 4357},
        RECIPES["deepseek-v3", "32"] | {"precision": "mxfp8"},
        True,
    ),
    Series(
        BRIDGE,
        "Qwen3 30B",
        GB300,
        "qwen3-30b-a3b",
        Layout(ep=8),
        (4, 64, 4096),
        {8: 28934},
        {"precision": "mxfp8"},
        True,
    ),
    Series(
        BRIDGE,
        "Qwen3 235B",
        GB300,
        "qwen3-235b-a22b",
        Layout(pp=4, vpp=12, ep=16),
        (2, 32, 4096),
        {256: 6131},
        {},
        True,
    ),
)
MOE = tuple(run for series in _MOE for run in series.runs())
