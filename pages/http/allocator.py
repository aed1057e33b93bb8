"""Memory of large uploads goes back to the system at once. Standard library only."""

import ctypes

LARGE_BYTES = 4_000_000
"""From this size on a block is mapped for itself; the bodies of smaller uploads are found again in the heap."""
_TRIM, _MAP = -1, -3
"""glibc's M_TRIM_THRESHOLD and M_MMAP_THRESHOLD."""


def return_large_blocks() -> bool:
    """
    From now on a block of LARGE_BYTES leaves the process as soon as it is freed; whether the C library can.

    Left alone, glibc takes blocks of up to 32 MB from its heaps once one of that size was freed. What lies behind
    such a block keeps it from the system, in as many heaps as there are threads.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_MAP, LARGE_BYTES) and mallopt(_TRIM, 2 * LARGE_BYTES))
