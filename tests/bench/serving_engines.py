"""`python -m tests.bench.serving_engines`: published TPOT, TTFT and fixed batches of other engines and versions."""

import json
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from core.calculators.serving import Lengths, engine_of
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.throughput import cycle, prompt_s
from core.calculators.tensor_parallel import Scenario
from core.catalog import precision, system
from core.catalog.software import PRESETS
from core.units import MS
from core.workload.config import read_config
from tests.bench.serving_held_out import line, shape
from tests.figures.serving_engines import FIXED_BATCHES, SERVED

CONFIGS = {
    "gpt-j-6b": {"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16, "vocab_size": 50400},
    "llama-2-7b": {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "intermediate_size": 11008,
        "vocab_size": 32000,
    },
    "falcon-180b": {
        "model_type": "falcon",
        "hidden_size": 14848,
        "num_hidden_layers": 80,
        "num_attention_heads": 232,
        "num_kv_heads": 8,
        "new_decoder_architecture": True,
        "vocab_size": 65024,
    },
    "glm-4.6": {
        "model_type": "glm4_moe",
        "hidden_size": 5120,
        "num_hidden_layers": 92,
        "num_attention_heads": 96,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 12288,
        "moe_intermediate_size": 1536,
        "n_routed_experts": 160,
        "n_shared_experts": 1,
        "num_experts_per_tok": 8,
        "first_k_dense_replace": 3,
        "vocab_size": 151552,
        "attention_bias": True,
        "use_qk_norm": True,
    },
    "ernie-4.5-21b-a3b": {
        "model_type": "ernie4_5_moe",
        "hidden_size": 2560,
        "num_hidden_layers": 28,
        "num_attention_heads": 20,
        "num_key_value_heads": 4,
        "intermediate_size": 12288,
        "moe_intermediate_size": 1536,
        "moe_num_experts": 64,
        "moe_num_shared_experts": 2,
        "moe_k": 6,
        "moe_layer_start_index": 1,
        "vocab_size": 103424,
        "tie_word_embeddings": True,
    },
    "qwen3-coder-480b-a35b": {
        "model_type": "qwen3_moe",
        "hidden_size": 6144,
        "num_hidden_layers": 62,
        "num_attention_heads": 96,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 8192,
        "moe_intermediate_size": 2560,
        "num_experts": 160,
        "num_experts_per_tok": 8,
        "vocab_size": 151936,
    },
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A published figure: computed over published speed, and whether the interval holds it."""

    kind: str
    run: object
    ratio: float
    inside: bool


def model_of(name):
    """A shape of the catalog or of a config.json."""
    return read_config(json.dumps(CONFIGS[name]), name).model if name in CONFIGS else shape(name)


def question(run, software):
    """Scenario and engine of a run."""
    preset = PRESETS[software]
    cache = "bf16" if run.weights == "bf16" or software == "sglang" else run.weights
    scenario = Scenario(
        system(run.system), model_of(run.model), tp=run.tp, weights=precision(run.weights), kv=precision(cache),
        launch="graph", implementation=preset.implementation, engine=preset.engine,
    )  # fmt: skip
    return scenario, engine_of(preset)


def _judged(kind, run, scenario, engine, ours, published):
    span = throughput_span(scenario, engine)
    low, high = (span.of_first_token() if kind == "TTFT" else span).of(ours)
    return Judged(kind, run, published / ours, low <= published <= high)


def served():
    """TPOT at a concurrency and TTFT of a request alone."""
    for run in SERVED:
        scenario, engine = question(run, run.software)
        if run.tpot_ms is not None:
            lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl)
            at = cycle(scenario, engine, lengths, np.array([run.requests]))
            yield _judged("TPOT", run, scenario, engine, float(at.tpot_s[0]), run.tpot_ms * MS)
        if run.ttft_ms is not None:
            ours = prompt_s(scenario, engine, run.isl)
            yield _judged("TTFT", run, scenario, engine, ours, run.ttft_ms * MS)


def fixed_batches():
    """Seconds of a batch that begins and ends together."""
    for run in FIXED_BATCHES:
        scenario, engine = question(run, "trtllm-0")
        lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl)
        at = cycle(scenario, engine, lengths, np.array([float(run.batch)]))
        ours = run.batch * float(at.step_s[0]) / float(at.running[0]) * run.osl
        yield _judged("throughput", run, scenario, engine, ours, run.batch * run.osl / run.tokens_per_s)


def judged():
    """Every figure."""
    return [*served(), *fixed_batches()]


def main():
    """Print every kind of question by engine, GPU and model."""
    print("serving, other engines and versions (speed, computed over published)")
    groups = defaultdict(list)
    for entry in judged():
        run = entry.run
        for name in (entry.kind, f"{entry.kind} {run.source.key}", f"{entry.kind} {run.system}", run.model):
            groups[name].append(entry)
    for name in sorted(groups):
        line(name, [entry.ratio for entry in groups[name]], [entry.inside for entry in groups[name]])


if __name__ == "__main__":
    main()
