"""NCCL's own log (``NCCL_DEBUG=INFO``): the calls of its COLL lines and the plans of its TUNING lines."""

import re
from collections import defaultdict

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.kineto.calls import SAME_SIZE
from core.traces.names import NCCL_DTYPES, itemsize, operation
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source

CALLS_MOST = 3_000_000

_SPEAKER = rb"(?P<process>[\w.-]+:\d+):\d+ \[(?P<device>\d+)\] NCCL INFO "
_CALL = re.compile(
    _SPEAKER + rb"(?P<name>[A-Z]\w+): opCount (?P<count>[0-9a-fA-F]+) sendbuff \S+ recvbuff \S+ (?:acc \S+ )?"
    rb"count (?P<elements>\d+) datatype (?P<dtype>\d+) op (?P<op>\d+) root (?P<root>-?\d+) "
    rb"comm (?P<comm>0x[0-9a-fA-F]+) \[nranks=(?P<ranks>\d+)\] stream (?P<stream>0x[0-9a-fA-F]+)"
)
_TUNING = re.compile(
    _SPEAKER + rb"(?P<name>[A-Z]\w+): (?P<bytes>\d+) Bytes -> Algo (?P<algorithm>\w+) proto (?P<protocol>\w+)"
)
_RANK = re.compile(
    _SPEAKER + rb".*?comm (?P<comm>0x[0-9a-fA-F]+) rank (?P<rank>\d+) n(?:r|R)anks (?P<ranks>\d+)"
)
_ALGORITHMS = ("TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT")
_PROTOCOLS = ("LL", "LL128", "SIMPLE")
_VERSION = re.compile(rb"(NCCL|RCCL) version (\d[\w.+-]*)")


def read_nccl_log(source: Source) -> Job:
    """
    The calls of every process in the log, in their order; the log has no times.

    ``opCount`` is hexadecimal and counts per communicator. The count of an all-gather is one rank's
    input, that of a reduce-scatter one rank's output. A TUNING line names no communicator: it is the plan
    of the process's next call of that operation and size, and a call of its own in a log without COLL.

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
        self._count = 0

    def take(self, line: bytes, name: str) -> None:
        """One line; those of several ranks may be cut into each other, so any part of it may match."""
        for match in _CALL.finditer(line):
            process = self._process(match)
            self._count += 1
            if self._count > CALLS_MOST:
                message = f"{name}: more than {CALLS_MOST // 1_000_000} million calls"
                raise InputError(message)
            self.calls[process].append(self._call(match))
        for match in _TUNING.finditer(line):
            plan = f"{_named(match['algorithm'], _ALGORITHMS)} {_named(match['protocol'], _PROTOCOLS)}"
            self.plans[self._process(match)].append(
                (operation(match["name"].decode()), int(match["bytes"][:18]), plan)
            )
        for match in _RANK.finditer(line):
            process, size = match["process"].decode(), int(match["ranks"][:7])
            if size > self._rank.get(process, (0, 0))[0]:
                self._rank[process] = size, int(match["rank"][:7])
        if version := _VERSION.search(line):
            self._software.add(b" ".join(version.groups()).decode("ascii", "replace")[:80])

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

    def _process(self, match: "re.Match[bytes]") -> str:
        process = match["process"].decode()
        self._device[process] = int(match["device"][:6])
        return process

    def _call(self, match: "re.Match[bytes]") -> Call:
        known = operation(match["name"].decode())
        ranks = max(int(match["ranks"][:7]), 1)
        kind = int(match["dtype"][:4])
        named = NCCL_DTYPES[kind] if kind < len(NCCL_DTYPES) else ""
        size = int(match["elements"][:18]) * itemsize(named) if named else -1
        group = self.groups.number(f"{match['process'].decode()} {match['comm'].decode()}", None, ranks)
        root = int(match["root"])
        return Call(
            operation=known,
            group=group,
            bytes_in=size * ranks if known == "reduce_scatter" and size >= 0 else size,
            bytes_out=size * ranks if known == "all_gather" and size >= 0 else size,
            bytes_source="record" if size >= 0 else "none",
            dtype=named,
            stream=self._streams.setdefault(match["stream"], len(self._streams)),
            sequence=int(match["count"][:15], 16),
            peer=root if known in ("send", "recv") else -1,
        )


def _named(number: bytes, names: tuple[str, ...]) -> str:
    """Algorithm or protocol by name; older versions print its number."""
    text = number.decode()
    return names[int(text)] if text.isdigit() and int(text[:4]) < len(names) else text
