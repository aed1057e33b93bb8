"""The front door: predict(setting, sizes, points)."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from core.checks import Floats, InputError, sizes
from core.collectives.cost_model.answer import Prediction
from core.collectives.cost_model.compiler import compiled
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.setting import LARGEST_BYTES, Point, Setting, check


def predict(setting: Setting, size_bytes: ArrayLike, points: Sequence[Point] = ()) -> Prediction:
    """
    What a collective of these sizes costs on this setting.

    Args:
        setting: Everything but the size.
        size_bytes: As nccl-tests counts: all_reduce the buffer of each rank, all_gather the total
            output, reduce_scatter the total input, all_to_all the send buffer of each rank.
        points: Measurements; those of the same cluster adapt the answer to it.

    Raises:
        InputError: One line that names the argument.
    """
    amounts = checked_sizes(size_bytes)
    if type(setting.domain_gpus) is not int or type(setting.domains) is not int:
        check(setting)  # the cache takes True for 1
    try:
        hash((setting, *points))
    except TypeError as problem:
        message = f"setting: plain numbers and names, not {problem}"
        raise InputError(message) from None
    return evaluate(compiled(setting, tuple(points)), amounts)


def checked_sizes(size_bytes: ArrayLike) -> Floats:
    """Sizes as floats, at most ``LARGEST_BYTES``; InputError for anything else."""
    amounts = sizes("size_bytes", size_bytes)
    if amounts.size and amounts.max() > LARGEST_BYTES:
        message = f"size_bytes: at most {LARGEST_BYTES:g}"
        raise InputError(message)
    return amounts
