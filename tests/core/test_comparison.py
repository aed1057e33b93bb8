"""Comparisons: the terms of every calculator add up, on each side and in the difference."""

from functools import cache

import pytest

from core.calculators import bandwidth_hierarchy, comparison, gradient_sync, training
from core.calculators.capacity import Scenario as Capacity
from core.calculators.capacity import capacity, capacity_service, transfer
from core.calculators.comparison import compare
from core.calculators.cost.exposed import loss
from core.calculators.layouts import rank_serving, rank_training
from core.calculators.serving import Engine, engine_service
from core.calculators.tensor_parallel import Scenario as Step
from core.calculators.tensor_parallel import answer as tensor_parallel
from core.calculators.tensor_parallel import service
from core.calculators.tensor_parallel.compare import llama_405b
from core.catalog import model, precision, system
from core.checks import InputError
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import answer as collective
from core.systems import configure
from tests.each import table

H100, B200 = (configure(system(name), domains=8) for name in ("dgx-h100", "dgx-b200"))


def steps():
    """Llama 3.1 405B on 8 x H100 and on 4 x B200."""
    return [(comparison.tensor_parallel(tensor_parallel(side), service(side)), side) for side in llama_405b()]


def test_engines_that_differ_in_drafts_alone_do_not_compare_as_equal():
    """Their drafts stand in what is asked, and TPOT with engine differs."""
    step = llama_405b()[0]
    engines = Engine(draft_tokens=2), Engine(draft_tokens=4)
    sides = [
        comparison.tensor_parallel(tensor_parallel(step), engine_service(step, engine), engine)
        for engine in engines
    ]
    times = [{figure.name: figure.value for figure in side.figures}["TPOT with engine"] for side in sides]

    assert times[0] != times[1]
    assert comparison.compare(*sides).unlike == ("engine: draft tokens: 2 against 4",)


