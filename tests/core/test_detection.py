"""False alarms and detection on published curves of machines that calibrated nothing."""

import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.units import MIB
from core.verdict import Status, judge_run
from tests.bench import detection
from tests.core.test_verdict import H100, a_run, expected

ASKED = list(detection.independent())
SWEEP = tuple(2**power for power in range(10, 34))


def share_low(tables, factor):
    """The share of tables that is called low, their times so many times as long."""
    statuses = [curve.status(indices, factor) for curve, indices in tables]
    return statuses.count(Status.LOW) / len(statuses)


@pytest.mark.parametrize("several", [False, True])
def test_halved_rates_are_low_and_healthy_ones_are_not(several):
    """Of large sizes shown alone fewer than one in twenty is a false alarm, and nine in ten at half the rate are found."""
    chosen = [curve for curve in ASKED if (curve.sweep.setting.domains > 1) is several]
    tables = detection.single_sizes(chosen, large=True)

    assert len(tables) > 100
    assert share_low(tables, 1.0) < 0.05
    assert share_low(tables, 2.0) > 0.9


def test_a_whole_healthy_curve_is_rarely_low():
    """Of whole curves fewer than one in twenty is called low as measured, and at half the rate nine in ten are."""
    tables = detection.whole(ASKED)

    assert share_low(tables, 1.0) < 0.05
    assert share_low(tables, 2.0) > 0.9


def slowed(factors):
    """The verdict on a sweep of 8 GPUs whose sizes take so many times the expected time."""
    times = expected(H100, sizes=SWEEP)
    return judge_run(
        a_run([t * factors.get(s, 1.0) for s, t in zip(SWEEP, times, strict=True)], sizes=SWEEP), H100
    )


def test_a_dip_in_the_middle_is_not_a_slow_machine():
    """Four sizes of 24 where protocols switch may be slow where all large ones are fine; five may not."""
    middle = [size for size in SWEEP if 2**20 <= size < 2**25]

    assert slowed(dict.fromkeys(middle[:4], 3.0)).status is Status.FINE
    assert slowed(dict.fromkeys(middle[:5], 3.0)).status is Status.LOW


def test_as_many_slow_large_sizes_are_low():
    """The same number of slow sizes is low where it is the largest."""
    assert slowed(dict.fromkeys(SWEEP[-4:], 3.0)).status is Status.LOW


def gathered(factors):
    """The verdict on an all-gather whose large sizes lie 8 % beyond the slow end of their interval."""
    system = SYSTEMS["dgx-a100"]
    told = sweep(Scenario(system, "all_gather", 8, dtype="float"), SWEEP)
    times = [
        1.08 * slow if size >= 32 * MIB else usual * factors.get(size, 1.0)
        for size, usual, slow in zip(SWEEP, told.time_s, told.high_s, strict=True)
    ]
    run = a_run(times, collective="all_gather", sizes=SWEEP, gpu="NVIDIA A100-SXM4-80GB")
    return judge_run(run, system).status


def test_a_slow_small_size_does_not_make_a_limit_a_defect():
    """Large sizes near the slow end stay fine beside one small size that is slow."""
    assert gathered({}) is gathered({2**17: 6.0}) is Status.FINE


def test_slow_latencies_beside_a_limit_are_low():
    """Large sizes near the slow end do not excuse small ones that are all slow."""
    assert gathered(dict.fromkeys([size for size in SWEEP if size <= 2**18], 20.0)) is Status.LOW


def test_settings_of_one_machine_are_told_apart():
    """Of the rows of several settings the best are sound and those of twice its time slow."""
    row = dict.fromkeys((*detection.NEEDED, "size_bytes"), "1")
    row |= {"system": "s", "source_id": "x", "scale_out_link": "slingshot-200", "domain_gpus": "4"}
    kept, slow = detection.split_settings([{**row, "time_us": time} for time in ("10", "11", "25")])

    assert [item["time_us"] for item in kept] == ["10"]
    assert [item["time_us"] for item in slow] == ["25"]
