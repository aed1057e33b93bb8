"""Intervals of serving figures: around each time, rate and cost, as wide as published runs of a generation."""

from dataclasses import replace
from statistics import mean, median

import pytest

from core import catalog
from core.calculators.serving import engine_of
from core.calculators.serving.interval import throughput_interval
from core.calculators.tensor_parallel import Scenario, answer, answer_json
from core.calculators.tensor_parallel.intervals import (
    rate_interval,
    span_of,
    time_interval,
    with_intervals,
)
from core.catalog.calibrations.serving_level import (
    DRAFTS,
    MANY,
    MANY_UNMEASURED,
    OTHER_ENGINES,
    OTHER_MANY_UNMEASURED,
    OVER_PCIE,
    SPANS,
    UNMEASURED,
    level_span,
)
from core.catalog.software import PRESETS
from tests.bench import (
    serving,
    serving_bursts,
    serving_cookbooks,
    serving_held_out,
    serving_loaded,
    serving_newest,
    serving_runs,
    serving_unseen,
)
from tests.bench.published_rows import PUBLISHED
from tests.figures.serving_engines import SERVED
from tests.figures.serving_held_out import RUNS
from tests.figures.serving_recipes import AT

H100 = Scenario(catalog.system("dgx-h100"), catalog.model("llama-3.1-70b"))


def test_times_and_rates_have_opposite_ends():
    """A long step is few tokens a second; what is not known has no interval."""
    figures = with_intervals(H100, {"tpot_s": 0.01, "tokens_per_s": 100.0, "ttft_s": None, "batch": 4})

    assert figures["tpot_low_s"] < 0.01 < figures["tpot_high_s"]
    assert figures["tokens_per_s_low"] < 100 < figures["tokens_per_s_high"]
    assert figures["tpot_high_s"] / 0.01 == pytest.approx(100 / figures["tokens_per_s_low"])
    assert (figures["ttft_low_s"], figures["ttft_high_s"]) == (None, None)
    assert set(figures) - {"tpot_s", "tokens_per_s", "ttft_s", "batch"} == {
        *("tpot_low_s", "tpot_high_s", "ttft_low_s", "ttft_high_s", "tokens_per_s_low", "tokens_per_s_high")
    }


def test_a_generation_without_a_table_is_less_sure():
    """Volta has no published rows here: a guess, wider than any that was measured."""
    guess = level_span(catalog.gpu("v100-sxm"))

    assert guess == UNMEASURED
    assert not guess.fitted
    assert all(guess.low < span.low < 1 < span.high < guess.high for span in SPANS.values())
    assert time_interval(H100, 1.0)[1] == pytest.approx(1 / rate_interval(H100, 1.0)[0])


@pytest.mark.parametrize(
    "other",
    [
        {"mfu": 0.5},
        {"hbm_efficiency": 0.8},
        {"compute_s": 1e-4},
        {"compute": "roofline"},
        {"peak_flop_per_s": 9e14},
    ],
)
def test_a_price_without_measured_kernels_is_less_sure(other):
    """A roofline, a compute time or a peak of one's own: what published runs leave open is not what is known."""
    assert span_of(H100).fitted
    assert span_of(replace(H100, **other)) == UNMEASURED


@pytest.mark.parametrize(
    ("system", "weights", "fitted"),
    [
        ("dgx-h100", "nvfp4", True),
        ("dgx-h100", "int8", False),
        ("dgx-b200", "nvfp4", True),
        ("dgx-a100", "int8", True),
    ],
)
def test_kernels_of_another_generation_are_less_sure(system, weights, fitted):
    """NVFP4 on H100 runs FP8 kernels that were measured there; INT8 ones were measured on A100 alone."""
    job = replace(H100, system=catalog.system(system), weights=catalog.precision(weights))

    assert span_of(job).fitted is fitted


