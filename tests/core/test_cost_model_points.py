"""A measured point of the asker's own machine moves the answer towards it, and never past the wire."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checks import InputError
from core.collectives.cost_model import Point, Setting, predict
from core.collectives.formulas import MEASURED_COLLECTIVES

H100 = Setting("h100-sxm", "nvlink4", 8)
NODES = Setting("h100-sxm", "nvlink4", 8, 4, "ib-ndr", 50e9)
SIZES = np.exp2(np.arange(3, 35))


@given(st.sampled_from((H100, NODES)), st.floats(0.8, 2.2), st.sampled_from((64.0, 1024.0, 8192.0)))
def test_a_small_point_is_met_and_its_effect_fades(setting, slower, size):
    """A slow host shows at small messages and hardly at the largest."""
    usual = predict(setting, size).time_s
    point = Point(setting, size, float(usual * slower))
    answer = predict(setting, SIZES, [point])
    assert predict(setting, size, [point]).time_s == pytest.approx(point.time_s, rel=0.08)
    np.testing.assert_allclose(answer.time_s[-1], predict(setting, SIZES).time_s[-1], rtol=0.05)


@given(st.sampled_from((H100, NODES)), st.floats(0.97, 1.8))
def test_a_large_point_is_met_and_leaves_small_messages_alone(setting, slower):
    """A slow wire shows at large messages only."""
    usual = predict(setting, 2.0**33).time_s
    point = Point(setting, 2.0**33, float(usual * slower))
    answer = predict(setting, [8.0, 2.0**33], [point])
    assert answer.time_s[1] == pytest.approx(point.time_s, rel=0.15)
    np.testing.assert_allclose(answer.time_s[0], predict(setting, 8.0).time_s, rtol=0.1)


@given(st.sampled_from((H100, NODES)), st.floats(1e-7, 1.0), st.floats(8, 2**34))
def test_no_point_pushes_an_answer_past_the_wire(setting, time_s, size):
    """However fast a point claims to be, no GPU sends more than its links or NICs carry."""
    answer = predict(setting, SIZES, [Point(setting, size, time_s)])
    ranks = setting.domain_gpus * setting.domains
    least = (ranks + 1) / ranks * SIZES / 450e9 if setting.domains == 1 else SIZES / (8 * 50e9)
    assert (answer.time_s >= least * (1 - 1e-9)).all()
    assert (np.diff(answer.time_s) >= -1e-15).all()
    parts = answer.launch_s + answer.latency_s + answer.transfer_s + answer.reduction_s
    np.testing.assert_allclose(parts, answer.time_s, rtol=1e-9)


def test_a_point_narrows_the_band_and_says_so():
    """Near a measured point the band shrinks; the basis counts the points."""
    before = predict(NODES, 1024.0)
    after = predict(NODES, 1024.0, [Point(NODES, 1024.0, float(before.time_s) * 1.2)])
    assert after.basis == "adapted:1 points"
    assert after.high_s / after.low_s < before.high_s / before.low_s


def test_a_point_of_another_collective_helps_and_of_another_machine_does_not():
    """The host is the same for every collective of one machine; another machine is another host."""
    gathered = replace(H100, collective="all_gather")
    usual = predict(H100, 1024.0).time_s
    slow_host = Point(gathered, 1024.0, 3 * float(predict(gathered, 1024.0).time_s))
    assert predict(H100, 1024.0, [slow_host]).time_s > 1.3 * usual
    elsewhere = Point(replace(gathered, gpu="h200-sxm"), 1024.0, 1.0)
    assert predict(H100, 1024.0, [elsewhere]).time_s == usual
    assert predict(H100, 1024.0, [elsewhere]).basis == predict(H100, 1024.0).basis


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_a_bad_point_is_refused(bad):
    """A point needs a size and a time above zero."""
    with pytest.raises(InputError, match="points"):
        predict(H100, 1024.0, [Point(H100, 1024.0, bad)])
    with pytest.raises(InputError, match="points"):
        predict(H100, 1024.0, [Point(H100, bad, 1e-5)])


def test_a_point_is_of_the_same_machine_however_its_rate_is_written():
    """An NIC rate left to the network's catalog rate and the same rate spelled out are one machine."""
    bare = replace(NODES, scale_out_bytes_per_s_per_gpu=None)
    point = Point(bare, 1024.0, 1e-3)
    assert predict(NODES, 1024.0, [point]).basis == "adapted:1 points"


