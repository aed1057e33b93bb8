"""What a fit says beyond its sweep: other sizes, collectives, ranks and hardware, and what it does not know."""

from dataclasses import replace

import numpy as np
import pytest

from core.collectives.cost_model import Setting, predict
from core.collectives.fitted import fit_series, predict_fitted
from tests.core.sweeps import H100, SIZES, sweep_of


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


def test_where_the_calibration_is_better_it_stays_and_the_answer_says_so():
    """A calibrated machine seen through 30 % of noise: its neighbours mislead, so the calibration answers."""
    setting = replace(H100, domains=4, scale_out_link="ib-ndr")
    fit = fit_series("mine", [sweep_of(setting, slower=1.0, base_us=0.0, bend=0.0, noise=0.3, seed=2)])
    answered = predict_fitted(setting, SIZES, fit)
    gather = predict_fitted(replace(setting, collective="all_gather"), SIZES, fit)

    assert fit.curves[0].answered_by == "calibrated"
    assert np.array_equal(answered.time_s, predict(setting, SIZES).time_s)
    assert any("meets all_reduce no better than the calibration" in line for line in answered.warnings)
    assert any("answered as calibrated" in line for line in gather.warnings)


def test_a_forced_algorithm_moves_with_the_sweep():
    """Asked for the ring alone, the fitted answer is not faster than the library's own choice."""
    fit = fit_series("mine", [sweep_of(slower=1.5, bend=0.0)])
    ring = predict_fitted(replace(H100, algorithm="ring"), SIZES, fit)
    auto = predict_fitted(H100, SIZES, fit)

    assert np.all(ring.time_s >= 0.999 * auto.time_s)
    assert {str(label).partition("/")[0] for label in ring.labels()} == {"ring"}


def test_outside_the_sweep_physics_carry():
    """Far above the measured sizes the fit still cannot outrun the wire, and time keeps rising."""
    small = sweep_of(slower=0.9, sizes=SIZES[:14])
    far = np.exp2(np.arange(26, 44.0))
    found = predict_fitted(H100, far, fit_series("mine", [small]))
    bytes_on_wire = (8 + 1) / 8 * far

    assert np.all(found.time_s >= 0.999 * bytes_on_wire / 450e9)
    assert np.all(np.diff(found.time_s) > 0)
