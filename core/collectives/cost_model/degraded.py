"""Measured points of a machine that moves large messages far slower than its kind: said, once a curve."""

from collections.abc import Sequence

import numpy as np

from core.collectives.cost_model.measured import Measured, curves_of

MOVES = 0.3
"""Launch and latency's share of a calibrated time, up to which a message's time is that of its bytes."""
BEYOND_BAND = 1.5
"""Times the band's slow end, in the logarithm: of 378 curves of the data 6 lie beyond, of the 39 that ran
over TCP, without GPUDirect RDMA or on L40S hosts without peer access all."""


def degraded_warnings(points: Sequence[Measured]) -> tuple[str, ...]:
    """A line for each curve of which most large messages are slower than such machines are."""
    warnings = []
    for rows in curves_of(points):
        large = [points[row] for row in rows if _moves(points[row])]
        slow = [point for point in large if point.ln_off > BEYOND_BAND * point.slowest]
        if slow and 2 * len(slow) > len(large):
            times = np.exp(np.median([point.ln_off for point in slow]))
            share = f"{slow[0].point.setting.collective}: {len(slow)} of {len(large)} points"
            warnings.append(
                f"{share} of large messages take {times:.1f} times as long as machines of this kind, beyond "
                "the prediction interval: degraded (`check` weighs causes), or another kind of machine; "
                "the answers become its own"
            )
    return tuple(warnings)


def _moves(point: Measured) -> bool:
    """Whether a point's time is that of its bytes."""
    size = np.array([float(point.point.size_bytes)])
    return float(point.prior.at(point.prior.waiting, size)[0]) <= MOVES
