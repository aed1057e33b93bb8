"""Layouts that do not divide evenly: idle GPUs, expert slots, copied heads, domains without a switch."""

from dataclasses import replace

import pytest

from core.calculators.capacity import Scenario as Layout
from core.calculators.capacity import capacity
from core.calculators.tensor_parallel import Scenario, answer, compare
from core.calculators.tensor_parallel.compare import llama_405b
from core.calculators.tensor_parallel.terms import weight_bytes
from core.catalog import model, precision, system
from core.checks import InputError
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import answer as price
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import CustomSystem, DomainSpec, configure, custom_system
from core.workload.transformer import parameters

RACK = system("gb200-nvl72")


@pytest.mark.parametrize("one_way", [16e9, 32e9, 450e9])
def test_a_rate_of_ones_own_counts_both_ways_in_the_published_convention(one_way):
    """Stating a wire's rate and building a machine of that wire are the same question: 2x too fast."""
    machine = system("dgx-h100")
    stated = Rates(Origin.PUBLISHED, bytes_per_s=one_way)
    built = custom_system(CustomSystem("h100-sxm", DomainSpec(8, bytes_per_s=one_way)))
    scenario = Collective(machine, "all_reduce", 8, 16384, rates=stated, algorithm="ring")
    result = price(scenario).time_s
    honest = price(
        Collective(
            machine,
            "all_reduce",
            8,
            16384,
            rates=Rates(Origin.SPEC, latency_s=0.0, bytes_per_s=one_way),
            algorithm="ring",
        )
    )

    assert result == pytest.approx(1.75 * 16384 / (2 * one_way), rel=1e-12)
    assert honest.time_s == pytest.approx(2 * result, rel=1e-12)
    same = price(Collective(built, "all_reduce", 8, 16384, rates=Rates(Origin.PUBLISHED), algorithm="ring"))
    assert same.time_s == pytest.approx(result, rel=1e-12)


@pytest.mark.parametrize(
    ("machine", "gpus", "one_way"),
    [
        ("mi300x-x8", 8, 16 * 64e9),
        ("mi300x-x8", 4, 4 * 64e9),
        ("dgx-1-v100", 8, 6 * 25e9),
        ("dgx-h100", 7, 3 * 450e9),
        ("dgx-1-v100", 4, 125e9),
        ("dgx-1-p100", 2, 20e9),
    ],
)
def test_bisection_of_a_mesh_counts_the_links_between_its_halves(machine, gpus, one_way):
    """A GPU of a mesh reaches the other half over its links to it alone; behind a switch over all of them."""
    result = capacity(Layout(system(machine), params=1e9, gpus=gpus)).fabric

    assert result.bisection_one_way_bytes_per_s == pytest.approx(one_way)
    assert result.bisection_both_ways_bytes_per_s == pytest.approx(2 * one_way)


def test_an_expert_group_says_which_gpus_work_and_which_slots_are_copies():
    """EP48 of a rack leaves 24 GPUs idle, and 256 experts leave 32 of its 288 slots to copies."""
    deepseek, fp8 = model("deepseek-v3-r1"), precision("fp8")
    step = answer(Scenario(RACK, deepseek, tp=1, ep=48, weights=fp8))
    memory = capacity(Layout(RACK, deepseek, tp=1, ep=48, weights=fp8))

    assert "48 of 72 GPUs are used; tokens/s per GPU counts those" in step.assumptions
    assert "256 experts over 48 GPUs: 6 per GPU, 32 of 288 hold copies" in step.assumptions
    assert (memory.scenario.used_gpus, memory.scenario.expert_group, memory.scenario.replicas) == (48, 48, 48)
    assert "48 of 72 GPUs are used, 24 are not" in memory.assumptions


@pytest.mark.parametrize(("tp", "ep"), [(1, 72), (1, 48), (8, 1), (8, 16), (16, 8), (64, 64)])
def test_a_step_and_its_capacity_hold_the_same_weights(tp, ep):
    """Both calculators give one GPU the same bytes of weights: whole slots, KV heads as they are kept."""
    for name in ("deepseek-v3-r1", "qwen3-235b-a22b"):
        shape = model(name)
        machine = configure(RACK, domains=2, network="ib-ndr")
        step = weight_bytes(shape, Scenario(machine, shape, tp=tp, ep=ep), tp)
        memory = capacity(Layout(machine, shape, params=parameters(shape).total, tp=tp, ep=ep))

        assert step == pytest.approx(memory.weights_bytes_per_gpu, rel=1e-12)


def test_the_shipped_example_warns_of_nothing():
    """A group too small for the switch to add is a fact among the assumptions, no warning."""
    result = compare(*llama_405b())

    assert result.a.warnings == result.b.warnings == ()
    assert any("in-switch" in line for line in result.b.assumptions)


def test_a_billion_gpus_take_no_longer_than_a_rack():
    """Degrees and copies are found from the heads, not by counting GPUs."""
    huge = replace(RACK, domain_gpus=10**9)
    result = capacity(Layout(huge, model("llama-3.1-70b")))

    assert result.scenario.attention_tp == 8
    with pytest.raises(InputError, match="ep: 7 does not divide"):
        Layout(huge, model("deepseek-v3-r1"), gpus=10**9, ep=7)
