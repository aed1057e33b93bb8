"""PyTorch's execution traces: which collectives a program issued, on tensors of which size; no times."""

from typing import Any

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.json_text import Json, entries, integer, load, mapping, ranks, text
from core.traces.names import dtype, operation, peer, trailing_rank
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source

_BACKENDS = ("nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "xccl:")
_TENSOR_PARTS = 6
_NESTED_MOST = 4


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
    groups = GroupTable()
    issued = [node for node in nodes if text(node.get("name")).startswith(_BACKENDS)]
    if not issued:
        issued = [node for node in nodes if _recorded(node) != "unknown"]
    issued.sort(key=lambda node: integer(node.get("id")))
    calls = [_call(node, _record(node, by_id), groups) for node in issued]
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


def _call(node: Json, record: Json, groups: GroupTable) -> Call:
    name = text(node.get("name"))
    known = _recorded(node) if node is record else operation(name)
    attributes = _attributes(record) | _attributes(node)
    bytes_in, kind = _tensors(_side(node, "inputs"))
    bytes_out, _ = _tensors(_side(record, "outputs"))
    size = integer(attributes.get("pg_size", attributes.get("group_size")))
    group = groups.number(
        text(attributes.get("pg_name")),
        ranks(attributes.get("pg_ranks")),
        size if size > 0 else None,
        text(attributes.get("pg_desc")),
    )
    return Call(
        operation=known,
        kernel=name,
        group=group,
        bytes_in=bytes_in,
        bytes_out=bytes_out,
        bytes_source="shapes" if bytes_in >= 0 else "none",
        dtype=kind,
        sequence=integer(attributes.get("seq")),
        peer=groups.member(group, peer(name)),
    )


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
