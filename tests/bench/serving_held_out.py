"""`python -m tests.bench.serving_held_out`: published runs that were computed before they were looked up."""

from collections import defaultdict
from dataclasses import dataclass, replace

from core.calculators.serving import Lengths, engine_of, offline
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.intervals import span_of
from core.catalog import model, precision, system
from core.catalog.calibrations.expert_load import unbalanced
from core.catalog.software import PRESETS
from tests.bench.serving_latency import host_s, step_s
from tests.bench.serving_runs import finite_rate, line
from tests.bench.serving_shapes import shape
from tests.figures.serving_held_out import MI300X_SECONDS, RUNS

LATENCY_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class Judged:
    """A run with the computed rate (or the inverse of a time) over the published, and whether it was held."""

    run: object
    ratio: float
    inside: bool


def question(run):
    """The scenario and the engine of a run."""
    preset = PRESETS[run.software]
    weights, asked = precision(run.weights), shape(run.model)
    scenario = Scenario(
        system(run.system), asked, tp=run.tp, ep=run.ep, weights=weights, kv=precision(run.kv),
        imbalance=unbalanced(asked.experts, run.ep),
        launch="graph", dispatch=weights if run.ep > 1 else None,
        implementation="vllm-custom" if run.software == "vllm-0.8" else "nccl", engine=preset.engine,
    )  # fmt: skip
    return scenario, engine_of(preset, **dict(run.engine))


def answered(run, *, finite=True):
    """The run judged; None where its weights do not fit. ``finite``: with the requests of the run alone."""
    scenario, engine = question(run)
    answer = offline(scenario, run.isl, run.osl, engine=engine)
    if answer is None:
        return None
    share = 1.0
    if finite and run.requests is not None:
        lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl)
        share = finite_rate(scenario, engine, lengths, run.requests) / answer.output_tokens_per_s
    ends = answer.output_tokens_per_s_low * share, answer.output_tokens_per_s_high * share
    inside = ends[0] <= run.tokens_per_s <= ends[1]
    return Judged(run, answer.output_tokens_per_s * share / run.tokens_per_s, inside)


def latencies():
    """Whole answers of vLLM on MI300X: published over computed seconds, and whether the interval holds them."""
    for (name, isl), published in MI300X_SECONDS.items():
        for power, seconds in enumerate(published):
            batch, fp8 = 2**power, precision("fp8")
            scenario = Scenario(
                system("mi300x-x8"), model(name), tp=8, weights=fp8, kv=fp8, tokens=batch,
                context=isl + LATENCY_TOKENS // 2, launch="graph", implementation="vllm-custom", engine="vllm",
            )  # fmt: skip
            prompt = replace(scenario, phase="prefill", tokens=batch * isl, context=isl, launch="stream")
            ours = LATENCY_TOKENS * (step_s(scenario) + host_s("vllm-0.8", batch, scenario)) + step_s(prompt)
            low, high = span_of(scenario).of(ours)
            yield seconds / ours, low <= seconds <= high


def classes(judged):
    """The runs by engine, GPU, model and format."""
    groups = defaultdict(list)
    for entry in judged:
        run = entry.run
        for name in ("all", run.source.key, run.system, run.model, run.weights):
            groups[name].append(entry)
    return groups


def main():
    """Print every class, and the same with a queue that never empties."""
    print("serving, published runs computed before they were looked up")
    judged = [entry for entry in map(answered, RUNS) if entry is not None]
    for name, entries in classes(judged).items():
        line(name, [entry.ratio for entry in entries], [entry.inside for entry in entries])
    plain = [entry for entry in (answered(run, finite=False) for run in RUNS) if entry is not None]
    line(
        "all, as if the queue never emptied",
        [entry.ratio for entry in plain],
        [entry.inside for entry in plain],
    )
    line("8x MI300X, latency of vLLM", *zip(*latencies(), strict=True))


if __name__ == "__main__":
    main()
