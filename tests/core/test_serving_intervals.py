"""Intervals of serving figures: around each time, rate and cost, as wide as published runs of a generation."""

from dataclasses import replace
from statistics import mean

import pytest

from core import catalog
from core.calculators.serving import engine_of
from core.calculators.serving.interval import throughput_interval
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.intervals import (
    rate_interval,
    span_of,
    time_interval,
    with_intervals,
)
from core.catalog.calibrations.serving_level import SPANS, UNMEASURED, level_span
from core.catalog.software import PRESETS
from tests.bench import serving
from tests.bench.published_training import PUBLISHED

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
    """The interval of TensorRT-LLM's published runs holds for its preset; others have that of the generation too."""
    trtllm, vllm = (engine_of(PRESETS[name]) for name in ("trtllm", "vllm"))
    mi300x = replace(H100, system=catalog.system("mi300x-x8"))
    published, other = throughput_interval(H100, trtllm, 1.0), throughput_interval(H100, vllm, 1.0)

    assert published == (0.9, 1.13)
    assert other == (rate_interval(H100, 1.0)[0], 1.13)
    assert throughput_interval(mi300x, vllm, 1.0) == rate_interval(mi300x, 1.0)
    assert throughput_interval(mi300x, trtllm, 1.0) == rate_interval(mi300x, 1.0)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no published tables beside the checkout")
def test_the_intervals_hold_eight_published_rates_of_ten():
    """TensorRT-LLM's output tokens/s of 210 runs on Hopper and Blackwell: 75 to 90 % lie inside."""
    inside = serving.held(serving.offline_runs(PUBLISHED.parents[1])[0])["all"]

    assert len(inside) > 200
    assert 0.72 < mean(inside) < 0.95
