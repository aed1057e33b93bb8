"""`python -m tests.bench.serving_newest`: serving results of 2025 and 2026, asked before they were compared."""

import numpy as np

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.intervals import span_of
from core.calculators.tensor_parallel.terms import memory_bytes, memory_limit_bytes
from core.catalog import model, precision, system
from core.verdict.ranks import with_domains
from tests.bench.serving_latency import step_s
from tests.bench.serving_runs import Judged, every, report
from tests.figures.serving_newest import AT, FULL, WIDE


def wide():
    """Prefill and decode of wide expert parallelism, load balanced."""
    for run in WIDE:
        machine = system(run.system)
        kinds = {"weights": precision(run.weights), "kv": precision(run.kv)}
        if run.domains > 1:
            machine = with_domains(machine, run.domains)
        job = Scenario(
            machine, model("deepseek-v3-r1"), tp=1, ep=run.ep, phase=run.phase, tokens=max(run.tokens, 1),
            context=run.context, launch="graph" if run.phase == "decode" else "stream",
            dispatch=precision("fp8"), usable=0.85, **kinds,
        )  # fmt: skip
        tokens = run.tokens or _most(job)
        job = Scenario(**{**_fields(job), "tokens": tokens})
        ours, published = step_s(job) / tokens, 1 / run.tokens_per_s_per_gpu
        low, high = span_of(job).of(ours)
        yield Judged(f"wide EP {run.phase}", run, published / ours, low <= published <= high)


def _fields(scenario):
    return {name: getattr(scenario, name) for name in scenario.__dataclass_fields__}


def _most(job):
    """Requests that the memory of one GPU holds, at most 1,536."""
    context = np.array([float(job.context)])
    none, one = (float(memory_bytes(job, np.array([n]), context, 1)[0]) for n in (0.0, 1.0))
    return int(min(1536, (memory_limit_bytes(job, 1) - none) // (one - none)))


def judged():
    """Every figure."""
    return [*every(AT), *every(FULL), *wide()]


def main():
    """Print every kind of question by engine, GPU and model."""
    report("results of 2025 and 2026", judged())


if __name__ == "__main__":
    main()
