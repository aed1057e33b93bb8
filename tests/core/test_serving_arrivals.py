"""Requests that arrive at a rate: laws of queues, loads that are light or too heavy, and published runs."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.serving import (
    ClosedLoop,
    Lengths,
    OpenLoop,
    arrivals,
    engine_of,
    measured,
    offline,
    prompt_s,
)
from core.calculators.serving.benchmark import Server, followed
from core.calculators.serving.percentiles import percentiles
from core.calculators.serving.step_times import StepTimes
from core.catalog.software import PRESETS
from core.checks import InputError
from tests.bench.serving_arrivals import judge
from tests.core.serving_scenarios import LENGTHS, MIXED, NODE
from tests.figures.serving_arrivals import ARRIVING, AZURE

SEPARATE = engine_of(PRESETS["sglang"])
SERVICE_S = 0.1


def one_by_one(steps_s):
    """A server whose steps hold one prompt of 100 tokens and no more."""
    steps = StepTimes(lambda _: steps_s, lambda _, __: steps_s)
    return Server(steps=steps, most=10**6, chunk=100, tokens=1.0, verified=1, mixes=False, computed=100.0)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_a_queue_of_equal_services_waits_as_pollaczek_and_khinchine_say(load):
    """One prompt at a time, answers of one token: M/D/1, whose mean wait is load / (2 (1 - load)) services."""
    asked = one_by_one(SERVICE_S)
    requests = OpenLoop(per_s=load / SERVICE_S, requests=5000)
    run = followed(asked, Lengths(input_tokens=100, output_tokens=1), requests)

    waited = run.ttft_s.mean() - SERVICE_S
    assert waited == pytest.approx(SERVICE_S * load / (2 * (1 - load)), rel=0.12)


def test_arrivals_are_those_of_a_poisson_process():
    """The stated rate, gaps as spread as their mean, and counts in windows as spread as their mean."""
    at = OpenLoop(per_s=5.0, requests=4000).arrivals_s()
    gaps, counts = np.diff(at), np.histogram(at, bins=np.arange(0, at[-1], 2.0))[0]

    assert at[-1] == pytest.approx(800, rel=0.01)
    assert gaps.std() / gaps.mean() == pytest.approx(1, abs=0.03)
    assert counts.var() / counts.mean() == pytest.approx(1, abs=0.15)


def test_conversations_keep_their_mean_and_have_a_tail():
    """Exponential lengths: the median is 0.69 of the mean, one in a hundred 4.6 times it."""
    load = OpenLoop(per_s=1.0, requests=2000, varied=True)
    for lengths in (load.outputs(200), load.prompts(400.0) / 2):
        assert lengths.mean() == pytest.approx(200, rel=0.02)
        assert np.quantile(lengths, [0.5, 0.99]) == pytest.approx([139, 921], rel=0.05)


@pytest.mark.parametrize("engine", [MIXED, SEPARATE])
def test_a_light_load_waits_for_nobody(engine):
    """One request in a hundred seconds: its own prefill, its own steps, a hundredth of the capacity."""
    answer = arrivals(NODE, engine, LENGTHS, 0.01, 50)
    alone = measured(NODE, engine, LENGTHS, ClosedLoop(clients=1, requests=3))

    assert answer.ttft.expected.p50_s == pytest.approx(prompt_s(NODE, engine, LENGTHS.input_tokens), rel=0.01)
    assert answer.tpot.expected.p90_s == pytest.approx(alone.tpot_s.mean(), rel=0.02)
    assert answer.utilization < 0.01


@pytest.mark.parametrize("engine", [MIXED, SEPARATE])
def test_requests_at_once_are_rate_times_time(engine):
    """Little: the mean requests that wait or run are those answered a second times the time of each."""
    answer = arrivals(NODE, engine, LENGTHS, 3.0, 600)

    assert answer.running == pytest.approx(answer.requests_per_s * answer.e2e.expected.mean_s, rel=1e-9)
    assert answer.output_tokens_per_s == pytest.approx(answer.requests_per_s * LENGTHS.output_tokens)


def test_latencies_grow_with_the_rate_and_the_queue_with_the_run():
    """Every percentile grows; above the capacity a run of twice as many prompts waits twice as long."""
    rates = [arrivals(NODE, MIXED, LENGTHS, rate, 400) for rate in (1.0, 4.0, 7.0)]
    for name in ("ttft", "tpot", "e2e"):
        values = np.array([getattr(each, name).expected.values for each in rates])
        assert np.all(np.diff(values, axis=0) > 0), name
    capacity = offline(NODE, 2048, 256, engine=MIXED).requests_per_s
    short, long = (arrivals(NODE, MIXED, LENGTHS, 3 * capacity, number) for number in (1000, 2000))

    assert short.utilization == pytest.approx(3)
    assert long.ttft.expected.mean_s == pytest.approx(2 * short.ttft.expected.mean_s, rel=0.25)
    assert long.requests_per_s == pytest.approx(capacity, rel=0.1)


@pytest.mark.parametrize("equal", [True, False])
def test_the_interval_holds_its_expectation(equal):
    """Of every statistic; near the capacity it is wider than that of a step, for a queue grows faster."""
    answer = arrivals(NODE, MIXED, replace(LENGTHS, equal=equal), 7.0, 500)
    for each in (answer.ttft, answer.tpot, answer.itl, answer.e2e):
        assert np.all(np.array(each.low.values) <= each.expected.values)
        assert np.all(np.array(each.high.values) >= each.expected.values)

    assert answer.tpot.high.p99_s / answer.tpot.expected.p99_s > 1.3


def test_separate_prefill_steps_lengthen_a_gap_not_a_step():
    """Where decoding waits for prompts, the longest gaps between tokens hold a prompt, the median none."""
    answer = arrivals(NODE, SEPARATE, LENGTHS, 3.0, 400)

    assert answer.itl.expected.p99_s > answer.itl.expected.p50_s + 0.9 * prompt_s(NODE, SEPARATE, 2048)
    assert answer.tpot.expected.mean_s == pytest.approx(answer.itl.expected.mean_s, rel=0.03)


@pytest.mark.parametrize("mixes", [False, True])
@pytest.mark.parametrize("output_tokens", [1, 2, 40])
def test_times_between_tokens_are_as_many_as_tokens_follow(mixes, output_tokens):
    """Answers that end with their first token wait for none, not even while prompts of others are read."""
    load = OpenLoop(per_s=8.0, requests=300, varied=True)
    asked = replace(one_by_one(SERVICE_S), chunk=300, mixes=mixes)
    run = followed(asked, Lengths(input_tokens=100, output_tokens=output_tokens), load)

    assert run.gaps.min() >= 0
    assert run.gaps.sum() == (load.outputs(output_tokens) - 1).sum()


def test_answers_of_one_token_have_no_time_between_tokens():
    """TPOT and inter-token latency are not told of them."""
    answer = arrivals(NODE, MIXED, Lengths(input_tokens=2048, output_tokens=1), 3.0, 50)

    assert answer.tpot is None
    assert answer.itl is None


def test_percentiles_count_each_value_as_often_as_it_was_seen():
    """Ninety gaps of one and ten of two."""
    found = percentiles(np.array([2.0, 1.0]), np.array([10.0, 90.0]))

    assert (found.mean_s, found.p50_s, found.p90_s, found.p99_s) == pytest.approx((1.1, 1, 1, 2))
    assert percentiles(np.zeros(0)) is None


@pytest.mark.parametrize(("rate", "prompts"), [(0.0, 10), (-1.0, 10), (1.0, 0), (1.0, 5001)])
def test_what_is_no_run_is_refused(rate, prompts):
    """A rate above none, from one prompt to five thousand."""
    with pytest.raises(InputError, match=r"per_s|prompts"):
        arrivals(NODE, MIXED, LENGTHS, rate, prompts)


def test_no_run_without_decoding():
    """A prefill step has none."""
    assert arrivals(replace(NODE, phase="prefill", context=None), MIXED, LENGTHS, 1.0) is None


@pytest.mark.parametrize(
    "run", [each for each in ARRIVING if each.source is AZURE], ids=lambda run: f"{run.model} {run.rate}"
)
def test_published_runs_at_a_rate(run):
    """Llama 70B on eight A100 and Phi-4 on one: means and medians within 1.5 times, most statistics inside."""
    found = list(judge(run))

    assert all(1 / 1.5 < each.ratio < 1.5 for each in found if "p99" not in each.kind)
    assert sum(each.inside for each in found) >= len(found) - 2
