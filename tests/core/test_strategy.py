"""Layouts ranked, the reason given, and the break-even points at which the answer changes."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core import catalog
from core.calculators.layouts import (
    INPUTS,
    bucket_for_a_network,
    budget_across,
    crossing,
    crossover_map,
    nvlink_cases,
    rank_serving,
    rank_training,
    tokens_for_a_link,
    tornado,
)
from core.calculators.layouts.candidates import candidates, divisors, powers
from core.calculators.layouts.pareto import pareto_front
from core.calculators.layouts.pcie import on_pcie
from core.calculators.layouts.training_ranking import decisive
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training import Scenario as Train
from core.calculators.training import memory, step
from core.checks import InputError
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure

H100 = catalog.system("dgx-h100")
SPEC = Rates(Origin.SPEC)
JOB = Train(H100, catalog.model("llama-3.1-70b"), global_batch=128, seq=8192, rates=SPEC)
SERVE = Serve(H100, catalog.model("llama-3.1-70b"), tp=1, weights=catalog.precision("fp8"), rates=SPEC)


@pytest.fixture(scope="module")
def ranking():
    """A 70B model on 64 GPUs."""
    return rank_training(JOB, 64)


def test_ranked_layouts_fit_use_every_gpu_and_get_slower(ranking):
    """Nothing is proposed that does not fit, and the first is the fastest."""
    steps = [item.step_s for item in ranking.answers]

    assert steps == sorted(steps)
    assert ranking.best.step_s == steps[0]
    assert all(item.fits and item.gpus == 64 for item in ranking.answers)
    assert ranking.tried >= len(steps)
    assert ranking.best.layout in ranking.why


def test_no_candidate_is_faster_than_the_winner(ranking):
    """The ranking is over every layout that fits, not a lucky few."""
    system = configure(H100, domains=8)
    shortest_s = min(step(item).total_s for item in candidates(replace(JOB, system=system), 64))

    assert ranking.best.step_s == pytest.approx(shortest_s)


def test_the_pareto_set_trades_time_for_memory(ranking):
    """Along it each layout is slower and lighter than the one before."""
    steps = [item.step_s for item in ranking.pareto]
    sizes = [item.memory_bytes_per_gpu for item in ranking.pareto]

    assert steps == sorted(steps)
    assert sizes == sorted(sizes, reverse=True)


def test_large_clusters_are_ranked():
    """405B on 16,384 H100 and a DeepSeek-V3 shape on two NVL72 racks: the best layout uses them all."""
    jobs = (
        ("llama-3.1-405b", "dgx-h100", 16384, 2048, "bf16"),
        ("deepseek-v3-r1", "gb200-nvl72", 144, 2304, "fp8"),
    )
    for name, system, gpus, batch, precision in jobs:
        job = Train(
            catalog.system(system), catalog.model(name), global_batch=batch, seq=4096, precision=precision
        )

        assert rank_training(job, gpus).best.gpus == gpus


def test_a_model_that_fits_nowhere_is_refused():
    """405B parameters do not train on eight GPUs, and the sentence says so."""
    with pytest.raises(InputError, match="no layout"):
        rank_training(replace(JOB, model=catalog.model("llama-3.1-405b")), 8)


def test_candidates_fit_and_divide():
    """Every candidate passes the calculator's own check and fits the memory."""
    result = candidates(replace(JOB, system=configure(H100, domains=4)), 32)

    assert result
    for item in result:
        item.check()
        assert memory(item).fits


@given(st.integers(1, 400), st.integers(1, 64))
def test_divisors_and_powers(number, most):
    """What divides, and what doubles, up to a bound."""
    assert all(number % n == 0 and n <= most for n in divisors(number, most))
    assert powers(most)[-1] <= most < 2 * powers(most)[-1]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=40))
def test_nothing_beats_a_member_of_the_pareto_set_in_both_respects(points):
    """And whatever is left out is matched or beaten by a member."""
    front = pareto_front(points, lambda item: item[0], lambda item: item[1])

    for x, y in front:
        assert not any((a <= x and b < y) or (a < x and b <= y) for a, b in points)
    for a, b in points:
        assert any(x <= a and y <= b for x, y in front)


def test_the_crossover_map_has_the_fastest_layout_in_its_middle(ranking):
    """Factors of one change nothing; rows follow the second input."""
    factors = (0.25, 1.0, 4.0)
    cells = crossover_map(ranking.ranked, INPUTS[0], INPUTS[1], factors)

    assert [(cell.across, cell.up) for cell in cells] == [(x, y) for y in factors for x in factors]
    assert cells[4].winner == 0


