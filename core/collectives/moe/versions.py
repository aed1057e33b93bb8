"""Versions of a library whose kernels changed: DeepEP V1 before 1.1 and from it on."""

import re

from core.checks import InputError

CHANGED_IN = (1, 1)
"""DeepEP: throughput kernels of 2025-04-22 (pull 130), decode over NVLink inside a node of 2025-06-05."""


def numbers(version: str) -> tuple[int, ...]:
    """
    The numbers that a version begins with.

    Raises:
        InputError: It begins with none.
    """
    found = re.match(r"v?(\d+(?:\.\d+)*)", version.strip().lower())
    if found is None:
        message = f"library_version: numbers, as 1.1, not {version!r}"
        raise InputError(message)
    return tuple(int(part) for part in found[1].split("."))


def changed(version: str) -> bool:
    """Whether a version has the newer kernels."""
    return numbers(version) >= CHANGED_IN
