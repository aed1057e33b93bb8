"""Single published figures that fix what the calibration rows do not reach: the largest sizes.

The rows of one domain end at 512 MiB, where in-switch rates still rise.
"""

import numpy as np

from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.setting import Setting
from core.collectives.refit.data import Sweep

GIB = 2.0**30

# gpu, link, algorithm, size, bus bandwidth GB/s, source
FIGURES = (
    ("h100-sxm", "nvlink4", "auto", 16 * GIB, 480.0, "NVIDIA/nccl issue 2140 (NVLS on)"),
    ("h100-sxm", "nvlink4", "ring", 16 * GIB, 370.0, "NVIDIA/nccl issue 2140 (NVLS off)"),
    ("b300-sxm", "nvlink5", "auto", 16 * GIB, 845.0, "NVIDIA/nccl issue 2140 (NVLS on)"),
    ("b300-sxm", "nvlink5", "ring", 16 * GIB, 695.0, "NVIDIA/nccl issue 2140 (NVLS off)"),
    ("a100-sxm-80gb", "nvlink3", "ring", 16 * GIB, 240.0, "0.8 of the link, as H100 and B300 reach"),
)


def anchors() -> list[Sweep]:
    """The figures as sweeps of one point: all_reduce on eight GPUs."""
    sweeps = []
    for gpu, link, algorithm, size, busbw, source in FIGURES:
        setting = Setting(gpu, link, 8, algorithm=algorithm)
        time_s = 2 * 7 / 8 * size / (busbw * 1e9)
        sweeps.append(
            Sweep("published", source, setting, resolve(setting), np.array([size]), np.array([time_s]))
        )
    return sweeps
