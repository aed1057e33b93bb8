"""Sweeps as nccl-tests would print them on machines that differ from the calibrated one."""

import numpy as np

from core.collectives.cost_model import Setting, predict
from core.collectives.fitted import Series

H100 = Setting("h100-sxm", "nvlink4", 8)

SIZES = np.exp2(np.arange(10, 33.0))


def sweep_of(setting=H100, *, slower=1.15, base_us=6.0, bend=0.05, noise=0.0, sizes=SIZES, seed=1):
    """A sweep as nccl-tests would print it on a machine that differs from the calibrated one."""
    times = predict(setting, sizes).time_s
    wave = 1 + bend * np.sin(np.log2(sizes))
    shaken = np.exp(np.random.default_rng(seed).normal(0, noise, len(sizes))) if noise else 1.0
    return Series(setting, tuple(zip(sizes, (times * slower * wave + base_us * 1e-6) * shaken, strict=True)))
