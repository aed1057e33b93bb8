"""Systems serving the same load: what fits, the decode step, cost per token and the break-even price."""

from dataclasses import replace

import pytest

from core.calculators.capacity import Scenario as Memory
from core.calculators.capacity import capacity, capacity_service
from core.calculators.layouts import rank_serving
from core.calculators.layouts.serving_layout import ServingDegrees
from core.calculators.layouts.serving_ranking import serving_layout
from core.calculators.system_comparison import Candidate, compare_systems
from core.calculators.tensor_parallel import Objective, Scenario, answer
from core.catalog import model, precision, system
from core.checks import InputError
from core.parallel.grow import grow_to
from core.systems import configure
from core.units import MS

DEEPSEEK = Scenario(
    system("gb200-nvl72"), model("deepseek-v3-r1"), tp=1, weights=precision("fp8"), context=4096
)
RACK, NODES = Candidate(system("gb200-nvl72")), Candidate(system("dgx-h200"))


def priced(*prices):
    """The rack and the nodes at these prices of a GPU-hour."""
    return [replace(item, usd_per_gpu_hour=price) for item, price in zip((RACK, NODES), prices, strict=True)]


def test_deepseek_on_a_rack_or_nine_nodes():
    """Both serve the load on 72 GPUs; the answer has requests, step, throughput and what a GPU-hour is worth."""
    result = compare_systems(DEEPSEEK, [RACK, NODES], 1024)
    rack, nodes = result.results
    ranked = rank_serving(replace(DEEPSEEK, system=grow_to(system("dgx-h200"), 72)), 72, 1024).best
    assert (rack.gpus, rack.domains) == (72, 1)
    assert (nodes.gpus, nodes.domains) == (72, 9)
    assert nodes.tpot_s == pytest.approx(ranked.token_s)
    assert nodes.most_requests < rack.most_requests
    assert result.best == "gb200-nvl72"
    assert nodes.worth == pytest.approx(nodes.tokens_per_s_per_gpu / rack.tokens_per_s_per_gpu)
    assert "72 GPUs of DGX H200 (9 domains of 8)" in result.headline
    assert "may cost up to 1.47×" in result.headline


def test_at_the_break_even_price_tokens_cost_the_same():
    """The price that the answer names makes a million tokens equally dear; a dollar more does not."""
    nodes = compare_systems(DEEPSEEK, priced(8.0, None), 1024).results[1]
    rack, even = compare_systems(DEEPSEEK, priced(8.0, nodes.break_even_usd_per_gpu_hour), 1024).results
    assert even.usd_per_million_tokens == pytest.approx(rack.usd_per_million_tokens)
    dearer = compare_systems(DEEPSEEK, priced(8.0, nodes.break_even_usd_per_gpu_hour + 1), 1024)
    assert "GB200 NVL72 is cheaper" in dearer.headline


def test_within_a_latency_target_each_system_takes_its_largest_load():
    """Asked at the largest load the step keeps the target; with one request more it does not."""
    target_s = 20 * MS
    for item in compare_systems(DEEPSEEK, [RACK, NODES], 1024, target_s=target_s).results:
        grown = replace(DEEPSEEK, system=grow_to(system(item.system), 72))
        degrees = ServingDegrees(2, 72, 1)
        requests = item.within_target.requests
        assert item.within_target.layout == "TP2 EP72 x 1"
        assert serving_layout(grown, 72, requests, degrees).token_s <= target_s
        assert serving_layout(grown, 72, requests + 1, degrees).token_s > target_s


def test_a_target_that_nobody_keeps_compares_nothing():
    """A tenth of a millisecond is below every step."""
    result = compare_systems(DEEPSEEK, [RACK, NODES], 1024, target_s=0.1 * MS)
    assert result.best is None
    assert "none of these systems serves it" in result.headline


def test_a_system_without_network_is_a_reason_and_no_error():
    """Eight RTX 4090 cannot grow to 72, and the others are still answered."""
    result = compare_systems(DEEPSEEK, [RACK, Candidate(system("rtx-4090-x8"))], 1024)
    assert result.results[0].tpot_s is not None
    assert "no network" in result.results[1].reason
    assert "only 72 GPUs of GB200 NVL72" in result.headline


def test_what_does_not_fit_says_how_many_requests_would():
    """Sixteen H100 hold fewer than 1,024 requests."""
    result = compare_systems(DEEPSEEK, [Candidate(system("dgx-h100")), NODES], 1024, gpus=16)
    assert "do not fit" in result.results[0].reason


def test_two_to_four_systems_are_compared():
    """One system is no comparison, five are too many."""
    for candidates in ([RACK], [RACK] * 5):
        with pytest.raises(InputError, match="systems"):
            compare_systems(DEEPSEEK, candidates, 1024)


def test_domains_that_are_stated_are_used():
    """Nine nodes of eight are 72 GPUs, the headline says so, and attention stays inside a node."""
    nine = configure(system("dgx-h200"), domains=9)
    result = capacity(Memory(nine, model("deepseek-v3-r1"), weights=precision("fp8"), sequences=1024))
    assert result.scenario.used_gpus == 72
    assert result.fits
    assert "72 GPUs of DGX H200 (9 domains of 8)" in result.headline
    dense = capacity(Memory(nine, model("llama-3.1-405b"), weights=precision("fp8")))
    assert dense.scenario.attention_tp <= 8


def test_a_model_too_large_for_a_node_is_spread_over_several():
    """405B in BF16 fits no node of eight H100: tensor parallelism over nodes is taken where nothing else fits."""
    four = configure(system("dgx-h100"), domains=4)
    result = capacity(Memory(four, model("llama-3.1-405b")))
    assert result.fits
    assert result.scenario.attention_tp > 8


def test_the_capacity_layout_has_a_decode_step_at_its_load():
    """TPOT of the layout is the tensor-parallel answer for one attention group's share of the requests."""
    result = capacity(
        Memory(system("gb200-nvl72"), model("deepseek-v3-r1"), weights=precision("fp8"), sequences=1024)
    )
    figures = capacity_service(result, Objective(tpot_s=20 * MS, usd_per_gpu_hour=5.0))
    layout = result.scenario
    step = answer(
        Scenario(
            layout.system,
            layout.model,
            tokens=-(-1024 // layout.replicas),
            context=layout.context,
            tp=layout.attention_tp,
            ep=layout.expert_group,
            weights=layout.weights,
            dispatch=layout.dispatch,
        )
    )
    assert figures.tpot_s == pytest.approx(step.per_step.time_s)
    assert figures.largest.requests <= result.max_sequences
    assert figures.largest.tpot_s <= 20 * MS < figures.largest.next_tpot_s


def test_without_a_target_the_largest_load_is_what_the_memory_holds():
    """The largest batch of a capacity answer is its most concurrent requests."""
    result = capacity(Memory(system("gb200-nvl72"), model("llama-3.1-405b"), weights=precision("fp8")))
    figures = capacity_service(result)
    assert figures.largest.requests == result.max_sequences
    assert figures.largest.limit == "memory"


def test_parameters_alone_have_no_decode_step():
    """Without a shape, or with pipeline stages, the decode step is absent."""
    assert capacity_service(capacity(Memory(system("gb200-nvl72"), params=1.8e12))) is None
    staged = Memory(system("gb200-nvl72"), model("llama-3.1-405b"), pp=2)
    assert capacity_service(capacity(staged)) is None
