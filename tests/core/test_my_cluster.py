"""Make it my cluster: a fit follows its sweep, keeps to physics outside it, and says what it cannot know."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import SYSTEMS
from core.checks import InputError
from core.collectives.cost_model import MODEL_VERSION, Setting, predict
from core.collectives.fitted import Series, fit_series, predict_fitted
from core.collectives.pricing import Scenario, answer, setting_of, sweep
from core.collectives.rates import Rates
from core.measurement import Machine, Run, Sample
from core.provenance import Origin
from core.systems import CustomSystem, NetworkSpec, configure, custom_system
from core.verdict.points import fit_runs, series_of
from gpu_probe.parsers import read

LOGS = Path(__file__).resolve().parents[3] / "shared" / "data" / "logs"
H100 = Setting("h100-sxm", "nvlink4", 8)
SIZES = np.exp2(np.arange(10, 33.0))
EIGHT = SYSTEMS["dgx-h100"]
FOUR_NODES = configure(EIGHT, domains=4)


def sweep_of(setting=H100, *, slower=1.15, base_us=6.0, bend=0.05, noise=0.0, sizes=SIZES, seed=1):
    """A sweep as nccl-tests would print it on a machine that differs from the calibrated one."""
    times = predict(setting, sizes).time_s
    wave = 1 + bend * np.sin(np.log2(sizes))
    shaken = np.exp(np.random.default_rng(seed).normal(0, noise, len(sizes))) if noise else 1.0
    return Series(setting, tuple(zip(sizes, (times * slower * wave + base_us * 1e-6) * shaken, strict=True)))


def thinned(series):
    """Every second size to fit on, the others to be judged by."""
    sizes = sorted({size for size, _ in series.samples})
    kept = set(sizes[::2])
    rest = [one for one in series.samples if one[0] not in kept and sizes[0] < one[0] < max(kept)]
    return replace(series, samples=tuple(one for one in series.samples if one[0] in kept)), np.array(rest)


def missed(fit, setting, points):
    """|predicted/measured - 1| at each point."""
    return np.abs(predict_fitted(setting, points[:, 0], fit).time_s / points[:, 1] - 1)


def run_of(collective, system, ranks, slower=1.3, **options):
    """A measured run of a collective: the model's own times, so many times slower."""
    found = sweep(Scenario(system, collective, ranks), SIZES)
    samples = tuple(
        Sample(collective, int(size), slower * time_s, "out-of-place")
        for size, time_s in zip(SIZES, found.time_s, strict=True)
    )
    return Run("made.log", "nccl-tests-text", collective, ranks, Machine(), samples, **options)


@pytest.mark.parametrize("collective", ["all_reduce", "all_gather", "all_to_all"])
@pytest.mark.parametrize("domains", [1, 4])
def test_every_second_size_predicts_the_others(collective, domains):
    """Fitted on half the sizes of a sweep with 1 % noise, the others are met within 3.5 % at the median."""
    network = {} if domains == 1 else {"scale_out_link": "ib-ndr"}
    setting = replace(H100, collective=collective, domains=domains, **network)
    half, rest = thinned(sweep_of(setting, noise=0.01))

    assert np.median(missed(fit_series("mine", [half]), setting, rest)) < 0.035


@pytest.mark.parametrize(
    ("pattern", "system", "limit"),
    [
        ("nccl_p5_2node_*.log", configure(EIGHT, domains=2, network="efa-3200"), 0.042),
        (
            "nccl_alps_gh200_n4.out",
            custom_system(CustomSystem("gh200", 4, NetworkSpec("slingshot-200", nics_per_domain=4))),
            0.03,
        ),
    ],
)
def test_captured_sweeps_are_followed(pattern, system, limit):
    """On captured p5 (EFA) and GH200 sweeps half the sizes predict the rest; together within 3 %."""
    files = sorted(LOGS.glob(pattern))
    if not files:
        pytest.skip("captured logs are not here")
    everything = []
    for file in files:
        run = read(file.name, file.read_bytes())[0]
        series = series_of(run, system)[0]
        half, rest = thinned(series)
        errors = missed(fit_series("mine", [half]), series.setting, rest)
        assert np.median(errors) < limit
        everything.extend(errors)

    assert np.median(everything) < 0.031


