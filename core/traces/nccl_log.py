"""NCCL's own log (``NCCL_DEBUG=INFO``): the calls of its COLL lines and the plans of its TUNING lines."""

import re
from collections import Counter, defaultdict
from itertools import pairwise

from core.errors import InputError
from core.traces.building import NAN, Call, collectives
from core.traces.group_table import GroupTable
from core.traces.kineto.calls import SAME_SIZE
from core.traces.names import NCCL_DTYPES, itemsize, named_rank, operation
from core.traces.records import Job, RankTrace
from core.traces.unpacking import Source

CALLS_MOST = 1_000_000

_SAYS = b" NCCL INFO "
_SPEAKER = re.compile(rb"(?P<process>[\w.-]{1,255}:\d{1,10}):\d{1,10} \[(?P<device>\d{1,6})\]$")
_SPEAKER_MOST = 300
_CALL = re.compile(
    rb"(?P<name>[A-Z]\w{2,30}): opCount (?P<count>[0-9a-fA-F]{1,15}) sendbuff \S+ recvbuff \S+ (?:acc \S+ )?"
    rb"count (?P<elements>\d{1,18}) datatype (?P<dtype>\d{1,4}) op \d+ root (?P<root>-?\d{1,9}) "
    rb"comm (?P<comm>0x[0-9a-fA-F]{1,16}) \[nranks=(?P<ranks>\d{1,7})\] "
    rb"stream (?P<stream>0x[0-9a-fA-F]{1,16}|\(nil\))"
)
_TUNING = re.compile(
    rb"(?:(?P<name>[A-Z]\w{2,30}): )?\s*(?P<bytes>\d{1,18}) Bytes -> "
    rb"Algo (?P<algorithm>\w{1,30}) proto (?P<protocol>\w{1,30})"
)
_RANK = re.compile(
    rb".{0,200}?comm (?P<comm>0x[0-9a-fA-F]{1,16}) rank (?P<rank>\d{1,7}) n[rR]anks (?P<ranks>\d{1,7})"
    rb"(?:.{0,200}?commId (?P<id>0x[0-9a-fA-F]{1,16}))?"
)
_ALGORITHMS = ("TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT")
_PROTOCOLS = ("LL", "LL128", "SIMPLE")
_GATHERED_IN = ("reduce_scatter", "all_to_all")
_GATHERED_OUT = ("all_gather", "all_to_all")
"""Sides that hold the count of a call times the ranks."""
_VERSION = re.compile(rb"(NCCL|RCCL) version (\d[\w.+-]{0,60})")


