"""Chakra execution traces written as JSON: communication nodes, each kernel once."""

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.json_text import Json, entries, integer, load, mapping, number, text
from core.traces.names import is_collective_kernel, kernel_operation, operation, trailing_rank
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source

COMMUNICATING = {5: "send", 6: "recv", 7: ""}
"""Node types of Chakra's schema that communicate; the last is a collective, named by its node."""
_US = 1e-6


def read_chakra(source: Source) -> Job:
    """
    One rank's calls; a call's two halves on the CPU (``c10d::allreduce_(0)``, ``(1)``) are not counted.

    Durations are the nodes' ``runtime``; starts and groups are not told, bytes only as ``comm_size``.

    Raises:
        InputError: It is no such trace.
    """
    nodes = entries(mapping(load(source)).get("workload_graph"))
    if not nodes:
        message = f"{source.name}: a Chakra trace without a workload graph"
        raise InputError(message)
    communicating = [node for node in nodes if integer(node.get("NodeType")) in COMMUNICATING]
    kernels = [node for node in communicating if _is_kernel(node)]
    if communicating and not kernels:
        kernels = [node for node in communicating if not text(node.get("Name")).endswith("(1)")]
    kernels.sort(key=lambda node: integer(node.get("Id")))
    trace = RankTrace(
        rank=trailing_rank(source.name),
        device=-1,
        device_name="",
        start_s=NAN,
        end_s=NAN,
        collectives=collectives([_call(node) for node in kernels]),
        kernels=sum(node.get("is_cpu_op") is False for node in nodes),
        source=source.name,
        notes=("A Chakra trace as JSON tells no starts and no groups.",),
    )
    return Job("chakra", (trace,))


def _is_kernel(node: Json) -> bool:
    return node.get("is_cpu_op") is False or is_collective_kernel(text(node.get("Name")))


def _call(node: Json) -> Call:
    name = text(node.get("Name"))
    known = COMMUNICATING[integer(node.get("NodeType"))]
    known = known or (kernel_operation(name) if is_collective_kernel(name) else operation(name))
    size = integer(node.get("comm_size"))
    return Call(
        known,
        "kernel name",
        kernel=name,
        bytes_in=size,
        bytes_source="record" if size >= 0 else "none",
        duration_s=max(number(node.get("runtime")), 0.0) * _US,
        peer=integer(node.get("comm_dst" if known == "send" else "comm_src"))
        if known in ("send", "recv")
        else -1,
    )
