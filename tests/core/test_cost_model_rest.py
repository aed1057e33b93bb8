"""Points never make the rest worse: what a sweep of one collective does to the answers for all others."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.collectives.cost_model import Point, Setting, predict
from core.collectives.cost_model.calibration import shipped
from core.units import GIB, KIB, MIB

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
TABLES = ("calibration.csv", "calibration_2.csv")
TOLERANCE = {9: 0.015, 3: 0.06}
"""
ln by which a machine's median may worsen with so many points: the noise of repeats. Among three points a
disturbed row is no longer seen as one: a 2x RTX 4090 whose first row takes 1.3 times its second.
"""
FARTHEST = 0.25
"""
ln by which points may worsen the mean of a machine's other sizes: Alps on two nodes, whose three points of the
middle lie on a hump of ten times that ends at 2 MiB; one RTX 4090 host, of whose two ends one is disturbed.
"""
FEWEST_ROWS = 16
"""Of a machine's other curves, below which a median says little."""
NODES = Setting("h100-sxm", "nvlink4", 8, 2, "ib-ndr", 50e9)
SIZES = np.geomspace(8, 8 * GIB, 9)


@pytest.fixture(scope="module")
def sweeps():
    """All sweeps of the calibration; skipped with a reason where the data is not there."""
    paths = [path for name in TABLES if (path := DATA / name).exists()]
    if len(paths) < len(TABLES):
        pytest.skip(f"no measured data at {DATA}")
    pytest.importorskip("scipy", reason="the fitting code needs scipy")
    from core.collectives.refit.data import load

    return load(*paths)


@pytest.fixture(scope="module", params=[3, 9])
def adapted(request, sweeps):
    """How many points of an all-reduce each machine is told by, and what is left of its other curves."""
    from tests.bench.unseen import rest_by_machine

    return request.param, rest_by_machine(sweeps, lambda _: shipped(), request.param)


def test_points_of_an_all_reduce_never_worsen_the_other_curves_of_its_machine(adapted):
    """On every machine of the data the median error of all other curves stays where it was, but for noise."""
    points, machines = adapted
    rests = [item for item in machines if item.rows >= FEWEST_ROWS]
    worse = {
        item.machine: (item.before, item.after)
        for item in rests
        if item.after > item.before + TOLERANCE[points]
    }
    mean = np.mean([item.after - item.before for item in rests])

    assert len(rests) > 20
    assert not worse
    assert mean < 0


def test_the_band_holds_for_the_curves_that_were_not_measured(adapted):
    """Three quarters of the rows of other collectives and node counts lie inside the band with points."""
    _, rests = adapted

    assert np.average([item.inside for item in rests], weights=[item.rows for item in rests]) > 0.75


PLACED = (
    ("evenly over its sizes", 2),
    ("evenly over its sizes", 3),
    ("its smallest sizes", 3),
    ("its smallest sizes", 9),
    ("its largest sizes", 3),
    ("its largest sizes", 9),
    ("sizes in its middle", 3),
)
"""Where points of a curve lie, and how many."""


@pytest.fixture(scope="module")
def usual(sweeps):
    """Each long curve of the data with its calibrated times."""
    from core.collectives.refit.validation import compare
    from tests.bench.placements import MOST

    long = [sweep for sweep in sweeps if len(sweep.size_bytes) > MOST and sweep.setting.algorithm == "auto"]
    return [(sweep, compare(sweep, shipped()).predicted_s) for sweep in long]


@pytest.mark.parametrize(("placement", "points"), PLACED)
def test_points_never_make_the_other_sizes_of_their_curve_worse(placement, points, usual):
    """Wherever points lie on a curve, ends or large sizes alone too, the expected error of its other sizes falls."""
    from core.collectives.refit.validation import compare_given
    from tests.bench.placements import PLACEMENTS

    choice, _ = PLACEMENTS[placement]
    changes = {}
    for sweep, before_s in usual:
        rows = len(sweep.size_bytes)
        places = list(choice(rows, points))
        others = np.setdiff1d(np.arange(rows), places)
        before = np.abs(np.log(before_s / sweep.time_s))[others]
        after = compare_given(sweep, shipped(), places)
        change = np.abs(np.log(after.predicted_s / after.measured_s)).mean() - before.mean()
        changes.setdefault((sweep.several, sweep.operator, sweep.site), []).append(change)
    for several in (False, True):
        means = [np.mean(change) for (across, *_), change in changes.items() if across is several]
        assert len(means) > 10
        assert np.mean(means) < 0
        assert max(means) < FARTHEST


def moved(setting, factors):
    """How many times slower a setting of the measured cluster is answered with its all-reduce so many times off."""
    usual = predict(NODES, SIZES).time_s
    pairs = zip(SIZES, usual * factors, strict=True)
    points = [Point(NODES, float(size), float(time_s)) for size, time_s in pairs]
    asked = (KIB, MIB, GIB)
    return predict(setting, asked, points).time_s / predict(setting, asked).time_s


def test_small_misses_of_one_collective_leave_the_others_alone():
    """An all-reduce that is 10 % off on a known network is off by itself: other collectives and nodes stay."""
    for setting in (replace(NODES, collective="all_gather"), replace(NODES, domains=16)):
        np.testing.assert_allclose(moved(setting, np.full(len(SIZES), 1.1)), 1.0, atol=0.02)


def test_a_cluster_that_is_slow_throughout_is_another_one():
    """Three times as long at every size is no accident of all-reduce: the others are expected slower, too."""
    for setting in (replace(NODES, collective="all_gather"), replace(NODES, domains=16)):
        assert (moved(setting, np.full(len(SIZES), 3.0)) > 1.3).all()


def test_two_collectives_convince_more_than_one():
    """What all-reduce and all-gather agree on moves reduce-scatter further than either says alone."""
    gather = replace(NODES, collective="all_gather")
    asked = replace(NODES, collective="reduce_scatter")
    slow = {
        setting: [Point(setting, float(s), float(1.6 * predict(setting, s).time_s)) for s in SIZES[::2]]
        for setting in (NODES, gather)
    }
    alone = [predict(asked, MIB, points).time_s for points in slow.values()]

    assert predict(asked, MIB, slow[NODES] + slow[gather]).time_s > 1.05 * max(alone)


def test_an_engine_learns_little_from_the_library():
    """Serving engines bring kernels of their own: a slow NCCL moves them less than it moves NCCL's others."""
    single = Setting("h100-sxm", "nvlink4", 8)
    slow = [Point(single, float(s), float(1.5 * predict(single, s).time_s)) for s in SIZES]
    engine = replace(single, implementation="vllm-custom")
    library = replace(single, collective="all_gather")
    ratios = [
        float(predict(asked, 64 * KIB, slow).time_s / predict(asked, 64 * KIB).time_s)
        for asked in (engine, library)
    ]

    assert 1 < ratios[0] < ratios[1]


def test_an_engine_with_few_published_times_is_answered_by_its_kin():
    """MSCCL++ has kernels of SGLang's design: the same times, never calibrated, a wider band, and said so."""
    kin, other = (
        predict(Setting("h100-sxm", "nvlink4", 8, implementation=name, launch="graph"), [16384])
        for name in ("sglang-custom", "mscclpp")
    )
    assert other.time_s == kin.time_s
    assert other.basis.startswith("extrapolated:sglang-custom")
    assert other.high_s / other.low_s > 1.2 * kin.high_s / kin.low_s
    assert any("few published times" in line for line in other.warnings)
