"""Kernel summaries of Nsight Systems: the CSV of its window, and table, CSV or JSON of ``nsys stats``."""

import math
import re

from core.errors import InputError
from core.traces.names import is_collective_kernel, kernel_operation
from core.traces.records import Job, SummaryRow
from core.traces.tables import rows
from core.traces.unpacking import Source

NAN = float("nan")
_UNITS = {"ns": 1e-9, "us": 1e-6, "μs": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
_CELL = re.compile(r"([\d.,]+)\s*([a-zμµ]*)")
NAME_MOST = 1000
HEADING_MOST = 200
_KEYS = ({"Total Time", "Instances", "Name"}, {"Total Time", "Instances", "Category", "Operation"})
_KERNELS = "CUDA_KERNEL"


def is_header(cells: list[str]) -> bool:
    """Whether these are the columns of a kernel summary, or of one of all work on the GPU."""
    told = {column(cell) for cell in cells}
    return any(told >= keys for keys in _KEYS)


def read_nsys(source: Source) -> Job:
    """
    Totals by kernel; a cell of the window's CSV bears its own unit, elsewhere the column does.

    Raises:
        InputError: It is no kernel summary, or a time has no known unit.
    """
    table = rows(source, is_header)
    summary, total_s = [], 0.0
    for row in table:
        cells = {column(name): (value, unit(name)) for name, value in row.items()}
        if cells.get("Category", (_KERNELS, ""))[0] != _KERNELS:
            continue
        name = (cells["Name"] if "Name" in cells else cells["Operation"])[0][:NAME_MOST]
        if not re.fullmatch(r"\d[\d,]{0,17}", cells["Instances"][0]):
            continue
        time_s = seconds(*cells["Total Time"], source.name)
        total_s += time_s
        if is_collective_kernel(name):
            summary.append(_row(name, cells, time_s, source.name))
    if not total_s:
        message = f"{source.name}: a kernel summary without kernels"
        raise InputError(message)
    notes = ("A kernel summary tells no single calls, bytes, groups or ranks.",)
    return Job("nsys-summary", (), summary=tuple(summary), summary_kernels_s=total_s, notes=notes)


def _row(name: str, cells: dict[str, tuple[str, str]], time_s: float, source: str) -> SummaryRow:
    def cell(*keys: str) -> float:
        return next((seconds(*cells[key], source) for key in keys if key in cells), NAN)

    return SummaryRow(
        operation=kernel_operation(name),
        kernel=name,
        rank=None,
        group=-1,
        bytes_in=-1,
        bytes_out=-1,
        dtype="",
        count=int(cells["Instances"][0].replace(",", "")),
        total_s=time_s,
        mean_s=cell("Avg", "Average"),
        low_s=cell("Min", "Minimum"),
        high_s=cell("Max", "Maximum"),
        bus_bytes_per_s=NAN,
    )


def column(name: str) -> str:
    """A column's name without its unit; nothing for a cell too long to be a name."""
    plain = name[: HEADING_MOST + 1].strip()
    if len(plain) > HEADING_MOST:
        return ""
    return plain.partition("(")[0].rstrip() if plain.endswith(")") else plain


def unit(name: str) -> str:
    """The unit of a column's name; ns where it bears none."""
    match = re.search(r"\((\w{1,20})\)$", name.strip())
    return match.group(1) if match else "ns"


def seconds(text: str, in_unit: str, name: str) -> float:
    """
    The time in a cell, in its own unit or that of its column.

    Raises:
        InputError: It is no time.
    """
    match = _CELL.fullmatch(text.strip())
    factor = _UNITS.get((match.group(2) or in_unit) if match else "")
    digits = match.group(1).replace(",", "") if match else ""
    if factor is None or not re.fullmatch(r"\d+(?:\.\d*)?|\.\d+", digits):
        message = f"{name}: {text[:40]!r} is no time"
        raise InputError(message)
    value_s = float(digits) * factor
    if not math.isfinite(value_s):
        message = f"{name}: {text[:40]!r} is no time"
        raise InputError(message)
    return value_s
