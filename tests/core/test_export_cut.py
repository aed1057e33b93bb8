"""GPUs whose NVLink was cut for export: the same link, fewer lanes of it."""

import pytest

from core.collectives.cost_model import Setting, predict
from core.units import GIB


def time_s(gpu, link, **changes):
    """Seconds of a ring all-gather of 8 GiB over eight GPUs, which the link alone decides."""
    setting = Setting(gpu, link, 8, collective="all_gather", **changes)
    return float(predict(setting, 8 * GIB).time_s)


@pytest.mark.parametrize(
    ("cut", "whole", "link", "ratio"),
    [("h800-sxm", "h100-sxm", "nvlink4", 450 / 200), ("a800-sxm", "a100-sxm-80gb", "nvlink3", 300 / 200)],
)
def test_the_gpus_own_rate_bounds_its_link(cut, whole, link, ratio):
    """H800 and A800 (200 GB/s unidirectional) against H100 (450) and A100 (300): slower by the ratio of rates, within 5 %."""
    assert time_s(cut, link) / time_s(whole, link) == pytest.approx(ratio, rel=0.05)


def test_a_link_slower_than_the_gpu_bounds_it_too():
    """An H100 behind NVLink 3 moves at 300 GB/s, not at its own 450."""
    assert time_s("h100-sxm", "nvlink3") / time_s("h100-sxm", "nvlink4") == pytest.approx(450 / 300, rel=0.05)


def test_a_rate_of_ones_own_replaces_both():
    """200 GB/s given for an H100 is the H800's answer."""
    assert time_s("h100-sxm", "nvlink4", scale_up_bytes_per_s=200e9) == pytest.approx(
        time_s("h800-sxm", "nvlink4"), rel=0.01
    )