@given(
    st.sampled_from(MEASURED_COLLECTIVES),
    st.sampled_from((H100, NODES)),
    st.floats(0.05, 20),
    st.floats(3, 33),
    st.floats(3, 33),
)
def test_parts_stay_parts_whatever_was_measured(collective, setting, slower, asked, measured):
    """Even absurd points leave four parts of zero or more that add up to the time."""
    setting = replace(setting, collective=collective)
    gathered = replace(setting, collective="all_gather")
    time_s = slower * float(predict(gathered, 2.0**measured).time_s)
    answer = predict(setting, [2.0**asked, 4096.0], [Point(gathered, 2.0**measured, time_s)])
    parts = (answer.launch_s, answer.latency_s, answer.transfer_s, answer.reduction_s)
    for part in parts:
        assert (part >= 0).all()
    np.testing.assert_allclose(sum(parts), answer.time_s, rtol=1e-9)
    assert (answer.low_s <= answer.time_s).all()
    assert (answer.time_s <= answer.high_s).all()


@pytest.mark.parametrize(
    ("size", "time_s", "said"),
    [
        (1024.0, 5e-3, "measured 5 ms for 1 KiB: machines of this kind take about 16"),
        (2.0**30, 1e-6, "the bare wire needs 2.68 ms; check size and unit"),
    ],
)
def test_a_point_far_from_any_machine_is_doubted(size, time_s, said):
    """A slip of a unit is said, not swallowed."""
    answer = predict(H100, 2.0**20, (Point(H100, size, time_s),))
    assert any(said in warning for warning in answer.warnings)


def test_a_point_that_no_wire_allows_changes_nothing():
    """1 GiB in a microsecond is left out of the adaptation; a good point beside it still counts."""
    plain = predict(H100, SIZES)
    false = Point(H100, 2.0**30, 1e-6)
    answer = predict(H100, SIZES, (false,))
    np.testing.assert_array_equal(answer.time_s, plain.time_s)
    assert answer.basis == plain.basis
    good = Point(H100, 8.0, 30e-6)
    assert predict(H100, SIZES, (false, good)).basis == "adapted:1 points"


def test_a_point_of_the_same_collective_outweighs_another():
    """An all-gather's point says less about an all-reduce than the all-reduce's own."""
    gather = replace(NODES, collective="all_gather")
    own = Point(NODES, 8.0, 1.6 * float(predict(NODES, 8.0).time_s))
    other = Point(gather, 8.0, 0.8 * float(predict(gather, 8.0).time_s))
    assert predict(NODES, 8.0, (own, other)).time_s == pytest.approx(own.time_s, rel=0.03)
    assert predict(gather, 8.0, (own, other)).time_s == pytest.approx(other.time_s, rel=0.03)


@pytest.mark.parametrize("setting", [H100, NODES])
def test_a_point_narrows_the_band_from_above_too(setting):
    """What is measured at 1 KiB bounds one byte: a wide band there does not spread upwards again."""
    plain = predict(setting, 1024.0)
    point = Point(setting, 1024.0, 2 * float(plain.time_s))
    near = predict(setting, [1.0, 1024.0, 2048.0], (point,))
    assert (np.log(near.high_s / near.time_s) < 0.85 * np.log(plain.high_s / plain.time_s)).all()
    assert near.high_s[0] <= near.high_s[1] * (1 + 1e-9)


