"""What the measured machines of a kind have in common beyond its lines: where NCCL and the engines switch.

A handful of constants and one bend over sizes cannot know at which size each collective on each number of
GPUs changes its protocol, or how its channels fill. Machines of one generation share that.
"""

from collections.abc import Sequence

import numpy as np

from core.catalog.calibrations.shapes import Residual
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.setting import ONE_PROCESS

LARGEST_RANKS, UNKNOWN_RANKS = 8.0, 16.0
"""Of a domain: the most that were measured, and from where on nothing of it is believed."""


def usual_residual(comm: Communicator, sizes: Floats, residuals: Sequence[Residual]) -> Floats:
    """
    Ln of measured over calibrated time that machines of this kind share, at some sizes.

    Between the numbers of GPUs that were measured it is interpolated over octaves; beyond eight it fades.
    """
    setting = comm.setting
    launch = "stream" if setting.launch == ONE_PROCESS else setting.launch
    asked = (setting.collective, setting.implementation, launch)
    own = [item for item in residuals if (item.collective, item.implementation, item.launch) == asked]
    if not own:
        return np.zeros_like(sizes)
    position = np.log2(np.maximum(sizes, 1.0))
    measured = np.log2([item.ranks for item in own])
    total = np.zeros_like(sizes)
    for item, share in zip(own, _shares(float(np.log2(comm.ranks)), measured), strict=True):
        if share:
            total += share * np.interp(position, item.correction.log2_bytes, item.correction.ln_factor)
    unknown = np.interp(comm.ranks, (LARGEST_RANKS, UNKNOWN_RANKS), (0.0, 1.0))
    faded: Floats = total * (1.0 - unknown)
    return faded


def _shares(position: float, places: Floats) -> list[float]:
    """How much each of some rising places counts at a position between them."""
    return [float(np.interp(position, places, row)) for row in np.eye(len(places))]
