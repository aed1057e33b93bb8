"""What a million tokens cost at a price per GPU-hour."""

from core import units
from core.checks import number

MILLION = 1e6


def usd_per_million_tokens(usd_per_gpu_hour: float, tokens_per_s_per_gpu: float) -> float | None:
    """
    Dollars of a million tokens on GPUs that each make so many a second; None where they make none.

    Raises:
        InputError: A negative price or rate.
    """
    price = number("usd_per_gpu_hour", usd_per_gpu_hour, least=0)
    rate = number("tokens_per_s_per_gpu", tokens_per_s_per_gpu, least=0)
    return price / (rate * units.HOUR_S) * MILLION if rate > 0 else None
