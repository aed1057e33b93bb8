"""Number fields that many pages have: counts, shares, efficiencies, bytes of a parameter."""

from typing import overload

from pages.ui.shared import bound

GRADIENT_HELP = "Empty: 4 with ZeRO-1, whose micro-batches are added in FP32, else 2."
PARAMETER_HELP = "Empty: as the software sends them."
WHOLE_GRADIENTS_HELP = "FSDP: whole until the last micro-batch, reduced once a step, at the price of memory."


@overload
def count(label: str, key: str, value: int, *, help: str | None = None) -> int: ...
@overload
def count(label: str, key: str, value: None = None, *, help: str | None = None) -> int | None: ...
def count(label: str, key: str, value: int | None = None, *, help: str | None = None) -> int | None:  # noqa: A002
    """A whole number from 1 on, None while it is empty."""
    return bound.number(label, key, value, low=1, step=1, help=help)


@overload
def share(label: str, key: str, value: float, *, help: str | None = None) -> float: ...
@overload
def share(label: str, key: str, value: None = None, *, help: str | None = None) -> float | None: ...
def share(label: str, key: str, value: float | None = None, *, help: str | None = None) -> float | None:  # noqa: A002
    """A share from 0 to 1 in steps of a tenth, None while it is empty."""
    return bound.number(label, key, value, low=0.0, high=1.0, step=0.1, help=help)


def efficiency(label: str, key: str, *, help: str) -> float | None:  # noqa: A002
    """What is reached of a peak, a share; empty it is None, the fitted one."""
    return bound.number(label, key, None, low=0.01, high=1.1, step=0.05, help=help)


def gradient_bytes(key: str) -> float | None:
    """Bytes in which a gradient is sent; None as the software sends it."""
    return _bytes("Bytes per gradient", key, GRADIENT_HELP)


def parameter_bytes(key: str) -> float | None:
    """Bytes in which a parameter is sent; None as the software sends it."""
    return _bytes("Bytes per parameter", key, PARAMETER_HELP)


def _bytes(label: str, key: str, text: str) -> float | None:
    return bound.number(label, key, None, low=0.5, high=16.0, step=1.0, help=text)


def whole_gradients(key: str) -> bool:
    """Whether FSDP keeps gradients whole until the last micro-batch."""
    return bound.toggle("Whole gradients (no_sync)", key, help=WHOLE_GRADIENTS_HELP)
