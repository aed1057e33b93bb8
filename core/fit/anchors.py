"""Single published figures that fix what the calibration rows do not reach: the largest sizes.

The rows of one domain end at 512 MiB, where in-switch rates still rise.
"""

from __future__ import annotations

import numpy as np

from core.cost_model.setting import Setting, resolve
from core.fit.data import Series

GIB = 2.0**30

# gpu, link, size, bus bandwidth GB/s, source
FIGURES = (
    ("h100-sxm", "nvlink4", 16 * GIB, 480.0, "NVIDIA/nccl issue 2140 (NVLS on)"),
    ("b300-sxm", "nvlink5", 16 * GIB, 845.0, "NVIDIA/nccl issue 2140 (NVLS on)"),
)


def anchors() -> list[Series]:
    """The figures as series of one point: all_reduce on eight GPUs."""
    found = []
    for gpu, link, size, busbw, source in FIGURES:
        setting = Setting(gpu, link, 8)
        time_s = 2 * 7 / 8 * size / (busbw * 1e9)
        found.append(
            Series("published", source, setting, resolve(setting), np.array([size]), np.array([time_s]))
        )
    return found
