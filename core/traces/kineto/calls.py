"""One collective kernel as a call: its operation, bytes and group from the best of what the trace tells."""

from dataclasses import dataclass

from core.traces.building import Call
from core.traces.group_table import GroupTable
from core.traces.json_text import Json, elements, integer, mapping, number, ranks, text
from core.traces.kineto.launches import Launch
from core.traces.names import dtype, itemsize, kernel_operation, operation, peer

_COLLECTIVE = "Collective name"
SAME_SIZE = ("all_reduce", "broadcast", "reduce")


@dataclass(frozen=True, slots=True)
class Volume:
    """Bytes of one call and what tells them; fields as in ``Collectives``."""

    bytes_in: int = -1
    bytes_out: int = -1
    dtype: str = ""
    source: str = "none"


def arguments(event: Json | None) -> Json:
    """The arguments of an event, empty where it has none."""
    return mapping(event.get("args")) if event is not None else {}


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


def volume_of(kind: str, args: Json, launch: Launch, ranks_in_group: int | None = None) -> Volume:
    """Bytes of a call: from arguments, else from the shapes that the profiler recorded."""
    told = _from_arguments(args, "argument")
    if told.source == "none" and launch.record is not None:
        told = _from_arguments(arguments(launch.record), "launching argument")
    if told.source == "none" and launch.communication is not None:
        told = _from_shapes(kind, arguments(launch.communication), ranks_in_group)
    return told


def group_of(args: Json, launch: Launch, groups: GroupTable) -> int:
    """The call's group, from its arguments, its launching range or for want of another; -1 unknown."""
    for source in (args, arguments(launch.record)):
        name = text(source.get("Process Group Name"))
        size = integer(source.get("Group size"))
        if name or size > 0:
            described = text(source.get("Process Group Description"))
            listed = ranks(source.get("Process Group Ranks"))
            return groups.number(name, listed, size if size > 0 else None, described)
    return 0 if len(groups) == 1 else -1


def call_of(event: Json, launch: Launch, groups: GroupTable) -> Call:
    """A collective kernel's call, its times still in the trace's microseconds."""
    args, kernel = arguments(event), text(event.get("name"))
    kind, source = operation_of(kernel, args, launch)
    group = group_of(args, launch, groups)
    volume = volume_of(kind, args, launch, groups.size(group))
    named = text(launch.communication.get("name")) if launch.communication else ""
    sequence = next((args[key] for key in ("Seq", "Collective Seq", "seq") if key in args), None)
    return Call(
        operation=kind,
        operation_source=source,
        kernel=kernel,
        group=group,
        bytes_in=volume.bytes_in,
        bytes_out=volume.bytes_out,
        bytes_source=volume.source,
        dtype=volume.dtype,
        start_s=number(event.get("ts")),
        duration_s=number(event.get("dur")),
        launch_s=launch.issued_us,
        stream=integer(args.get("stream"), integer(event.get("tid"))),
        sequence=integer(sequence),
        peer=_peer(kind, args, groups.member(group, peer(named))),
        asynchronous=asynchronous(args, launch),
    )


def _peer(kind: str, args: Json, named: int) -> int:
    """The other global rank of a send or receive, from its arguments or the range that launched it."""
    key = {"send": "Dst Rank", "recv": "Src Rank"}.get(kind, "")
    return integer(args.get(key), named)


def _from_arguments(args: Json, source: str) -> Volume:
    kind = dtype(text(args.get("dtype")))
    size = itemsize(kind)
    inputs, outputs = integer(args.get("In msg nelems")), integer(args.get("Out msg nelems"))
    if _COLLECTIVE not in args or not size or (inputs < 0 and outputs < 0):
        return Volume()
    if inputs <= 0 >= outputs and "coalesced" in text(args[_COLLECTIVE]):
        # a group of calls in one kernel, whose sizes stand with none of them
        return Volume()
    return Volume(inputs * size if inputs >= 0 else -1, outputs * size if outputs >= 0 else -1, kind, source)


def _from_shapes(kind: str, args: Json, ranks_in_group: int | None) -> Volume:
    shapes, types = args.get("Input Dims"), args.get("Input type")
    if not isinstance(shapes, list) or not isinstance(types, list) or len(shapes) != len(types):
        return Volume()
    kinds = {dtype(text(name)) for name in types}
    named = kinds.pop() if len(kinds) == 1 else ""
    count = elements(shapes)
    if not itemsize(named) or count < 0:
        return Volume()
    bytes_in = count * itemsize(named)
    return Volume(bytes_in, output_bytes(kind, bytes_in, ranks_in_group), named, "shapes")


def output_bytes(kind: str, bytes_in: int, ranks_in_group: int | None) -> int:
    """Bytes of a call's output where its input and its group decide them; -1 otherwise."""
    if kind in SAME_SIZE:
        return bytes_in
    if ranks_in_group is None:
        return -1
    return {"all_gather": bytes_in * ranks_in_group, "reduce_scatter": bytes_in // ranks_in_group}.get(
        kind, -1
    )


def asynchronous(args: Json, launch: Launch) -> int:
    """Whether the program went on without waiting for the call: 1 yes, 0 no, -1 unknown."""
    for source in (args, arguments(launch.record)):
        for key in ("Is asynchronized op", "Is async op"):
            if key in source:
                return int(source[key] in (True, 1, "1", "true", "True"))
    inputs = arguments(launch.backend).get("Concrete Inputs")
    flag = inputs[-2] if isinstance(inputs, list) and len(inputs) > 1 else None
    return {"True": 1, "False": 0}.get(str(flag), -1)
