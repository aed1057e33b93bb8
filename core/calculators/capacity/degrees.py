"""Degrees of a capacity layout: copies of attention divide the heads, experts the GPUs of a stage."""

import math

from core.checks import InputError
from core.workload import Model


def check_expert_group(model: Model | None, ep: int | None, stage: int) -> None:
    """
    Refuse experts over GPUs that do not divide those of a pipeline stage.

    Raises:
        InputError: The model has no experts, or the degree does not divide ``stage`` GPUs.
    """
    if ep is None or ep == 1:
        return
    if model is not None and not model.moe:
        message = f"ep: {model.name} has no experts, so only 1, not {ep}"
        raise InputError(message)
    if ep > stage:
        message = f"ep: at most the {stage} GPUs of a pipeline stage, not {ep}"
        raise InputError(message)
    if stage % ep:
        fitting = ", ".join(str(n) for n in divisors(stage))
        message = f"ep: {ep} does not divide the {stage} GPUs of a pipeline stage; one of {fitting}"
        raise InputError(message)


def check_copies(model: Model | None, dp: int, stage: int) -> None:
    """
    Refuse copies of attention whose GPUs do not divide the heads.

    Raises:
        InputError: ``dp`` copies of ``stage`` GPUs have a share that divides no heads.
    """
    heads = model.heads if model else None
    if heads is None:
        return
    if heads % (stage // dp):
        fitting = ", ".join(str(n) for n in divisors(stage) if heads % (stage // n) == 0)
        copies = f"{dp} copies of {stage // dp} GPUs"
        message = f"dp: {copies} do not divide the {heads} heads; one of {fitting}"
        raise InputError(message)


def divisors(number: int) -> list[int]:
    """Every divisor, ascending; by pairs, so that a billion GPUs take no longer than a rack."""
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)})