def test_measured_sizes_come_back():
    """At a measured size the fit says what was measured."""
    series = sweep_of(bend=0.0)
    fit = fit_series("mine", [series])

    assert missed(fit, H100, np.array(series.samples)).max() < 0.005


def test_a_real_dip_is_followed_and_jitter_is_not():
    """Where a library chooses badly time falls with size, and the fit follows; 3 % of noise it levels."""
    series = sweep_of(bend=0.0)
    slow = {2.0**14: 1.7, 2.0**15: 1.7}
    dip = replace(series, samples=tuple((size, t * slow.get(size, 1)) for size, t in series.samples))
    found = predict_fitted(H100, SIZES, fit_series("mine", [dip])).time_s

    assert found[list(SIZES).index(2.0**15)] > 1.2 * found[list(SIZES).index(2.0**16)]
    calm = predict_fitted(H100, SIZES, fit_series("mine", [sweep_of(noise=0.03)])).time_s
    assert np.all(np.diff(calm) >= -1e-12)


def test_outside_the_sweep_physics_carry():
    """Far above the measured sizes the fit still cannot outrun the wire, and time keeps rising."""
    small = sweep_of(slower=0.9, sizes=SIZES[:14])
    far = np.exp2(np.arange(26, 44.0))
    found = predict_fitted(H100, far, fit_series("mine", [small]))
    bytes_on_wire = (8 + 1) / 8 * far

    assert np.all(found.time_s >= 0.999 * bytes_on_wire / 450e9)
    assert np.all(np.diff(found.time_s) > 0)


@given(
    slower=st.floats(0.6, 4.0),
    base_us=st.floats(0.0, 40.0),
    first=st.integers(3, 20),
    count=st.integers(2, 14),
)
def test_any_sweep_gives_a_sane_curve(slower, base_us, first, count):
    """Whatever was measured: time is positive and finite, the band holds it, the parts add up to it."""
    sizes = np.exp2(np.arange(first, first + count, dtype=float))
    try:
        fit = fit_series("mine", [sweep_of(slower=slower, base_us=base_us, sizes=sizes)])
    except InputError:
        return
    found = predict_fitted(H100, np.exp2(np.arange(0, 44.0)), fit)
    parts = found.launch_s + found.latency_s + found.transfer_s + found.reduction_s

    assert np.all(np.isfinite(found.time_s))
    assert np.all(found.low_s <= found.time_s * 1.000001)
    assert np.all(found.time_s <= found.high_s * 1.000001)
    assert np.allclose(parts, found.time_s)


def test_other_collectives_share_the_constants_with_a_wider_band():
    """A machine whose all-reduce is a third slower is expected to be slower at all_gather, less surely."""
    fit = fit_series("mine", [sweep_of(slower=1.35, bend=0.0)])
    gather = replace(H100, collective="all_gather")
    large = np.array([2.0**30])
    own, other = predict_fitted(H100, large, fit), predict_fitted(gather, large, fit)

    assert 1.15 < other.time_s[0] / predict(gather, large).time_s[0] < 1.5
    assert other.high_s[0] / other.low_s[0] > 1.3 * own.high_s[0] / own.low_s[0]
    assert any("was not measured" in line for line in other.warnings)


def test_other_rank_counts_are_answered_and_say_so():
    """Constants of 4 x 8 GPUs carry over to 16 x 8, wider than at their own place."""
    setting = replace(H100, domains=4, scale_out_link="ib-ndr")
    fit = fit_series("mine", [sweep_of(setting, slower=1.4, bend=0.0)])
    more = replace(setting, domains=16)
    large = np.array([2.0**31])
    own, other = predict_fitted(setting, large, fit), predict_fitted(more, large, fit)

    assert other.time_s[0] / predict(more, large).time_s[0] == pytest.approx(1.4, rel=0.1)
    assert other.high_s[0] / other.low_s[0] > own.high_s[0] / own.low_s[0]
    assert any("carried over" in line for line in other.warnings)