def read_nccl_log(source: Source) -> Job:
    """
    The calls of every process in the log, in their order; the log has no times.

    A communicator is known across ranks by its ``commId``, where the log has the lines of its start; its
    address is each process's own. ``opCount`` is hexadecimal and counts per communicator. The count of an
    all-gather is one rank's input, that of a reduce-scatter one rank's output. A TUNING line names no
    communicator: it is the plan of the process's next call of that operation and larger size, and
    a call of its own in a log without COLL.

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


Speaker = tuple[str, int]
"""A process and one of its devices: a rank."""


class _Reading:
    """What the lines told so far."""

    def __init__(self) -> None:
        self.groups = GroupTable()
        self.calls: dict[Speaker, list[Call]] = defaultdict(list)
        self.plans: dict[Speaker, list[tuple[str, int, str]]] = defaultdict(list)
        self._ranks: dict[tuple[str, bytes], tuple[int, int, Speaker]] = {}
        self._used: set[tuple[Speaker, bytes]] = set()
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
                self._hear((speaker["process"].decode(), int(speaker["device"])), said, name)
        if version := _VERSION.search(line):
            self._software.add(b" ".join(version.groups()).decode("ascii", "replace"))

    def _hear(self, speaker: Speaker, said: bytes, name: str) -> None:
        if call := _CALL.match(said):
            self._count += 1
            if self._count > CALLS_MOST:
                message = f"{name}: more than {CALLS_MOST // 1_000_000} million calls"
                raise InputError(message)
            self.calls[speaker].append(self._call(speaker[0], call))
            self._used.add((speaker, call["comm"]))
        elif plan := _TUNING.match(said):
            named = f"{_named(plan['algorithm'], _ALGORITHMS)} {_named(plan['protocol'], _PROTOCOLS)}"
            known = operation(plan["name"].decode()) if plan["name"] else "unknown"
            self.plans[speaker].append((known, int(plan["bytes"]), named))
        elif told := _RANK.match(said):
            place = speaker[0], told["comm"]
            if told["id"]:
                self._communicator[place] = told["id"].decode()
            self._ranks[place] = int(told["ranks"]), int(told["rank"]), speaker

    def job(self, name: str) -> Job:
        """The job of all lines."""
        speakers = list(dict.fromkeys([*self.calls, *self.plans]))
        alone = Counter(process for process, _ in speakers)
        tuning = sum(map(len, self.plans.values()))
        notes = ["NCCL's log has no times."]
        if tuning:
            notes.append(f"{tuning} TUNING lines name algorithm and protocol.")
        told = [self._rank(speaker, alone=alone[speaker[0]] == 1) for speaker in speakers]
        if told == [None] and named_rank(name) >= 0:
            told = [named_rank(name)]
        ranks = [speaker[1] if rank is None else rank for speaker, rank in zip(speakers, told, strict=True)]
        if len(set(ranks)) < len(ranks):
            notes.append("The log does not tell the ranks: they are numbered as their processes come up.")
            ranks = list(range(len(ranks)))
        elif None in told:
            notes.append("The log does not tell every rank: the device's number stands for it.")
        return Job(
            "nccl-debug",
            tuple(self._trace(speaker, rank, name) for speaker, rank in zip(speakers, ranks, strict=True)),
            self.groups.groups,
            software=tuple(sorted(self._software)),
            notes=tuple(notes),
        )

    def _rank(self, speaker: Speaker, *, alone: bool) -> int | None:
        """The rank in the largest communicator of a process, or of one device of several; None not told."""
        own = [
            (size, rank)
            for (process, comm), (size, rank, told_by) in self._ranks.items()
            if process == speaker[0] and (alone or told_by == speaker or (speaker, comm) in self._used)
        ]
        return max(own, key=lambda entry: entry[0])[1] if own else None

    def _trace(self, speaker: Speaker, rank: int, name: str) -> RankTrace:
        calls = self._planned(speaker) if self.calls[speaker] else self._from_plans(speaker)
        return RankTrace(
            rank=rank,
            device=speaker[1],
            device_name="",
            start_s=NAN,
            end_s=NAN,
            collectives=collectives(calls),
            source=name,
        )

    def _planned(self, speaker: Speaker) -> list[Call]:
        """The calls with the plans that TUNING lines name for their operation and size, in order."""
        plans: dict[tuple[str, int], list[str]] = defaultdict(list)
        for kind, size, plan in reversed(self.plans[speaker]):
            plans[kind, size].append(plan)
        return [_with_plan(call, plans) for call in self.calls[speaker]]

    def _from_plans(self, speaker: Speaker) -> list[Call]:
        """Calls of a log without COLL lines; a plan's bytes are those of the larger side."""
        return [
            Call(
                kind,
                kernel=plan,
                bytes_in=size if kind in (*SAME_SIZE, "reduce_scatter") else -1,
                bytes_out=size if kind in (*SAME_SIZE, "all_gather") else -1,
                bytes_source="record" if kind in (*SAME_SIZE, "reduce_scatter", "all_gather") else "none",
            )
            for kind, size, plan in self.plans[speaker]
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
            bytes_in=_side(size, ranks, gathered=known in _GATHERED_IN, of_root=known == "scatter"),
            bytes_out=_side(size, ranks, gathered=known in _GATHERED_OUT, of_root=known == "gather"),
            bytes_source="record" if size >= 0 else "none",
            dtype=named,
            stream=self._streams.setdefault(match["stream"], len(self._streams)),
            sequence=int(match["count"], 16),
            peer=int(match["root"]) if known in ("send", "recv") else -1,
        )


def _side(size: int, ranks: int, *, gathered: bool, of_root: bool) -> int:
    """Bytes of one side of a call, from those of its count; -1 where only the root has that side."""
    if size < 0 or of_root:
        return -1
    return size * ranks if gathered else size


def _with_plan(call: Call, plans: dict[tuple[str, int], list[str]]) -> Call:
    """The call with the next plan of its operation and larger side; older plans name no operation."""
    size = max(call.bytes_in, call.bytes_out)
    for key in ((call.operation, size), ("unknown", size)):
        if plans.get(key):
            return call._replace(kernel=plans[key].pop())
    return call


def _named(number: bytes, names: tuple[str, ...]) -> str:
    """Algorithm or protocol by name, as NCCL spells it in capitals; older versions print its number."""
    by_number = {str(index): name for index, name in enumerate(names)}
    return by_number.get(number.decode(), number.decode().upper())