def trained(gpus, tp, **more):
    """A training step of Llama 3.1 70B on 64 GPUs, and its answer."""
    layout = training.Layout(tp=tp, pp=4, dp=16 // tp)
    scenario = training.Scenario(
        system=gpus, model=model("llama-3.1-70b"), layout=layout, usd_per_gpu_hour=3.0, **more
    )
    return scenario, training.answer(scenario)


def synced(gpus, strategy):
    """A data-parallel step of 8 billion parameters."""
    scenario = gradient_sync.Scenario(
        system=gpus, params=8e9, tokens_per_rank=8192, mfu=0.4, strategy=strategy, spread=0.02
    )
    return scenario, gradient_sync.answer(scenario)


def moved(gpus):
    """The cache of 32,768 tokens of Llama 3.1 70B, and the prefill that would replace it."""
    llama, bf16 = model("llama-3.1-70b"), precision("bf16")
    prefill = Step(model=llama, system=gpus, phase="prefill", tokens=32768, tp=8, weights=bf16, kv=bf16)
    return comparison.transfer(prefill, transfer(llama, gpus, 32768, bf16, weights=bf16))


def searched(gpus):
    """The best serving layout of Llama 3.1 405B for 512 requests on 64 GPUs."""
    fp8 = precision("fp8")
    scenario = Step(model=model("llama-3.1-405b"), system=gpus, context=4096, tp=1, weights=fp8, kv=fp8)
    ranking = rank_serving(scenario, 64, 512, "throughput")
    return comparison.serving_layout(scenario, 64, 512, ranking), ranking.best


def copied(gpus, size):
    """One gigabyte over every level."""
    scenario = bandwidth_hierarchy.Scenario(gpus, size_bytes=size)
    answer = bandwidth_hierarchy.answer(scenario)
    return comparison.hierarchy(scenario, answer), answer.levels[-1].time_s


COMPARED = (
    *("tensor_parallel", "training", "cost", "gradient_sync", "collectives"),
    *("capacity", "hierarchy", "transfer", "layouts", "serving"),
)


@cache
def sides_by_name():
    """The pairs by calculator, answered once for all tests and not where tests are only collected."""
    return {name: sides for name, *sides in pairs()}


def test_every_calculator_has_its_pair():
    """None is answered and then not compared."""
    assert tuple(sides_by_name()) == COMPARED


def pairs():
    """Two answers of every calculator with the number that its page shows first."""
    (a, first), (b, second) = steps()
    yield (
        "tensor_parallel",
        (a, tensor_parallel(first).per_step.time_s),
        (b, tensor_parallel(second).per_step.time_s),
    )
    jobs = trained(H100, 4), trained(B200, 8, recompute="full", global_batch=256)
    yield "training", *((comparison.training(*job), job[1].step_s) for job in jobs)
    costs = [(job, loss(job[1].exposed_s.total_s / job[1].step_s, 64, 3.0)) for job in jobs]
    yield "cost", *((comparison.cost(*job, lost), lost.usd_per_month) for job, lost in costs)
    syncs = synced(H100, "ddp"), synced(B200, "fsdp")
    yield "gradient_sync", *((comparison.gradient_sync(*sync), sync[1].step_s) for sync in syncs)
    queries = [Collective(gpus, "all_reduce", ranks, 2**26) for gpus, ranks in ((H100, 64), (B200, 8))]
    priced = [(query, collective(query)) for query in queries]
    yield "collectives", *((comparison.collective(*item), item[1].time_s) for item in priced)
    racks = [
        capacity(Capacity(system(name), model("deepseek-v3-r1"), sequences=count, context=8192))
        for name, count in (("gb200-nvl72", 512), ("gb300-nvl72", 1024))
    ]
    yield "capacity", *((comparison.capacity(rack), capacity_service(rack).tpot_s) for rack in racks)
    yield "hierarchy", copied(H100, 1e9), copied(system("dgx-a100"), 2e9)
    caches = moved(H100), moved(B200)
    yield "transfer", *((cache, cache.main.total) for cache in caches)
    rankings = [rank_training(trained(gpus, 4)[0], 64) for gpus in (H100, B200)]
    yield "layouts", *((comparison.training_layout(item), item.best.step_s) for item in rankings)
    layouts = searched(H100), searched(B200)
    yield "serving", *((explained, best.token_s) for explained, best in layouts)


@table("name", COMPARED)
def test_the_parts_of_an_answer_add_up_to_it(name):
    """The main quantity is the number of the calculator, and the sum of its parts."""
    for explained, shown in sides_by_name()[name]:
        assert explained.main.total == pytest.approx(shown, rel=1e-9)


@table("name", COMPARED)
def test_the_differences_of_the_terms_add_up_to_that_of_the_totals(name):
    """Nothing of a difference is left unexplained, in any quantity that both sides have."""
    a, b = (explained for explained, _ in sides_by_name()[name])
    for quantity in a.quantities:
        if b.quantity(quantity.name) is None:
            continue
        difference = compare(a, b, quantity.name)
        total = sum(term.change for term in difference.differences)
        assert total == pytest.approx(difference.change, rel=1e-9, abs=1e-12 * abs(difference.base.total))


@table("name", COMPARED)
def test_every_term_that_differs_has_a_reason(name):
    """A term moves because an input or a fact of the hardware does, and the reason says so."""
    a, b = (explained for explained, _ in sides_by_name()[name])
    for term in compare(a, b).differences:
        if abs(term.change) > 1e-6 * abs(a.main.total):
            assert term.reason not in ("", "the same on both sides"), term


@table("name", COMPARED)
def test_an_answer_against_itself_differs_in_nothing(name):
    """No term of it changes, and the questions are alike."""
    explained, _ = sides_by_name()[name][0]
    same = compare(explained, explained)

    assert all(term.change == 0 for term in same.differences)
    assert same.unlike == ()
    assert same.ratio in (1.0, None)


def test_a_reason_follows_the_sign_of_its_term():
    """More bandwidth alone never makes a term longer: what lengthens comes first, the rest is `although`."""
    sides = [Collective(gpus, "all_reduce", 8, size) for gpus, size in ((H100, 2**20), (B200, 2**30))]
    a, b = (comparison.collective(side, collective(side)) for side in sides)
    wire = next(term for term in compare(a, b).differences if term.name == "transfer")

    assert wire.change > 0
    assert wire.reason.startswith("sent per GPU")
    assert "although link" in wire.reason


def test_unlike_questions_are_named():
    """Another model, batch or world size is no better machine."""
    llama, other = trained(H100, 4), trained(H100, 4, global_batch=256, seq=8192)
    lines = compare(comparison.training(*llama), comparison.training(*other)).unlike

    assert [line.split(":")[0] for line in lines] == ["global batch size", "sequence length"]


def test_answers_of_two_calculators_are_not_compared():
    """Seconds of a step say nothing of bytes."""
    with pytest.raises(InputError, match="one kind"):
        compare(sides_by_name()["tensor_parallel"][0][0], sides_by_name()["capacity"][0][0])
