"""A step from measured kernels: shapes that add up, bounds that hold, overrides that reach them."""

from dataclasses import replace

import numpy as np
import pytest

from core import catalog
from core.calculators.tensor_parallel import Scenario, answer
from core.calculators.tensor_parallel.compute import compute
from core.workload.transformer import parameters
from core.workload.transformer.matrices import MLP, PROJECTIONS, matrices
from core.workload.transformer.work import decode_batch, kv_read_step_bytes, projected_values
from tests.each import table

SHAPED = [entry for entry in catalog.MODELS.values() if entry.hidden]
H100 = Scenario(catalog.system("dgx-h100"), catalog.model("llama-3.1-70b"), launch="graph")


def step(scenario, tokens, context=4096):
    """Compute of one step of so many tokens."""
    return compute(scenario, np.array([float(tokens)]), np.array([float(context)]), scenario.tp)


@table("tp", [1, 8])
@table("model", SHAPED, ids=lambda model: model.id)
def test_matrices_hold_the_values_that_are_counted(model, tp):
    """Outputs times inputs of a model's GEMMs are the parameters of its projections and dense MLPs."""
    counted = parameters(model)
    mlp = (counted.dense_mlp + counted.shared_experts) / tp + counted.router
    values = {
        part: sum(m.values for m in matrices(model, tp) if m.part == part) for part in (PROJECTIONS, MLP)
    }

    assert values[PROJECTIONS] == pytest.approx(float(projected_values(model, tp)))
    assert values[MLP] == pytest.approx(mlp)


@table("gpu", ["dgx-a100", "dgx-h100", "dgx-b200", "rtx-4090-x8", "mi300x-x8"])
@table("name", ["llama-3.1-8b", "deepseek-v3.2", "qwen3-next-80b-a3b", "gpt-oss-120b"])
def test_every_part_takes_time_and_they_sum_to_the_layers(gpu, name):
    """Dense, latent, hybrid and windowed models, measured GPUs and others: no part is below zero."""
    scenario = Scenario(catalog.system(gpu), catalog.model(name), tp=2)
    for phase, tokens, context in (("decode", 1, 1), ("decode", 64, 9000), ("prefill", 5000, 2500)):
        at = step(replace(scenario, phase=phase), tokens, context)
        times = {part: float(value[0]) for part, value in at.parts_s.items()}
        assert all(value > 0 for value in times.values()), times
        assert sum(times.values()) == pytest.approx(float(at.layers_s[0]))


def test_attention_reads_its_cache_no_faster_than_the_memory():
    """A long decode step on H100: attention takes at least the KV cache over the datasheet's bandwidth."""
    for context in (1000, 10_000, 100_000):
        batch = decode_batch(np.array([64.0]), np.array([float(context)]))
        read = kv_read_step_bytes(H100.model, batch, H100.kv.bytes_per_value, H100.tp)
        at = step(H100, 64, context)
        assert at.parts_s["attention"] > read / H100.system.gpu.memory_rate.bytes_per_s


@pytest.mark.parametrize(
    ("machine", "tp", "sequences", "context", "measured_s"),
    [
        ("dgx-b200", 8, 16, 16384, 146e-6),
        ("dgx-b300", 8, 16, 65536, 162e-6),
        ("gb300-nvl72", 1, 64, 2048, 278e-6),
    ],
)
def test_sparse_attention_takes_what_its_module_took(machine, tp, sequences, context, measured_s):
    """DeepSeek-V3.2's decode layer in TensorRT-LLM, projections and all (AIConfigurator): within 45 %."""
    fp8 = catalog.precision("fp8")
    scenario = Scenario(
        catalog.system(machine), catalog.model("deepseek-v3.2"), tp=tp, weights=fp8, kv=fp8, launch="graph"
    )
    parts = step(scenario, sequences, context).parts_s
    layer_s = float((parts[PROJECTIONS] + parts["attention"])[0]) / scenario.model.layers

    assert layer_s == pytest.approx(measured_s, rel=0.45)


def test_sparse_attention_starts_no_sooner_on_older_gpus():
    """Nobody measured DeepSeek-V3.2 on an A100: its decode step takes Hopper's start, and no less time than an H100."""
    int4 = catalog.precision("w4a16")
    a100, h100 = (
        Scenario(catalog.system(name), catalog.model("deepseek-v3.2"), tp=8, weights=int4)
        for name in ("dgx-a100", "dgx-h100")
    )

    assert step(a100, 8, 4096).parts_s["attention"][0] > step(h100, 8, 4096).parts_s["attention"][0]


@pytest.mark.parametrize(("engine", "start_us"), [("sglang", 60), ("trtllm", 80), ("vllm", 150), (None, 80)])
def test_sparse_attention_starts_as_its_engine_does(engine, start_us):
    """A decode step of one short request: a start for each of 61 layers, and half of a layer's launches less."""
    sparse = Scenario(
        catalog.system("dgx-b200"), catalog.model("deepseek-v3.2"), tp=8, launch="graph", engine=engine
    )
    parts = step(sparse, 1, 16).parts_s

    assert parts["attention"][0] == pytest.approx(61 * start_us * 1e-6, rel=0.02)
    assert parts["kernel launch overhead"][0] == pytest.approx(61 * 10e-6)


def test_layers_that_share_an_indexer_do_not_start_it():
    """Indexers in 21 of 61 layers: as many starts, and the launches of the others' attention in full."""
    model = catalog.model("deepseek-v3.2")
    few = replace(model, indexer=replace(model.indexer, layers=21))
    parts = step(
        Scenario(catalog.system("dgx-b200"), few, tp=8, launch="graph", engine="sglang"), 1, 16
    ).parts_s

    assert parts["attention"][0] == pytest.approx(21 * 60e-6, rel=0.05)
    assert parts["kernel launch overhead"][0] == pytest.approx((61 - 21 / 2) * 20e-6)


def test_weights_read_narrow_are_computed_wide():
    """NVFP4 weights on H100 run in FP8: a decode step is shorter than in FP8, a long prompt is not."""
    eight, four = (replace(H100, weights=catalog.precision(name)) for name in ("fp8", "nvfp4"))
    prompt = {"phase": "prefill"}

    assert step(four, 8).parts_s["mlp"] < 0.75 * step(eight, 8).parts_s["mlp"]
    assert step(replace(four, **prompt), 8192, 8192).parts_s["mlp"] == pytest.approx(
        step(replace(eight, **prompt), 8192, 8192).parts_s["mlp"], rel=0.02
    )


def test_rates_of_ones_own_reach_the_kernels():
    """Half the memory rate doubles a decode step's GEMMs, half the peak those of a long prompt."""
    slow = replace(H100, hbm_bytes_per_s=H100.system.gpu.memory_rate.bytes_per_s / 2)
    weak = replace(H100, phase="prefill", peak_flop_per_s=H100.system.gpu.bf16_flop_per_s / 2)

    assert step(slow, 1).parts_s["mlp"] == pytest.approx(2 * step(H100, 1).parts_s["mlp"], rel=0.1)
    assert step(weak, 8192, 8192).parts_s["mlp"] == pytest.approx(
        2 * step(replace(H100, phase="prefill"), 8192, 8192).parts_s["mlp"], rel=0.1
    )


def test_a_generation_that_nobody_measured_says_so():
    """An MI355X is priced by the kernels of another generation, and the answer's note names no published run."""
    told = answer(Scenario(catalog.system("mi355x-x8"), catalog.model("llama-3.1-70b"))).assumptions
    assert any("no published run of this generation was fitted" in line for line in told)
    assert any("of Blackwell with HBM stand in" in line for line in told)
