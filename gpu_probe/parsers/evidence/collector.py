"""Listens to every line of a file and gives each run what was said of its machine."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.hardware.link import NODE_GPUS
from core.measurement import Matrix, Observation, Run
from gpu_probe.parsers.evidence import host_lines, nccl_lines
from gpu_probe.parsers.evidence.gpu_lines import GpuLines
from gpu_probe.parsers.evidence.host_lines import HostLines
from gpu_probe.parsers.evidence.launch_lines import gpus_of_a_thread
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.reader import ParsedRun

OBSERVATIONS_MOST = 400
"""Different ones of a file: a log of a thousand ranks says the same thing a thousand times."""
_HOSTS_LEAST = 4
_NIC_COLUMN = re.compile(r"(?:NIC\d|mlx\d_\d|bnxt_re\d|irdma\d|roce[op]|ib[ps]\d)")
"""A column of one NIC; a bond's name says nothing of its ports."""
_WHOLE_COLONS = 2
"""In a slot such as ``0000:1b:00``; ``0x1b`` alone may be the same on two domains."""
_SPEAKER = re.compile(r"([A-Za-z][\w.-]{0,80}):\d{1,10}:\d{1,10} \[\d{1,4}\]")
_OF_RUN = (
    "gpus_per_thread",
    "transport",
    "network",
    "nvls",
    "channels",
    "graph",
    "nodes",
    "device",
    "slot",
    "warning",
    "setting",
)
"""Kinds that NCCL says anew in each execution; the others are of the machine and hold for the whole file."""


@dataclass(slots=True)
class Collector:
    """The different observations of a file, each with the first line that says it since a run began."""

    host_lines: HostLines = field(default_factory=HostLines)
    gpu_lines: GpuLines = field(default_factory=GpuLines)
    kept: list[Observation] = field(default_factory=list)
    seen: set[tuple[str, str, str]] = field(default_factory=set)

    def listen(self, line: Line) -> None:
        """Look at one line of the file."""
        text = line.text
        if "nThread" in text or "Collective test starting" in text:
            self.seen = {key for key in self.seen if key[0] not in _OF_RUN}
            self._keep(gpus_of_a_thread(text), "", line.number)
        if " NCCL " in text:
            self._listen_to_nccl(text, line.number)
        elif "RCCL_" in text:
            self._keep(nccl_lines.observations(text[:2000]), "", line.number)
        else:
            self._keep(self.host_lines.observations(text[:1000]), "", line.number)
            self._keep(self.gpu_lines.observations(text[:300]), "", line.number)

    def _listen_to_nccl(self, text: str, number: int) -> None:
        """A line of NCCL's own, or prose on NCCL, which may name the instance type."""
        said = tuple(nccl_lines.observations(text[:2000]))
        if not said and not host_lines.signed(text[:1000]):
            return
        speaker = _SPEAKER.search(text[:200])
        self._keep(said, speaker.group(1) if speaker else "", number)
        if speaker is None:
            self._keep(self.host_lines.observations(text[:1000]), "", number)

    def _keep(self, said: Iterable[nccl_lines.Said], host: str, number: int) -> None:
        for kind, value in said:
            key = (kind, value, host)
            if key not in self.seen and len(self.kept) < OBSERVATIONS_MOST:
                self.seen.add(key)
                self.kept.append(Observation(kind, value, host, number))

    def attach(self, parsed: Sequence[ParsedRun]) -> list[ParsedRun]:
        """The runs of a file, in its order, each with what was said of its machine."""
        collectives = [item for item in parsed if item.run.samples and item.run.format != "perftest"]
        topologies = [
            matrix for item in parsed for matrix in item.run.matrices if matrix.name.startswith("topo -m")
        ]
        starts = {id(item): index for index, item in enumerate(collectives)}
        return [
            replace(item, run=self._told(item.run, collectives, starts[id(item)], topologies))
            if id(item) in starts
            else replace(item, run=self._of_machine(item.run))
            for item in parsed
        ]

    @property
    def machine(self) -> tuple[Observation, ...]:
        """What was said of the machine anywhere in the file."""
        return tuple(item for item in self.kept if item.kind not in _OF_RUN)

    def _of_machine(self, run: Run) -> Run:
        """A run of copies with what was said of the machine in its file."""
        said = self.machine
        copies = run.format == "perftest" or any(matrix.kind == "bandwidth" for matrix in run.matrices)
        return replace(run, observations=said) if said and copies else run

    def _told(self, run: Run, runs: Sequence[ParsedRun], index: int, topologies: Sequence[Matrix]) -> Run:
        """A run with the lines up to the next header, those of the machine, and the paths of its GPUs."""
        first = 0 if index == 0 else runs[index].line
        last = runs[index + 1].line if index + 1 < len(runs) else None
        heard = [
            item
            for item in self.kept
            if item.kind not in _OF_RUN
            or (item.line is not None and first <= item.line and (last is None or item.line < last))
        ]
        if len(run.machine.hosts) < 2 and topologies:  # noqa: PLR2004 (one host: its own matrix)
            heard += _paths(topologies[0], {item.value for item in heard if item.kind == "device"}, run)
        elif topologies:
            heard += _adapter_paths(topologies[0])
        devices = {item.value: item for item in heard if item.kind == "device"}
        said = tuple(item for item in heard if item.kind not in ("device", "slot", "launched"))
        slots = [item.value.split() for item in heard if item.kind == "slot"]
        said += _containers(slots, run) + _shared_gpus(slots, run)
        said += _hosts_of_one_node(heard, run) if len(runs) == 1 else ()
        if len(run.machine.hosts) == 1 and len(devices) > NODE_GPUS:
            said += (replace(next(iter(devices.values())), kind="devices", value=str(len(devices))),)
        return replace(run, observations=said) if said else run


