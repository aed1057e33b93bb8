"""Fits of measured runs: which samples they rest on, which runs are refused, and what every calculator makes of them."""

from dataclasses import replace

import pytest

from core.catalog import SYSTEMS
from core.checks import InputError
from core.collectives.cost_model import MODEL_VERSION
from core.collectives.pricing import Scenario, answer, setting_of, sweep
from core.collectives.rates import Rates
from core.measurement import Machine, Run, Sample
from core.provenance import Origin
from core.systems import configure
from core.verdict.points import fit_runs, series_of
from tests.core.sweeps import SIZES
from tests.each import table

EIGHT = SYSTEMS["dgx-h100"]

FOUR_NODES = configure(EIGHT, domains=4)


def run_of(collective, system, ranks, slower=1.3, **options):
    """A measured run of a collective: the model's own times, so many times slower."""
    found = sweep(Scenario(system, collective, ranks), SIZES)
    samples = tuple(
        Sample(collective, int(size), slower * time_s, "out-of-place")
        for size, time_s in zip(SIZES, found.time_s, strict=True)
    )
    return Run("made.log", "nccl-tests-text", collective, ranks, Machine(), samples, **options)


@table("latency_us", [20, 45, 80])
@table("busbw_gbps", [340, 370, 480])
def test_a_clean_sweep_between_two_nodes_is_met_by_constants(latency_us, busbw_gbps):
    """Latency plus bytes over rate on 2 x 8 H100: constants meet sizes left out within 13 %, not 20."""
    two = configure(EIGHT, domains=2, network="ib-ndr")
    sizes = [2**power for power in range(3, 34)]
    samples = tuple(
        Sample("all_reduce", size, latency_us * 1e-6 + 15 / 8 * size / (busbw_gbps * 1e9)) for size in sizes
    )
    fit = fit_runs("mine", [Run("a.log", "nccl-tests-text", "all_reduce", 16, samples=samples)], two)
    (left,), (constants,) = fit.residuals, fit.machines

    assert left.error("constants") < 0.135
    assert left.error("calibrated") > 0.2
    assert fit.curves[0].answered_by == "sweep"
    slower = left.calibrated[-1] < 1
    assert (constants.adaptation.ln_transfer > 0) is slower


def test_runs_of_several_collectives_and_places_make_one_fit():
    """Two collectives in one domain and one across four are one fit with two sets of constants."""
    runs = [
        run_of("all_reduce", EIGHT, 8),
        run_of("all_gather", EIGHT, 8),
        run_of("all_reduce", FOUR_NODES, 32),
    ]
    fit = fit_runs("mine", runs, EIGHT, run_ids=["a" * 64])

    assert [(one.setting.domain_gpus, one.setting.domains) for one in fit.machines] == [(8, 1), (8, 4)]
    assert len(fit.curves) == 3
    assert fit.run_ids == ("a" * 64,)
    assert fit.model_version == MODEL_VERSION
    assert not any("network" in line for line in fit.unidentified)


def test_wrong_results_and_the_other_placement_are_not_fitted():
    """Samples with wrong values are no measurements; in-place ones stand in only where alone."""
    run = run_of("all_reduce", EIGHT, 8)
    noisy = tuple(
        Sample("all_reduce", sample.size_bytes, 9 * sample.time_s, "in-place") for sample in run.samples
    )
    wrong = (Sample("all_reduce", 4096, 1e-9, "out-of-place", wrong=3),)
    (series,) = series_of(replace(run, samples=run.samples + noisy + wrong), EIGHT)
    (alone,) = series_of(replace(run, samples=noisy), EIGHT)

    assert series.samples == tuple((float(one.size_bytes), one.time_s) for one in run.samples)
    assert len(alone.samples) == len(noisy)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"ranks": None}, "does not say how many ranks"),
        ({"ranks": 1}, "one rank"),
        ({"samples": ()}, "no sample of"),
    ],
)
def test_a_run_that_says_too_little_is_refused(change, word):
    """Without ranks, with one, or without samples there is nothing to fit, in one line."""
    with pytest.raises(InputError, match=word):
        series_of(replace(run_of("all_reduce", EIGHT, 8), **change), EIGHT)


def test_every_calculator_uses_it_through_the_rates():
    """With rates of origin fitted, the one door for collectives answers from the fit and says its name."""
    fit = fit_runs("rack 7", [run_of("all_reduce", EIGHT, 8, slower=1.5)], EIGHT)
    rates = Rates(Origin.FITTED, name=fit.name, fit=fit)
    asked = Scenario(EIGHT, "all_reduce", 8, 2.0**28)
    usual, mine = answer(asked), answer(replace(asked, rates=rates))

    assert mine.time_s == pytest.approx(1.5 * usual.time_s, rel=0.01)
    assert (mine.rates, mine.basis) == ("fitted:rack 7", "fitted:rack 7")
    other = answer(replace(asked, system=SYSTEMS["dgx-a100"], rates=rates))
    assert other.rates == "calibrated"
    assert any("answered as calibrated" in line for line in other.warnings)


def test_the_setting_of_a_page_is_the_setting_of_a_run():
    """A fit of a log is found again by the scenario that a page asks for the same machine."""
    fit = fit_runs("mine", [run_of("all_reduce", FOUR_NODES, 32)], EIGHT)

    assert fit.curves[0].setting == setting_of(Scenario(FOUR_NODES, "all_reduce", 32))