def test_throughput_of_another_engine_is_less_sure():
    """TensorRT-LLM's throughput has the interval of its generation; vLLM's and SGLang's that of their own runs."""
    trtllm, vllm = (engine_of(PRESETS[name]) for name in ("trtllm", "vllm"))
    more = engine_of(PRESETS["trtllm"], max_sequences=1024, prefill_chunk=16384)
    low, high = rate_interval(H100, 1.0)

    assert throughput_interval(H100, trtllm, 1.0) == (low, high)
    assert throughput_interval(H100, more, 1.0) == (low, high)
    other = level_span(H100.system.gpu, other_engine=True)
    assert throughput_interval(H100, vllm, 1.0) == pytest.approx((1 / other.high, 1 / other.low))
    assert other == OTHER_ENGINES[H100.system.gpu.architecture] != level_span(H100.system.gpu)


def test_drafted_tokens_may_be_quicker():
    """Three drafted tokens: the low end of a step lies a tenth lower, the high end where it was."""
    alone, drafts = (engine_of(PRESETS["trtllm"], draft_tokens=count) for count in (None, 3))
    low, high = throughput_interval(H100, alone, 1.0)

    assert throughput_interval(H100, drafts, 1.0) == pytest.approx((low, high / DRAFTS[0]))


def test_many_experts_and_groups_over_pcie_are_less_sure():
    """Published runs of many experts, and of tensor parallelism over PCIe, took longer than computed."""
    h100, dense = catalog.gpu("h100-sxm"), level_span(catalog.gpu("h100-sxm"))
    l40s = replace(H100, system=catalog.system("l40s-x8"), weights=catalog.precision("fp8"))

    assert level_span(h100, 8) == dense
    assert all(MANY[key].high > SPANS[key].high for key in MANY)
    assert level_span(catalog.gpu("v100-sxm"), 128) == MANY_UNMEASURED
    assert level_span(catalog.gpu("v100-sxm"), 128, other_engine=True) == OTHER_MANY_UNMEASURED
    assert span_of(l40s).high == pytest.approx(OVER_PCIE * span_of(replace(l40s, tp=1)).high)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no published tables beside the checkout")
def test_the_intervals_hold_eight_published_rates_of_ten():
    """TensorRT-LLM's output tokens/s of 210 runs on Hopper and Blackwell: 75 to 90 % lie inside."""
    inside = serving.held(serving.offline_runs(PUBLISHED.parents[1])[0])["all"]

    assert len(inside) > 200
    assert 0.72 < mean(inside) < 0.95


def test_the_intervals_hold_runs_of_other_versions_and_machines():
    """A twelfth of 473 runs on eight kinds of GPU in two engines: about four fifths lie inside."""
    judged = [serving_held_out.answered(run, finite=False) for run in RUNS[::12]]

    assert 0.7 < mean(entry.inside for entry in judged if entry) < 0.95


def test_the_two_ranges_of_a_step_cannot_be_confused():
    """``low_s`` to ``high_s`` is what overlap leaves open, ``step_low_s`` to ``step_high_s`` the interval."""
    step = answer(H100)
    figures = answer_json(step)

    assert (figures["low_s"], figures["high_s"]) == (step.per_step.low_s, step.per_step.high_s)
    assert (figures["step_low_s"], figures["step_high_s"]) == time_interval(H100, figures["step_s"])
    for pair in figures["ranges"]:
        assert all(key in figures and key in figures["degrees"][0] for key in pair.split(" to "))


def test_first_tokens_and_tokens_between_lie_in_their_intervals():
    """Of other engines and versions: eight TTFTs and eight TPOTs in ten, as each kind of question claims."""
    judged = serving_runs.every(SERVED)
    for kind in ("TTFT", "TPOT"):
        inside = [entry.inside for entry in judged if entry.kind == kind]
        assert 0.75 <= mean(inside) <= 0.9, kind


def test_recipes_lie_in_their_intervals():
    """Every third of 48 figures of TPOT and throughput, asked first: seven of ten inside, a sixth off at most."""
    judged = serving_runs.every(AT[::3])

    assert 0.7 <= mean(entry.inside for entry in judged) <= 0.97
    assert median(abs(entry.ratio - 1) for entry in judged) < 0.17


