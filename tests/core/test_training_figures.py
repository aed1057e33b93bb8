"""The training calculator against typed published runs: at the shipped efficiency, and after one constant a group."""

import json
from dataclasses import replace
from itertools import pairwise
from statistics import mean

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer, with_fastest_micro_batch
from core.calculators.training.work import model_flop
from core.systems import configure
from core.units import TERA
from core.workload.config import read_config
from tests.bench.published_rows import Published
from tests.bench.published_training import levels
from tests.figures.training import DENSE, MOE, SC21, SEQUENCE_PARALLEL, Shape

SYSTEMS = {
    "a100-sxm-80gb": "dgx-a100",
    "h100-sxm": "dgx-h100",
    "b200-sxm": "dgx-b200",
    "gb200": "gb200-nvl72",
}
EARLY = (SC21, SEQUENCE_PARALLEL)
"""Before FlashAttention and before communication was overlapped with compute."""


def model_of(name):
    """A model of the catalog, or a GPT of a published shape."""
    if not isinstance(name, Shape):
        return catalog.model(name)
    config = {
        "model_type": "llama",
        "num_hidden_layers": name.layers,
        "hidden_size": name.hidden,
        "num_attention_heads": name.heads,
        "num_key_value_heads": name.heads,
        "intermediate_size": 4 * name.hidden,
        "vocab_size": name.vocab,
    }
    return replace(read_config(json.dumps(config)).model, gated_mlp=False, tied_embeddings=True)


def scenario_of(run):
    """The question that a published run answers."""
    system = catalog.system(SYSTEMS[run.gpu])
    early = run.source in EARLY
    scenario = Scenario(
        model=model_of(run.model),
        system=configure(system, domains=-(-run.gpus // system.domain_gpus)),
        layout=Layout(run.tp, run.pp, run.vpp, run.gpus // (run.tp * run.pp * run.cp), run.cp, run.ep),
        micro_batch=run.micro_batch or 1,
        global_batch=run.global_batch,
        seq=run.seq,
        precision=run.precision,
        recompute=run.recompute,
        tp_overlap=0.0 if early else None,
        pp_overlap=0.0 if early else None,
        dp_overlap=not early,
        flash=not early,
        sequence_parallel=run.source is not SC21,
    )
    return scenario if run.micro_batch else with_fastest_micro_batch(scenario)


def rate_of(run, scenario):
    """Tokens/s per GPU, whatever was printed; hardware TFLOP/s count a full recomputation as a third more."""
    if run.tokens_per_s_per_gpu:
        return run.tokens_per_s_per_gpu
    if run.step_s:
        return scenario.tokens / run.step_s / run.gpus
    flop = model_flop(scenario) / scenario.tokens * (4 / 3 if run.source is SC21 else 1)
    return run.tflop_per_s_per_gpu * TERA / flop


@pytest.fixture(scope="module")
def rows():
    """Every typed run with its question."""
    pairs = [(run, scenario_of(run)) for run in DENSE + MOE]
    return [
        Published(
            str(run),
            run.source.key,
            run.source.key,
            str(run.model),
            run.gpu,
            scenario,
            rate_of(run, scenario),
        )
        for run, scenario in pairs
    ]


def test_shipped_efficiencies_come_near_every_published_step(rows):
    """Nothing refitted: 11 % mean, 28 % worst, and four steps of five inside the stated interval."""
    steps = [answer(row.scenario) for row in rows]
    errors = [
        abs(step.tokens_per_s_per_gpu / row.tokens_per_s_per_gpu - 1)
        for step, row in zip(steps, rows, strict=True)
    ]
    inside = [step.low_s <= row.step_s <= step.high_s for step, row in zip(steps, rows, strict=True)]

    assert mean(errors) <= 0.11
    assert max(errors) <= 0.28
    assert mean(inside) >= 0.75


def test_one_constant_a_group_leaves_little(rows):
    """One efficiency per GPU, precision and framework: 7 % mean, 18 % worst, a plausible share of the peak."""
    groups = levels(row for row in rows if not row.scenario.model.moe)

    assert len(groups) == 5
    for group in groups:
        errors = [abs(error) for error in group.errors.values()]
        assert mean(errors) <= 0.07, group.key
        assert max(errors) <= 0.18, group.key
        assert 0.6 < group.efficiency < 0.98, group.key


def test_weak_scaling_loses_what_was_measured(rows):
    """DGX Cloud from 8 to 128 and from 64 to 2,048 GPUs at a batch per GPU: within 3 %."""
    cloud = [row for row in rows if row.table == "dgxc-training"]

    for small, large in [pair for pair in pairwise(cloud) if pair[0].model == pair[1].model]:
        ours = answer(large.scenario).step_s / answer(small.scenario).step_s
        assert ours == pytest.approx(large.step_s / small.step_s, rel=0.03)


def test_selective_recomputation_saves_what_was_measured(rows):
    """Three models of Korthikanti's table 5: the step with selective over the step with full, within 4 %."""
    table = [row for row in rows if row.table == SEQUENCE_PARALLEL.key]

    for full, selective in zip(table[::2], table[1::2], strict=True):
        ours = answer(selective.scenario).step_s / answer(full.scenario).step_s
        assert ours == pytest.approx(selective.step_s / full.step_s, rel=0.04)
