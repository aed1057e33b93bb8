"""CSV-shaped questions: a million rows are grouped by setting and each group answered at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.catalog.gpus import GPUS
from core.checks import Floats, InputError, choice, count, number
from core.collectives.cost_model import mesh
from core.collectives.cost_model.answer import Choices, Labels, Prediction, label_array
from core.collectives.cost_model.communicator import (
    FASTEST_BYTES_PER_S,
    SLOWEST_BYTES_PER_S,
    catalog_bytes_per_s,
    family_of,
    named_link,
    own_link,
)
from core.collectives.cost_model.compiler import compiled
from core.collectives.cost_model.curve import CODE_FIELDS, FLOAT_FIELDS, bases_of, evaluate
from core.collectives.cost_model.grouping import group_rows
from core.collectives.cost_model.setting import ALGORITHMS, LARGEST_BYTES, Point, Setting
from core.hardware import Family
from core.units import GB

REQUIRED = ("gpu", "scale_up_link", "domain_gpus", "domains", "collective", "size_bytes")
SCALE_UP_RATE, SCALE_OUT_RATE = "scale_up_GBps_per_gpu", "scale_out_GBps_per_gpu"
IN_NETWORK = "in_network_reduction"
NCCL_NAMES = {"collnetchain": "sharp", "collnetdirect": "sharp"}
"""NCCL's names of algorithms that this model calls otherwise."""
ASKED_ALGORITHM, ALGORITHM = "asked_algorithm", "algorithm"
"""What a row asks for, and the answer's column, which asks where no answer stands before it."""
OPTIONAL = (
    "scale_out_link",
    SCALE_OUT_RATE,
    SCALE_UP_RATE,
    "implementation",
    "launch",
    "dtype",
    "ranks",
    ASKED_ALGORITHM,
    ALGORITHM,
    "nvls",
    IN_NETWORK,
    mesh.COLUMN,
)
SWITCHES = {"on": True, "off": False, "true": True, "false": False, "1": True, "0": False}
"""A cell about in-network reduction: ``nvls`` inside (empty: as such GPUs have it), SHARP across (no)."""
COLUMN_OF = {"scale_up_bytes_per_s": SCALE_UP_RATE, "scale_out_bytes_per_s_per_gpu": SCALE_OUT_RATE}
"""The columns that speak of a rate in GB/s where a Setting counts bytes/s."""

Column = NDArray[Any] | Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnAnswers(Choices):
    """One answer a row, in order; a row that cannot be answered is NaN and says why in `basis`."""

    basis: NDArray[np.object_]
    errors: int


def predict_columns(columns: Mapping[str, Column], points: Sequence[Point] = ()) -> ColumnAnswers:
    """
    Answer rows given as columns named as in the `predict` contract.

    Raises:
        InputError: A required column is missing, or columns differ in length; a bad value spoils only
            its own row.
    """
    arrays = _arrays(columns)
    sizes, no_size = _sizes(arrays.pop("size_bytes"))
    floats = {name: np.full(sizes.size, np.nan) for name in FLOAT_FIELDS}
    codes = {name: np.full(sizes.size, -1, np.int8) for name in CODE_FIELDS}
    basis = np.full(sizes.size, "", object)
    for rows in group_rows(list(arrays.values()), sizes.size):
        basis[rows], answer = _answer_group(arrays, rows, sizes, tuple(points))
        if answer is not None:
            for name in FLOAT_FIELDS:
                floats[name][rows] = getattr(answer, name)
            for name in CODE_FIELDS:
                codes[name][rows] = getattr(answer, name)
    basis[no_size & np.isfinite(floats["time_s"])] = (
        "error: size_bytes must be finite and zero or more, at most 1e18"
    )
    refused = _refuse_protocols(
        arrays, floats["time_s"], label_array(codes["algorithm"], codes["protocol"]), basis
    )
    for float_column in floats.values():
        float_column[no_size | refused] = np.nan
    for code_column in codes.values():
        code_column[no_size | refused] = -1
    errors = int(np.isnan(floats["time_s"]).sum())
    figures: dict[str, Any] = {**floats, **codes}
    return ColumnAnswers(**figures, basis=basis, errors=errors)


def _refuse_protocols(
    arrays: Mapping[str, NDArray[Any]], time_s: Floats, labels: Labels, basis: NDArray[np.object_]
) -> NDArray[np.bool_]:
    """Rows that ask for a protocol, as ``ring/LL``, where another runs: the library chooses it by size."""
    refused = np.zeros(labels.shape, np.bool_)
    for name in (ASKED_ALGORITHM, ALGORITHM):
        texts = arrays[name].astype(np.str_) if name in arrays else np.full(labels.shape, "")
        for row in np.flatnonzero((np.char.find(texts, "/") >= 0) & (time_s > 0)).tolist():
            if texts[row].strip().lower() != labels[row].lower():
                refused[row] = True
                basis[row] = f"error: {name}: {labels[row]} runs there, not {texts[row].strip()}"
    return refused


def _arrays(columns: Mapping[str, Column]) -> dict[str, NDArray[Any]]:
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        message = f"missing column: {', '.join(missing)} (required: {', '.join(REQUIRED)})"
        raise InputError(message)
    arrays = {name: np.asarray(columns[name]) for name in (*REQUIRED, *OPTIONAL) if name in columns}
    rows = arrays["size_bytes"].size
    for name, array in arrays.items():
        if array.ndim != 1 or array.size != rows:
            message = f"column {name}: one-dimensional and as long as size_bytes ({rows} rows)"
            raise InputError(message)
    return arrays


