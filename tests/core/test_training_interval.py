"""The interval of a training step: what is not known of its software, and a memory that is full."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.calculators.training.attention import kernel_share
from core.catalog.calibrations.training import (
    ANY_BAND,
    BAND,
    FULL_MEMORY_TIMES,
    UNMEASURED_BAND,
    WIDE_BAND,
)
from core.parallel.grow import grow_to

JOB = Scenario(
    grow_to(catalog.system("dgx-a100"), 1024),
    catalog.model("llama-3.1-8b"),
    Layout(dp=1024),
    global_batch=1024,
    seq=4096,
    grad_bytes=2.0,
    recompute="full",
)


def test_software_that_nobody_knows_may_hide_no_communication():
    """One short micro-batch on 1,024 A100: the high end has every byte of the gradients exposed."""
    ours, exposed = answer(JOB), answer(replace(JOB, dp_overlap=False))

    assert ours.step_s < exposed.step_s
    assert exposed.step_s < ours.high_s < exposed.step_s * (1 + WIDE_BAND)
    assert ours.low_s == pytest.approx(ours.step_s / (1 + WIDE_BAND))
    assert any("software is not known" in line for line in ours.assumptions)


def test_any_framework_is_none_that_is_known():
    """Asked for the mean of all frameworks, the answer knows no more of their overlap, on any generation."""
    for system in ("dgx-a100", "dgx-h100", "dgx-b200"):
        ours = answer(replace(JOB, system=grow_to(catalog.system(system), 1024), framework="any"))

        assert any("software is not known" in line for line in ours.assumptions), system


def test_software_with_tables_has_its_band_to_either_side():
    """FSDP on A100 is published: what overlaps is part of the tables."""
    ours = answer(replace(JOB, strategy="fsdp"))

    assert ours.high_s == pytest.approx(ours.step_s * (1 + BAND))
    assert not any("software is not known" in line for line in ours.assumptions)


def test_sharded_parameters_in_a_full_memory_may_take_a_third_longer():
    """A model of 27 billion parameters in FSDP on eight GPUs of 80 GB leaves an allocator no room at long sequences."""
    model = replace(catalog.model("llama-3.1-70b"), layers=30)
    system = catalog.system("dgx-h100")
    job = Scenario(system, model, Layout(dp=8), global_batch=8, seq=1024, recompute="full", strategy="fsdp")
    seqs = [seq for seq in range(1024, 16384, 512) if answer(replace(job, seq=seq)).memory.tight]
    full, roomy = (answer(replace(job, seq=seq)) for seq in (seqs[0], seqs[0] // 2))

    assert full.high_s == pytest.approx(full.step_s * FULL_MEMORY_TIMES)
    assert any("full memory" in line for line in full.warnings)
    assert roomy.high_s == pytest.approx(roomy.step_s * (1 + ANY_BAND))


def test_blackwell_ultra_is_faster_by_its_kernels():
    """GB300 computes a step of BF16 and FP8 in less time than GB200, at the same datasheet peak."""
    job = replace(JOB, layout=Layout(dp=8), global_batch=128, grad_bytes=4.0)
    for precision in ("bf16", "fp8", "mxfp8"):
        rates = [
            answer(replace(job, system=catalog.system(system), precision=precision)).tokens_per_s_per_gpu
            for system in ("gb200-nvl72", "gb300-nvl72")
        ]
        assert 1.05 < rates[1] / rates[0] < 1.2


def test_what_was_measured_in_2024_is_a_guess_of_today():
    """FSDP on MI300X has published runs of October 2024 alone: asked for today the interval is that of a guess."""
    job = replace(JOB, system=grow_to(catalog.system("mi300x-x8"), 8), layout=Layout(dp=8), strategy="fsdp")
    today, then = (answer(replace(job, framework=name)) for name in ("fsdp", "fsdp-2024"))

    assert today.step_s == then.step_s
    assert today.high_s / today.step_s == pytest.approx(1 + UNMEASURED_BAND)
    assert then.high_s / then.step_s == pytest.approx(1 + WIDE_BAND)


def test_attention_of_a_cp_rank_runs_at_the_rate_of_the_whole_sequence():
    """Half-empty tiles lie on the diagonal alone, of which a rank has its share: 64K tokens with CP8 are as fast as without."""
    job = replace(JOB, system=grow_to(catalog.system("dgx-h100"), 64), seq=65536)
    alone, ring = (
        kernel_share(replace(job, layout=layout)) for layout in (Layout(dp=64), Layout(dp=8, cp=8))
    )

    assert alone == ring > kernel_share(replace(job, seq=8192))


def test_what_nobody_states_never_narrows_an_interval():
    """Every input of overlap, graphs and dispatcher that is left open leaves the ends where they are or further out."""
    job = Scenario(
        grow_to(catalog.system("dgx-h100"), 64),
        catalog.model("qwen3-235b-a22b"),
        Layout(tp=2, pp=4, dp=8, ep=16),
        global_batch=64,
        seq=4096,
        recompute="full",
    )
    stated = answer(replace(job, tp_overlap=0.7, ep_overlap=0.0, cuda_graphs="partial", dispatcher="deepep"))
    open_ = answer(replace(job, cuda_graphs=None, dispatcher=None))

    assert open_.step_s == pytest.approx(stated.step_s)
    assert open_.low_s < stated.low_s < stated.high_s < open_.high_s
