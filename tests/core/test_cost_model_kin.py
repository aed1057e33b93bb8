"""What machines of one kind share beyond the calibrated lines, what one cold row says, and blocks across domains."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.catalog.calibrations.shapes import Correction, Residual
from core.collectives.cost_model import Point, Setting, predict
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.prior import prior_of
from core.collectives.cost_model.residuals import usual_residual
from core.units import GIB, KIB, MIB
from tests.each import table

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
H100 = Setting("h100-sxm", "nvlink4", 8)
GATHER = Setting("a100-sxm-40gb", "nvlink3", 4, 2, "slingshot-9000", 25e9, "all_gather")
SIZES = np.exp2(np.arange(9, 30))


def made(*ranks):
    """Residuals of an all-reduce on some numbers of GPUs: so many tenths at every size as GPUs take part."""
    return [
        Residual("all_reduce", "nccl", "stream", n, Correction((9.0, 29.0), (n / 10, n / 10))) for n in ranks
    ]


@table(("gpus", "expected"), [(2, 0.2), (4, 0.4), (8, 0.8), (16, 0.0), (72, 0.0)])
def test_a_residual_is_that_of_the_number_of_gpus(gpus, expected):
    """Measured on 2, 4 and 8 GPUs it answers those; racks are none of its kind."""
    comm = resolve(replace(H100, domain_gpus=gpus))
    np.testing.assert_allclose(usual_residual(comm, SIZES, made(2, 4, 8)), expected, atol=1e-12)


def test_a_residual_lies_between_its_neighbours_and_fades_beyond_eight():
    """Six GPUs lie between four and eight, twelve have half of what eight have, another collective none."""
    six, twelve = (
        usual_residual(resolve(replace(H100, domain_gpus=n)), SIZES, made(2, 4, 8)) for n in (6, 12)
    )
    gather = usual_residual(resolve(replace(H100, collective="all_gather")), SIZES, made(2, 4, 8))

    assert ((six > 0.4) & (six < 0.8)).all()
    np.testing.assert_allclose(twelve, 0.4)
    assert not gather.any()


def test_points_tell_whether_a_host_is_off_where_its_kind_is():
    """Five points of a host off by what its kind shares bring its other sizes nearer than without that knowledge."""
    shared = np.where((SIZES >= 64 * KIB) & (SIZES <= 8 * MIB), 0.2, 0.0)
    kind = Residual("all_reduce", "nccl", "stream", 8, Correction(tuple(np.log2(SIZES)), tuple(shared)))
    with_kin = replace(shipped(), residuals={"nvlink-hopper": (kind,)})
    without = replace(shipped(), residuals={})
    measured = predict(H100, SIZES).time_s * np.exp(shared)
    points = [Point(H100, float(SIZES[row]), float(measured[row])) for row in (0, 5, 10, 15, 20)]
    errors = [
        np.abs(np.log(evaluate(compile_curve(H100, points, item), SIZES).time_s / measured)).mean()
        for item in (with_kin, without)
    ]

    assert errors[0] < 0.5 * errors[1]


def test_without_points_an_answer_is_the_calibrated_one():
    """What a kind shares answers only where points speak for it."""
    plain = evaluate(compile_curve(H100, (), replace(shipped(), residuals={})), SIZES)
    np.testing.assert_array_equal(predict(H100, SIZES).time_s, plain.time_s)


@pytest.mark.parametrize("setting", [H100, Setting("rtx-4090", "pcie4-x16", 8, collective="broadcast")])
def test_a_first_row_measured_cold_is_not_the_host(setting):
    """64 bytes that took seventeen times as long, and a large message as expected: small ones stay usual."""
    usual = predict(setting, np.array([64.0, 4 * KIB, 4 * GIB])).time_s
    points = [Point(setting, 64.0, 17 * float(usual[0])), Point(setting, 4.0 * GIB, float(usual[2]))]
    answer = predict(setting, 4 * KIB, points)

    assert float(answer.time_s) == pytest.approx(float(usual[1]), rel=0.5)
    assert any("check size and unit" in warning for warning in answer.warnings)


def test_a_host_that_is_slow_at_every_size_is_no_cold_row():
    """Ten times as long for each of six sizes: that is the host, and it is answered so."""
    known = np.geomspace(64, 512 * MIB, 6)
    points = [Point(H100, float(size), 10 * float(predict(H100, size).time_s)) for size in known]

    for size in (KIB, MIB, 64 * MIB):
        assert float(predict(H100, size, points).time_s) > 5 * float(predict(H100, size).time_s)


def test_a_pair_of_nodes_with_a_floor_is_no_cold_row():
    """220 us for 64 bytes where others take 25, with large messages as usual: across domains that is the host."""
    nodes = Setting("mi300x", "if-mi300x", 8, 2, "roce-400", 50e9, implementation="rccl")
    points = [Point(nodes, 64.0, 220e-6), Point(nodes, 8.0 * GIB, float(predict(nodes, 8 * GIB).time_s))]

    assert float(predict(nodes, 4 * KIB, points).time_s) > 150e-6


@table(
    ("collective", "times"), [("all_gather", 4), ("reduce_scatter", 4), ("all_to_all", 4), ("all_reduce", 1)]
)
def test_errors_on_more_domains_are_those_of_the_same_piece(collective, times):
    """Blocks of a gather that are slow on two domains are so on eight at four times the message; a tree's message is whole."""
    few = prior_of(replace(GATHER, collective=collective), shipped())
    many = prior_of(replace(GATHER, collective=collective, domains=8), shipped())
    sizes = np.geomspace(MIB, GIB, 5)
    octaves = [prior.places(size, 0, 0).log2_bytes for prior, size in ((few, sizes), (many, times * sizes))]

    np.testing.assert_allclose(octaves[0] - octaves[0][0], np.log2(sizes / sizes[0]))
    np.testing.assert_allclose(octaves[1], octaves[0])


@pytest.fixture(scope="module")
def sweeps():
    """The sweeps of one NVLink domain; skipped with a reason where the data is not there."""
    if not (DATA / "calibration.csv").exists():
        pytest.skip(f"no measured data at {DATA}")
    pytest.importorskip("scipy", reason="the fitting code needs scipy")
    from core.collectives.refit.data import load

    return [sweep for sweep in load(DATA / "calibration.csv") if not sweep.several]


def test_residuals_help_on_a_gpu_that_they_have_not_seen(sweeps):
    """Fitted without H100, what H200 and GH200 share lowers the error of H100's curves with three points by a tenth."""
    from core.collectives.refit.residual_fit import fit_residuals
    from core.collectives.refit.validation import compare

    seen = [sweep for sweep in sweeps if sweep.setting.gpu in ("h200-sxm", "gh200")]
    asked = [sweep for sweep in sweeps if sweep.setting.gpu == "h100-sxm" and len(sweep.size_bytes) > 9]
    plain = replace(shipped(), residuals={})
    told = replace(plain, residuals=fit_residuals(seen, plain))
    means = [np.concatenate([compare(item, one, 3).error for item in asked]).mean() for one in (told, plain)]

    assert means[0] < 0.9 * means[1]
