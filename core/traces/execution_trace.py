"""PyTorch's execution traces: which collectives a program issued, on tensors of which size; no times."""

from contextlib import suppress
from functools import lru_cache
from typing import Any

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import INTEGER_MOST, Json, entries, integer, load, mapping, parsed, ranks, text
from core.traces.names import dtype, itemsize, operation, peer, trailing_rank
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source

_BACKENDS = ("nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "xccl:")
_TENSOR_PARTS = 6
_NESTED_MOST = 4
_PAIR = 2
_CONFIGURATION = "## process_group:init ##"
CONFIGURATION_MOST = 10_000_000
RANKS_MOST = 100_000


def read_execution_trace(source: Source) -> Job:
    """
    One rank's calls: the nodes that a communication backend wrote, each with the tensors it was given.

    ``record_param_comms`` nodes are more than the calls (waits among them) and are looked at for what a
    call's own node does not tell, and counted only in a trace where no backend wrote a node.

    Raises:
        InputError: It is no execution trace.
    """
    trace = mapping(load(source))
    nodes = entries(trace.get("nodes"))
    if not nodes:
        message = f"{source.name}: an execution trace without nodes"
        raise InputError(message)
    by_id = {integer(node.get("id")): node for node in nodes}
    groups, configured = GroupTable(), _configured(nodes, source.name)
    issued = [node for node in nodes if text(node.get("name")).startswith(_BACKENDS)]
    if not issued:
        issued = [node for node in nodes if _recorded(node) != "unknown"]
    issued.sort(key=lambda node: integer(node.get("id")))
    calls = [_call(node, _record(node, by_id), groups, configured) for node in issued]
    rank = RankTrace(
        rank=integer(trace.get("rank"), trailing_rank(source.name)),
        device=-1,
        device_name="",
        start_s=NAN,
        end_s=NAN,
        collectives=collectives(calls),
        source=source.name,
        notes=("An execution trace tells order and sizes of calls, not their times.",),
    )
    return Job("pytorch-et", (rank,), groups.groups)


def _recorded(node: Json) -> str:
    """The operation that a ``record_param_comms`` node names; ``unknown`` for waits and other nodes."""
    if text(node.get("name")) != "record_param_comms":
        return "unknown"
    told = [text(value) for value in _side(node, "inputs")[0] if isinstance(value, str)]
    named = [operation(name) for name in (text(_attributes(node).get("collective_name")), *told)]
    return next((known for known in named if known != "unknown"), "unknown")


def _record(node: Json, by_id: dict[int, Json]) -> Json:
    """The ``record_param_comms`` above a call's node, empty where there is none."""
    if text(node.get("name")) == "record_param_comms":
        return node
    parent = by_id.get(integer(node.get("parent", node.get("ctrl_deps"))), {})
    return parent if text(parent.get("name")) == "record_param_comms" else {}


def _configured(nodes: list[Json], name: str) -> dict[str, Json]:
    """Groups by their names, where the trace holds the list that the program began with."""
    written = [
        text(value, CONFIGURATION_MOST)
        for node in nodes
        if text(node.get("name")) == _CONFIGURATION
        for value in _side(node, "inputs")[0]
    ]
    told: list[Json] = []
    for value in filter(None, written):
        # a list that cannot be read leaves the groups as the calls tell them
        with suppress(InputError):
            told += entries(parsed(value, name))
    return {text(entry.get("pg_name")): entry for entry in told}


def _call(node: Json, record: Json, groups: GroupTable, configured: dict[str, Json]) -> Call:
    name = text(node.get("name"))
    known = _recorded(node) if node is record else operation(name)
    attributes = _attributes(record) | _attributes(node)
    told_in, told_out, told_type = _told(attributes)
    bytes_in, kind = _tensors(_side(node, "inputs"))
    bytes_out, _ = _tensors(_side(record, "outputs"))
    group = _group(attributes, record, groups, configured)
    size = bytes_in if bytes_in >= 0 else told_in
    return Call(
        operation=known,
        kernel=name,
        group=group,
        bytes_in=size,
        bytes_out=bytes_out if bytes_out >= 0 else told_out,
        bytes_source="shapes" if bytes_in >= 0 else "argument" if size >= 0 else "none",
        dtype=kind or told_type,
        sequence=integer(attributes.get("seq")),
        peer=groups.member(group, peer(name)),
    )


def _told(attributes: Json) -> tuple[int, int, str]:
    """Bytes in and out and the data type that attributes tell; -1 and "" where they do not."""
    kind = dtype(text(attributes.get("dtype")))
    counts = [integer(attributes.get(f"{side}_msg_nelems")) for side in ("in", "out")]
    bytes_in, bytes_out = (
        count * itemsize(kind) if count >= 0 and itemsize(kind) else -1 for count in counts
    )
    return bytes_in, bytes_out, kind


def _group(attributes: Json, record: Json, groups: GroupTable, configured: dict[str, Json]) -> int:
    """The group by attributes, else by the pair of name and description among the record's inputs."""
    pairs = [
        value
        for value in _side(record, "inputs")[0]
        if isinstance(value, list) and len(value) == _PAIR and all(isinstance(part, str) for part in value)
    ]
    named = [attributes.get("pg_name"), attributes.get("pg_desc")]
    name, description = (text(part) for part in (named if named[0] or not pairs else pairs[0]))
    entry = configured.get(name, {})
    size = integer(attributes.get("pg_size", attributes.get("group_size", entry.get("pg_size"))))
    listed = ranks(attributes.get("pg_ranks")) or ranks(entry.get("ranks")) or _strided(attributes, size)
    return groups.number(name, listed, size if size > 0 else None, description or text(entry.get("pg_desc")))


def _strided(attributes: Json, size: int) -> tuple[int, ...] | None:
    """Ranks from the first one and the stride between them, as newer traces tell them."""
    first = integer(attributes.get("global_rank_start"))
    stride = integer(attributes.get("global_rank_stride"))
    if first < 0 or stride < 1 or not 0 < size <= RANKS_MOST or first + stride * size >= INTEGER_MOST:
        return None
    return _ranks_from(first, stride, size)


@lru_cache(maxsize=256)
def _ranks_from(first: int, stride: int, size: int) -> tuple[int, ...]:
    return tuple(range(first, first + stride * size, stride))


def _attributes(node: Json) -> Json:
    """Attributes of newer traces: a list of named values."""
    return {text(entry.get("name")): entry.get("value") for entry in entries(node.get("attrs"))}


def _side(node: Json, side: str) -> tuple[list[Any], list[Any]]:
    """Values and types of a node's inputs or outputs, in either of the two ways to write them."""
    told = node.get(side)
    if isinstance(told, dict):
        values, types = told.get("values"), told.get("types")
    else:
        values, types = told, node.get(f"{side.removesuffix('s')}_types")
    return (values if isinstance(values, list) else []), (types if isinstance(types, list) else [])


def _tensors(side: tuple[list[Any], list[Any]]) -> tuple[int, str]:
    """Bytes of all tensors in the values, -1 where there is none, and the first one's data type."""
    values, types = side
    sizes = [size for value in values for size in _sizes(value)]
    named = next((text(kind) for kind in types if "Tensor(" in text(kind)), "")
    kind = dtype(named.split("Tensor(", 1)[1].split(")", 1)[0]) if named else ""
    return (sum(sizes), kind) if sizes else (-1, kind)


def _sizes(value: Any, depth: int = 0) -> list[int]:
    if not isinstance(value, list) or depth > _NESTED_MOST:
        return []
    if len(value) == _TENSOR_PARTS and isinstance(value[-1], str):
        return [max(integer(value[3]), 0) * max(integer(value[4]), 0)]
    return [size for part in value for size in _sizes(part, depth + 1)]