def test_results_of_2025_and_2026_lie_in_their_intervals():
    """Every third of 122 figures, asked before they were compared: four fifths inside, a sixth off at most."""
    judged = list(serving_newest.judged())[::3]

    assert 0.75 <= mean(entry.inside for entry in judged) <= 0.95
    assert median(abs(entry.ratio - 1) for entry in judged) < 0.2


def test_a_first_token_is_less_sure_than_a_step():
    """Its interval reaches further at both ends."""
    span = span_of(H100)

    assert span.of_first_token().low < span.low < span.high < span.of_first_token().high


def test_steps_by_batch_and_saturated_engines():
    """91 figures asked before anything moved (13 % then): every third within 10 % in the median, nine of ten inside."""
    judged = serving_unseen.judged()[::3]

    assert mean(entry.inside for entry in judged) >= 0.85
    assert median(abs(entry.ratio - 1) for entry in judged) < 0.1


def test_cookbooks_and_pull_requests():
    """102 figures asked before anything moved (24 % then, 68 % inside): 16 % in the median, over eight of ten inside."""
    judged = serving_cookbooks.judged()

    assert 0.75 <= mean(entry.inside for entry in judged) <= 0.95
    assert median(abs(entry.ratio - 1) for entry in judged) < 0.18


def test_full_queues_of_hybrids_are_bound_by_their_states():
    """Fifteen of Qwen3.6 on H200 to B300 in SGLang: a third off in the worst, the NVFP4 checkpoint that falls back apart."""
    judged = [
        entry
        for entry in serving_cookbooks.judged()
        if entry.kind == "saturated" and entry.run.model.startswith("qwen3.6")
    ]

    assert len(judged) == 15
    assert sorted(abs(entry.ratio - 1) for entry in judged)[-2] < 0.34
    assert median(abs(entry.ratio - 1) for entry in judged) < 0.12


def test_first_tokens_under_load_and_recipes():
    """49 figures asked before anything moved: steps within 10 % in the median, TTFT of a queue between its ends."""
    judged = serving_loaded.judged()
    waits = [entry.inside for entry in judged if entry.kind == "TTFT under load"]
    steps = [entry for entry in judged if entry.kind in {"TPOT", "decode step", "throughput"}]

    assert (len(waits), len(steps)) == (17, 22)
    assert mean(waits) >= 0.75
    assert median(abs(entry.ratio - 1) for entry in steps) < 0.1


def test_a_queue_is_not_a_server():
    """GLM-4.7's mean of ten waves is seconds of the first of them: inside at 16 clients and more on H100, not at four."""
    judged = serving_runs.every(run for run in AT if run.loaded_ttft_ms)
    waits = {
        (entry.run.system, entry.run.requests): entry.inside
        for entry in judged
        if entry.kind == "TTFT under load"
    }

    assert waits["dgx-h100", 64]
    assert not waits["dgx-h100", 4]


def test_deepseeks_layers_in_fp4_have_fused_kernels():
    """TensorRT-LLM at TP8 on B200 and GB300: five steps of two publishers within a tenth, without 100 us a layer."""
    judged = [
        entry
        for entry in serving_loaded.judged()
        if entry.run.weights == "nvfp4" and entry.kind in {"TPOT", "decode step"}
    ]

    assert len(judged) == 5
    assert all(abs(entry.ratio - 1) < 0.1 for entry in judged)


def test_a_queue_full_of_memory_is_met():
    """GLM-5.2 at 512 clients in vLLM and SGLang: tokens/s and mean TTFT of 8 and 10 minutes within a fifth."""
    judged = [entry for entry in serving_bursts.judged() if entry.run.model == "glm-5.2"]

    assert len(judged) == 4
    assert all(abs(entry.ratio - 1) < 0.2 and entry.inside for entry in judged)


def test_four_clients_in_three_engines():
    """Qwen3-8B on one H100, asked last: TPOT and throughput within 12 %; TTFT of short prompts is the server's."""
    judged = [entry for entry in serving_bursts.judged() if entry.run.model == "qwen3-8b"]
    steps = [entry for entry in judged if entry.kind != "TTFT under load"]

    assert (len(judged), len(steps)) == (12, 8)
    assert all(abs(entry.ratio - 1) < 0.12 for entry in steps)
