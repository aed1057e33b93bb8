"""Memory of training jobs as measured against the account of memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

from core.calculators.training import memory
from tests.bench import held_out_blind, held_out_fresh, out_of_memory
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
    (ALLOCATOR, 1e9, {
        ("Qwen3 1.7B", 16, "bf16"): 44.3, ("Qwen3 1.7B, TP2", 16, "bf16"): 24.7, ("Qwen3 1.7B, PP2", 16, "bf16"): 27.3,
        ("Qwen3 8B, recomputed", 16, "bf16"): 65.5, ("Qwen3 8B, TP2, one node", 8, "bf16"): 55.3,
        ("Qwen3 8B, TP2", 16, "bf16"): 49.2, ("Qwen3 8B, TP2", 16, "fp8"): 47.2,
        ("Qwen3 8B, TP2, unfused attention", 16, "bf16"): 69.4,
        ("Qwen3 8B, TP2, activations offloaded", 16, "bf16"): 40.5,
        ("Qwen3 8B, TP4", 16, "bf16"): 30.2, ("Qwen3 8B, TP8", 16, "bf16"): 20.7,
        ("Qwen3 8B, TP8, one node", 8, "bf16"): 26.8, ("Qwen3 8B, TP2 PP2", 16, "bf16"): 33.2,
        ("Qwen3 8B, TP2 CP2", 16, "bf16"): 66.7, ("Qwen3 8B, TP4, 16K", 16, "bf16"): 63.8,
        ("Qwen3 32B, TP4 PP2", 16, "bf16"): 52.8, ("Qwen3 32B, TP8 PP2", 16, "bf16"): 40.2,
        ("Qwen3 30B, EP8", 16, "bf16"): 62.1, ("Qwen3 30B, EP16", 16, "bf16"): 51.3,
    }),
)
# fmt: on
"""What was read, its unit, and figures by table, GPUs and precision of ``held_out_fresh`` and ``held_out_blind``."""


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
    tables = held_out_fresh, held_out_blind
    every = [run for table in tables for run in (*table.DENSE, *table.MOE)]
    runs = {(run.series.table, run.gpus, run.scenario.precision): run for run in every}
    for reader, unit, figures in MEASURED:
        for key, figure in figures.items():
            counted = memory(runs[key].scenario)
            unseen = counted.reserved_bytes if reader == ALLOCATOR else 0.0
            yield Usage(" ".join(map(str, key)), figure * unit, counted.total_bytes - unseen)


def report() -> None:
    """Print measured against counted memory, then what is said of jobs that ran out of it."""
    every = list(usages())
    lines = [(item.name, f"{item.measured_bytes / 1e9:.0f} GB", f"{item.error:+.0%}") for item in every]
    print_table("training, memory as measured", ("job", "measured", "count over it"), lines)
    print(f"{percent(mean(abs(item.error) for item in every))} off in the mean\n")
    out_of_memory.report()


if __name__ == "__main__":
    report()
