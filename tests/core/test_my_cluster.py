"""Make it my cluster: a fit follows its sweep, leaves out what was disturbed, and is never worse than the calibration."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import SYSTEMS
from core.checks import InputError
from core.collectives.cost_model import Setting
from core.collectives.fitted import Series, fit_series, predict_fitted
from core.systems import CustomSystem, NetworkSpec, configure, custom_system
from core.verdict.points import series_of
from gpu_probe.parsers import read
from tests.core.sweeps import H100, SIZES, sweep_of

LOGS = Path(__file__).resolve().parents[3] / "shared" / "data" / "logs"

EIGHT = SYSTEMS["dgx-h100"]


def thinned(series):
    """Every second size to fit on, the others to be judged by."""
    sizes = sorted({size for size, _ in series.samples})
    kept = set(sizes[::2])
    rest = [one for one in series.samples if one[0] not in kept and sizes[0] < one[0] < max(kept)]
    return replace(series, samples=tuple(one for one in series.samples if one[0] in kept)), np.array(rest)


def missed(fit, setting, points):
    """|predicted/measured - 1| at each point."""
    return np.abs(predict_fitted(setting, points[:, 0], fit).time_s / points[:, 1] - 1)


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
        ("nccl_p5_2node_*.log", configure(EIGHT, domains=2, network="efa-3200"), 0.06),
        (
            "nccl_alps_gh200_n4.out",
            custom_system(CustomSystem("gh200", 4, NetworkSpec("slingshot-200", nics_per_domain=4))),
            0.03,
        ),
    ],
)
def test_captured_sweeps_are_followed(pattern, system, limit):
    """On captured p5 (EFA) and GH200 sweeps half the sizes predict the rest; together within 4 %.

    For one p5 sweep the calibration, which holds such rows, stays in place of its own curve: 6 %.
    """
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

    assert np.median(everything) < 0.042


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
