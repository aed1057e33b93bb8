"""Routed experts in training: wide ones run nearly like dense layers, narrow ones far below."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.calculators.training.efficiency import expert_share
from core.calculators.training.scenario import DISPATCHERS
from core.calculators.training.work import layer_work
from core.checks import InputError
from core.parallel.grow import grow_to
from core.systems import configure
from tests.bench import held_out_newest
from tests.bench.unseen_training import outcomes

H100 = configure(catalog.system("dgx-h100"), domains=16)
MIXTRAL = Scenario(
    H100,
    catalog.model("mixtral-8x22b"),
    Layout(tp=2, pp=8, vpp=7, dp=8, ep=8),
    global_batch=256,
    seq=4096,
    ep_overlap=0.5,
)
DENSE = catalog.model("llama-3.1-70b")


def test_eight_wide_experts_reach_what_their_publisher_states():
    """Mixtral 8x22B in BF16 on 128 H100: 49.3 % MFU (arXiv 2504.14960), which no constant was fitted to."""
    assert answer(MIXTRAL).mfu == pytest.approx(0.493, rel=0.10)


@pytest.mark.parametrize(
    ("change", "framework"),
    [
        ({}, "megatron"),
        ({"strategy": "fsdp"}, "fsdp"),
        ({"strategy": "fsdp", "model": DENSE}, "fsdp"),
        ({"flash": False}, "megatron-2022"),
        ({"strategy": "fsdp", "model": DENSE, "framework": "megatron"}, "megatron"),
        ({"framework": "any"}, "any"),
    ],
)
def test_a_job_takes_the_kernels_of_its_framework(change, framework):
    """Sharded parameters are FSDP's, with experts or without; attention without flash is of 2022, or what is given."""
    assert replace(MIXTRAL, **change).kernels == framework


def test_2022_and_today_are_not_one_number():
    """The same dense job is faster with Megatron of today than with FSDP of 2023 or any framework."""
    job = replace(MIXTRAL, model=DENSE, layout=Layout(tp=4, pp=4, dp=8))
    today, any_, fsdp = (answer(replace(job, framework=name)).mfu for name in ("megatron", "any", "fsdp"))

    assert today > any_ > fsdp


def test_narrow_experts_stay_where_published_tables_have_them():
    """Qwen3 235B (4,096 x 1,536) has two fifths of the dense rate in BF16, 8x22B (6,144 x 16,384) four fifths."""
    narrow = replace(MIXTRAL, model=catalog.model("qwen3-235b-a22b"))

    assert expert_share(narrow) == pytest.approx(0.42, abs=0.01)
    assert expert_share(MIXTRAL) == pytest.approx(0.81, abs=0.02)


def test_tp_without_ep_cuts_every_expert_narrower():
    """TP8 over the experts leaves each GPU an eighth of their width, and a lower rate; dense models know none."""
    whole = replace(MIXTRAL, layout=Layout(tp=8, ep=8, dp=16))
    cut = replace(MIXTRAL, layout=Layout(tp=8, ep=1, dp=16))

    assert expert_share(cut) < expert_share(whole)
    assert expert_share(replace(MIXTRAL, model=catalog.model("llama-3.1-8b"))) == 1


def test_an_expert_with_few_tokens_is_slower():
    """EP32 brings each expert the tokens of 32 ranks, EP4 of four: the rows of its GEMMs."""
    model = catalog.model("qwen3-235b-a22b")
    wide, small = (replace(MIXTRAL, model=model, layout=Layout(dp=32, ep=ep)) for ep in (32, 4))

    assert expert_share(small) < 0.95 * expert_share(wide)


def test_an_all_to_all_sends_a_token_once_for_each_expert():
    """Qwen3 235B with EP16 over two nodes: eight copies of a token take the network that one shares in DeepEP."""
    job = replace(MIXTRAL, model=catalog.model("qwen3-235b-a22b"), layout=Layout(dp=128, ep=16))
    once, each = (replace(job, dispatcher=name) for name in DISPATCHERS)

    assert answer(job).step_s == answer(once).step_s
    assert answer(each).comm_s.ep > 2 * answer(once).comm_s.ep
    assert any("no dispatcher is stated" in line for line in answer(job).assumptions)
    assert not any("no dispatcher" in line for line in answer(each).assumptions)


def test_a_dispatcher_nobody_knows_is_refused():
    """The message lists those that are priced."""
    with pytest.raises(InputError, match="deepep"):
        replace(MIXTRAL, dispatcher="pigeon")


def test_runs_that_name_their_dispatcher_come_out():
    """Qwen3 30B with EP16 on 16 H100: 41.3 s by all-to-all, 24.7 by HybridEP, each within a fifth."""
    tables = {"Qwen3 30B, HybridEP", "Qwen3 30B, all-to-all"}
    runs = [run for run in held_out_newest.MOE if run.series.table in tables and run.gpus == 16]

    assert len(runs) == 2
    for item in outcomes(runs):
        assert abs(item.error) < 0.2
        assert item.inside


@pytest.mark.parametrize("system", ["dgx-b200", "dgx-b300", "gb300-nvl72", "mi355x-x8"])
def test_four_bits_are_no_slower_than_eight_for_experts(system):
    """Casts to four bits cost what casts to eight do, so that their products alone tell NVFP4 from FP8."""
    job = replace(
        MIXTRAL,
        model=catalog.model("qwen3-235b-a22b"),
        system=grow_to(catalog.system(system), 64),
        layout=Layout(pp=8, dp=8, ep=8),
    )
    rates = [answer(replace(job, precision=name)).tokens_per_s_per_gpu for name in ("bf16", "fp8", "nvfp4")]

    assert rates == sorted(rates)


def test_experts_with_biases_pay_for_them():
    """GPT-OSS adds a bias in each expert's matrices outside its grouped GEMMs: a tenth of its compute and more; without, none."""
    job = replace(
        MIXTRAL, model=catalog.model("gpt-oss-120b"), layout=Layout(dp=128, ep=8), micro_batch=2, seq=4096
    )
    plain = replace(job, model=replace(job.model, mlp_extra_params=0))

    assert 1.08 < answer(job).compute_s / answer(plain).compute_s < 1.3
    assert layer_work(plain).biased_values == layer_work(MIXTRAL).biased_values == 0