def test_a_nanosecond_for_a_kernel_is_left_out():
    """Seconds typed as microseconds do not make the wire of large messages faster."""
    plain = predict(H100, SIZES)
    answer = predict(H100, SIZES, (Point(H100, 8.0, 15e-9),))
    np.testing.assert_array_equal(answer.time_s, plain.time_s)
    assert any("no GPU takes less than 1" in warning for warning in answer.warnings)


@pytest.mark.parametrize("setting", [H100, NODES])
def test_points_that_contradict_each_other_stay_inside_the_band(setting):
    """Two runs of one size a factor of four apart are no reason for a narrow band."""
    usual = float(predict(setting, 1024.0).time_s)
    fast, slow = Point(setting, 1024.0, usual / 2), Point(setting, 1024.0, usual * 2)
    answer = predict(setting, 1024.0, (fast, slow))
    assert answer.low_s <= fast.time_s * 1.01
    assert answer.high_s >= slow.time_s * 0.99


def test_a_doubted_fast_point_leaves_large_messages_to_the_wire_they_have():
    """2 us for 8 bytes over four nodes cannot make 8 GiB a third faster."""
    plain = predict(NODES, 2.0**33)
    answer = predict(NODES, 2.0**33, (Point(NODES, 8.0, 1.5e-6),))
    assert answer.time_s > 0.9 * plain.time_s
    assert any("machines of this kind take" in warning for warning in answer.warnings)


def test_a_host_that_crawls_from_some_size_on_is_a_line_between_its_points():
    """Eight L40S that copy through the host at 3 GB/s: three points tell the sizes between within a sixth."""
    host = Setting("l40s", "pcie4-x16", 8)
    sizes = np.exp2(np.arange(9, 30))
    measured = 60e-6 + 1.75 * sizes / 3e9
    points = [Point(host, float(sizes[row]), float(measured[row])) for row in (0, 10, 20)]
    assert np.median(np.abs(predict(host, sizes).time_s / measured - 1)) > 0.5
    assert np.median(np.abs(predict(host, sizes, points).time_s / measured - 1)) < 1 / 6


def test_two_ends_of_a_curve_leave_its_middle_to_the_calibrated_shape():
    """A host that takes 31 us for anything small: 1 KiB and 8 GiB do not make 8 MiB a straight line between them."""
    sizes = np.exp2(np.arange(10, 34))
    usual = predict(H100, sizes).time_s
    measured = (usual**4 + 31e-6**4) ** 0.25
    ends = [Point(H100, float(sizes[row]), float(measured[row])) for row in (0, -1)]
    adapted = np.abs(np.log(predict(H100, sizes, ends).time_s / measured))
    assert adapted.mean() < 0.2 * np.abs(np.log(usual / measured)).mean()
    assert adapted.max() < 0.15


@pytest.mark.parametrize("size", [2.0**18, 2.0**20, 2.0**24])
def test_a_missed_switch_of_protocol_says_little_of_small_messages(size):
    """Eight points of large messages as expected and one half as long again: small ones stay where they were."""
    sizes = size * np.exp2(np.arange(9))
    usual = predict(H100, sizes).time_s
    off = np.where(sizes == size, 1.5, 1.0)
    points = [Point(H100, float(s), float(t)) for s, t in zip(sizes, usual * off, strict=True)]
    moved = predict(H100, [8.0, 1024.0], points).time_s / predict(H100, [8.0, 1024.0]).time_s
    assert (np.abs(np.log(moved)) < 0.12).all()


@pytest.mark.parametrize("setting", [H100, NODES])
def test_points_that_meet_the_model_keep_its_shape(setting):
    """Two points far apart that are as expected leave the curve between them, within what its kind shares."""
    usual = predict(setting, SIZES)
    points = [Point(setting, float(SIZES[row]), float(usual.time_s[row])) for row in (4, 28)]
    np.testing.assert_allclose(predict(setting, SIZES, points).time_s, usual.time_s, rtol=0.02)
