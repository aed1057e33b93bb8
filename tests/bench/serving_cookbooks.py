"""`python -m tests.bench.serving_cookbooks`: engines' cookbooks and pull requests, asked before they were compared."""

import json

import numpy as np

from core.calculators.serving import Lengths, engine_of, offline
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.throughput import cycle, prompt_s
from core.calculators.tensor_parallel import Scenario
from core.catalog import precision, system
from core.catalog.calibrations.expert_load import unbalanced
from core.catalog.software import PRESETS
from core.units import MS
from core.workload.config import read_config
from tests.bench.serving_newest import Judged, report, shape
from tests.core.hybrid_shapes import DELTA, PUBLISHED, sizes
from tests.figures.serving_cookbooks import SERVED

HYBRIDS = {
    "glm-5.2": PUBLISHED["GLM-5"][1] | {"indexer_types": ["full"] * 21 + ["shared"] * 57},
    "qwen3.6-35b-a3b": PUBLISHED["Qwen3.5 35B"][1],
    "qwen3.6-27b": sizes("qwen3_5_text", 5120, 64, 24, 4, 17408, 248320, head_dim=256)
    | DELTA
    | {"linear_num_value_heads": 48, "mamba_ssm_dtype": "float32", "tie_word_embeddings": False},
}
HALVINGS = 50


def acceptance(drafted, tokens):
    """The chance of a drafted token at which a verification yields so many tokens, by halving."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        few = sum(middle**place for place in range(drafted + 1)) < tokens
        low, high = (middle, high) if few else (low, middle)
    return high


def question(run):
    """Scenario and engine of a run, as its command states them."""
    preset, dp_attention = PRESETS[run.software], run.ep > run.tp
    asked = (
        read_config(json.dumps(HYBRIDS[run.model]), run.model).model
        if run.model in HYBRIDS
        else shape(run.model)
    )
    more = dict(run.engine)
    if run.accepted is not None:
        more["acceptance"] = acceptance(more["draft_tokens"], run.accepted)
    scenario = Scenario(
        system(run.system), asked, tp=run.tp, ep=run.ep, weights=precision(run.weights), kv=precision(run.kv),
        imbalance=unbalanced(asked.experts, run.ep) if dp_attention else 1.0, launch="graph", usable=run.usable,
        implementation=preset.implementation, dispatch=precision("fp8") if dp_attention else None,
        engine=preset.engine,
    )  # fmt: skip
    return scenario, engine_of(preset, **more)


def kind_of(run):
    """What the run tells: of drafted tokens, whether their acceptance is stated."""
    if run.tokens_per_s is not None:
        return "saturated, DP attention" if run.ep > run.tp else "saturated"
    if run.ttft_ms is not None:
        return "TTFT"
    drafts = dict(run.engine).get("draft_tokens")
    return "TPOT" if not drafts else "TPOT, drafts" if run.accepted else "TPOT, drafts, acceptance not stated"


def judge(run):
    """Computed over published speed of one run; None where it does not fit."""
    scenario, engine = question(run)
    span, lengths = throughput_span(scenario, engine), Lengths(input_tokens=run.isl, output_tokens=run.osl)
    if run.tokens_per_s is not None:
        answer = offline(scenario, run.isl, run.osl, engine=engine)
        if answer is None:
            return None
        ours, published = 1 / answer.output_tokens_per_s, 1 / run.tokens_per_s
    elif run.ttft_ms is not None:
        ours, published = prompt_s(scenario, engine, run.isl), run.ttft_ms * MS
        span = span.of_first_token()
    else:
        groups = max(1.0, run.ep / run.tp)
        at = cycle(scenario, engine, lengths, np.array([run.requests / groups]))
        ours, published = float(at.tpot_s[0]), run.tpot_ms * MS
    low, high = span.of(ours)
    return Judged(kind_of(run), run, published / ours, low <= published <= high)


def judged():
    """Every figure that fits."""
    entries = [judge(run) for run in SERVED]
    return [entry for entry in entries if entry is not None]


def main():
    """Print every kind of question by source, GPU and model."""
    entries = judged()
    report(f"cookbooks and pull requests, {len(SERVED) - len(entries)} of which do not fit", entries)


if __name__ == "__main__":
    main()