def test_other_hardware_is_answered_as_calibrated_with_a_word():
    """A fit of H100 says nothing about A100, nor of a network it never saw."""
    fit = fit_series("mine", [sweep_of()])
    for foreign in (
        Setting("a100-sxm-80gb", "nvlink3", 8),
        replace(H100, domains=2, scale_out_link="ib-ndr"),
    ):
        found = predict_fitted(foreign, SIZES, fit)

        assert np.array_equal(found.time_s, predict(foreign, SIZES).time_s)
        assert any("answered as calibrated" in line for line in found.warnings)


def test_one_rank_costs_nothing():
    """A fit changes nothing where nobody talks."""
    found = predict_fitted(Setting("h100-sxm", "nvlink4", 1), SIZES, fit_series("mine", [sweep_of()]))

    assert not found.time_s.any()


def test_what_small_messages_cannot_tell():
    """From small messages alone the transfer rate is named as not identified; latency is known."""
    fit = fit_series("mine", [sweep_of(sizes=SIZES[:5])])
    full = fit_series("mine", [sweep_of()])

    assert any("transfer rate at 1 x 8" in line for line in fit.unidentified)
    assert not any("transfer rate" in line or "latency at" in line for line in full.unidentified)
    assert any("network" in line for line in full.unidentified)
    assert any("only all_reduce" in line for line in full.unidentified)


def test_large_messages_alone_leave_latency_open():
    """From gigabytes alone the latency is named as not identified."""
    fit = fit_series("mine", [sweep_of(sizes=SIZES[-4:])])

    assert any("latency at 1 x 8" in line for line in fit.unidentified)


def test_constants_are_recovered():
    """The factor on transfer that a sweep was made with is found, within what it says it knows."""
    fit = fit_series("mine", [sweep_of(slower=1.25, base_us=0, bend=0.0)])
    (found,) = fit.machines

    assert found.adaptation.ln_transfer == pytest.approx(np.log(1.25), abs=0.05)
    assert found.sd_transfer < 0.05


def test_residuals_show_what_each_step_buys():
    """The calibrated model is off by the machine, the constants by its bends, the neighbours by little."""
    (left,) = fit_series("mine", [sweep_of(slower=1.4, bend=0.04)]).residuals
    off = [np.median(np.abs(np.log(column))) for column in (left.calibrated, left.constants, left.held_out)]

    assert off[0] > 0.2
    assert off[1] < 0.07
    assert off[2] < 0.03


@pytest.mark.parametrize("latency_us", [20, 45, 80])
@pytest.mark.parametrize("busbw_gbps", [340, 370, 480])
def test_a_clean_sweep_between_two_nodes_is_met_by_constants(latency_us, busbw_gbps):
    """Latency plus bytes over rate on 2 x 8 H100: constants meet sizes left out within 13 %, not 20."""
    two = configure(EIGHT, domains=2, network="ib-ndr")
    sizes = [2**power for power in range(3, 34)]
    samples = tuple(
        Sample("all_reduce", size, latency_us * 1e-6 + 15 / 8 * size / (busbw_gbps * 1e9)) for size in sizes
    )
    fit = fit_runs("mine", [Run("a.log", "nccl-tests-text", "all_reduce", 16, samples=samples)], two)
    (left,), (constants,) = fit.residuals, fit.machines

    assert left.error("constants") < 0.13
    assert left.error("calibrated") > 0.2
    assert fit.curves[0].answered_by == "sweep"
    slower = left.calibrated[-1] < 1
    assert (constants.adaptation.ln_transfer > 0) is slower