def test_a_tornado_is_ordered_and_names_the_inputs_without_effect(ranking):
    """Twice the peak moves a compute-bound step most; a machine without network use ignores the network."""
    result = tornado(ranking.ranked[0].scenario)
    swings = [bar.swing for bar in result.bars]

    assert swings == sorted(swings, reverse=True)
    assert result.bars[0].input == "peak FLOP/s"
    assert {bar.input for bar in result.bars} | set(result.dead) == {
        *("network rate", "scale-up rate", "memory bandwidth", "peak FLOP/s"),
        *("network latency", "scale-up latency"),
    }
    for bar in result.bars:
        faster, slower = sorted((bar.divided_s, bar.multiplied_s))
        assert faster <= bar.base_s * (1 + 1e-9) <= slower * (1 + 2e-9)


@given(st.floats(0.1, 1e6))
def test_a_crossing_is_found(root):
    """The value where a difference changes its sign, to a millionth."""
    assert crossing(lambda value: value - root, 1e-3, 1e8) == pytest.approx(root, rel=1e-6)
    assert crossing(lambda value: value + 1, 1, 10) is None


@pytest.mark.parametrize("goal", ["latency", "throughput"])
def test_serving_layouts_are_best_first(goal):
    """By latency the first token comes soonest; by throughput each GPU gives most."""
    result = rank_serving(SERVE, 16, 256, goal)
    rates = [item.tokens_per_s_per_gpu for item in result.layouts]
    times = [item.token_s for item in result.layouts]

    assert (times == sorted(times)) if goal == "latency" else (rates == sorted(rates, reverse=True))
    assert all(max(item.tp, item.ep) * item.pp * item.replicas == 16 for item in result.layouts)
    assert result.best.name() in result.why


def test_sparse_models_are_served_wide():
    """On two NVL72 racks a DeepSeek-V3 shape spreads its experts over many GPUs and its attention over few."""
    job = Serve(
        catalog.system("gb200-nvl72"), catalog.model("deepseek-v3-r1"), tp=1, weights=catalog.precision("fp8")
    )
    best = rank_serving(job, 144, 4608).best

    assert best.ep >= 24
    assert best.tp <= 2


def test_nvlink_is_needed_where_gpus_communicate_and_not_on_a_single_one():
    """Five situations, each with and without NVLink."""
    cases = {case.situation: case for case in nvlink_cases()}

    assert len(cases) == 5
    assert cases["single-GPU inference"].verdict == "not needed"
    assert cases["multi-GPU training"].verdict == "needed"
    assert cases["large-model inference"].verdict == "needed"
    assert all(case.gain >= 1 for case in cases.values())


def test_break_even_points_have_a_value_or_a_reason():
    """Each gives a value, or says that there is none, in one sentence."""
    link = tokens_for_a_link(SERVE_8, on_pcie(H100), worth=0.5)
    bucket = bucket_for_a_network(configure(H100, domains=8), 64, "ib-xdr", rates=SPEC)
    budget = budget_across(replace(SERVE_8, system=configure(H100, domains=2), tokens=8), 16)

    assert link.value is None or 1 <= link.value <= 65536
    assert bucket.value is not None
    assert "buckets of" in bucket.text
    assert "InfiniBand XDR" in bucket.text
    assert "µs" in budget.text
    assert budget.value is not None
    assert all(item.text.endswith(".") and "\n" not in item.text for item in (link, bucket, budget))


SERVE_8 = replace(SERVE, tp=8)


def test_a_larger_bucket_is_where_the_faster_network_pays():
    """Below the crossing it saves less than asked for, above it more."""
    from core.collectives.pricing import Scenario, sweep

    system = configure(H100, domains=8)
    value = bucket_for_a_network(system, 64, "ib-xdr", worth=0.1, rates=SPEC).value
    faster = configure(system, domains=8, network="ib-xdr")
    now, then = (
        sweep(Scenario(machine, "all_reduce", 64, rates=SPEC), [value * 0.9, value * 1.1]).time_s
        for machine in (system, faster)
    )

    assert 1 - then[0] / now[0] < 0.1 < 1 - then[1] / now[1]


@given(st.lists(st.floats(-10, 10).map(lambda value: round(value, 3)), min_size=2, max_size=7))
def test_the_reason_named_has_the_sign_of_the_difference(differences_s):
    """Where the winner is faster, the gains that are named outweigh the loss that is named."""
    saved_s = {f"part {place}": value for place, value in enumerate(differences_s)}
    assume(sum(differences_s) > 1e-6)

    gains, loss = decisive(saved_s)

    assert sum(saved_s[part] for part in gains) + (saved_s[loss] if loss else 0.0) > 0
    assert all(saved_s[part] > 0 for part in gains)
    assert list(gains) == sorted(gains, key=lambda part: -saved_s[part])


def test_a_loss_larger_than_the_largest_gain_is_answered_by_further_gains():
    """75 ms of compute against 136 ms of DP communication is no reason; with 65 ms of TP communication it is."""
    saved_s = {"compute": 0.0751, "TP": 0.0654, "DP": -0.136, "PP": 0.0001}

    assert decisive(saved_s) == (("compute", "TP"), "DP")
    assert decisive({"compute": 0.1, "TP": 0.05, "DP": 0.0}) == (("compute",), "")
