"""Chakra execution traces written as JSON: communication nodes, each kernel once."""

import re

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
from core.traces.names import is_collective_kernel, kernel_operation, operation, trailing_rank
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source
from core.units import US

COMMUNICATING = {5: "send", 6: "recv", 7: ""}
"""Node types of Chakra's schema that communicate; the last is a collective, named by its node."""
_TYPES = {"COMM_SEND_NODE": 5, "COMM_RECV_NODE": 6, "COMM_COLL_NODE": 7}
_COLLECTIVES = (
    *("all_reduce", "reduce", "all_gather", "gather", "scatter", "broadcast"),
    *("all_to_all", "reduce_scatter", "reduce_scatter", "barrier"),
)
"""Chakra's ``CollectiveCommType`` by number."""
_NODE = re.compile(rb'"(?:COMP|COMM_COLL|COMM_SEND|COMM_RECV|METADATA|MEM_LOAD|MEM_STORE)_NODE"')


def is_chakra(head: bytes) -> bool:
    """Whether a JSON text begins as either of the two forms of a Chakra trace."""
    return re.search(rb'"workload_graph"\s*:', head) is not None or _NODE.search(head) is not None


def read_chakra(source: Source) -> Job:
    """
    One rank's calls; a call's two halves on the CPU (``c10d::allreduce_(0)``, ``(1)``) are not counted.

    A trace is one object with a ``workload_graph``, or one object a node, as Chakra's own ``jsonizer``
    writes the binary form. Durations are the nodes' own; starts are not told, bytes only as ``comm_size``.

    Raises:
        InputError: It is no such trace.
    """
    nodes = _nodes(concatenated(source.whole(JSON_MOST_BYTES), source.name))
    if not nodes:
        message = f"{source.name}: a Chakra trace without a workload graph"
        raise InputError(message)
    communicating = [node for node in nodes if _type(node) in COMMUNICATING]
    kernels = [node for node in communicating if _is_kernel(node)]
    if communicating and not kernels:
        kernels = [node for node in communicating if not text(node.get("Name")).endswith("(1)")]
    kernels.sort(key=lambda node: integer(node.get("Id")))
    groups = GroupTable()
    calls = [_call(node, groups) for node in kernels]
    trace = RankTrace(
        rank=trailing_rank(source.name),
        device=-1,
        device_name="",
        start_s=NAN,
        end_s=NAN,
        collectives=collectives(calls),
        kernels=sum(node.get("is_cpu_op") is False for node in nodes),
        source=source.name,
        notes=(
            "A Chakra trace as JSON tells no starts."
            if groups.groups
            else "A Chakra trace as JSON tells no starts and no groups.",
        ),
    )
    return Job("chakra", (trace,), groups.groups)


def _nodes(values: list[object]) -> list[Json]:
    """The nodes of either form, under the names of ``workload_graph``."""
    if graph := [node for value in values for node in entries(mapping(value).get("workload_graph"))]:
        return graph
    told = [node for value in values for node in (entries(value) or [mapping(value)])]
    told = [inner for node in told for inner in (entries(node.get("nodes")) or [node])]
    return [_plain(node) for node in told if "type" in node]


def _plain(node: Json) -> Json:
    """A node of the binary form's JSON; its attributes are a list of named values, or its own keys."""
    own = {re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), key): node[key] for key in node}
    told = own | {text(part.get("name")): _value(part) for part in entries(node.get("attr"))}
    return told | {
        "Id": node.get("id"),
        "Name": node.get("name"),
        "NodeType": _TYPES.get(text(node.get("type")), integer(node.get("type"))),
        "is_cpu_op": told["is_cpu_op"] in (True, 1, "1", "true") if "is_cpu_op" in told else None,
        "runtime": told.get("duration_micros", told.get("runtime")),
    }


def _value(attribute: Json) -> object:
    return next((attribute[key] for key in attribute if key not in ("name", "docString", "doc_string")), None)


def _type(node: Json) -> int:
    return integer(node.get("NodeType"))


def _is_kernel(node: Json) -> bool:
    return node.get("is_cpu_op") is False or is_collective_kernel(text(node.get("Name")))


def _operation(node: Json) -> str:
    """The operation by the node's type, else its ``comm_type``, else the name of its kernel or call."""
    name, told = text(node.get("Name")), node.get("comm_type")
    if known := COMMUNICATING[_type(node)]:
        return known
    kind = integer(told)
    known = _COLLECTIVES[kind] if 0 <= kind < len(_COLLECTIVES) else operation(text(told))
    if known != "unknown":
        return known
    return kernel_operation(name) if is_collective_kernel(name) else operation(name)


def _call(node: Json, groups: GroupTable) -> Call:
    known = _operation(node)
    size = integer(node.get("comm_size"))
    duration_us = number(node.get("runtime"))
    return Call(
        known,
        "record" if "comm_type" in node else "kernel name",
        kernel=text(node.get("Name")),
        group=groups.number(text(node.get("pg_name"))),
        bytes_in=size,
        bytes_source="record" if size >= 0 else "none",
        duration_s=max(duration_us, 0.0) * US,
        peer=integer(node.get("comm_dst" if known == "send" else "comm_src"))
        if known in ("send", "recv")
        else -1,
    )
