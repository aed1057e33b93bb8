"""Weights by format with their block scales, and the fewest GPUs that hold them."""

import math

from core import checks
from core.workload import Precision


def weight_bytes(params: float, fmt: Precision) -> float:
    """Bytes of ``params`` values: value bits and their share of the block scale."""
    return checks.number("params", params, least=0) * fmt.bytes_per_value


def minimum_gpus(needed_bytes: float, hbm_bytes: float, usable: float = 1.0) -> int:
    """
    The fewest GPUs whose usable memory holds ``needed_bytes``; 0 for nothing.

    An exact fit counts as fitting (with no headroom): a rounding of 1e-12 is forgiven.
    """
    needed = checks.number("needed_bytes", needed_bytes, least=0)
    each = checks.number("hbm_bytes", hbm_bytes, above=0) * checks.number("usable", usable, above=0, most=1)
    ratio = needed / each
    nearest = round(ratio)
    exact = math.isclose(ratio, nearest, rel_tol=1e-12)
    return nearest if exact else math.ceil(ratio)
