"""What a file may be called where its name is kept, listed and printed."""

import unicodedata

from core.errors import InputError

ACTING = frozenset("\u2028\u2029\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs beside control characters that end a line or turn the direction of writing."""
MOST_QUOTED = 80


def file_name(name: str, value: str) -> str:
    """
    What a file is called: nothing in it ends a line, acts on a terminal or turns the writing.

    Args:
        name: Of the argument, for the error.
        value: To check.

    Raises:
        InputError: It holds such a sign.
    """
    if any(unicodedata.category(sign) == "Cc" or sign in ACTING for sign in value):
        message = f"{name}: a name without control characters, not {value[:MOST_QUOTED]!r}"
        raise InputError(message)
    return value