def _sizes(column: NDArray[Any]) -> tuple[Floats, NDArray[np.bool_]]:
    """Sizes as floats, and which of them are no sizes at all."""
    try:
        sizes = column.astype(np.float64)
    except (TypeError, ValueError):
        sizes = np.array([_float_or_nan(value) for value in column])
    no_size = ~((sizes >= 0) & (sizes <= LARGEST_BYTES))
    return np.where(no_size, 1.0, sizes), no_size


def _float_or_nan(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


def _answer_group(
    arrays: Mapping[str, NDArray[Any]],
    rows: NDArray[np.intp],
    sizes: Floats,
    points: tuple[Point, ...],
) -> tuple[NDArray[np.object_] | str, Prediction | None]:
    """Bases and answer of rows of one setting, or the reason why there is none."""
    row = {name: array[rows[0]] for name, array in arrays.items()}
    try:
        curve = compiled(row_setting(row), points)
    except InputError as problem:
        text = in_columns(problem)
        if text.startswith(f"{ALGORITHM}:"):
            text = text.replace(ALGORITHM, _algorithm_column(row), 1)
        return f"error: {text}", None
    return bases_of(curve, sizes[rows]), evaluate(curve, sizes[rows])


def in_columns(problem: InputError) -> str:
    """A refusal in the names of the columns."""
    text = str(problem)
    for name, column in COLUMN_OF.items():
        text = text.replace(name, column)
    return text


def row_setting(row: Mapping[str, Any]) -> Setting:
    """The setting of one row; an empty cell means the default, and so does the catalog's own rate."""
    cells = {name: _cell(value) for name, value in row.items()}
    domain_gpus = _whole("domain_gpus", cells["domain_gpus"])
    domains = _whole("domains", cells["domains"])
    if cells.get("ranks") is not None:
        ranks = _whole("ranks", cells["ranks"])
        if ranks != domain_gpus * domains:
            message = f"ranks: domain_gpus x domains = {domain_gpus * domains}, not {ranks}"
            raise InputError(message)
    gpu = _text("gpu", cells["gpu"])
    link = _text("scale_up_link", cells["scale_up_link"] or own_link(gpu, domain_gpus))
    scale_up_link = named_link(gpu, link)
    collective = _text("collective", cells["collective"])
    peers = 1 if collective == "send_recv" and domains == 1 else domain_gpus - 1
    reached = _reached(cells, gpu, scale_up_link, domain_gpus, peers)
    return Setting(
        gpu=gpu,
        scale_up_link=reached.link,
        domain_gpus=domain_gpus,
        domains=domains,
        scale_out_link=cells.get("scale_out_link"),
        scale_out_bytes_per_s_per_gpu=_rate(cells, SCALE_OUT_RATE),
        collective=collective,
        implementation=cells.get("implementation") or _library(gpu, scale_up_link),
        launch=cells.get("launch") or "stream",
        dtype=cells.get("dtype") or "half",
        scale_up_bytes_per_s=reached.bytes_per_s,
        algorithm=_algorithm(cells),
        nvls=_adds("nvls", cells.get("nvls")),
        in_network_reduction=bool(_adds(IN_NETWORK, cells.get(IN_NETWORK))),
    )


def _reached(cells: Mapping[str, Any], gpu: str, link: str, domain_gpus: int, peers: int) -> mesh.Reached:
    """The link between the GPUs taking part, and its rate where that is not the catalog's."""
    topology, rate = cells.get(mesh.COLUMN), _rate(cells, SCALE_UP_RATE)
    if topology is not None and peers > 0:
        rate = rate or catalog_bytes_per_s(gpu, link)
    return mesh.reached(None if topology is None else str(topology), gpu, link, domain_gpus, peers, rate)


def _algorithm(cells: Mapping[str, Any]) -> str:
    """An algorithm as NCCL or an answer spells it, ``Ring`` or ``ring/LL128``; ``auto`` where empty."""
    column = _algorithm_column(cells)
    value = cells.get(column)
    name = "auto" if value is None else str(value).partition("/")[0].strip().lower()
    return choice(column, NCCL_NAMES.get(name, name), ("auto", *ALGORITHMS[1:]))


def _algorithm_column(cells: Mapping[str, Any]) -> str:
    """The column that asks for the algorithm of a row."""
    return ALGORITHM if _cell(cells.get(ASKED_ALGORITHM)) is None else ASKED_ALGORITHM


def _adds(column: str, value: Any) -> bool | None:
    return None if value is None else SWITCHES[choice(column, str(value).lower(), SWITCHES)]


def _library(gpu: str, scale_up_link: str) -> str:
    """RCCL on AMD's GPUs, which the link of an unknown GPU tells; NCCL on all others."""
    amd = GPUS[gpu].vendor == "AMD" if gpu in GPUS else family_of(scale_up_link) is Family.INFINITY_FABRIC
    return "rccl" if amd else "nccl"


def _cell(value: Any) -> Any:
    """None for an empty cell (empty text, None or NaN); text is stripped."""
    if value is None or (isinstance(value, float | np.floating) and np.isnan(value)):
        return None
    if isinstance(value, str):
        return value.strip() or None
    return value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        message = f"{name} must be given"
        raise InputError(message)
    return str(value)


def _whole(name: str, value: Any) -> int:
    real = _float_or_nan(value)
    if np.isnan(real):
        message = f"{name}: a whole number of at least 1, not {value!s}"
        raise InputError(message)
    return count(name, real)


def _rate(cells: Mapping[str, Any], name: str) -> float | None:
    """A rate in bytes/s from a column in GB/s; None where the cell is empty."""
    value = cells.get(name)
    if value is None:
        return None
    real = _float_or_nan(value)
    if np.isnan(real):
        message = f"{name}: a number of GB/s above 0, not {value!s}"
        raise InputError(message)
    return number(name, real, least=SLOWEST_BYTES_PER_S / GB, most=FASTEST_BYTES_PER_S / GB) * GB
