"""The host that launches a layer's kernels: where it sets the pace of a training step, and that it is said."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.calculators.training.efficiency import expert_share
from core.catalog.calibrations.training import BAND, HOST_EXPERTS_S, HOST_LAYER_S, HOST_NARROW
from core.checks import InputError
from core.parallel.grow import grow_to
from tests.bench import held_out_blind, held_out_evening, held_out_last, held_out_newest
from tests.bench.unseen_training import outcomes

JOB = Scenario(
    grow_to(catalog.system("dgx-h100"), 16),
    catalog.model("llama-3.1-8b"),
    Layout(tp=8, dp=2),
    micro_batch=1,
    global_batch=64,
    seq=4096,
)
EXPERTS = replace(JOB, model=catalog.model("gpt-oss-20b"), layout=Layout(dp=16, ep=8), seq=2048)


def test_a_layer_takes_no_less_than_its_launches():
    """8B with TP8 and 4,096 tokens: TP4 on as many GPUs takes as long a micro-batch, for the host launches as many kernels."""
    eight = answer(JOB)
    four = answer(replace(JOB, layout=Layout(tp=4, dp=4)))
    layers, passes = JOB.model.layers, 3

    assert eight.step_s > 32 * layers * passes * HOST_LAYER_S["megatron"]
    assert eight.step_s / 32 == pytest.approx(four.step_s / 16, rel=0.1)


def test_who_waits_for_the_host_is_told():
    """The answer names the host as what binds, its part of the step and what takes it away; a step of long sequences has none."""
    bound, free = answer(JOB), answer(replace(JOB, seq=32768))

    assert bound.host_s > 0.2 * bound.step_s
    assert bound.binding == "host launches"
    assert any("bound by the host" in line and "CUDA graphs" in line for line in bound.warnings)
    assert free.host_s == 0
    assert not any("bound by the host" in line for line in free.warnings)


def test_casts_of_narrow_formats_are_launched_too():
    """With GEMMs in FP8 a layer of Megatron that the host launches takes longer than in BF16."""
    bf16, fp8 = (answer(replace(JOB, precision=name)) for name in ("bf16", "fp8"))

    assert fp8.step_s / bf16.step_s == pytest.approx(HOST_NARROW, rel=0.05)


def test_without_tp_a_layer_is_not_launched_slower_than_it_runs():
    """What is known of the host is of TP."""
    assert answer(replace(JOB, layout=Layout(dp=16))).host_s == 0


def test_tp_that_nobody_says_to_overlap_may_be_exposed():
    """The high end has all of TP exposed where its overlap is not stated, and says so."""
    job = replace(JOB, layout=Layout(tp=4, dp=4), seq=8192)
    open_, stated = answer(job), answer(replace(job, tp_overlap=0.7))
    exposed = answer(replace(job, tp_overlap=0.0))

    assert open_.step_s == stated.step_s
    assert exposed.step_s < open_.high_s < exposed.high_s
    assert stated.high_s < open_.high_s
    assert any("TP overlap is not stated" in line for line in open_.assumptions)
    assert not any("TP overlap is not stated" in line for line in stated.assumptions)


def test_graphs_take_the_host_out_of_a_dense_layer():
    """8B with TP8 is no longer bound by the host once graphs capture its layers; the low end of an answer that does not know has none of it."""
    unknown, none, partial = (answer(replace(JOB, cuda_graphs=name)) for name in (None, "none", "partial"))

    assert unknown.step_s == none.step_s > partial.step_s
    assert partial.host_s == 0
    assert partial.low_s < unknown.low_s < partial.step_s
    assert none.low_s == pytest.approx(none.step_s / (1 + BAND))


def test_experts_are_launched_where_nothing_is_captured():
    """A layer of experts takes what the host needs whatever its tokens, without a graph; the high end of an answer that does not know has it."""
    none, twice = (answer(replace(EXPERTS, cuda_graphs="none", seq=seq)) for seq in (1024, 2048))
    unknown, partial = (answer(replace(EXPERTS, cuda_graphs=name)) for name in (None, "partial"))
    layers, passes = EXPERTS.model.layers, 3

    assert none.compute_s - none.optimizer_s == pytest.approx(4 * layers * passes * HOST_EXPERTS_S, rel=0.1)
    assert twice.step_s < 1.1 * none.step_s
    assert unknown.step_s == partial.step_s < twice.step_s
    assert twice.step_s < unknown.high_s < twice.high_s
    assert partial.high_s < unknown.high_s
    assert any("nothing is said of CUDA graphs" in line for line in unknown.assumptions)
    assert not any("nothing is said of CUDA graphs" in line for line in partial.assumptions)


def test_pipelines_that_do_not_interleave_wait_for_the_hosts_of_all_stages():
    """GPT-OSS with four stages takes longer a layer without graphs than with two virtual stages of each."""
    job = replace(EXPERTS, layout=Layout(pp=4, dp=4, ep=4), global_batch=256, cuda_graphs="none")
    interleaved = replace(job, layout=Layout(pp=4, vpp=2, dp=4, ep=4))

    assert answer(job).host_s > 1.2 * answer(interleaved).host_s


def test_one_graph_of_the_iteration_speeds_experts_on_blackwell_alone():
    """The fused grouped MLP that such recipes run is of Blackwell; dense layers gain nothing by it."""
    wide = replace(EXPERTS, system=grow_to(catalog.system("gb200-nvl72"), 16))
    shares = [
        [expert_share(replace(job, cuda_graphs=name)) for name in ("partial", "full-iteration")]
        for job in (EXPERTS, wide)
    ]

    amd = replace(EXPERTS, system=grow_to(catalog.system("mi355x-x8"), 16), precision="fp8")

    assert expert_share(amd) == expert_share(replace(amd, cuda_graphs="full-iteration"))
    assert shares[0][0] == shares[0][1]
    assert shares[1][1] > 1.2 * shares[1][0]


def test_a_graph_of_nothing_known_is_refused():
    """The message lists what may be captured."""
    with pytest.raises(InputError, match="full-iteration"):
        replace(JOB, cuda_graphs="all")


def test_the_low_end_of_experts_in_narrow_formats_captures_the_iteration():
    """Recipes of mid 2026 on Blackwell that no answer names lie in its interval: two of three, asked without their graphs and overlap."""
    runs = (*held_out_newest.MOE, *held_out_last.MOE, *held_out_evening.MOE, *held_out_blind.MOE)
    stated = [run for run in runs if run.scenario.cuda_graphs == "full-iteration"]
    unsaid = [
        replace(run, scenario=replace(run.scenario, cuda_graphs=None, ep_overlap=None)) for run in stated
    ]

    assert len(stated) == 9
    assert sum(item.inside for item in outcomes(unsaid)) >= 6
