"""CSV-shaped questions: a million rows are grouped by setting and each group answered at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.collectives.cost_model.answer import label_array
from core.collectives.cost_model.compiler import compiled
from core.collectives.cost_model.curve import CODE_FIELDS, FLOAT_FIELDS, evaluate
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.setting import (
    FASTEST_BYTES_PER_S,
    LARGEST_BYTES,
    SLOWEST_BYTES_PER_S,
    Point,
    Setting,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int8]
else:
    Floats = Codes = Any

REQUIRED = ("gpu", "scale_up_link", "domain_gpus", "domains", "collective", "size_bytes")
OPTIONAL = (
    "scale_out_link",
    "scale_out_GBps_per_gpu",
    "implementation",
    "launch",
    "dtype",
    "ranks",
)
GB = 1e9


@dataclass(frozen=True, slots=True)
class ColumnAnswers:
    """One answer a row, in order; a row that cannot be answered is NaN and says why in `basis`."""

    time_s: Floats
    low_s: Floats
    high_s: Floats
    launch_s: Floats
    latency_s: Floats
    transfer_s: Floats
    reduction_s: Floats
    wire_bytes: Floats
    runner_up_time_s: Floats
    algorithm: Codes
    protocol: Codes
    runner_up_algorithm: Codes
    runner_up_protocol: Codes
    basis: NDArray[Any]
    errors: int

    def labels(self) -> NDArray[Any]:
        """The choice of each row as `ring/LL128`; empty where there is no answer."""
        return label_array(self.algorithm, self.protocol)


def predict_columns(
    columns: Mapping[str, NDArray[Any] | Sequence[Any]], points: Sequence[Point] = ()
) -> ColumnAnswers:
    """Answer rows given as columns named as in the `predict` contract.

    Raises CostModelError for a missing required column or columns of different lengths; a bad
    value spoils only its own row.
    """
    arrays = _arrays(columns)
    sizes, size_problem = _sizes(arrays.pop("size_bytes"))
    count = sizes.size
    floats = {name: np.full(count, np.nan) for name in FLOAT_FIELDS}
    codes = {name: np.full(count, -1, np.int8) for name in CODE_FIELDS}
    basis = np.full(count, "", object)
    order, starts = _groups(arrays, count)
    for start, stop in zip(starts, [*starts[1:], count][: len(starts)], strict=True):
        rows = order[start:stop]
        basis[rows], answer = _answer_group(arrays, rows, sizes, tuple(points))
        if answer is not None:
            for name in FLOAT_FIELDS:
                floats[name][rows] = getattr(answer, name)
            for name in CODE_FIELDS:
                codes[name][rows] = getattr(answer, name)
    bad = size_problem & np.isfinite(floats["time_s"])
    basis[bad] = "error: size_bytes must be finite and zero or more, at most 1e18"
    for column in floats.values():
        column[size_problem] = np.nan
    for column in codes.values():
        column[size_problem] = -1
    errors = int(np.isnan(floats["time_s"]).sum())
    answers: dict[str, Any] = {**floats, **codes}
    return ColumnAnswers(**answers, basis=basis, errors=errors)


def _arrays(columns: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        msg = f"missing column: {', '.join(missing)} (required: {', '.join(REQUIRED)})"
        raise CostModelError(msg)
    present = (*REQUIRED, *OPTIONAL)
    arrays = {name: np.asarray(columns[name]) for name in present if name in columns}
    count = arrays["size_bytes"].size
    for name, array in arrays.items():
        if array.ndim != 1 or array.size != count:
            msg = f"column {name} must be one-dimensional and as long as size_bytes ({count} rows)"
            raise CostModelError(msg)
    return arrays


def _sizes(column: NDArray[Any]) -> tuple[Floats, NDArray[np.bool_]]:
    """Sizes as floats, and which of them are no sizes at all."""
    try:
        sizes = column.astype(np.float64)
    except (TypeError, ValueError):
        sizes = np.array([_float_or_nan(value) for value in column])
    problem = ~((sizes >= 0) & (sizes <= LARGEST_BYTES))
    return np.where(problem, 1.0, sizes), problem


def _float_or_nan(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return np.nan


def _groups(arrays: Mapping[str, NDArray[Any]], count: int) -> tuple[NDArray[np.intp], list[int]]:
    """Rows ordered by setting, and where each setting starts."""
    if count == 0:
        return np.empty(0, np.intp), []
    key = np.zeros(count, np.uint64)
    for array in arrays.values():
        for words in _as_words(array):
            key = _mix(key, words)
    order = np.argsort(key, kind="stable")
    changes = np.flatnonzero(np.diff(key[order])) + 1
    return order, [0, *changes.tolist()]


def _as_words(array: NDArray[Any]) -> list[NDArray[np.uint64]]:
    """A column as 64-bit words a row, whatever its type."""
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    if array.dtype.kind == "f":
        return [np.ascontiguousarray(array, np.float64).view(np.uint64)]
    if array.dtype.kind == "O":
        array = np.array(["" if value is None else str(value) for value in array.tolist()])
    text = np.ascontiguousarray(array.astype(np.str_))
    letters = text.view(np.uint32).reshape(text.size, -1)
    return [letters[:, i].astype(np.uint64) for i in range(letters.shape[1])]


def _mix(key: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One step of a 64-bit hash (splitmix64's multiplier and shift)."""
    mixed = (key ^ words) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(29))


