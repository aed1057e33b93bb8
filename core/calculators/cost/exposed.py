"""Cost of exposed communication in GPU-hours and dollars, and the payback of a faster interconnect."""

from dataclasses import dataclass

from core import units
from core.checks import number

DAYS_PER_MONTH = 30
"""Days of a month, as a cloud invoice counts it."""

EXPOSED_TIMES, EXPOSED_POINTS = 1.35, 0.01
"""Interval of an exposed share: times and divided by the first, and the second (of the step) to either side.
Of the published losses of scaling 75 to 90 % lie inside (docs/MODEL-TRAINING.md)."""


@dataclass(frozen=True, slots=True)
class Loss:
    """
    Cost of the share of a cluster's time in which GPUs wait.

    Attributes:
        share: Lost part of the time, 0 to 1.
        gpus: GPUs that are paid for.
        usd_per_gpu_hour: Price of a GPU-hour in dollars.
        idle_gpus: GPUs that wait all the time, in effect.
        gpu_hours_per_day: Paid for and lost.
        usd_per_day, usd_per_month: At that price; a month has 30 days.
        share_low, share_high: Prediction interval of ``share``; a known share is both.
        usd_per_day_low, usd_per_day_high, usd_per_month_low, usd_per_month_high: Of the dollars.
    """

    share: float
    gpus: float
    usd_per_gpu_hour: float
    idle_gpus: float
    gpu_hours_per_day: float
    usd_per_day: float
    usd_per_month: float
    share_low: float
    share_high: float
    usd_per_day_low: float
    usd_per_day_high: float
    usd_per_month_low: float
    usd_per_month_high: float


def exposed_interval(share: float, *, communicates: bool) -> tuple[float, float]:
    """Prediction interval of the exposed share of a step, as published runs have it; 0 without messages."""
    if not communicates:
        return 0.0, 0.0
    low = max(0.0, share / EXPOSED_TIMES - EXPOSED_POINTS)
    return low, min(1.0, share * EXPOSED_TIMES + EXPOSED_POINTS)


def loss(
    share: float, gpus: float, usd_per_gpu_hour: float, interval: tuple[float, float] | None = None
) -> Loss:
    """
    Cost of losing ``share`` of the time of ``gpus`` GPUs: idle GPUs x 24 hours x price per day.

    ``interval`` is that of the share; None where it is known.

    Raises:
        InputError: A share outside 0 to 1, or a negative count or price.
    """
    share = number("share", share, least=0, most=1)
    gpus = number("gpus", gpus, least=0)
    price = number("usd_per_gpu_hour", usd_per_gpu_hour, least=0)
    low, high = (share, share) if interval is None else interval
    usd_per_day = gpus * units.DAY_S / units.HOUR_S * price
    idle = share * gpus
    return Loss(
        share=share,
        gpus=gpus,
        usd_per_gpu_hour=price,
        idle_gpus=idle,
        gpu_hours_per_day=idle * units.DAY_S / units.HOUR_S,
        usd_per_day=share * usd_per_day,
        usd_per_month=share * usd_per_day * DAYS_PER_MONTH,
        share_low=low,
        share_high=high,
        usd_per_day_low=low * usd_per_day,
        usd_per_day_high=high * usd_per_day,
        usd_per_month_low=low * usd_per_day * DAYS_PER_MONTH,
        usd_per_month_high=high * usd_per_day * DAYS_PER_MONTH,
    )


def payback_months(capital_usd: float, saved: Loss) -> float | None:
    """
    Months of 30 days until what is saved has paid ``capital_usd``; None if never.

    Raises:
        InputError: Negative capital.
    """
    capital = number("capital_usd", capital_usd, least=0)
    if capital == 0:
        return 0.0
    return capital / saved.usd_per_month if saved.usd_per_month > 0 else None


def worth_usd_per_gpu_hour(usd_per_gpu_hour: float, step_s: float, faster_step_s: float) -> float:
    """
    Dollars by which a GPU-hour may cost more with an interconnect that shortens a step.

    The cost of a step stays the same: ``price x (step / faster step - 1)``; negative where the other
    interconnect is slower.

    Raises:
        InputError: A negative price, or a step of no time.
    """
    price = number("usd_per_gpu_hour", usd_per_gpu_hour, least=0)
    current_s = number("step_s", step_s, above=0)
    faster_s = number("faster_step_s", faster_step_s, above=0)
    return price * (current_s / faster_s - 1)
