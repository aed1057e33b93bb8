"""A step is as long as its parts: of few layers, with much overlap, on a GPU alone."""

from dataclasses import replace

import numpy as np
import pytest

from core import catalog
from core.calculators.gradient_sync import Scenario as Gradients
from core.calculators.gradient_sync import answer as synced
from core.calculators.serving.mixed import Load, mixed_step
from core.calculators.tensor_parallel import Scenario, answer
from core.calculators.tensor_parallel.communication import messages
from core.calculators.training import Layout
from core.calculators.training import Scenario as Job
from core.calculators.training import answer as train
from core.calculators.training.step import unpriced
from core.systems import configure
from core.units import format_time

LLAMA = catalog.model("llama-3.1-70b")
MOE = Scenario(
    model=catalog.model("deepseek-v3-r1"),
    system=catalog.system("vera-rubin-nvl72"),
    tokens=1,
    tp=4,
    ep=8,
    layers=3,
)
PREFILL = Scenario(model=LLAMA, system=catalog.system("l40s-x8"), phase="prefill", tokens=8192, overlap=1.0)
JOB = Job(
    model=LLAMA,
    system=configure(catalog.system("dgx-h100"), domains=8),
    layout=Layout(tp=64),
    global_batch=64,
    tp_overlap=1.0,
)


def test_few_layers_send_and_keep_their_share():
    """Three of 61 layers: no message a negative number of times, a 20th of the layers' weights and cache."""
    sent = {kind.collective: kind.per_step for kind in messages(MOE, np.ones(1), MOE.tp)}
    few, whole = answer(MOE), answer(replace(MOE, layers=None))
    none = answer(replace(MOE, layers=1))

    assert sent["all_reduce"] == pytest.approx(3 * 64 / 61)
    assert sent["dispatch"] == sent["combine"] == pytest.approx(3 * 58 / 61)
    assert few.per_step.time_s > 0
    assert (few.memory_bytes - none.memory_bytes) / 2 == pytest.approx(
        (whole.memory_bytes - none.memory_bytes) / 60
    )


def test_compute_hides_no_more_messages_than_it_lasts():
    """Everything overlapped, a prefill over PCIe takes as long as its messages, and says why."""
    result = answer(PREFILL)
    step = result.per_step
    load = Load(np.zeros(1), np.ones(1), np.full(1, 8192.0), prompt=8192.0)

    assert step.time_s == pytest.approx(step.comm_s)
    assert step.exposed_s == pytest.approx(step.comm_s - step.compute_s)
    assert sum(result.parts_s.values()) == pytest.approx(step.time_s, rel=0.02)
    assert any(line.startswith("overlap: ") for line in result.warnings)
    assert float(mixed_step(PREFILL, load).time_s[0]) >= step.comm_s


@pytest.mark.parametrize("overlaps", [{"tp_overlap": 1.0}, {"tp_overlap": 1.0, "ep_overlap": 1.0}])
def test_a_training_step_is_no_shorter_than_its_communication(overlaps):
    """TP over eight nodes at full overlap: the step is at least all that it sends."""
    result = train(replace(JOB, **overlaps))

    assert result.step_s >= result.comm_s.tp
    assert result.exposed_s.tp > 0


def test_tensor_and_expert_parallelism_hide_behind_the_same_compute():
    """Where every collective takes a second, both overlapped hide together what the stage computes."""
    job = Job(
        model=catalog.model("mixtral-8x7b"),
        system=catalog.system("l40s-x8"),
        layout=Layout(tp=8, ep=8),
        global_batch=8,
        tp_overlap=1.0,
        ep_overlap=1.0,
    )
    work = unpriced(job)
    result = work.priced([1.0] * len(work.calls))
    hidden = result.comm.tp - result.exposed.tp + result.comm.ep - result.exposed.ep

    assert hidden == pytest.approx(result.compute_s)


def test_a_step_is_bound_by_what_its_parts_are_bound_by():
    """Decoding with measured kernels: the side that its parts wait for longer is the bound of the layers."""
    for tokens in (1, 64, 512, 4096):
        point = answer(replace(PREFILL, phase="decode", tokens=tokens, context=128))
        longer = "flops" if point.parts_s["FLOPs"] > point.parts_s["HBM"] else "memory"
        assert point.per_step.bound == longer


def test_a_prompt_of_a_few_tokens_launches_as_one_of_many():
    """No step of the launch overhead between prompts of 8 and of 9 tokens, and the overhead used is said."""
    short, longer = (answer(replace(PREFILL, tokens=tokens)) for tokens in (8, 9))
    captured = answer(replace(PREFILL, tokens=64, launch="graph"))

    assert short.per_layer.fixed_s == longer.per_layer.fixed_s > captured.per_layer.fixed_s
    for result in (short, captured):
        said = f"overhead {format_time(result.per_layer.fixed_s)} per layer"
        assert any(said in line for line in result.assumptions)


def test_a_step_of_seconds_is_said_in_seconds():
    """A prefill of 8,192 tokens at 3 s is not given as 3e+03 ms."""
    headline = answer(replace(PREFILL, tokens=65536)).headline

    assert "e+0" not in headline
    assert " s); " in headline


def test_a_gpu_alone_loses_nothing_to_communication():
    """One GPU sends nothing: no dollars lost at either end; hidden gradients may cost up to a point."""
    lone = replace(JOB, model=catalog.model("llama-3.1-8b"), layout=Layout(), global_batch=1, tp_overlap=None)
    cost = train(replace(lone, usd_per_gpu_hour=3.0)).loss
    gradients = Gradients(JOB.system, 7e9, 8, backward_s=100.0, overlap=1.0, usd_per_gpu_hour=3.0)
    hidden, alone = synced(gradients), synced(replace(gradients, ranks=1))

    assert cost.usd_per_month_high == alone.loss.usd_per_month_high == alone.exposed_high_s == 0
    assert hidden.loss.share_high == pytest.approx(hidden.exposed_high_s / hidden.step_s) == 0.01
