"""NCCL's own log (``NCCL_DEBUG=INFO``): the calls of its COLL lines and the plans of its TUNING lines."""

import re
from collections import defaultdict
from itertools import pairwise

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.kineto.calls import SAME_SIZE
from core.traces.names import NCCL_DTYPES, itemsize, operation
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source

CALLS_MOST = 1_000_000

_SAYS = b" NCCL INFO "
_SPEAKER = re.compile(rb"(?P<process>[\w.-]{1,255}:\d{1,10}):\d{1,10} \[(?P<device>\d{1,6})\]$")
_SPEAKER_MOST = 300
_CALL = re.compile(
    rb"(?P<name>[A-Z]\w{2,30}): opCount (?P<count>[0-9a-fA-F]{1,15}) sendbuff \S+ recvbuff \S+ (?:acc \S+ )?"
    rb"count (?P<elements>\d{1,18}) datatype (?P<dtype>\d{1,4}) op \d+ root (?P<root>-?\d{1,9}) "
    rb"comm (?P<comm>0x[0-9a-fA-F]{1,16}) \[nranks=(?P<ranks>\d{1,7})\] stream (?P<stream>0x[0-9a-fA-F]+)"
)
_TUNING = re.compile(
    rb"(?P<name>[A-Z]\w{2,30}): (?P<bytes>\d{1,18}) Bytes -> "
    rb"Algo (?P<algorithm>\w{1,30}) proto (?P<protocol>\w{1,30})"
)
_RANK = re.compile(
    rb".{0,200}?comm (?P<comm>0x[0-9a-fA-F]{1,16}) rank (?P<rank>\d{1,7}) n[rR]anks (?P<ranks>\d{1,7})"
    rb"(?:.{0,200}?commId (?P<id>0x[0-9a-fA-F]{1,16}))?"
)
_ALGORITHMS = ("TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT")
_PROTOCOLS = ("LL", "LL128", "SIMPLE")
_VERSION = re.compile(rb"(NCCL|RCCL) version (\d[\w.+-]{0,60})")


def read_nccl_log(source: Source) -> Job:
    """
    The calls of every process in the log, in their order; the log has no times.

    A communicator is known across ranks by its ``commId``, where the log has the lines of its start; its
    address is each process's own. ``opCount`` is hexadecimal and counts per communicator. The count of an
    all-gather is one rank's input, that of a reduce-scatter one rank's output. A TUNING line names no
    communicator: it is the plan of the process's next call of that operation and size, and a call of its
    own in a log without COLL.

    Raises:
        InputError: The log has neither kind of line.
    """
    reading = _Reading()
    for line in source.lines():
        if b"NCCL INFO" in line or b"version" in line:
            reading.take(line, source.name)
    if not reading.calls and not reading.plans:
        message = (
            f"{source.name}: NCCL's log without its calls; "
            "run with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL,TUNING"
        )
        raise InputError(message)
    return reading.job(source.name)


