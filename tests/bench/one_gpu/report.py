"""`python -m tests.bench.one_gpu.report`: the models of kernels, steps and memory against two GPUs measured with torch."""

from tests.bench.one_gpu.measured import (
    FORMATS,
    GPUS,
    Figures,
    TrainingStep,
    attention_figures,
    gemm_figures,
    training_steps,
)
from tests.bench.tables import percent, print_table

HEADER = ("what", "rows", "median", "p90", "bias", "in the interval")


def report() -> None:
    """Print four tables: kernels were fitted on none of them; steps chose constants of FSDP and of its memory."""
    gemms = [
        _row(f"{gpu} {kind}{', above 50 us' if long else ''}", gemm_figures(gpu, kind, long=long))
        for gpu in GPUS
        for kind in FORMATS
        for long in (False, True)
    ]
    print_table("GEMMs of torch on one GPU", HEADER, gemms)
    attention = [
        _row(f"{gpu} {library}", attention_figures(gpu, library))
        for gpu in GPUS
        for library in ("flash", "cudnn")
    ]
    print_table("Causal attention of torch on one GPU, forward, above 50 us", HEADER, attention)
    for gpu in GPUS:
        steps = list(training_steps(gpu))
        header = (
            "job",
            "measured",
            "modelled",
            "error",
            "in the interval",
            "allocated",
            "counted",
            "verdict",
        )
        print_table(
            f"Steps of FSDP2 on one {gpu}; bytes of torch's peak", header, [_step(step) for step in steps]
        )


def _row(name: str, figures: Figures) -> tuple[str, ...]:
    return (
        name,
        f"{figures.rows:,}",
        percent(figures.median),
        percent(figures.p90),
        f"{100 * figures.bias:+.1f} %",
        percent(figures.inside),
    )


def _step(step: TrainingStep) -> tuple[str, ...]:
    modelled, low, high = step.modelled_s
    counted = step.memory
    name = step.name + (", compiled" if step.compiled else "")
    memory = (
        f"{step.allocated_bytes / 1e9:.1f} GB",
        f"{(counted.total_bytes - counted.reserved_bytes) / 1e9:.1f} GB",
        step.verdict,
    )
    if step.step_s is None:
        return (name, "out of memory", f"{1e3 * modelled:.0f} ms", "", "", *memory)
    inside = "yes" if low <= step.step_s <= high else "no"
    error = f"{100 * (modelled / step.step_s - 1):+.0f} %"
    return (name, f"{1e3 * step.step_s:.0f} ms", f"{1e3 * modelled:.0f} ms", error, inside, *memory)


if __name__ == "__main__":
    report()
