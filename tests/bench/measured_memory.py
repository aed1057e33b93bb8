"""Memory of training jobs as measured, and jobs that ran out of it, against the account of memory."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import mean

from core import catalog
from core.calculators.training import Fit, Layout, Scenario, fit, memory
from core.calculators.training.uncounted import uncounted
from core.parallel.grow import grow_to
from tests.bench import held_out, held_out_fresh
from tests.bench.tables import percent, print_table

GIB = 2**30
DRIVER, ALLOCATOR = "nvidia-smi", "torch"
"""What was read: all that the driver sees taken, or the peak of PyTorch's allocator, without context and communicators."""
# fmt: off
MEASURED = (
    (DRIVER, GIB, {
        ("8B, PP2", 8, "bf16"): 76,
        ("8B, TP2, strong scaling", 8, "bf16"): 71, ("8B, TP2, strong scaling", 16, "bf16"): 62,
        ("8B, TP2, strong scaling", 8, "fp8"): 74, ("8B, TP2, strong scaling", 16, "fp8"): 64,
        ("70B", 64, "bf16"): 55,
        ("GPT-OSS 20B", 8, "fp8"): 226.8, ("GPT-OSS 20B, BF16 gradients", 8, "fp8"): 190,
    }),
    (DRIVER, 1e9, {
        ("8B, 8K", 256, "bf16"): 85, ("8B, 4K", 256, "bf16"): 87,
        ("Qwen3 30B", 8, "fp8"): 277, ("Qwen3 30B, tuned kernels", 8, "fp8"): 222,
    }),
    (ALLOCATOR, GIB, {
        ("ZeRO-2", 8, "bf16"): 44.8, ("ZeRO-2, recomputed", 8, "bf16"): 23.5,
        ("ZeRO-2, recomputed, optimizer offloaded", 8, "bf16"): 16.9,
        ("ZeRO-2, recomputed, micro-batch 4", 8, "bf16"): 38.6,
        ("ZeRO-3", 8, "bf16"): 75.7, ("ZeRO-3, recomputed", 8, "bf16"): 20.4,
        ("ZeRO-3, recomputed, optimizer offloaded", 8, "bf16"): 9.4,
        ("ZeRO-3, recomputed, micro-batch 8", 8, "bf16"): 39.1,
    }),
    (ALLOCATOR, 1e9, {
        (f"Mixtral 8x7B, EP{ep}", 8, name): used
        for ep, *both in ((8, 235, 239), (4, 224, 225), (2, 214, 214), (1, 212, 214))
        for name, used in zip(("mxfp8", "bf16"), both, strict=True)
    }),
)
# fmt: on
"""What was read, its unit, and figures by table, GPUs and precision of ``held_out_fresh``."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes of a job as measured and as counted, without what PyTorch's allocator does not see."""

    name: str
    measured_bytes: float
    counted_bytes: float

    @property
    def error(self) -> float:
        """The count over the measurement, less one."""
        return self.counted_bytes / self.measured_bytes - 1


def usages() -> Iterator[Usage]:
    """Every measured job."""
    every = (*held_out_fresh.DENSE, *held_out_fresh.MOE)
    runs = {(run.series.table, run.gpus, run.scenario.precision): run for run in every}
    for reader, unit, figures in MEASURED:
        for key, figure in figures.items():
            counted = memory(runs[key].scenario)
            unseen = counted.reserved_bytes if reader == ALLOCATOR else 0.0
            yield Usage(" ".join(map(str, key)), figure * unit, counted.total_bytes - unseen)


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """A published job that ran out of memory."""

    name: str
    source: str
    scenario: Scenario

    @property
    def fit(self) -> Fit:
        """What is said of it."""
        return fit(self.scenario)

    @property
    def seen(self) -> bool:
        """Whether it is refused, made to change something, called tight, or told what is not counted."""
        usage = memory(self.scenario)
        return not usage.fits or bool(usage.tight) or bool(uncounted(self.scenario, usage))


def _job(system: str, gpus: int, model: str, layout: Layout, batch: tuple[int, int, int], **job) -> Scenario:
    micro_batch, global_batch, seq = batch
    sizes = {"micro_batch": micro_batch, "global_batch": global_batch, "seq": seq}
    return Scenario(grow_to(catalog.system(system), gpus), held_out.model(model), layout, **sizes, **job)


_SFT = {"precision": "fp8", "recompute": "selective", "recompute_modules": ("core_attn",)}
_LEAN = {"strategy": "fsdp", "grad_bytes": 2.0, "optimizer_bytes": 6.0}
_40GB = _job("dgx-a100", 8, "llama-2-7b", Layout(dp=8), (1, 8, 64), strategy="ddp")
OUT_OF_MEMORY = (
    OutOfMemory(
        "Llama 3 70B, FP8, TP4 PP4 VPP5 on 32 H100, in 30 to 60 % of its runs",
        "github.com/NVIDIA-NeMo/Megatron-Bridge: pull request 3107",
        _job("dgx-h100", 32, "llama-3.1-70b", Layout(4, 4, 5, 2), (1, 32, 4096), **_SFT),
    ),
    OutOfMemory(
        "Llama 3.3 70B, PP8 FSDP4 on 32 H100, four packed sequences of 1,024",
        "github.com/NVIDIA-NeMo/Automodel: pull request 2673",
        _job("dgx-h100", 32, "llama-3.1-70b", Layout(pp=8, dp=4), (4, 128, 1024), **_LEAN),
    ),
    OutOfMemory(
        "Llama 3 8B, FSDP, attention not fused, micro-batch 4 on eight MI300X",
        "github.com/ROCm/TransformerEngine: issue 79 (4.00 GiB asked for at once: scores of 4,096 tokens)",
        _job(
            "mi300x-x8",
            8,
            "llama-3.1-8b",
            Layout(dp=8),
            (4, 32, 4096),
            strategy="fsdp",
            precision="fp8",
            flash=False,
        ),
    ),
    OutOfMemory(
        "LLaMA 7B, DDP on eight A100 of 40 GB",
        "github.com/NVIDIA/Megatron-LM: issue 606",
        replace(_40GB, system=replace(_40GB.system, gpu=catalog.gpu("a100-sxm-40gb"))),
    ),
    OutOfMemory(
        "Mixtral 8x7B, FSDP2 and EP4, 8,192 tokens on eight B200, in the first optimizer step",
        "github.com/NVIDIA-BioNeMo/bionemo-framework: recipes/mixtral_native_te/benchmarks",
        _job(
            "dgx-b200",
            8,
            "mixtral-8x7b",
            Layout(dp=8, ep=4),
            (1, 8, 8192),
            strategy="fsdp",
            precision="mxfp8",
        ),
    ),
)


def report() -> None:
    """Print measured against counted memory, then what is said of jobs that ran out of it."""
    every = list(usages())
    lines = [(item.name, f"{item.measured_bytes / 1e9:.0f} GB", f"{item.error:+.0%}") for item in every]
    print_table("training, memory as measured", ("job", "measured", "count over it"), lines)
    print(f"{percent(mean(abs(item.error) for item in every))} off in the mean\n")
    told = [(item.name, item.fit.text, "seen" if item.seen else "missed") for item in OUT_OF_MEMORY]
    print_table("training, jobs that ran out of memory", ("job", "verdict", ""), told)


if __name__ == "__main__":
    report()
