"""Fit of the kernels that exchange tokens: one call after the other, in ln of time."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

import numpy as np
from scipy.optimize import least_squares

from core.catalog.calibrations.moe_kernels import Bulk, LowLatency
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.moe.libraries import Parts
from core.collectives.moe.question import MoeExchange

Kernel = TypeVar("Kernel", Bulk, LowLatency)
ROBUST_SCALE = 0.05
SMALLEST = 1e-15


@dataclass(frozen=True, slots=True)
class Calls:
    """Measured calls of one layer on one machine: tokens of a GPU and their seconds."""

    comm: Communicator
    exchange: MoeExchange
    tokens: Floats
    time_s: Floats


def fitted(
    kernel: Kernel,
    free: Sequence[str],
    parts: Callable[[Communicator, MoeExchange, Floats, Kernel], Parts],
    calls: Sequence[Calls],
) -> Kernel:
    """The kernel with its ``free`` constants fitted to the calls; a start value above 0 stays above it."""
    measured = np.log(np.concatenate([item.time_s for item in calls]))
    start = np.log([max(asdict(kernel)[name], SMALLEST) for name in free])

    def of(values: Floats) -> Kernel:
        constants = dict(zip(free, np.exp(np.clip(values, -40, 40)).tolist(), strict=True))
        return replace(kernel, **constants)

    def residuals(values: Floats) -> Floats:
        times = [parts(item.comm, item.exchange, item.tokens, of(values)).time_s for item in calls]
        off: Floats = np.log(np.concatenate(times)) - measured
        return off

    return of(least_squares(residuals, start, loss="soft_l1", f_scale=ROBUST_SCALE, max_nfev=40).x)
