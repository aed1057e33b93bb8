"""Which degree to take, exact crossovers, TTFT, cost per million tokens and the largest batch in a target."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.cost.tokens import usd_per_million_tokens
from core.calculators.tensor_parallel import Objective, Scenario, answer, answer_json, largest_batch, service
from core.catalog import model, precision, system
from core.checks import InputError
from core.units import MS

H100 = Scenario(system("dgx-h100"), model("llama-3.1-70b"))

questions = st.builds(
    Scenario,
    model=st.sampled_from(("llama-3.1-8b", "llama-3.1-70b", "qwen3-235b-a22b")).map(model),
    system=st.sampled_from(("dgx-a100", "dgx-h100", "dgx-b200", "l40s-x8", "rtx-4090-x4")).map(system),
    phase=st.sampled_from(("decode", "prefill")),
    tokens=st.integers(1, 4096),
    context=st.none() | st.integers(1, 16384),
    tp=st.sampled_from((1, 2, 4)),
    weights=st.sampled_from(("bf16", "fp8")).map(precision),
)


def said(result, what):
    """What an answer says of a quantity that crossovers are stated for."""
    fits = any(row.fits for row in result.degrees)
    return {
        "binding term": result.binding,
        "memory": "enough" if result.fits else "full",
        "fastest degree": f"TP{result.best_latency_tp}" if fits else "none that fits",
        "degree with the most tokens/s a GPU": f"TP{result.best_throughput_tp}" if fits else "none that fits",
    }[what]


@given(questions)
def test_a_crossover_is_confirmed_by_asking_there_and_one_below(scenario):
    """At the batch of a crossover the full answer is the new one, with one token fewer the old one."""
    crossovers = [item for item in answer(scenario).crossovers if item.what != "share of communication"]
    for crossover in crossovers[:: max(1, len(crossovers) // 3)]:
        at, below = (
            answer(replace(scenario, tokens=int(crossover.value) - less, context=_context(scenario)))
            for less in (0, 1)
        )
        assert said(at, crossover.what) == crossover.to
        assert said(below, crossover.what) == crossover.before


def _context(scenario):
    """A prompt of all tokens stays one when the tokens change; a decode context stays as it was."""
    return scenario.context if scenario.phase == "prefill" else scenario.cached


@given(questions)
def test_the_verdict_is_the_table_of_degrees(scenario):
    """Both degrees of the verdict are the best rows of the table, and its ratio that of their steps."""
    result = answer(scenario)
    verdict, rows = result.verdict, {row.tp: row for row in result.degrees}
    able = [row for row in rows.values() if row.fits] or list(rows.values())
    fastest = rows[verdict.latency_tp]
    assert fastest.step_s == min(row.step_s for row in able)
    assert rows[verdict.throughput_tp].tokens_per_s_per_gpu == max(row.tokens_per_s_per_gpu for row in able)
    if verdict.rival_tp is not None:
        assert verdict.speedup == pytest.approx(rows[verdict.rival_tp].step_s / fastest.step_s)
        assert verdict.speedup >= 1
    assert f"TP{verdict.latency_tp}" in verdict.text


def test_tp4_or_tp8_is_answered_in_a_sentence():
    """70B on eight H100: eight GPUs for latency, four for tokens/s per GPU, each with its figures."""
    text = answer(H100).verdict.text
    assert text == "TP8 for latency, 1.47× as fast as TP4; TP4 for tokens/s per GPU, 363 against 267."
    assert answer_json(answer(H100))["verdict"]["throughput_tp"] == 4


def test_where_nothing_fits_the_verdict_says_so():
    """405B in BF16 fits no degree of four RTX 4090."""
    result = answer(replace(H100, model=model("llama-3.1-405b"), system=system("rtx-4090-x4"), tp=4))
    assert result.verdict.text.startswith("No degree fits the memory; if one did: ")


@given(questions, st.floats(0.5, 500))
def test_the_largest_batch_keeps_the_target_and_one_more_does_not(scenario, target_ms):
    """Asked at the largest batch, step and memory are within; with one more request one of them is not."""
    decode = replace(scenario, phase="decode", context=scenario.cached)
    target_s = target_ms * MS
    largest = largest_batch(decode, Objective(tpot_s=target_s))
    beyond = answer(replace(decode, tokens=largest.batch + 1))
    assert beyond.per_step.time_s > target_s or not beyond.fits
    assert (largest.limit == "latency target") == (beyond.per_step.time_s > target_s)
    if largest.batch:
        at = answer(replace(decode, tokens=largest.batch))
        assert at.per_step.time_s <= target_s
        assert at.fits
        assert at.per_step.time_s == pytest.approx(largest.tpot_s)


def test_figures_of_a_service_are_those_of_its_steps():
    """TTFT is a prefill of the prompt, TPOT the decode step, and the price is shared by the tokens of an hour."""
    figures = service(H100, Objective(input_tokens=2000, usd_per_gpu_hour=3.0))
    prefill = answer(replace(H100, phase="prefill", tokens=2000))
    decode = answer(H100)
    assert figures.ttft_s == pytest.approx(prefill.per_step.time_s)
    assert figures.tpot_s == pytest.approx(decode.per_step.time_s)
    dollars = 3.0 / (decode.tokens_per_s_per_gpu * 3600) * 1e6
    assert figures.usd_per_million_tokens == pytest.approx(dollars)


def test_no_price_gives_no_cost_and_no_tokens_have_none():
    """Nobody's price is assumed, and GPUs that make no tokens have no cost of one."""
    assert service(H100).usd_per_million_tokens is None
    assert usd_per_million_tokens(3.0, 0.0) is None


def test_a_prefill_has_no_batch_to_enlarge():
    """A prefill step answers TTFT; TPOT and largest batch belong to decode."""
    figures = service(replace(H100, phase="prefill", tokens=2048), Objective(tpot_s=0.02))
    assert figures.tpot_s is None
    assert figures.largest is None


def test_a_prefill_is_not_made_of_a_stated_decode_message():
    """A message or compute time that replaces those of decode says nothing of a prefill."""
    assert service(replace(H100, message_bytes=1000.0)).ttft_s is None


def test_data_parallel_attention_counts_the_requests_of_every_group():
    """TP1 with EP8 has eight attention groups: eight times the batch of one."""
    spread = Scenario(
        system("dgx-h200"), model("qwen3-235b-a22b"), tp=1, ep=8, weights=precision("fp8"), context=4096
    )
    largest = largest_batch(spread)
    assert largest.requests == 8 * largest.batch


@pytest.mark.parametrize("values", [{"tpot_s": 0.0}, {"usd_per_gpu_hour": -1.0}, {"input_tokens": 0}])
def test_an_impossible_objective_is_named(values):
    """A target of no time, a negative price and an empty prompt are refused by name."""
    with pytest.raises(InputError, match=next(iter(values))):
        Objective(**values)
