"""The front door: predict(setting, sizes, points)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model.compiler import compiled
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.setting import LARGEST_BYTES, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from core.collectives.cost_model.answer import Prediction
    from core.collectives.cost_model.setting import Point, Setting

NO_NUMBERS = "cmMV"
"""Kinds of arrays that numpy would bend into floats: complex, times, records."""


def predict(setting: Setting, size_bytes: ArrayLike, points: Sequence[Point] = ()) -> Prediction:
    """What a collective of these sizes costs on this setting, adapted to measured points if any.

    `size_bytes` follows nccl-tests: all_reduce the buffer of each rank, all_gather the total
    output, reduce_scatter the total input, all_to_all the send buffer of each rank.
    """
    sizes = _checked_sizes(size_bytes)
    if type(setting.domain_gpus) is not int or type(setting.domains) is not int:
        resolve(setting)  # the cache takes True for 1 and 2.0 for 2
    try:
        hash((setting, *points))
    except TypeError as problem:
        msg = f"setting holds a value that is not a plain number or name: {problem}"
        raise CostModelError(msg) from None
    return evaluate(compiled(setting, tuple(points)), sizes)


def _checked_sizes(size_bytes: ArrayLike) -> np.ndarray:
    try:
        given = np.asarray(size_bytes)
        sizes = np.asarray(given if given.dtype.kind not in NO_NUMBERS else np.nan, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        msg = "size_bytes must be numbers of bytes, zero or more"
        raise CostModelError(msg) from None
    if sizes.size and not (sizes.min() >= 0 and sizes.max() <= LARGEST_BYTES):
        msg = "size_bytes must be finite and zero or more, at most 1e18"
        raise CostModelError(msg)
    return sizes
