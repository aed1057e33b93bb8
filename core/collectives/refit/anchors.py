"""Single published figures that fix what the calibration rows do not reach: the largest sizes.

The rows of one domain end at 512 MiB, where in-switch rates still rise.
"""

import numpy as np

from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.setting import Setting
from core.collectives.refit.data import Sweep
from core.units import GIB

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


# Bus bandwidth of all-to-all that the largest sizes approach, by nodes of 8 B300 over EFA:
# awslabs/awsome-distributed-ai at 95b939cd, micro-benchmarks/expert-parallelism, RESULTS.md
EFA_ALL_TO_ALL = ((2, 179.6), (4, 116.9), (8, 103.2), (16, 84.0), (32, 74.4))
# 8 GiB all-reduces of two and twenty NVL72 racks (coreweave/nccl-tests README)
ONLY_PUBLISHED = "coreweave"
"""An operator without rows in the calibration."""
RACKS_ALL_REDUCE = ((2, 793.0), (20, 381.0))


def across() -> list[Sweep]:
    """Published figures of several domains, as sweeps of one point."""
    sweeps = []
    for domains, busbw in EFA_ALL_TO_ALL:
        setting = Setting("b300-sxm", "nvlink5", 8, domains, "efa-6400", 100e9, "all_to_all")
        ranks = 8 * domains
        sweeps.append(
            _single("aws", "p6-b300, largest sizes", setting, 16 * GIB, (ranks - 1) / ranks / busbw)
        )
    for domains, busbw in RACKS_ALL_REDUCE:
        setting = Setting("gb200", "nvlink5", 72, domains, "ib-ndr", 50e9)
        ranks = 72 * domains
        sweeps.append(_single(ONLY_PUBLISHED, "NVL72", setting, 8 * GIB, 2 * (ranks - 1) / ranks / busbw))
    return sweeps


def _single(operator: str, site: str, setting: Setting, size: float, seconds_per_gb: float) -> Sweep:
    time_s = np.array([size * seconds_per_gb / 1e9])
    return Sweep(operator, site, setting, resolve(setting), np.array([size]), time_s)
