"""How large the messages were that an answer rests on: beyond them it is no longer calibrated."""

from dataclasses import replace

import numpy as np
import pytest

from core.collectives.cost_model import Point, Setting, predict, predict_columns
from core.collectives.cost_model.calibration import shipped
from core.units import GIB, MIB
from tests.each import table

A100 = Setting("a100-sxm-80gb", "nvlink3", 8)
H100 = Setting("h100-sxm", "nvlink4", 8)


@table(
    ("setting", "largest"),
    [
        (A100, 512 * MIB),
        (replace(H100, collective="all_gather"), 512 * MIB),
        (H100, 16 * GIB),
        (replace(H100, domains=4, scale_out_link="ib-ndr"), 16 * GIB),
    ],
)
def test_an_answer_is_calibrated_up_to_the_largest_message_measured(setting, largest):
    """A100 and gathers of H100 end at 512 MiB, H100's all-reduce at 16 GiB: one byte more is extrapolated."""
    inside, beyond = predict(setting, largest).basis, predict(setting, largest + 1).basis
    assert inside.startswith("calibrated:")
    size = "512 MiB" if largest < GIB else "16 GiB"
    assert beyond == f"{inside.replace('calibrated', 'extrapolated')} beyond {size}"


def test_a_sweep_is_calibrated_where_some_of_it_was_measured():
    """Sizes on both sides rest on the measured set; each row of a table has its own basis."""
    sizes = np.array([MIB, 512 * MIB, GIB, 8 * GIB])
    assert predict(A100, sizes).basis == "calibrated:nvlink-ampere"
    assert predict(A100, sizes[2:]).basis == "extrapolated:nvlink-ampere beyond 512 MiB"
    same = {"gpu": "a100-sxm-80gb", "scale_up_link": "nvlink3", "domain_gpus": 8}
    columns = {name: np.array([value] * 4) for name, value in same.items()} | {"domains": np.ones(4, int)}
    columns |= {"collective": np.array(["all_reduce"] * 4), "size_bytes": sizes}
    words = [text.split(":")[0] for text in predict_columns(columns).basis]
    assert words == ["calibrated", "calibrated", "extrapolated", "extrapolated"]


def test_what_is_extrapolated_by_hardware_has_no_largest_size():
    """Another generation is extrapolated at all sizes and says so in one way."""
    setting = Setting("rtx-4090", "pcie5-x16", 4)
    assert {predict(setting, size).basis for size in (MIB, 16 * GIB)} == {predict(setting, MIB).basis}
    assert "beyond" not in predict(setting, 16 * GIB).basis


def test_points_of_ones_own_are_what_larger_messages_rest_on():
    """A machine with measured points is adapted at every size."""
    answer = predict(A100, 8 * GIB, (Point(A100, 8 * GIB, 0.07),))
    assert answer.basis == "adapted:1 points"


def test_the_band_opens_beyond_the_largest_message():
    """Two octaves beyond 512 MiB it is 7 % wider to both sides than at it, on NVLink."""
    at, beyond = (predict(replace(H100, collective="all_gather"), size) for size in (512 * MIB, 2 * GIB))
    widths = [float(np.log(answer.high_s / answer.time_s)) for answer in (at, beyond)]
    assert widths[1] - widths[0] == pytest.approx(0.07, abs=0.015)


def test_every_calibrated_set_has_its_largest_sizes():
    """All kinds of domain, networks and engines that can be called calibrated name what they were measured to."""
    calibration = shipped()
    measured = {name for name, item in calibration.domains.items() if item.provenance.rows}
    networks = {name.removeprefix("set:") for name in calibration.offsets if name.startswith("set:")}
    assert measured | networks | set(calibration.engines) <= set(calibration.largest)
