"""Stragglers: how long all ranks wait for the slowest of n, at a stated percentile."""

from statistics import NormalDist

from core.checks import count, number


def wait_s(backward_s: float, spread: float, ranks: int, percentile: float = 0.5) -> float:
    """
    Seconds by which the slowest of ``ranks`` ranks is later than the average one.

    Each rank's time is taken as normal and independent with standard deviation
    ``spread * backward_s``; the answer holds in ``percentile`` of the steps:
    ``z = inverse_normal(percentile ** (1 / ranks))``. Never below zero.

    Args:
        backward_s: Seconds that the average rank takes.
        spread: Standard deviation over that time.
        ranks: Ranks that wait for one another.
        percentile: Share of the steps in which the wait is no longer.

    Raises:
        InputError: A value outside its range.
    """
    seconds = number("backward_s", backward_s, least=0)
    deviation = number("spread", spread, least=0)
    share = number("percentile", percentile, above=0, most=0.9999)
    ranks = count("ranks", ranks)
    if deviation == 0 or seconds == 0 or ranks == 1:
        return 0.0
    return max(0.0, NormalDist().inv_cdf(share ** (1 / ranks))) * deviation * seconds
