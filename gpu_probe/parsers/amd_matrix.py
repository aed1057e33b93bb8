"""What rocm-bandwidth-test and TransferBench share: a table of CPUs and GPUs, cut by kind of copy."""

from dataclasses import dataclass

from core.measurement import Matrix
from gpu_probe.parsers.grid import Cell, Grid

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Device:
    """A row or column of the table: what the tool calls it, and whether it is a GPU."""

    name: str
    is_gpu: bool


def matrices_of(
    grid: Grid, rows: list[Device], columns: list[Device], *, peer_access: bool | None
) -> list[Matrix]:
    """
    The copies of a table between GPUs, from and to the host, each as a table of its own.

    Host copies have a row for each CPU and a column for each GPU, as nvbandwidth prints them.

    Args:
        grid: The table, with all its cells.
        rows: What its rows are, in their order.
        columns: Likewise its columns.
        peer_access: Whether the GPUs copy directly; None where the tool does not say.
    """
    gpu_rows = [place for place, device in enumerate(rows) if device.is_gpu]
    gpu_columns = [place for place, device in enumerate(columns) if device.is_gpu]
    cpu_rows = [place for place, device in enumerate(rows) if not device.is_gpu]
    cpu_columns = [place for place, device in enumerate(columns) if not device.is_gpu]
    between = _cut(grid, gpu_rows, gpu_columns)
    to_device = _cut(grid, cpu_rows, gpu_columns)
    to_host = [list(cells) for cells in zip(*_cut(grid, gpu_rows, cpu_columns), strict=True)]
    found = []
    if len(gpu_rows) >= _PAIR and len(gpu_columns) >= _PAIR:
        names = [rows[place].name for place in gpu_rows], [columns[place].name for place in gpu_columns]
        found.append(_matrix(grid, grid.name, names, between, peer_access=peer_access))
    tables: tuple[tuple[str, list[list[Cell]], list[Device], list[Device]], ...] = (
        ("host_to_device_memcpy", to_device, [rows[i] for i in cpu_rows], [columns[i] for i in gpu_columns]),
        ("device_to_host_memcpy", to_host, [columns[i] for i in cpu_columns], [rows[i] for i in gpu_rows]),
    )
    if grid.direction == "both_ways":
        tables = (("copy with the host,", *tables[0][1:]),)
    for title, cells, cpus, gpus in tables:
        if any(isinstance(cell, float) for row in cells for cell in row):
            names = [device.name for device in cpus], [device.name for device in gpus]
            found.append(_matrix(grid, f"{title} {grid.name}", names, cells, peer_access=None))
    return found


def _cut(grid: Grid, rows: list[int], columns: list[int]) -> list[list[Cell]]:
    return [[grid.values[row][column] for column in columns] for row in rows if columns]


def _matrix(
    grid: Grid,
    name: str,
    names: tuple[list[str], list[str]],
    cells: list[list[Cell]],
    *,
    peer_access: bool | None,
) -> Matrix:
    rows, columns = (tuple(part) for part in names)
    values = tuple(tuple(row) for row in cells)
    return Matrix(name, grid.kind, grid.direction, peer_access, rows, columns, values)
