"""TraceLens's reports on collectives: totals by operation and size, for each rank or for all of them."""

from core.errors import InputError
from core.traces.group_table import GroupTable
from core.traces.json_text import integer, number, ranks
from core.traces.kineto.calls import output_bytes
from core.traces.names import dtype, itemsize, operation
from core.traces.records import Job, SummaryRow
from core.traces.tables import Row, rows
from core.traces.unpacking import Source

NAN = float("nan")
_US, _MS = 1e-6, 1e-3
_GIB = 1024.0**3
_KEYS = {"Collective name", "dtype", "In msg nelems", "Group size"}


def is_header(cells: list[str]) -> bool:
    """Whether these are the columns of such a report."""
    return set(cells) >= _KEYS


def read_tracelens(source: Source) -> Job:
    """
    The rows of one sheet: of each rank, or of all ranks together (``implicit sync``).

    Its "MB" is MiB and its "GB/s" is GiB/s; bytes are taken from elements and data type instead.

    Raises:
        InputError: It is no such report.
    """
    groups = GroupTable()
    summary = tuple(_row(row, groups) for row in rows(source, is_header))
    if all(row.count <= 0 for row in summary):
        message = f"{source.name}: a report without counts of calls"
        raise InputError(message)
    world = max((group.size or 0 for group in groups.groups), default=0)
    notes = ("A report tells no single calls, and no compute.",)
    return Job("tracelens-report", (), groups.groups, summary, world_size=world or None, notes=notes)


def _row(row: Row, groups: GroupTable) -> SummaryRow:
    known, kind = operation(row["Collective name"]), dtype(row["dtype"])
    size, ranks_in_group = itemsize(kind), integer(row["Group size"])
    group = groups.number(
        row.get("Process Group Name", ""),
        ranks(row.get("Process Group Ranks")),
        ranks_in_group if ranks_in_group > 0 else None,
    )
    bytes_in = integer(row["In msg nelems"], 0) * size if size else -1
    elements_out = integer(row.get("Out msg nelems"))
    told = elements_out * size if size and elements_out >= 0 else -1
    whole = "rank" not in row
    return SummaryRow(
        operation=known,
        kernel=row["Collective name"],
        rank=None if whole else integer(row["rank"]),
        group=group,
        bytes_in=bytes_in,
        bytes_out=told
        if told >= 0
        else output_bytes(known, bytes_in, ranks_in_group if ranks_in_group > 0 else None),
        dtype=kind,
        count=integer(row.get("count", row.get("operation_count"))),
        total_s=number(row.get("Total comm latency (ms)")) * _MS
        if whole
        else number(row.get("dur_sum")) * _US,
        mean_s=number(row.get("comm_latency_mean" if whole else "dur_mean")) * _US,
        low_s=number(row.get("comm_latency_min" if whole else "dur_min")) * _US,
        high_s=number(row.get("comm_latency_max" if whole else "dur_max")) * _US,
        bus_bytes_per_s=number(row.get("bus bw (GB/s)_mean"), NAN) * _GIB,
    )