def _containers(slots: Sequence[Sequence[str]], run: Run) -> tuple[Observation, ...]:
    """That hosts with one GPU each have it in slots that all differ: equal nodes would have it in one."""
    hosts, different = len(run.machine.hosts), {slot[-1] for slot in slots}
    one_each = len(slots) == hosts == len({slot[0] for slot in slots}) == run.ranks
    if hosts < _HOSTS_LEAST or not one_each or len(different) < hosts:
        return ()
    return (Observation("containers", f"{hosts} hosts with one GPU each, in {hosts} different slots"),)


def _hosts_of_one_node(heard: Sequence[Observation], run: Run) -> tuple[Observation, ...]:
    """That a command names several hosts while all ranks list one, as containers do that share its name."""
    commands = [item for item in heard if item.kind == "launched"]
    whole = sum(gpu.count for gpu in run.machine.gpus) == run.ranks
    elided = any(notice.code == "ranks_elided" for notice in run.warnings)
    if not commands or elided or not whole or len(run.machine.hosts) != 1:
        return ()
    text = f"the command names {commands[0].value} hosts, all ranks list {run.machine.hosts[0]}"
    return (replace(commands[0], kind="containers", value=text),)


def _shared_gpus(slots: Sequence[Sequence[str]], run: Run) -> tuple[Observation, ...]:
    """That ranks share GPUs: fewer slots than ranks, where each rank's is printed with domain and device."""
    listed = sum(gpu.count for gpu in run.machine.gpus)
    elided = any(notice.code == "ranks_elided" for notice in run.warnings)
    whole = all(slot[-1].count(":") == _WHOLE_COLONS for slot in slots)
    if elided or not slots or not whole or listed != run.ranks or len(slots) >= listed:
        return ()
    return (Observation("shared_gpu", f"{listed} ranks on {len(slots)} GPU{'s' if len(slots) > 1 else ''}"),)


def _paths(matrix: Matrix, devices: set[str], run: Run) -> list[Observation]:
    """The path of each pair of GPUs that ran."""
    ran = devices or {str(index) for index in range(run.ranks_or_guess or 0)}
    names = [name for name in matrix.rows if name.startswith("GPU") and name[3:] in ran]
    cells = {
        (row, column): cell
        for row, values in zip(matrix.rows, matrix.values, strict=True)
        for column, cell in zip(matrix.columns, values, strict=False)
    }
    pairs = [(a, b) for index, a in enumerate(names) for b in names[index + 1 :]]
    found = [(a, b, cells.get((a, b))) for a, b in pairs[:OBSERVATIONS_MOST]]
    return [Observation("path", f"{a} {b} {cell}") for a, b, cell in found if cell not in (None, "X")]


def _adapter_paths(matrix: Matrix) -> list[Observation]:
    """Of each GPU the nearest NIC, as far as the matrix names NICs."""
    nearness = ("PIX", "PXB", "PHB", "NODE", "SYS")
    nearest = []
    for row, values in zip(matrix.rows, matrix.values, strict=True):
        cells = [
            str(cell)
            for column, cell in zip(matrix.columns, values, strict=False)
            if not column.startswith("GPU") and cell in nearness
        ]
        if row.startswith("GPU") and cells:
            nearest.append(Observation("nic_path", f"{row} {min(cells, key=nearness.index)}"))
    nics = [column for column in matrix.columns if _NIC_COLUMN.match(column)]
    return [*nearest, Observation("nic_columns", str(len(nics)))] if nics and nearest else nearest
