"""Secrets of the settings: from their variable, or from a file."""

import os
from collections.abc import Mapping
from pathlib import Path

from core.errors import InputError

FROM_FILE = "_FILE"


def secret(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """
    A secret, from its variable or else from the file that NAME_FILE names; None where neither is set.

    Raises:
        InputError: The file cannot be read or is empty.
    """
    value = environment.get(name, "").strip()
    file = environment.get(name + FROM_FILE, "").strip()
    if value or not file:
        return value or None
    try:
        value = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        message = f"{name}{FROM_FILE}: {file} cannot be read: {reason}"
        raise InputError(message) from None
    if not value:
        message = f"{name}{FROM_FILE}: {file} is empty"
        raise InputError(message)
    return value
