"""A compiled setting: every answer tabulated over sizes, eight knots an octave, read by interpolation.

Time is interpolated in the logarithm of both size and time, so a monotone table stays monotone and
has no jumps; the parts are shares of the time, so they always add up to it.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.cost_model.answer import NO_CHOICE, Codes, Prediction
from core.collectives.formulas.columns import FIGURES

KNOTS_PER_OCTAVE = 8
OCTAVES = 44
KNOT_COUNT = OCTAVES * KNOTS_PER_OCTAVE + 1
KNOT_SIZES = np.exp2(np.arange(KNOT_COUNT) / KNOTS_PER_OCTAVE)
CHUNK = 8192


@dataclass(frozen=True, slots=True)
class CostCurve:
    """
    One setting over KNOT_SIZES; logarithms are base 2, shares are of the time.

    Attributes:
        largest_bytes: The largest message that the basis was measured with.
        basis_beyond: What larger ones rest on.
    """

    log_time: Floats
    log_low: Floats
    log_high: Floats
    log_runner_up: Floats
    launch_share: Floats
    latency_share: Floats
    reduction_share: Floats
    wire_factor: Floats
    algorithm: Codes
    protocol: Codes
    runner_up_algorithm: Codes
    runner_up_protocol: Codes
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[str, ...]
    largest_bytes: float = math.inf
    basis_beyond: str = ""


@dataclass(frozen=True, slots=True)
class TimeCurve:
    """Of a ``CostCurve`` what a search reads: time, the latency among it, and the basis."""

    log_time: Floats
    latency_share: Floats
    basis: str
    largest_bytes: float = math.inf
    basis_beyond: str = ""


FLOAT_FIELDS = (*FIGURES, "runner_up_time_s")
CODE_FIELDS = ("algorithm", "protocol", "runner_up_algorithm", "runner_up_protocol")


def empty_columns(count: int) -> dict[str, NDArray[Any]]:
    """Room for `count` answers."""
    columns: dict[str, NDArray[Any]] = {name: np.empty(count) for name in FLOAT_FIELDS}
    columns.update({name: np.empty(count, np.int8) for name in CODE_FIELDS})
    return columns


def evaluate(curve: CostCurve, sizes: Floats) -> Prediction:
    """Answer an array of sizes of any shape."""
    flat = sizes.ravel()
    if flat.size <= CHUNK:
        columns = _evaluate_chunk(curve, flat)
    else:
        columns = empty_columns(flat.size)
        for start in range(0, flat.size, CHUNK):
            stop = min(start + CHUNK, flat.size)
            for name, part in _evaluate_chunk(curve, flat[start:stop]).items():
                columns[name][start:stop] = part
    shaped = {name: column.reshape(sizes.shape) for name, column in columns.items()}
    return Prediction(
        size_bytes=sizes,
        basis=basis_of(curve, flat),
        warnings=curve.warnings,
        sources=curve.sources,
        **shaped,
    )


def _read(knots: Floats, index: NDArray[np.intp], where: Floats) -> Floats:
    """Knots read between each index and the next one."""
    first = knots.take(index)
    result: Floats = knots.take(index + 1)
    result -= first
    result *= where
    result += first
    return result


def time_and_latency(curve: CostCurve | TimeCurve, sizes: Floats) -> tuple[Floats, Floats]:
    """Seconds of sizes above zero, and how many of them are latency."""
    position = KNOTS_PER_OCTAVE * np.log2(np.maximum(sizes, 1.0))
    index = np.minimum(position.astype(np.intp), KNOT_COUNT - 2)
    offset = position - index

    time: Floats = np.exp2(_read(curve.log_time, index, offset))
    return time, time * _read(curve.latency_share, index, np.minimum(offset, 1.0))


def basis_of(curve: CostCurve | TimeCurve, sizes: Floats) -> str:
    """What answers rest on together: those of a sweep on what some of its sizes were measured with."""
    return curve.basis_beyond if sizes.size and sizes.min() > curve.largest_bytes else curve.basis


def bases_of(curve: CostCurve, sizes: Floats) -> NDArray[np.object_]:
    """What each answer rests on."""
    return np.where(sizes > curve.largest_bytes, curve.basis_beyond, curve.basis).astype(object)


def _evaluate_chunk(curve: CostCurve, sizes: Floats) -> dict[str, NDArray[Any]]:
    position = np.log2(np.maximum(sizes, 1.0))
    position *= KNOTS_PER_OCTAVE
    index = np.minimum(position.astype(np.intp), KNOT_COUNT - 2)
    offset = position - index
    inner = np.minimum(offset, 1.0)
    nothing = sizes <= 0.0
    present = ~nothing if nothing.any() else None

    log_time = _read(curve.log_time, index, offset)
    time = np.exp2(log_time)
    if present is not None:
        time *= present
    launch = time * _read(curve.launch_share, index, inner)
    latency = time * _read(curve.latency_share, index, inner)
    reduction = time * _read(curve.reduction_share, index, inner)
    nearest = index + (inner >= 0.5)
    return {
        "time_s": time,
        "low_s": time * np.exp2(_read(curve.log_low, index, inner)),
        "high_s": time * np.exp2(_read(curve.log_high, index, inner)),
        "launch_s": launch,
        "latency_s": latency,
        "transfer_s": np.maximum(time - launch - latency - reduction, 0.0),
        "reduction_s": reduction,
        "wire_bytes": sizes * curve.wire_factor[nearest],
        "algorithm": curve.algorithm[nearest],
        "protocol": curve.protocol[nearest],
        "runner_up_algorithm": curve.runner_up_algorithm[nearest],
        "runner_up_protocol": curve.runner_up_protocol[nearest],
        "runner_up_time_s": _runner_up(curve, index, offset, present),
    }


def _runner_up(
    curve: CostCurve,
    index: NDArray[np.intp],
    offset: Floats,
    present: NDArray[np.bool_] | None,
) -> Floats:
    time: Floats = np.exp2(_read(curve.log_runner_up, index, offset))
    return time if present is None else time * present


def free_curve(basis: str) -> CostCurve:
    """One rank has nobody to talk to: every answer is zero."""
    zeros = np.zeros(KNOT_COUNT)
    codes = np.zeros(KNOT_COUNT, np.int8)
    none = np.full(KNOT_COUNT, NO_CHOICE, np.int8)
    never = np.full(KNOT_COUNT, -2000.0)
    return CostCurve(
        log_time=never,
        log_low=zeros,
        log_high=zeros,
        log_runner_up=np.full(KNOT_COUNT, np.nan),
        launch_share=zeros,
        latency_share=zeros,
        reduction_share=zeros,
        wire_factor=zeros,
        algorithm=codes,
        protocol=codes,
        runner_up_algorithm=none,
        runner_up_protocol=codes,
        basis=basis,
        warnings=(),
        sources=(),
    )
