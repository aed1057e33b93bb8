"""The runs that a table of results in prose tells: one for every cell that is a measured rate."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.measurement import GpuCount, Machine, Notice, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GB, GIB, KIB, MIB, format_rate, format_size
from gpu_probe.parsers.limits import CELLS_OF_PROSE_MOST
from gpu_probe.parsers.names import collectives_named
from gpu_probe.parsers.sentence.grid import SIZE_NAME, Grid, grids
from gpu_probe.parsers.sentence.machine import Stated, gpu_in, machine_of, names_nodes
from gpu_probe.parsers.sentence.network import stated_network
from gpu_probe.parsers.sentence.passages import Passages
from gpu_probe.parsers.sentence.rate import DEVICE, SUBJECT
from gpu_probe.parsers.sentence.remarks import remarks

_RATE = re.compile(
    r"^[~≈*`\s]*(\d{1,5}(?:\.\d{1,4})?)[*`]* ?(GB/s(?:ec)?|GBps)?[*`]*(?![\w/])(?P<rest>.*)$", re.ASCII
)
_CONVENTION = re.compile(
    r"(?i)bus[ _]?(?:bw|bandwidth|b/w)|(?P<algorithm>alg(?:o|orithm)?[ _]?(?:bw|bandwidth))"
)
_OF_RATES = re.compile(r"(?i)GB/s|GBps|\b(?:bus|alg)[ _]?bw\b|bandwidth|throughput|performance|\bbw\b|result")
_NOT_MEASURED = re.compile(
    r"(?i)expect|theor|ideal|target|line rate|spec\b|refer|baseline|\bbefore\b|previous|publish|official"
    r"|claim|advertised|\bpapers?\b|should|increase|delta|diff|%|ratio"
    r"|speed-?up|efficien|\bus\b|µs|latenc|time|(?-i:G(?:b/s|bps|bit))"
)
_DEMANDED = re.compile(
    r"(?i)(?:the |nvidia(?:'s)? |amd(?:'s)? |dgx )?(?:expect|theor|ideal|target|line rate|spec|require"
    r"|minimum|limit|refer|baseline|before\b|previous|publish|official|claim|advertised|papers?\b"
    r"|release notes?|docs?\b)"
)
"""How a row begins that holds what should be, what others measured, or what was before."""
_OTHER = re.compile(r"(?i)\bib_\w+_bw|perftest|nvbandwidth|p2p|memcpy|H2D|D2H|HBM|iperf|loopback|NIC-pair")
_OF_DEVICE = re.compile(
    rf"(?i)\b(?:{DEVICE}|disks?|storage|NVMe|interconnect)\b(?: (?:bandwidth|speed|rate|throughput|bw))?"
)
"""A column or row of what a link or memory carries; one of bus or algorithm bandwidth says that."""
_SIZE = re.compile(
    r"(?i)(?<![\w.])(\d{1,12}(?:\.\d{1,2})?) ?(KiB|MiB|GiB|KB|MB|GB|[KMG]|(?-i:B(?:ytes)?))(?![\w/])"
)
_UNITS = {"b": 1, "k": KIB, "m": MIB, "g": GIB}
_ROWS_LEAST = 2
_USUAL_BYTES, _SIZE_MOST_BYTES = int(8 * GIB), int(64 * GIB)
_GPUS = re.compile(r"(?i)^(?:n?ranks|(?:num(?:ber)? of |#)?GPUs?|world size)$")
_NODES = re.compile(r"(?i)^(?:(?:num(?:ber)? of |#)?(?:nodes|hosts|servers))$")


def runs_of(
    lines: Sequence[str], text: str, file: str, first: int, beside: Sequence[Observation]
) -> list[Run]:
    """
    The runs that tables in a text tell: of each row and each column of measured rates one.

    Args:
        lines: Of the text, as they stand.
        text: The prose as one, for the machine that rows leave out.
        file: Its name.
        first: Line where it begins.
        beside: What the file says of its machine.
    """
    runs, left = [], CELLS_OF_PROSE_MOST
    for grid in grids(lines):
        told = []
        for row in grid.rows:
            left -= sum(_RATE.match(cell) is not None for cell in row)
            told += _row_runs(grid, row, text, file, first) if left >= 0 else []
        runs += [replace(run, observations=_heard(run, text, first, beside)) for run in _curves(told)]
    return runs


def _row_runs(grid: Grid, row: tuple[str, ...], text: str, file: str, first: int) -> list[Run]:
    """The runs of a row: one for each of its rates, busbw where it tells that and algbw."""
    cells = [_Cell(grid, row, column) for column in range(len(row))]
    runs = [(cell.convention, run) for cell in cells if (run := _run(cell, text, file, first)) is not None]
    both = {"bus", "algorithm"} <= {convention for convention, _ in runs}
    return [run for convention, run in runs if not (both and convention == "algorithm")]


def _curves(runs: list[Run]) -> list[Run]:
    """The runs of a table, as one where its rows are one run's sizes."""
    sizes = [run.samples[0].size_bytes for run in runs]
    alike = {(run.collective, run.ranks, run.machine.gpus, run.observations) for run in runs}
    if len(runs) < _ROWS_LEAST or len(alike) > 1 or len(set(sizes)) < len(sizes):
        return runs
    notice = runs[0].warnings[0]
    told = f"{', '.join(notice.message.split(', ')[:2])}, {len(runs)} sizes; the log itself tells more"
    samples = tuple(run.samples[0] for run in runs)
    return [replace(runs[0], samples=samples, warnings=(replace(notice, message=told),))]


