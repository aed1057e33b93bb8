"""Clusters that are known to be degraded: recognised as such, and never a reason to expect less of others."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.collectives.cost_model import Point, Setting, predict
from core.units import GIB, KIB, MIB
from core.verdict import Status

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
NODES = Setting("h100-sxm", "nvlink4", 8, 4, "ib-ndr", 50e9)
LARGE = (256 * MIB, GIB, 4 * GIB)


def points(times, setting=NODES, sizes=LARGE):
    """Measured points so many times slower than answered."""
    usual = predict(setting, sizes).time_s
    return tuple(Point(setting, size, float(times * s)) for size, s in zip(sizes, usual, strict=True))


def said(measured, setting=NODES):
    return [text for text in predict(setting, MIB, measured).warnings if "degraded" in text]


def test_every_degraded_curve_of_the_data_is_told():
    """All rows without GPUDirect are slower than their interval, low in a check, told as points, in no fit."""
    if not (DATA / "degraded_rows.csv").exists():
        pytest.skip(f"no measured data at {DATA}")
    pytest.importorskip("scipy", reason="the fitting code needs scipy")
    from tests.bench.degraded import asked

    curves = list(asked(DATA))
    assert sum(curve.rows for curve in curves) == 39
    for curve in curves:
        assert curve.slow == curve.rows, curve.name
        assert curve.status is Status.LOW, curve.name
        assert len(curve.said) == 1, curve.name
        assert curve.fitted == 0, curve.name


def test_points_of_a_machine_at_a_third_of_its_rate_are_told_once():
    """Three large messages at a third of the rate: one line with the factor and how many there were."""
    (text,) = said(points(3.0))
    assert text.startswith("all_reduce: 3 of 3 points of large messages take 3.0 times as long")


def test_points_inside_the_interval_are_not_told():
    """A machine that is 15 % slower, or whose small messages alone take three times as long, is no news."""
    assert not said(points(1.15))
    assert not said(points(3.0, sizes=(KIB, 4 * KIB)))


def test_each_curve_is_told_by_itself():
    """A slow all-gather beside a sound all-reduce is told of the all-gather."""
    gather = replace(NODES, collective="all_gather")
    (text,) = said((*points(1.0), *points(4.0, gather)))
    assert text.startswith("all_gather")


def test_files_that_ran_over_tcp_are_no_part_of_the_fit():
    """Of five files of one Slingshot curve two name no plug-in: each is a machine of its own, those untrusted."""
    pytest.importorskip("scipy", reason="the fitting code needs scipy")
    from core.collectives.refit.data import sweeps_of

    row = {
        "source_id": "alcf-polaris-N2-2.18",
        "system": "Polaris 2 nodes x4 A100 40GB",
        "gpu": "a100-sxm-40gb",
        "scale_up_link": "nvlink3",
        "domain_gpus": "4",
        "domains": "2",
        "scale_out_link": "slingshot-200",
        "scale_out_GBps_per_gpu": "12.5",
        "collective": "all_gather",
        "implementation": "nccl",
        "size_bytes": "1048576",
    }
    folder = "argonne-lcf/alcf-nccl-tests@385be33604:results_polaris/nccl_2_18/n2.g4/all_gather_output.dat"
    rows = [row | {"time_us": str(100.0 * place), "source": f"{folder}.{place}"} for place in (1, 2, 3, 4, 5)]
    measured = list(sweeps_of(rows))

    assert len({sweep.machine for sweep in measured}) == 5
    assert [sweep.trusted.size_bytes.size for sweep in measured] == [0, 0, 1, 1, 1]
    infiniband = [item | {"scale_out_link": "ib-hdr", "scale_out_GBps_per_gpu": "25"} for item in rows]
    assert all(sweep.trusted.size_bytes.size for sweep in sweeps_of(infiniband))
