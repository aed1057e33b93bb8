"""Published training jobs that ran out of memory, and what is said of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from core import catalog
from core.calculators.training import Fit, Layout, Scenario, Verdict, fit, memory
from core.calculators.training.uncounted import uncounted
from core.hardware import System
from core.parallel.grow import grow_to
from tests.bench import held_out
from tests.bench.tables import print_table


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """A published job that ran out of memory; ``late`` ones were read on 2026-11-28."""

    name: str
    source: str
    scenario: Scenario
    late: bool = True

    @property
    def fit(self) -> Fit:
        """What is said of it."""
        return fit(self.scenario)

    @property
    def told(self) -> tuple[str, ...]:
        """What is said not to be counted, and would not fit."""
        return uncounted(self.scenario, memory(self.scenario))

    @property
    def seen(self) -> bool:
        """Whether it is refused, made to change something, called tight, or told what is not counted."""
        return self.fit.verdict is not Verdict.FITS or bool(memory(self.scenario).tight) or bool(self.told)


_ONE = Layout()
_HF = {"framework": "transformers"}
_FSDP = {"strategy": "fsdp"}
_FULL = _FSDP | {"recompute": "full"}
_HF_FULL, _KEEP = _HF | _FULL, _FSDP | {"recompute": "selective"}
_SFT = {"precision": "fp8", "recompute": "selective", "recompute_modules": ("core_attn",)}
_LEAN = _FSDP | {"grad_bytes": 2.0, "optimizer_bytes": 6.0}
_AMP = {"param_bytes": 4.0, "grad_bytes": 4.0, "optimizer_bytes": 8.0, "recompute": "full"}
_PURE = {"grad_bytes": 4.0, "optimizer_bytes": 4.0, "whole_gradients": True}
_MI300X = _FSDP | {"precision": "fp8", "flash": False}
_V100 = {"strategy": "ddp", "precision": "fp16", "flash": False}
_70B, _8B = "llama-3.1-70b", "llama-3.1-8b"
_7B, _13B = "llama-2-7b", "llama-2-13b"
_KEMPNER = "github.com/KempnerInstitute/KempnerForge: benchmarks/moe_expert_parallel and moe_packed, 2026-04"
_QWEN_16 = "github.com/BastiaanGroot/ML-Infrastructure-Engineer: training/README.md, 2026"
_QWEN_32B = "github.com/simplescaling/s1: issue 13, 2025-02"
# fmt: off
_JOBS = (
    ("Llama 3 70B, FP8, TP4 PP4 VPP5 on 32 H100, in 30 to 60 % of its runs", "github.com/NVIDIA-NeMo/Megatron-Bridge: pull request 3107",
     "dgx-h100", _70B, Layout(4, 4, 5, 2), (1, 32, 4096), _SFT),
    ("Llama 3.3 70B, PP8 FSDP4 on 32 H100, four packed sequences of 1,024", "github.com/NVIDIA-NeMo/Automodel: pull request 2673",
     "dgx-h100", _70B, Layout(pp=8, dp=4), (4, 128, 1024), _LEAN),
    ("Llama 3 8B, FSDP, attention not fused, micro-batch 4 on eight MI300X",
     "github.com/ROCm/TransformerEngine: issue 79 (4.00 GiB asked for at once: scores of 4,096 tokens)",
     "mi300x-x8", _8B, Layout(dp=8), (4, 32, 4096), _MI300X),
    ("LLaMA 7B, DDP on eight A100 of 40 GB", "github.com/NVIDIA/Megatron-LM: issue 606",
     "a100-sxm-40gb", _7B, Layout(dp=8), (1, 8, 64), {"strategy": "ddp"}),
    ("Mixtral 8x7B, FSDP2 and EP4, 8,192 tokens on eight B200, in the first optimizer step",
     "github.com/NVIDIA-BioNeMo/bionemo-framework: recipes/mixtral_native_te/benchmarks",
     "dgx-b200", "mixtral-8x7b", Layout(dp=8, ep=4), (1, 8, 8192), _FSDP | {"grad_bytes": 4.0, "precision": "mxfp8"}),
    ("8 experts of 7,168 on 32 H200, TP4 EP2, 16 sequences", _KEMPNER,
     "dgx-h200", "kempner-8-experts", Layout(tp=4, dp=8, ep=2), (16, 256, 4096), _FULL | _PURE),
    ("the same, two sequences, attention alone recomputed", _KEMPNER,
     "dgx-h200", "kempner-8-experts", Layout(tp=4, dp=8, ep=2), (2, 32, 4096),
     _KEEP | _PURE | {"recompute_modules": ("core_attn",)}),
    ("64 experts of 7,168 on eight H200, EP4, four sequences", _KEMPNER,
     "dgx-h200", "kempner-64-experts", Layout(dp=8, ep=4), (4, 64, 4096), _FULL | _PURE),
)
_LATE = (
    ("Llama 2 70B, FSDP on 64 A100, two sequences, operations recomputed", "github.com/pytorch/torchtitan: docs/performance.md, 2024",
     "dgx-a100", "llama-2-70b", Layout(dp=64), (2, 128, 4096), _KEEP | {"grad_bytes": 4.0}),
    ("Llama 3.1 405B, FSDP alone on 128 H100 of 94 GB", "github.com/pytorch/torchtitan: docs/performance.md, 2024",
     "dgx-h100", "llama-3.1-405b", Layout(dp=128), (1, 128, 8192), _FULL | {"grad_bytes": 4.0}),
    ("Baichuan 2 13B, ZeRO-2 on four A800, a sequence of 1,536", "github.com/hiyouga/LlamaFactory: issue 1158, 2023-10",
     "hgx-a800-x8", "baichuan2-13b", Layout(dp=4), (1, 4, 1536), _HF | {"strategy": "zero2", "recompute": "full"}),
    ("Qwen2.5 1.5B, ZeRO-3 on eight H20, 16 sequences of 16,384", "github.com/huggingface/open-r1: issue 506, 2025-03",
     "h20", "qwen2.5-1.5b", Layout(dp=8), (16, 128, 16384), _HF | {"strategy": "zero3", "recompute": "full"}),
    ("Qwen2.5 32B, FSDP on eight H100, a sequence of 20,000", _QWEN_32B,
     "dgx-h100", "qwen2.5-32b", Layout(dp=8), (1, 8, 20000), _HF_FULL),
    ("Qwen2.5 32B, FSDP on 16 H100, a sequence of 32,000", _QWEN_32B,
     "dgx-h100", "qwen2.5-32b", Layout(dp=16), (1, 16, 32000), _HF_FULL),
    ("nanochat of 20 layers on eight H100, 32 sequences (its author's runs fit)", "github.com/karpathy/nanochat: issue 443, 2026-01",
     "dgx-h100", "nanochat-d20", Layout(dp=8), (32, 256, 2048), {"strategy": "zero1", "framework": "fsdp", "grad_bytes": 2.0}),
    ("GPT-OSS 20B, PP2 EP2 on eight B200, a sequence of 16,384", "github.com/NVIDIA-NeMo/Speech: issue 14712, 2025-09",
     "dgx-b200", "gpt-oss-20b", Layout(pp=2, dp=4, ep=2), (1, 32, 16384), {}),
    ("LLaMA 7B on one A100, four sequences of 512", "github.com/tatsu-lab/stanford_alpaca: issue 56, 2023-03",
     "dgx-a100", _7B, _ONE, (4, 4, 512), _HF | {"strategy": "ddp"}),
    ("Llama 2 7B on one A100, four sequences of 4,096", "github.com/meta-llama/llama-cookbook: issue 413, 2024-03",
     "dgx-a100", _7B, _ONE, (4, 4, 4096), _HF | {"strategy": "ddp"}),
    ("Llama 2 13B, TP2 on two A800, a sequence of 512", "github.com/Alpha-VLLM/LLaMA2-Accessory: issue 26, 2023-08",
     "hgx-a800-x8", _13B, Layout(tp=2), (1, 1, 512), _HF_FULL),
    ("Llama 2 70B on one H100", "github.com/NVIDIA/Megatron-LM: issue 783, 2024-04",
     "dgx-h100", "llama-2-70b", _ONE, (1, 1, 4096), {}),
    ("LLaVA 13B, FSDP on one A100, a sequence of 2,048", "github.com/haotian-liu/LLaVA: issue 68, 2023-04",
     "dgx-a100", _13B, _ONE, (1, 1, 2048), _HF_FULL),
    ("Qwen3 235B, FSDP and EP8 on 32 B300, selective without an exchange in GEMMs", "github.com/PrimeIntellect-ai/prime-rl: docs/performance.md",
     "dgx-b300", "qwen3-235b-a22b", Layout(dp=32, ep=8), (16, 512, 1024), _KEEP | {"grad_bytes": 4.0}),
    ("Mistral 7B of 64,000 tokens, FSDP on eight A100 of 40 GB, more than one micro-batch", "github.com/Lightning-AI/litgpt: issue 684, 2023-10",
     "a100-sxm-40gb", "mistral-7b-64k", Layout(dp=8), (1, 32, 4096), _HF_FULL | _AMP),
    ("GPT-2 774M on one V100 of 32 GB, attention not fused, four sequences", "github.com/NVIDIA/Megatron-LM: issue 525, 2023-09",
     "dgx-1-v100", "gpt2-774m", _ONE, (4, 4, 1024), _V100),
    ("Llama 2 7B, DDP with autocast on eight A100, four sequences", "github.com/intelligent-machine-learning/dlrover: atorch/examples/llama2",
     "dgx-a100", _7B, Layout(dp=8), (4, 32, 4096), {"strategy": "ddp", "framework": "any"} | _AMP),
    ("Llama 2 7B, ZeRO-1 with autocast on eight A100, four sequences", "github.com/intelligent-machine-learning/dlrover: atorch/examples/llama2",
     "dgx-a100", _7B, Layout(dp=8), (4, 32, 4096), {"strategy": "zero1", "framework": "any"} | _AMP),
)
_BLIND = (
    ("Qwen3 8B, DP16 on 16 H100, one sequence, nothing recomputed", _QWEN_16, "dgx-h100", "qwen3-8b", Layout(dp=16), (1, 64, 4096), {}),
    ("Qwen3 8B, TP2 on 16 H100, a sequence of 16,384", _QWEN_16, "dgx-h100", "qwen3-8b", Layout(tp=2, dp=8), (1, 32, 16384),
     {"sequence_parallel": False}),
)
# fmt: on


def _system(name: str, gpus: int) -> System:
    """A system of the catalog, or a DGX with another GPU."""
    if name in catalog.GPUS:
        base = catalog.system("dgx-a100" if name.startswith("a100") else "dgx-h100")
        return grow_to(replace(base, gpu=catalog.gpu(name)), gpus)
    return grow_to(catalog.system(name), gpus)


def _job(late: bool, row: tuple[object, ...]) -> OutOfMemory:
    name, source, system, model, layout, (micro_batch, global_batch, seq), job = row
    sizes = {"micro_batch": micro_batch, "global_batch": global_batch, "seq": seq}
    scenario = Scenario(_system(system, layout.gpus), held_out.model(model), layout, **sizes, **job)
    return OutOfMemory(name, source, scenario, late)


OUT_OF_MEMORY = (*map(partial(_job, False), _JOBS), *map(partial(_job, True), (*_LATE, *_BLIND)))


def lines() -> Iterator[tuple[str, str, str]]:
    """Of each job its name, verdict and what is said beside."""
    for item in OUT_OF_MEMORY:
        beside = "; ".join(item.told) or ("tight" if memory(item.scenario).tight else "")
        yield item.name, item.fit.text, beside if item.seen else "missed"


def report() -> None:
    """Print what is said of every job that ran out of memory."""
    print_table("training, jobs that ran out of memory", ("job", "verdict", "beside"), list(lines()))
    for late in (False, True):
        members = [item for item in OUT_OF_MEMORY if item.late is late]
        changed = sum(item.fit.verdict is not Verdict.FITS for item in members)
        print(
            f"{'later' if late else 'first'}: {len(members)}, {changed} refused or fit only if something is changed, "
            f"{sum(item.seen for item in members)} seen"
        )
