"""Message sizes typed as text."""

from core.checks import InputError
from core.units import parse_size


def size_of(text: str) -> int:
    """Bytes of a text such as 64 KiB; InputError says what is allowed."""
    try:
        return parse_size(text or "")
    except ValueError as problem:
        raise InputError(str(problem)) from None