@given(
    slower=st.floats(0.5, 3.0),
    base_us=st.floats(0.0, 60.0),
    bend=st.floats(0.0, 0.4),
    count=st.integers(3, 24),
    domains=st.sampled_from([1, 2, 4]),
)
def test_a_fit_is_never_worse_than_the_calibration(slower, base_us, bend, count, domains):
    """Whatever the machine: what answers a measured collective meets sizes left out no worse than calibrated."""
    setting = H100 if domains == 1 else replace(H100, domains=domains, scale_out_link="ib-ndr")
    sizes = np.exp2(np.arange(10, 10 + count, dtype=float))
    try:
        fit = fit_series("mine", [sweep_of(setting, slower=slower, base_us=base_us, bend=bend, sizes=sizes)])
    except InputError:
        return
    (left,), (curve,), (constants,) = fit.residuals, fit.curves, fit.machines

    assert left.error(curve.answered_by) <= left.error("calibrated")
    if not constants.adaptation.neutral:
        ratios = np.abs(np.array([left.constants, left.calibrated]) - 1)
        assert np.median(ratios[0]) <= np.median(ratios[1])


def test_where_the_calibration_is_better_it_stays_and_the_answer_says_so():
    """A calibrated machine seen through 30 % of noise: its neighbours mislead, so the calibration answers."""
    setting = replace(H100, domains=4, scale_out_link="ib-ndr")
    fit = fit_series("mine", [sweep_of(setting, slower=1.0, base_us=0.0, bend=0.0, noise=0.3, seed=4)])
    answered = predict_fitted(setting, SIZES, fit)
    gather = predict_fitted(replace(setting, collective="all_gather"), SIZES, fit)

    assert fit.curves[0].answered_by == "calibrated"
    assert np.array_equal(answered.time_s, predict(setting, SIZES).time_s)
    assert any("meets all_reduce no better than the calibration" in line for line in answered.warnings)
    assert any("answered as calibrated" in line for line in gather.warnings)


def test_a_cold_first_size_and_a_hiccup_are_left_out_by_name():
    """The first size that warmed up and a lone stall are no part of the curve, and are listed."""
    series = sweep_of(bend=0.0)
    times = {SIZES[0]: 5.0, SIZES[12]: 3.0}
    odd = replace(series, samples=tuple((size, t * times.get(size, 1)) for size, t in series.samples))
    fit = fit_series("mine", [odd])

    assert {one.size_bytes: one.why for one in fit.residuals[0].left_out} == {
        SIZES[0]: "still warming up",
        SIZES[12]: "disturbed",
    }
    assert SIZES[12] not in fit.curves[0].size_bytes


def test_the_wrong_system_is_refused():
    """A sweep faster than the wires of the system it is said to be of is no fit."""
    with pytest.raises(InputError, match="faster than its link rates allow; is it the right one"):
        fit_series("mine", [sweep_of(slower=0.05, base_us=0)])


@pytest.mark.parametrize(
    ("series", "word"),
    [
        ([], "at least one sweep"),
        ([Series(H100, ((1024.0, 1e-5),))], "1 usable sizes"),
        ([Series(Setting("h100-sxm", "nvlink4", 0), ((1024.0, 1e-5),))], "domain_gpus"),
    ],
)
def test_nothing_to_fit_is_one_line(series, word):
    """No sweep, one size or an impossible setting is refused by name."""
    with pytest.raises(InputError, match=word) as caught:
        fit_series("mine", series)
    assert "\n" not in str(caught.value)


def test_a_name_that_no_file_could_have_is_refused():
    """A path or a line break is no name of a fit."""
    for name in ("", "../up", "two\nlines", "x" * 65):
        with pytest.raises(InputError, match="name"):
            fit_series(name, [sweep_of()])


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


def test_a_forced_algorithm_moves_with_the_sweep():
    """Asked for the ring alone, the fitted answer is not faster than the library's own choice."""
    fit = fit_series("mine", [sweep_of(slower=1.5, bend=0.0)])
    ring = predict_fitted(replace(H100, algorithm="ring"), SIZES, fit)
    auto = predict_fitted(H100, SIZES, fit)

    assert np.all(ring.time_s >= 0.999 * auto.time_s)
    assert {str(label).partition("/")[0] for label in ring.labels()} == {"ring"}


def test_the_setting_of_a_page_is_the_setting_of_a_run():
    """A fit of a log is found again by the scenario that a page asks for the same machine."""
    fit = fit_runs("mine", [run_of("all_reduce", FOUR_NODES, 32)], EIGHT)

    assert fit.curves[0].setting == setting_of(Scenario(FOUR_NODES, "all_reduce", 32))