def _answer_group(
    arrays: Mapping[str, NDArray[Any]],
    rows: NDArray[np.intp],
    sizes: Floats,
    points: tuple[Point, ...],
) -> tuple[str, Any]:
    try:
        setting = row_setting({name: array[rows[0]] for name, array in arrays.items()})
        curve = compiled(setting, points)
    except CostModelError as problem:
        return f"error: {in_columns(problem)}", None
    answer = evaluate(curve, sizes[rows])
    return curve.basis, answer


def in_columns(problem: CostModelError) -> str:
    """A refusal in the names of the columns."""
    text = str(problem).replace("scale_out_bytes_per_s_per_gpu", "scale_out_GBps_per_gpu")
    return text.replace("give scale_up_bytes_per_s, or one of", "one of")


def row_setting(row: Mapping[str, Any]) -> Setting:
    """The setting of one row of names, numbers or texts; an empty cell means the default."""
    cells = {name: _cell(value) for name, value in row.items()}
    domain_gpus = _whole("domain_gpus", cells["domain_gpus"])
    domains = _whole("domains", cells["domains"])
    if cells.get("ranks") is not None:
        ranks = _whole("ranks", cells["ranks"])
        if ranks != domain_gpus * domains:
            msg = f"ranks must be domain_gpus x domains = {domain_gpus * domains}, not {ranks}"
            raise CostModelError(msg)
    rate = cells.get("scale_out_GBps_per_gpu")
    gpu = _text("gpu", cells["gpu"])
    implementation = cells.get("implementation")
    return Setting(
        gpu=gpu,
        scale_up_link=_text("scale_up_link", cells["scale_up_link"]),
        domain_gpus=domain_gpus,
        domains=domains,
        scale_out_link=cells.get("scale_out_link"),
        scale_out_bytes_per_s_per_gpu=None if rate is None else _rate(rate),
        collective=_text("collective", cells["collective"]),
        implementation=implementation or ("rccl" if gpu.startswith("mi") else "nccl"),
        launch=cells.get("launch") or "stream",
        dtype=cells.get("dtype") or "half",
    )


def _cell(value: object) -> Any:
    """None for an empty cell (empty text, None or NaN); text is stripped."""
    if value is None or (isinstance(value, float | np.floating) and np.isnan(value)):
        return None
    if isinstance(value, str):
        return value.strip() or None
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        msg = f"{name} must be given"
        raise CostModelError(msg)
    return str(value)


def _whole(name: str, value: object) -> int:
    number = _float_or_nan(value)
    if not (np.isfinite(number) and number == int(number) and number >= 1):
        msg = f"{name} must be a whole number of at least 1, not {value!s}"
        raise CostModelError(msg)
    return int(number)


def _rate(value: object) -> float:
    number = _float_or_nan(value)
    if not SLOWEST_BYTES_PER_S <= number * GB <= FASTEST_BYTES_PER_S:
        msg = f"scale_out_GBps_per_gpu must be a positive number, 1e-9 to 1e9, not {value!s}"
        raise CostModelError(msg)
    return number * GB