def _heard(run: Run, text: str, first: int, beside: Sequence[Observation]) -> tuple[Observation, ...]:
    """What is known of a row's run: its own words, those of the prose, what the file says of its machine."""
    said = [Observation(kind, value, "", first) for kind, value in remarks(text)]
    kinds = {item.kind for item in run.observations}
    if "nodes" in kinds and "nics_stated" not in kinds:
        said += stated_network(text, first)
    return tuple(dict.fromkeys((*run.observations, *said, *beside)))


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell of a table."""

    grid: Grid
    row: tuple[str, ...]
    column: int

    @property
    def header(self) -> str:
        return self.grid.header[self.column] if self.column < len(self.grid.header) else ""

    @property
    def text(self) -> str:
        return self.row[self.column]

    @property
    def label(self) -> str:
        """The name of its row."""
        return next((part for part in self.row if part), "")

    @property
    def convention(self) -> str:
        """``bus`` or ``algorithm``; empty where neither is named."""
        said = _CONVENTION.search(f"{self.text} {self.header}") or _CONVENTION.match(self.label)
        return "" if said is None else "algorithm" if said.group("algorithm") else "bus"

    @property
    def words(self) -> str:
        """The other cells of its row."""
        return _row_words(self.grid.header, self.row, self.column)


def _run(cell: _Cell, text: str, file: str, first: int) -> Run | None:
    """The run of one cell; None where it is no measured rate of a collective, or the machine stays open."""
    words = cell.words
    match = _RATE.match(cell.text)
    if match is None or not _is_rate(cell, match) or _OTHER.search(f"{words}, {cell.header}"):
        return None
    if not cell.convention and (_is_of_device(cell) or _is_of_other_work(cell)):
        return None
    parts = (words, cell.header, cell.grid.caption, text)
    names: set[str] = next((said for part in parts if (said := collectives_named(part))), set())
    stated = _stated(cell, words, text)
    if len(names) != 1 or stated is None or not any(SUBJECT.search(part) for part in parts):
        return None
    collective = next(iter(names))
    factor = bus_factor(collective, stated.ranks)
    if factor is None:
        return None
    size_bytes = next((size for part in parts[:3] if (size := _size(part))), _USUAL_BYTES)
    rate = float(match.group(1)) * GB
    by_algorithm = cell.convention == "algorithm"
    told = (
        f"taken from a table of results: {collective}, {stated.ranks} ranks on {stated.nodes} "
        f"node{'s' if stated.nodes > 1 else ''}, {format_rate(rate)} "
        f"{'algbw' if by_algorithm else 'busbw'} at {format_size(size_bytes)}; the log itself tells more"
    )
    return Run(
        file, "nccl-tests-text", collective, stated.ranks,
        Machine((GpuCount(stated.gpu, stated.ranks),) if stated.gpu else ()),
        (Sample(collective, size_bytes, size_bytes / rate * (1.0 if by_algorithm else factor)),),
        warnings=(Notice("from_prose", told, first),),
        observations=_observed(stated.nodes, f"{words}, {cell.header}", first),
    )  # fmt: skip


def _stated(cell: _Cell, words: str, text: str) -> Stated | None:
    """The machine of a row: as its cells name it; what they leave open, as its caption and the prose do."""
    told = f"{words}, {cell.header}"
    gpu = gpu_in(told) or gpu_in(cell.grid.caption) or gpu_in(text)
    named = f"{told} on {gpu}" if gpu and not gpu_in(told) else told
    return machine_of(Passages(named, named, _whole(named, cell.grid.caption, text), 0), has_instance=False)


def _observed(nodes: int, told: str, first: int) -> tuple[Observation, ...]:
    """What a row itself says of its machine."""
    said = [("nodes", str(nodes))] if nodes > 1 else []
    adapters = stated_network(told, first) if nodes > 1 else ()
    return (*(Observation(kind, value, "", first) for kind, value in [*said, *remarks(told)]), *adapters)


def _whole(row: str, caption: str, text: str) -> str:
    """The words to look for what a row leaves out: none where it counts its nodes, else caption and prose."""
    return row if names_nodes(row) else f"{row}. {caption}. {_prose(text)}"


def _prose(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "|" not in line)


def _is_rate(cell: _Cell, match: re.Match[str]) -> bool:
    """Whether a cell is a measured rate: its unit in it or above it, and nothing calls it expected."""
    header = cell.header
    if any(_NOT_MEASURED.search(part) for part in (header, match.group("rest")[:12])):
        return False
    if _DEMANDED.match(cell.label):
        return False
    unit = match.group(2) is not None or re.search(r"(?i)GB/s|GBps", header) is not None
    told = unit or _CONVENTION.search(header) is not None
    return told and float(match.group(1)) > 0 and bool(_OF_RATES.search(f"{header} {cell.text}"))


def _is_of_device(cell: _Cell) -> bool:
    """Whether its column, or the name of its row, is a rate of a link or memory."""
    named = _OF_DEVICE.fullmatch(cell.label)
    return _OF_DEVICE.search(cell.header) is not None or named is not None


def _is_of_other_work(cell: _Cell) -> bool:
    """Whether other rows of its table name a collective, and its own names none."""
    rows = (", ".join(row) for row in cell.grid.rows)
    return not collectives_named(f"{cell.words}, {cell.header}") and any(map(collectives_named, rows))


def _row_words(header: Sequence[str], row: Sequence[str], but: int) -> str:
    """The other cells of a row as a text: bare numbers with the word above them."""
    words = []
    for index, cell in enumerate(row):
        above = header[index] if index < len(header) else ""
        if index == but or not cell or (_RATE.match(cell) and _OF_RATES.search(f"{above} {cell}")):
            continue
        if cell.isdigit():
            nouns = (("GPUs", _GPUS), ("nodes", _NODES), ("B", SIZE_NAME))
            words += [f"{cell} {noun}" for noun, name in nouns if name.match(above)][:1]
            continue
        words.append(cell)
    return ", ".join(words)


def _size(text: str) -> int:
    """The one message size that a text names; 0 where it names none, or several."""
    said = {int(float(match.group(1)) * _UNITS[match.group(2)[0].lower()]) for match in _SIZE.finditer(text)}
    sizes = {size for size in said if 0 < size <= _SIZE_MOST_BYTES}
    return sizes.pop() if len(sizes) == 1 else 0
