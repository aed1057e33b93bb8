"""What a setting's text means: numbers, where to listen, addresses; a wrong one is told by its name."""

import os
import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from core.errors import InputError

LOOPBACK = "127.0.0.1"
PORT = 8501
MOST_PORT = 2**16 - 1
SHOWN = 40
"""Characters of a wrong value that its error repeats."""
_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_NAME = re.compile(
    r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]{1,45}(%[A-Za-z0-9._-]{1,40})?"
)


def text(name: str, environment: Mapping[str, str]) -> str:
    """A setting without blanks around it; empty where it is not set."""
    return environment.get(name, "").strip()


def whole(name: str, default: int, most: int, environment: Mapping[str, str]) -> int:
    """A whole number from 1 to ``most``; InputError for another."""
    value = text(name, environment)
    if not value:
        return default
    if not (_WHOLE.fullmatch(value) and 0 < int(value) <= most):
        message = f"{name}: a whole number from 1 to {most}, not {value[:SHOWN]!r}"
        raise InputError(message)
    return int(value)


def decimal(value: str) -> float | None:
    """A number above 0 in digits, perhaps with a point; None for anything else."""
    return float(value) if _DECIMAL.fullmatch(value) and float(value) > 0 else None


def port(environment: Mapping[str, str] = os.environ) -> int:
    """PORT, or 8501."""
    return whole("PORT", PORT, MOST_PORT, environment)


def host(environment: Mapping[str, str] = os.environ) -> str:
    """
    HOST, the address to listen on, or 127.0.0.1.

    Raises:
        InputError: Neither an address nor a name.
    """
    value = text("HOST", environment)
    if value and not _NAME.fullmatch(value):
        message = f"HOST: an address or name to listen on, such as 0.0.0.0, not {value[:SHOWN]!r}"
        raise InputError(message)
    return value or LOOPBACK


def web_address(name: str, value: str) -> SplitResult:
    """
    An address of a website: http or https, a name, perhaps a port and a path, and nothing else.

    Args:
        name: Of the setting, for who is told what is wrong.
        value: Its text.

    Raises:
        InputError: Anything else.
    """
    try:
        parts = urlsplit(value)
        port_is_right = parts.port != 0
    except ValueError:
        parts, port_is_right = SplitResult("", "", "", "", ""), False
    is_bare = not (parts.query or parts.fragment) and parts.username is None
    is_plain = value.isascii() and value.isprintable() and " " not in value
    named = _NAME.fullmatch(parts.hostname or "") and parts.scheme in {"http", "https"}
    if not (named and port_is_right and is_bare and is_plain):
        message = f"{name}: an address such as https://wirespeed.example.com, not {value[:SHOWN]!r}"
        raise InputError(message)
    return parts
