"""The interval of a kernel's time, and constants for an engine that is not named."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from core.catalog.calibrations.kernels.shapes import (
    FALLBACK,
    DecodeEngine,
    DecodeKernel,
    PrefillEngine,
    PrefillKernel,
)
from core.checks import choice
from core.errors import InputError
from core.hardware import Gpu
from core.kernels.gemm import ENGINES
from core.kernels.result import KernelTime, is_launch_bound
from core.kernels.shapes import Terms

_E = TypeVar("_E", PrefillEngine, DecodeEngine)


def engine_constants(engines: Mapping[str, _E], engine: str | None, gpu: Gpu | None = None) -> _E:
    """
    Constants of an engine; of None the median of those measured (of two the geometric mean).

    Raises:
        InputError: An engine that nobody measured, on this GPU or at all.
    """
    if engine is not None:
        if engine in ENGINES and engine not in engines:
            raise InputError(_unmeasured(engine, engines, gpu))
        return engines[choice("engine", engine, engines)]
    measured = [entry for name, entry in engines.items() if name != FALLBACK]
    return type(measured[0])(
        **{
            item.name: _median([getattr(entry, item.name) for entry in measured])
            for item in fields(measured[0])
        }
    )


def _unmeasured(engine: str, engines: Mapping[str, _E], gpu: Gpu | None) -> str:
    """That an engine's kernels of this kind were timed elsewhere only, and what can be asked."""
    where = "on this GPU" if gpu is None else f"on GPUs like {gpu.name}"
    others = " or ".join(name for name in engines if name != FALLBACK)
    return f"engine: {engine}'s kernels of this kind were not measured {where}; ask for {others}, or for none"


def _median(values: list[Any]) -> Any:
    """Of switches and counts the lower of the middle."""
    if isinstance(values[0], (bool, int)):
        return sorted(values)[(len(values) - 1) // 2]
    return float(np.exp(np.median(np.log(values))))


def banded(
    terms: Terms, kernel: PrefillKernel | DecodeKernel, engine: str | None, *, measured: bool
) -> KernelTime:
    """The time with its interval: that of the engine, of all, or of a generation that nobody measured."""
    low, high = interval(kernel, engine, measured=measured)
    return KernelTime(
        time_s=terms.time_s,
        low_s=terms.time_s * low,
        high_s=terms.time_s * high,
        compute_bound=terms.compute_s > terms.memory_s,
        launch_bound=is_launch_bound(terms.time_s, terms.compute_s, terms.memory_s),
    )


def interval(
    kernel: PrefillKernel | DecodeKernel, engine: str | None, *, measured: bool
) -> tuple[float, float]:
    """Measured over predicted, 10th and 90th percentile."""
    band = kernel.band
    if not measured:
        return band.new_low, band.new_high
    if engine is None:
        return band.low, band.high
    return kernel.engines[engine].low, kernel.engines[engine].high
