"""Money: what a share of a cluster's time costs, and when a faster fabric has paid for itself."""

from dataclasses import dataclass

from core import units
from core.checks import number

DAYS_PER_MONTH = 30
"""A month of the answers: 30 days, as a cloud invoice counts it."""


@dataclass(frozen=True, slots=True)
class Loss:
    """
    What a lost share of a cluster's time comes to.

    Attributes:
        share: Lost part of the time, 0 to 1.
        gpus: GPUs that are paid for.
        idle_gpus: GPUs that do nothing, in effect.
        gpu_hours_per_day: Paid and lost.
        usd_per_day, usd_per_month: At the price given; a month has 30 days.
    """

    share: float
    gpus: float
    usd_per_gpu_hour: float
    idle_gpus: float
    gpu_hours_per_day: float
    usd_per_day: float
    usd_per_month: float


def loss(share: float, gpus: float, usd_per_gpu_hour: float) -> Loss:
    """
    The cost of losing ``share`` of the time of ``gpus`` GPUs.

    Raises:
        InputError: A share outside 0 to 1, or a negative count or price.
    """
    share = number("share", share, least=0, most=1)
    gpus = number("gpus", gpus, least=0)
    price = number("usd_per_gpu_hour", usd_per_gpu_hour, least=0)
    idle = share * gpus
    hours = idle * units.DAY_S / units.HOUR_S
    return Loss(share, gpus, price, idle, hours, hours * price, hours * price * DAYS_PER_MONTH)


def payback_months(capital_usd: float, saved: Loss) -> float | None:
    """Months of 30 days until ``capital_usd`` is earned back by what is saved; None if never."""
    capital = number("capital_usd", capital_usd, least=0)
    if capital == 0:
        return 0.0
    return capital / saved.usd_per_month if saved.usd_per_month > 0 else None


def worth_usd_per_gpu_hour(usd_per_gpu_hour: float, step_s: float, faster_step_s: float) -> float:
    """
    The price a GPU-hour may rise by for a fabric that shortens a step, at the same cost per step.

    Negative where the other fabric is slower.
    """
    price = number("usd_per_gpu_hour", usd_per_gpu_hour, least=0)
    now = number("step_s", step_s, above=0)
    then = number("faster_step_s", faster_step_s, above=0)
    return price * (now / then - 1)
