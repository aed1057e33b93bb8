"""The interval of a kernel's time, and constants for an engine that is not named."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TypeVar

import numpy as np

from core.catalog.calibrations.kernels.shapes import FALLBACK, Band, DecodeEngine, PrefillEngine
from core.checks import choice
from core.kernels.result import KernelTime
from core.kernels.shapes import Terms

_E = TypeVar("_E", PrefillEngine, DecodeEngine)


def engine_constants(engines: Mapping[str, _E], engine: str | None) -> _E:
    """
    Constants of an engine; of None the median of those measured (of two the geometric mean).

    Raises:
        InputError: An engine that nobody measured.
    """
    if engine is not None:
        return engines[choice("engine", engine, engines)]
    measured = [entry for name, entry in engines.items() if name != FALLBACK]
    return type(measured[0])(
        **{
            item.name: _median([getattr(entry, item.name) for entry in measured])
            for item in fields(measured[0])
        }
    )


def _median(values: list[float]) -> float:
    """Of switches and counts the lower of the middle."""
    if isinstance(values[0], (bool, int)):
        return sorted(values)[(len(values) - 1) // 2]
    return float(np.exp(np.median(np.log(values))))


def banded(terms: Terms, band: Band, *, measured: bool, engine: str | None) -> KernelTime:
    """The time with its interval: wider without an engine, widest for a generation that nobody measured."""
    low, high = band.of(named=engine is not None, measured=measured)
    return KernelTime(
        time_s=terms.time_s,
        low_s=terms.time_s * low,
        high_s=terms.time_s * high,
        compute_bound=terms.compute_s > terms.memory_s,
    )
