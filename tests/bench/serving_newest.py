"""`python -m tests.bench.serving_newest`: serving results of 2025 and 2026, asked before they were compared."""

import json
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from core.calculators.serving import Lengths, engine_of, offline
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.throughput import cycle, prompt_s
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.intervals import span_of
from core.calculators.tensor_parallel.terms import memory_bytes, memory_limit_bytes
from core.catalog import model, precision, system
from core.catalog.calibrations.expert_load import unbalanced
from core.catalog.software import PRESETS
from core.units import MS
from core.verdict.ranks import with_domains
from core.workload.config import read_config
from tests.bench.serving_engines import model_of
from tests.bench.serving_held_out import QWEN3, line
from tests.bench.serving_latency import step_s
from tests.figures.serving_newest import AT, FULL, WIDE

CONFIGS = {
    "qwen3-1.7b": QWEN3 | {"hidden_size": 2048, "num_hidden_layers": 28, "num_attention_heads": 16, "intermediate_size": 6144,
                           "tie_word_embeddings": True},
    "qwen3-4b": QWEN3 | {"hidden_size": 2560, "num_hidden_layers": 36, "num_attention_heads": 32, "intermediate_size": 9728,
                         "tie_word_embeddings": True},
    "qwen3-0.6b": QWEN3 | {"hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, "intermediate_size": 3072,
                           "tie_word_embeddings": True},
    "qwen3-8b": QWEN3 | {"hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32, "intermediate_size": 12288},
    "qwen2.5-72b": {"model_type": "qwen2", "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64,
                    "num_key_value_heads": 8, "intermediate_size": 29568, "vocab_size": 152064},
    "glm-4.5-air": {"model_type": "glm4_moe", "hidden_size": 4096, "num_hidden_layers": 46, "num_attention_heads": 96,
                    "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 10944, "moe_intermediate_size": 1408,
                    "n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
                    "vocab_size": 151552, "attention_bias": True},
    "minimax-m2": {"model_type": "minimax_m2", "hidden_size": 3072, "num_hidden_layers": 62, "num_attention_heads": 48,
                   "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 1536, "num_local_experts": 256,
                   "num_experts_per_tok": 8, "vocab_size": 200064},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A published figure: computed over published speed, and whether the interval holds it."""

    kind: str
    run: object
    ratio: float
    inside: bool


def shape(name):
    """A shape of the catalog or of a config.json."""
    return read_config(json.dumps(CONFIGS[name]), name).model if name in CONFIGS else model_of(name)


def question(run):
    """Scenario and engine of a run."""
    preset, asked = PRESETS[run.software], shape(run.model)
    machine = system(run.system)
    if run.tp > machine.domain_gpus:
        machine = with_domains(machine, run.tp // machine.domain_gpus)
    routed = run.ep > run.tp
    scenario = Scenario(
        machine, asked, tp=run.tp, ep=run.ep, weights=precision(run.weights), kv=precision("bf16"),
        imbalance=unbalanced(asked.experts, run.ep) if routed else 1.0, launch="graph",
        implementation=preset.implementation if run.tp <= system(run.system).domain_gpus else "nccl",
        dispatch=precision("fp8") if routed and run.weights != "bf16" else None, engine=preset.engine,
    )  # fmt: skip
    return scenario, engine_of(preset, **dict(run.engine))


def _judged(kind, run, span, ours, published):
    low, high = (span.of_first_token() if kind == "TTFT" else span).of(ours)
    return Judged(kind, run, published / ours, low <= published <= high)


def judged_at(run):
    """TPOT and throughput at a concurrency, TTFT alone, as far as the run states them."""
    scenario, engine = question(run)
    span, lengths = (
        throughput_span(scenario, engine),
        Lengths(input_tokens=run.isl, output_tokens=run.osl, equal=run.equal),
    )
    requests = run.requests / max(1.0, run.ep / run.tp)
    at = cycle(scenario, engine, lengths, np.array([requests]))
    step = float(at.step_s[0])
    if run.tpot_ms is not None:
        yield _judged("TPOT", run, span, float(at.tpot_s[0]), run.tpot_ms * MS)
    if run.tokens_per_s is not None:
        ours = step * requests / float(at.running[0])
        yield _judged("throughput", run, span, ours, run.requests / run.tokens_per_s)
    if run.ttft_ms is not None:
        yield _judged("TTFT", run, span, prompt_s(scenario, engine, run.isl), run.ttft_ms * MS)


def closed():
    """Every run at a concurrency."""
    for run in AT:
        yield from judged_at(run)


def saturated(runs=FULL):
    """Throughput of a queue that never empties."""
    for run in runs:
        scenario, engine = question(run)
        answer = offline(scenario, run.isl, run.osl, engine=engine)
        if answer is None:
            print("  does not fit:", run)
            continue
        span = throughput_span(scenario, engine)
        yield _judged("saturated", run, span, 1 / answer.output_tokens_per_s, 1 / run.tokens_per_s)


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
        yield _judged(
            f"wide EP {run.phase}", run, span_of(job), step_s(job) / tokens, 1 / run.tokens_per_s_per_gpu
        )


def _fields(scenario):
    return {name: getattr(scenario, name) for name in scenario.__dataclass_fields__}


def _most(job):
    """Requests that the memory of one GPU holds, at most 1,536."""
    context = np.array([float(job.context)])
    none, one = (float(memory_bytes(job, np.array([n]), context, 1)[0]) for n in (0.0, 1.0))
    return int(min(1536, (memory_limit_bytes(job, 1) - none) // (one - none)))


def judged():
    """Every figure."""
    return [*closed(), *saturated(), *wide()]


def report(title, entries):
    """Print every kind of question by source, GPU, model and run."""
    print(f"serving, {title} (speed, computed over published)")
    groups = defaultdict(list)
    for entry in entries:
        run = entry.run
        where = f"{run.model} {run.system} {run.weights} {run.software} TP{run.tp} EP{run.ep}"
        for key in ("all", entry.kind, run.source.key, run.system, where):
            groups[key].append(entry)
    for name in sorted(groups):
        line(name, [entry.ratio for entry in groups[name]], [entry.inside for entry in groups[name]])


def main():
    """Print every kind of question by engine, GPU and model."""
    print("serving, results of 2025 and 2026 (speed, computed over published)")
    groups = defaultdict(list)
    for entry in judged():
        run = entry.run
        name = getattr(run, "model", "deepseek-v3-r1")
        for key in (
            "all",
            entry.kind,
            run.source.key,
            run.system,
            name,
            f"{name} {run.system} {getattr(run, 'software', '')}",
        ):
            groups[key].append(entry)
    for name in sorted(groups):
        line(name, [entry.ratio for entry in groups[name]], [entry.inside for entry in groups[name]])


if __name__ == "__main__":
    main()
