"""Layouts computed side by side are what each of them is alone."""

from dataclasses import asdict, replace

import pytest

from core import catalog
from core.calculators.layouts import rank_training
from core.calculators.layouts.candidates import RECOMPUTE, possible
from core.calculators.layouts.inputs import NETWORK_RATE
from core.calculators.layouts.many_steps import alike, steps_s
from core.calculators.training import Scenario, memory, step
from core.parallel.grow import grow_to


def job(model, system, batch, seq, **more):
    """A training job of a model of the catalog."""
    return Scenario(catalog.system(system), catalog.model(model), global_batch=batch, seq=seq, **more)


JOBS = {
    "dense, with FSDP": (job("llama-3.1-70b", "dgx-h100", 512, 8192), 128),
    "126 layers with the ends counted": (job("llama-3.1-405b", "dgx-h100", 256, 16384), 1024),
    "hybrid sharding": (job("llama-3.1-8b", "dgx-a100", 64, 4096, strategy="hsdp"), 32),
    "experts within and across racks": (
        job("deepseek-v3-r1", "gb200-nvl72", 2304, 4096, precision="fp8"),
        144,
    ),
    "experts over nodes": (job("mixtral-8x22b", "dgx-h100", 256, 32768, strategy="zero2"), 64),
    "without overlap, attention unfused": (
        job("llama-3.1-8b", "l40s-x8", 64, 2048, dp_overlap=False, flash=False, sequence_parallel=False),
        8,
    ),
}


def one_by_one(question, gpus):
    """Every layout that fits with its least recomputation, and its step: each asked alone."""
    system = grow_to(question.system, gpus)
    ranked = []
    for candidate in possible(replace(question, system=system), gpus):
        options = (replace(candidate, recompute=name) for name in RECOMPUTE)
        fitting = next((option for option in options if memory(option).fits), None)
        if fitting is not None:
            fitting.check()
            parts = step(fitting)
            key = (round(parts.total_s, 9), fitting.layout.cp, fitting.layout.vpp)
            ranked.append((key, fitting, parts, memory(fitting).total_bytes))
    return sorted(ranked, key=lambda item: item[0])


@pytest.mark.parametrize("name", JOBS)
def test_a_ranking_is_that_of_every_layout_asked_alone(name):
    """The same layouts in the same order, with the same parts of the step and the same memory."""
    question, gpus = JOBS[name]
    ranked, alone = rank_training(question, gpus).layouts, one_by_one(question, gpus)

    assert len(ranked) == len(alone) > 1
    for layout, (key, _, parts, size_bytes) in zip(ranked, alone, strict=True):
        assert layout.order == key
        assert layout.step_s == pytest.approx(parts.total_s, rel=1e-12)
        assert layout.memory_bytes == pytest.approx(size_bytes, rel=1e-12)
    by_name = {
        (scenario.layout, scenario.micro_batch, scenario.strategy): parts for _, scenario, parts, _ in alone
    }
    for layout in ranked:
        scenario = layout.scenario
        parts = by_name[scenario.layout, scenario.micro_batch, scenario.strategy]
        assert asdict(layout.parts.exposed) == pytest.approx(asdict(parts.exposed), rel=1e-12)
        assert asdict(layout.parts.comm) == pytest.approx(asdict(parts.comm), rel=1e-12)
        for part in ("compute_s", "optimizer_s", "bubble_s", "waiting_s", "offload_s"):
            assert getattr(layout.parts, part) == pytest.approx(getattr(parts, part), rel=1e-12), part


def test_a_changed_system_changes_every_step_side_by_side():
    """Half the network rate: each layout takes what it takes alone on that network."""
    layouts = rank_training(*JOBS["dense, with FSDP"]).layouts[:40]
    scenarios = [layout.scenario for layout in layouts]
    together_s = steps_s(alike(scenarios), lambda item: NETWORK_RATE.scaled(item, 0.5))

    for scenario, seconds in zip(scenarios, together_s.tolist(), strict=True):
        assert seconds == pytest.approx(step(NETWORK_RATE.scaled(scenario, 0.5)).total_s, rel=1e-12)


def test_memory_within_six_percent_is_tight_and_mfu_has_its_interval():
    """83 of 86 GB is said to be tight; the MFU spans what the efficiency of frameworks leaves open."""
    ranking = rank_training(job("llama-3.1-70b", "dgx-h100", 512, 8192), 64)
    tight = [layout for layout in ranking.layouts if layout.tight]
    best = ranking.best

    assert tight
    for layout in tight:
        assert layout.memory.tight
        assert layout.memory.text.endswith("of 86 GB: tight")
        assert 80.4e9 < layout.memory_bytes <= 85.6e9
    assert not any(layout.memory.tight for layout in ranking.layouts if not layout.tight)
    assert best.mfu_low == pytest.approx(best.mfu * best.step_s / best.high_s)
    assert best.mfu_low < best.mfu < best.mfu_high
    assert f"({100 * best.mfu_low:.0f} to {100 * best.mfu_high:.0f} %)" in best.mfu_text
