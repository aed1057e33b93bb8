"""PyTorch's flight-recorder dumps: which calls were issued, in which order, and which never ended."""

from typing import Any

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import (
    INTEGER_MOST,
    Json,
    elements,
    entries,
    integer,
    mapping,
    number,
    parsed,
    ranks,
    text,
)
from core.traces.names import dtype, itemsize, operation, peer, trailing_rank
from core.traces.pickled import unpickled
from core.traces.records import GroupProgress, Job, RankTrace
from core.traces.unpacking import Source

DUMP_MOST_BYTES = 64_000_000
_STATES = ("completed", "started", "scheduled")


def read_flight_recorder(source: Source) -> Job:
    """
    One rank's dump, as pickle or JSON.

    Its calls have no time on the device unless the recorder measured one; ``state`` says how far each
    came, ``launch_s`` when it was issued.

    Raises:
        InputError: It is no such dump, or holds anything but plain values.
    """
    dump = _dump(source)
    if not isinstance(dump.get("entries"), list):
        message = f"{source.name}: no flight-recorder dump: it has no entries"
        raise InputError(message)
    recorded = entries(dump["entries"])
    groups = GroupTable()
    numbers = _groups(dump, groups)
    first_ns = min((_created_ns(entry, 0) for entry in recorded), default=0)
    calls = [_call(entry, numbers, groups, first_ns) for entry in recorded]
    issued = [call.launch_s for call in calls]
    trace = RankTrace(
        rank=integer(dump.get("rank"), trailing_rank(source.name)),
        device=-1,
        device_name="",
        start_s=min(issued, default=NAN),
        end_s=max(issued, default=NAN),
        collectives=collectives(calls),
        progress=_progress(dump, recorded, numbers),
        source=source.name,
        notes=("A flight recorder tells order, sizes and how far each call came, not how long it took.",)
        if all(call.duration_s != call.duration_s for call in calls)
        else (),
    )
    version = text(dump.get("nccl_version"))
    software = (f"NCCL {version}",) if version else ()
    return Job("flight-recorder", (trace,), groups.groups, software=software, origin_ns=first_ns)


def _dump(source: Source) -> Json:
    """The dump's values; the first versions wrote their entries alone."""
    data = source.whole(DUMP_MOST_BYTES)
    written = data.lstrip()[:1] in (b"{", b"[")
    value = parsed(data, source.name) if written else unpickled(data, source.name)
    return {"entries": value} if isinstance(value, list) and entries(value) else mapping(value)


def _created_ns(entry: Json, default: int) -> int:
    """When a call was issued; older versions counted microseconds."""
    created_us = integer(entry.get("time_created_us"))
    return (
        created_us * 1000
        if 0 <= created_us < INTEGER_MOST // 1000
        else integer(entry.get("time_created_ns"), default)
    )


def _groups(dump: Json, groups: GroupTable) -> dict[str, int]:
    """Numbers of the groups by their names; the dump's own ``pg_id`` is something else."""
    return {
        text(key): groups.number(text(key), ranks(entry.get("ranks")), None, text(entry.get("desc")))
        for key, entry in mapping(dump.get("pg_config")).items()
        if isinstance(entry, dict)
    }


def _group_name(entry: Json) -> tuple[str, str]:
    """Name and description of an entry's group; in versions that name none, its number stands for it."""
    named = entry.get("process_group")
    parts = [text(part) for part in named[:2]] if isinstance(named, (list, tuple)) else []
    number_of = entry.get("pg_id")
    parts = parts or [text(number_of) if isinstance(number_of, str) else f"pg_id {text(number_of)}"]
    return parts[0], (parts[1] if len(parts) > 1 else "")


def _call(entry: Json, numbers: dict[str, int], groups: GroupTable, first_ns: int) -> Call:
    named, described = _group_name(entry)
    group = numbers[named] if named in numbers else groups.number(named, description=described)
    profiled = text(entry.get("profiling_name"))
    inputs = _bytes(entry, "input")
    to_itself = entry.get("is_p2p") is True
    milliseconds = number(entry.get("duration_ms"))
    state = text(entry.get("state"))
    return Call(
        operation=operation(profiled),
        kernel=profiled,
        group=group,
        bytes_in=inputs,
        bytes_out=_bytes(entry, "output"),
        bytes_source="record" if inputs >= 0 else "none",
        dtype=_dtypes(entry, "input")[0] if _dtypes(entry, "input") else "",
        duration_s=milliseconds * 1e-3,
        launch_s=(_created_ns(entry, first_ns) - first_ns) * 1e-9,
        sequence=integer(entry.get("p2p_seq_id" if to_itself else "collective_seq_id", entry.get("seq_id"))),
        peer=groups.member(group, peer(profiled)),
        state=state if state in _STATES else "",
    )


def _dtypes(entry: Json, side: str) -> list[str]:
    listed = entry.get(f"{side}_dtypes")
    return [dtype(text(name)) for name in listed] if isinstance(listed, list) else []


def _bytes(entry: Json, side: str) -> int:
    """Bytes of all tensors of one side: every shape times its own data type."""
    shapes, kinds = entry.get(f"{side}_sizes"), _dtypes(entry, side)
    if not isinstance(shapes, list) or not kinds:
        return -1
    sizes = [itemsize(kind) for kind in kinds]
    if len(set(sizes)) == 1:
        sizes = sizes[:1] * len(shapes)
    if len(sizes) != len(shapes) or not all(sizes):
        return -1
    counts = [elements(shape) if shape else 1 for shape in shapes]
    return (
        sum(count * size for count, size in zip(counts, sizes, strict=True))
        if min(counts, default=-1) >= 0
        else -1
    )


def _progress(dump: Json, recorded: list[Json], numbers: dict[str, int]) -> tuple[GroupProgress, ...]:
    """How far the rank came in the groups that its entries tie to a ``pg_id``."""
    group_of: dict[str, int] = {}
    for entry in recorded:
        name = _group_name(entry)[0]
        if name in numbers:
            group_of[text(entry.get("pg_id"))] = numbers[name]
    status = mapping(dump.get("pg_status"))

    def last(entry: Any, what: str) -> int:
        return integer(mapping(entry).get(f"last_{what}_collective"))

    return tuple(
        GroupProgress(
            group, last(status[key], "enqueued"), last(status[key], "started"), last(status[key], "completed")
        )
        for key, group in group_of.items()
        if key in status
    )