class _Reading:
    """What the lines told so far."""

    def __init__(self) -> None:
        self.groups = GroupTable()
        self.calls: dict[str, list[Call]] = defaultdict(list)
        self.plans: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
        self._device: dict[str, int] = {}
        self._rank: dict[str, tuple[int, int]] = {}
        self._software: set[str] = set()
        self._streams: dict[bytes, int] = {}
        self._communicator: dict[tuple[str, bytes], str] = {}
        self._count = 0

    def take(self, line: bytes, name: str) -> None:
        """One line; those of several ranks may be cut into each other, so it may hold several speakers."""
        parts = line.split(_SAYS)
        for before, said in pairwise(parts):
            speaker = _SPEAKER.search(before[-_SPEAKER_MOST:])
            if speaker is not None:
                process = speaker["process"].decode()
                self._device[process] = int(speaker["device"])
                self._hear(process, said, name)
        if version := _VERSION.search(line):
            self._software.add(b" ".join(version.groups()).decode("ascii", "replace"))

    def _hear(self, process: str, said: bytes, name: str) -> None:
        if call := _CALL.match(said):
            self._count += 1
            if self._count > CALLS_MOST:
                message = f"{name}: more than {CALLS_MOST // 1_000_000} million calls"
                raise InputError(message)
            self.calls[process].append(self._call(process, call))
        elif plan := _TUNING.match(said):
            named = f"{_named(plan['algorithm'], _ALGORITHMS)} {_named(plan['protocol'], _PROTOCOLS)}"
            self.plans[process].append((operation(plan["name"].decode()), int(plan["bytes"]), named))
        elif told := _RANK.match(said):
            size = int(told["ranks"])
            if told["id"]:
                self._communicator[process, told["comm"]] = told["id"].decode()
            if size > self._rank.get(process, (0, 0))[0]:
                self._rank[process] = size, int(told["rank"])

    def job(self, name: str) -> Job:
        """The job of all lines."""
        processes = list(dict.fromkeys([*self.calls, *self.plans]))
        tuning = sum(map(len, self.plans.values()))
        notes = ["NCCL's log has no times."]
        if tuning:
            notes.append(f"{tuning} TUNING lines name algorithm and protocol.")
        return Job(
            "nccl-debug",
            tuple(self._trace(process, name) for process in processes),
            self.groups.groups,
            software=tuple(sorted(self._software)),
            notes=tuple(notes),
        )

    def _trace(self, process: str, name: str) -> RankTrace:
        calls = self._planned(process) if self.calls[process] else self._from_plans(process)
        _, rank = self._rank.get(process, (0, self._device.get(process, -1)))
        notes = (
            ()
            if process in self._rank
            else ("The log does not tell the rank: the device's number stands for it.",)
        )
        return RankTrace(
            rank=rank,
            device=self._device.get(process, -1),
            device_name="",
            start_s=NAN,
            end_s=NAN,
            collectives=collectives(calls),
            source=name,
            notes=notes,
        )

    def _planned(self, process: str) -> list[Call]:
        """The calls with the plans that TUNING lines name for their operation and size, in order."""
        plans: dict[tuple[str, int], list[str]] = defaultdict(list)
        for kind, size, plan in reversed(self.plans[process]):
            plans[kind, size].append(plan)
        return [
            call._replace(kernel=plans[key].pop()) if plans[key := (call.operation, call.bytes_in)] else call
            for call in self.calls[process]
        ]

    def _from_plans(self, process: str) -> list[Call]:
        return [
            Call(
                kind,
                kernel=plan,
                bytes_in=size if kind in SAME_SIZE else -1,
                bytes_out=size if kind in SAME_SIZE else -1,
                bytes_source="record" if kind in SAME_SIZE else "none",
            )
            for kind, size, plan in self.plans[process]
        ]

    def _call(self, process: str, match: "re.Match[bytes]") -> Call:
        known = operation(match["name"].decode())
        ranks = max(int(match["ranks"]), 1)
        kind = int(match["dtype"])
        named = NCCL_DTYPES[kind] if kind < len(NCCL_DTYPES) else ""
        size = int(match["elements"]) * itemsize(named) if named else -1
        comm = match["comm"]
        group = self._communicator.get((process, comm), f"{process} {comm.decode()}")
        return Call(
            operation=known,
            group=self.groups.number(group, None, ranks),
            bytes_in=size * ranks if known == "reduce_scatter" and size >= 0 else size,
            bytes_out=size * ranks if known == "all_gather" and size >= 0 else size,
            bytes_source="record" if size >= 0 else "none",
            dtype=named,
            stream=self._streams.setdefault(match["stream"], len(self._streams)),
            sequence=int(match["count"], 16),
            peer=int(match["root"]) if known in ("send", "recv") else -1,
        )


def _named(number: bytes, names: tuple[str, ...]) -> str:
    """Algorithm or protocol by name; older versions print its number."""
    text = number.decode()
    return names[int(text)] if text.isdigit() and int(text) < len(names) else text
