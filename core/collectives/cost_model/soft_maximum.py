"""The soft maximum: two limits at once take a little longer than the slower one where they meet."""

from core.checks import Floats

LINKS_SHARPNESS = 6.0
"""Of links in a row that limit a transfer together."""
ENGINE_HOST_SHARPNESS = 6.0
"""Of an engine's host, which launches kernels no faster than its own floor."""
MEASURED_HOST_SHARPNESS = 4.0
"""Of the floor of a measured host under the small messages of one domain."""


def soft_maximum(first_s: Floats, second_s: Floats | float, sharpness: float) -> Floats:
    """The p-norm of two times in seconds with p = ``sharpness``: the longer where one is much longer."""
    total: Floats = first_s**sharpness + second_s**sharpness
    return total ** (1 / sharpness)
