"""NCCL Inspector's records, one JSON object each: every call with its bytes and its time on the GPU."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import (
    JSON_MOST_BYTES,
    Json,
    concatenated,
    entries,
    integer,
    mapping,
    number,
    text,
)
from core.traces.names import operation
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source
from core.units import US

RECORDS_MOST = 1_000_000
SAME = 0.05
"""How near a rate must come to be the one meant: records are rounded."""
_SPREAD = re.compile(rb"\s*(?:\{\s*\n|\[)")
"""How a file begins whose objects take several lines or are elements of a list."""


def read_inspector(source: Source) -> Job:
    """
    The job as one process's or one node's records tell it; lines that are no record are counted, not read.

    The plug-in writes the bytes of one rank's share for all-gather and reduce-scatter, so the gathered
    side is that share times the ranks.

    Raises:
        InputError: No line is a record.
    """
    groups = GroupTable()
    calls: dict[tuple[str, str], list[tuple[int, int, Call]]] = defaultdict(list)
    broken = count = 0
    versions = set()
    first_us = 0
    for record in _records(source):
        perf = mapping(record.get("coll_perf")) or mapping(record.get("p2p_perf"))
        if not perf:
            broken += "dump_stats" not in record
            continue
        count += 1
        if count > RECORDS_MOST:
            message = f"{source.name}: more than {RECORDS_MOST // 1_000_000} million records"
            raise InputError(message)
        header, metadata = mapping(record.get("header")) or record, mapping(record.get("metadata"))
        versions.add(text(metadata.get("inspector_output_format_version")))
        size = integer(header.get("n_ranks"))
        named = text(header.get("comm_name"))
        group = groups.number(text(header.get("id")), None, size if size > 0 else None, named)
        first_us = first_us or _start_us(perf)
        process = text(metadata.get("hostname")), text(metadata.get("pid")) or text(header.get("rank"))
        calls[process].append((size, integer(header.get("rank")), _call(perf, group, size, first_us)))
    if not count:
        message = f"{source.name}: no line is a record of NCCL Inspector"
        raise InputError(message)
    were = "line is no record" if broken == 1 else "lines are no records"
    left = "was" if broken == 1 else "were"
    notes = [f"{broken} {were} of NCCL Inspector and {left} left out."] if broken else []
    return Job(
        "nccl-inspector",
        tuple(_rank(own, source.name) for own in calls.values()),
        groups.groups,
        software=tuple(f"NCCL Inspector {version}" for version in sorted(versions) if version),
        origin_ns=first_us * 1000,
        notes=tuple(notes),
    )


def _records(source: Source) -> Iterator[Json]:
    """The objects of the file, one a line, or over several lines; an empty one for a line that is none."""
    if _SPREAD.match(source.head):
        values = concatenated(source.whole(JSON_MOST_BYTES), source.name)
        yield from (record for value in values for record in (entries(value) or [mapping(value)]))
        return
    yield from (_record(line) for line in source.lines() if line.strip())


def _record(line: bytes) -> Json:
    try:
        return mapping(json.loads(line.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return {}


def _start_us(perf: Json) -> int:
    """First start of the call's kernels, in epoch microseconds; 0 where the record does not tell."""
    events = entries(mapping(perf.get("event_trace_ts")).get("kernel_events"))
    starts = [integer(event.get("kernel_start_ts"), 0) for event in events]
    return min((start for start in starts if start > 0), default=0)


def _call(perf: Json, group: int, ranks: int, first_us: int) -> Call:
    kind = "p2p" if "p2p" in perf else "coll"
    known = operation(text(perf.get(kind)))
    size = integer(perf.get(f"{kind}_msg_size_bytes"))
    duration_us = number(perf.get(f"{kind}_exec_time_us"))
    start_us = _start_us(perf)
    bytes_in, bytes_out = _sides(known, size, ranks, number(perf.get("coll_algobw_gbs")) * duration_us * 1e3)
    plan = (text(perf.get(f"{kind}_algo")), text(perf.get(f"{kind}_proto")))
    return Call(
        operation=known,
        kernel=" ".join(part for part in plan if part and part != "unknown"),
        group=group,
        bytes_in=bytes_in,
        bytes_out=bytes_out,
        bytes_source="record" if size >= 0 else "none",
        start_s=(start_us - first_us) * US if start_us else NAN,
        duration_s=duration_us * US if duration_us > 0 else NAN,
        sequence=integer(perf.get(f"{kind}_sn")),
    )


def _sides(known: str, size: int, ranks: int, traffic_bytes: float) -> tuple[int, int]:
    """Input and output bytes of a rank from the size that the plug-in writes."""
    if size < 0 or ranks < 1:
        return size, size
    if known == "all_gather":
        return size, size * ranks
    if known == "reduce_scatter":
        return size * ranks, size
    per_peer = known == "all_to_all" and abs(traffic_bytes - size * ranks) < SAME * size * ranks
    return (size * ranks, size * ranks) if per_peer else (size, size)


def _rank(own: list[tuple[int, int, Call]], name: str) -> RankTrace:
    """One process; its rank is that in its largest communicator."""
    calls = [call for _, _, call in own]
    ends = [call.start_s + call.duration_s for call in calls]
    sources = "The Inspector tells no compute: what hid a call is not known."
    return RankTrace(
        rank=max(own, key=lambda entry: entry[0])[1],
        device=-1,
        device_name="",
        start_s=min((call.start_s for call in calls), default=NAN),
        end_s=max(ends, default=NAN),
        collectives=collectives(calls),
        source=name,
        notes=(sources,),
    )
