"""One collective kernel as a call: its operation, bytes and group from the best of what the trace tells."""

from dataclasses import dataclass

from core.traces.building import Call
from core.traces.group_table import GroupTable
from core.traces.json_text import Json, elements, integer, mapping, number, ranks, text
from core.traces.kineto.launches import Launch
from core.traces.names import dtype, itemsize, kernel_operation, operation, peer

_COLLECTIVE = "Collective name"
_SAME_SIZE = ("all_reduce", "broadcast", "reduce")


@dataclass(frozen=True, slots=True)
class Volume:
    """Bytes of one call and what tells them; fields as in ``Collectives``."""

    bytes_in: int = -1
    bytes_out: int = -1
    dtype: str = ""
    source: str = "none"


def arguments(event: Json) -> Json:
    """The arguments of an event, empty where it has none."""
    return mapping(event.get("args"))


def operation_of(kernel: str, args: Json, launch: Launch) -> tuple[str, str]:
    """Operation and what tells it: the launching range, the arguments, or the kernel's name."""
    named = [
        (text(source.get("name")), "launching range")
        for source in (launch.communication, launch.backend)
        if source is not None
    ]
    named += [(text(args.get(_COLLECTIVE)), "argument")]
    if launch.record is not None:
        named += [(text(arguments(launch.record).get(_COLLECTIVE)), "launching range")]
    for name, source in named:
        known = operation(name)
        if known != "unknown":
            return known, source
    known = kernel_operation(kernel)
    return (known, "kernel name") if known != "unknown" else ("unknown", "none")


def volume_of(kind: str, args: Json, launch: Launch) -> Volume:
    """Bytes of a call: from arguments, else from the shapes that the profiler recorded."""
    told = _from_arguments(args, "argument")
    if told.source == "none" and launch.record is not None:
        told = _from_arguments(arguments(launch.record), "launching argument")
    if told.source == "none" and launch.communication is not None:
        told = _from_shapes(kind, arguments(launch.communication))
    return told


def group_of(args: Json, launch: Launch, groups: GroupTable) -> int:
    """Number of the call's group, from its arguments or those of its launching range; -1 unknown."""
    for source in (args, arguments(launch.record) if launch.record else {}):
        name = text(source.get("Process Group Name"))
        size = integer(source.get("Group size"))
        if name or size > 0:
            described = text(source.get("Process Group Description"))
            listed = ranks(source.get("Process Group Ranks"))
            return groups.number(name, listed, size if size > 0 else None, described)
    return -1


def call_of(event: Json, launch: Launch, groups: GroupTable) -> Call:
    """A collective kernel's call, its times still in the trace's microseconds."""
    args, kernel = arguments(event), text(event.get("name"))
    kind, source = operation_of(kernel, args, launch)
    volume = volume_of(kind, args, launch)
    named = text(launch.communication.get("name")) if launch.communication else ""
    sequence = next((args[key] for key in ("Seq", "Collective Seq", "seq") if key in args), None)
    return Call(
        operation=kind,
        operation_source=source,
        kernel=kernel,
        group=group_of(args, launch, groups),
        bytes_in=volume.bytes_in,
        bytes_out=volume.bytes_out,
        bytes_source=volume.source,
        dtype=volume.dtype,
        start_s=number(event.get("ts")),
        duration_s=number(event.get("dur")),
        launch_s=launch.issued_us,
        stream=integer(args.get("stream"), integer(event.get("tid"))),
        sequence=integer(sequence),
        peer=peer(named),
        asynchronous=_asynchronous(args, launch),
    )


def _from_arguments(args: Json, source: str) -> Volume:
    kind = dtype(text(args.get("dtype")))
    size = itemsize(kind)
    inputs, outputs = integer(args.get("In msg nelems")), integer(args.get("Out msg nelems"))
    if _COLLECTIVE not in args or not size or (inputs < 0 and outputs < 0):
        return Volume()
    return Volume(inputs * size if inputs >= 0 else -1, outputs * size if outputs >= 0 else -1, kind, source)


def _from_shapes(kind: str, args: Json) -> Volume:
    shapes, types = args.get("Input Dims"), args.get("Input type")
    if not isinstance(shapes, list) or not isinstance(types, list) or len(shapes) != len(types):
        return Volume()
    kinds = {dtype(text(name)) for name in types}
    named = kinds.pop() if len(kinds) == 1 else ""
    count = elements(shapes)
    if not itemsize(named) or count < 0:
        return Volume()
    bytes_in = count * itemsize(named)
    return Volume(bytes_in, bytes_in if kind in _SAME_SIZE else -1, named, "shapes")


def _asynchronous(args: Json, launch: Launch) -> int:
    for source in (args, arguments(launch.record) if launch.record else {}):
        for key in ("Is asynchronized op", "Is async op", "isAsynchronizedOp"):
            if key in source:
                return int(source[key] in (True, 1, "1", "true", "True"))
    return -1
