"""nvbandwidth's JSON: cells are texts or ``N/A``, a two-way case stacks three matrices."""

from typing import Any

from core.measurement import Machine, Matrix, Run
from gpu_probe.parsers.limits import CELLS_MOST, COLUMNS_MOST, MATRICES_MOST
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.nvbandwidth import (
    PARTS,
    cuda_version,
    direction_of,
    gpu_counts,
    part_name,
    remark_on_direction,
    unit_of,
)
from gpu_probe.parsers.problem import refuse
from gpu_probe.parsers.reader import Notices

Cell = float | str | None


def is_nvbandwidth_json(value: Any) -> bool:
    """Whether a JSON value is nvbandwidth's report."""
    return isinstance(value, dict) and isinstance(value.get("nvbandwidth"), dict)


def read_nvbandwidth_json(file: str, value: dict[str, Any], *, mended: bool) -> Run:
    """
    The run in one report.

    Raises:
        ParseError: No test case with a matrix; the reason is nvbandwidth's own where it gave one.
    """
    body = value["nvbandwidth"]
    notices = Notices()
    if mended:
        notices.add("truncated", "the file ends early: complete test cases are kept")
    cases = body.get("testcases")
    matrices: list[Matrix] = []
    for case in cases[:MATRICES_MOST] if isinstance(cases, list) else []:
        if isinstance(case, dict):
            case_matrices = _matrices(case, notices)
            matrices += case_matrices
    if sum(len(m.rows) * len(m.columns) for m in matrices) > CELLS_MOST:
        refuse(f"matrices of more than {CELLS_MOST:,} cells")
    if not matrices:
        refuse(f"nvbandwidth JSON without a matrix: {_reason(body, notices)}")
    remark_on_direction(notices, [matrix.name for matrix in matrices], None)
    devices = body.get("GPU Device list")
    texts = [device for device in devices if isinstance(device, str)] if isinstance(devices, list) else []
    code = body.get("CUDA Runtime Version")
    cuda = cuda_version(code) if isinstance(code, int) and not isinstance(code, bool) else None
    machine = Machine(gpu_counts(texts[:COLUMNS_MOST]), driver=_text(body.get("Driver Version")), cuda=cuda)
    version = _text(body.get("version"))
    return Run(
        file,
        "nvbandwidth-json",
        None,
        None,
        machine,
        (),
        tuple(matrices),
        notices.all(),
        tool_version=version,
    )


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value else None


def _reason(body: dict[str, Any], notices: Notices) -> str:
    message = _text(body.get("error")) or _text(body.get("warning"))
    remarks = [notice.message for notice in notices.kept if notice.code in ("tool_error", "waived")]
    return message or (remarks[0] if remarks else "no test case ran")


def _matrices(case: dict[str, Any], notices: Notices) -> list[Matrix]:
    name = _text(case.get("name"))
    if name is None:
        return []
    status = (_text(case.get("status")) or "").lower()
    rows = case.get("bandwidth_matrix")
    if status == "waived":
        notices.add("waived", f"{name} was waived by nvbandwidth")
    elif status not in ("passed", "running", ""):
        message = _text(case.get("error"))
        notices.add("tool_error", f"{name}: {message or status}")
    unit = unit_of(_text(case.get("bandwidth_description")) or "")
    if not isinstance(rows, list) or not rows or unit is None:
        return []
    values = [_row(row, unit[1]) for row in rows if isinstance(row, list) and 0 < len(row) <= COLUMNS_MOST]
    width = len(values[0]) if values else 0
    if not width or any(len(row) != width for row in values):
        notices.add("matrix_uneven", f"{name}: rows of different lengths, dropped")
        return []
    return _stacked(name, unit[0], values, width)


def _row(row: list[Any], scale: float) -> tuple[Cell, ...]:
    figures = (real(str(cell)[:40]) if isinstance(cell, (str, int, float)) else None for cell in row)
    return tuple(None if figure is None else figure * scale for figure in figures)


def _stacked(name: str, kind: str, values: list[tuple[Cell, ...]], width: int) -> list[Matrix]:
    columns = tuple(str(i) for i in range(width))
    if "bidirectional" in name and len(values) == PARTS * width and "device_to_device" in name:
        parts = [(part_name(name, i), values[i * width : (i + 1) * width]) for i in range(PARTS)]
    else:
        parts = [("", values)]
    return [
        Matrix(
            f"{name} {part}".strip(),
            kind,
            direction_of(name, kind, part),
            None,
            tuple(str(i) for i in range(len(rows))),
            columns,
            tuple(rows),
        )
        for part, rows in parts
    ]
