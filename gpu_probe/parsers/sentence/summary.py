"""The runs that a table of results tells, such as people write into questions: a row each, rates in its cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.measurement import GpuCount, Machine, Notice, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GB, GIB, KIB, MIB, format_rate, format_size
from gpu_probe.parsers.names import collectives_named
from gpu_probe.parsers.sentence.machine import gpu_of, machine_of, names_nodes
from gpu_probe.parsers.sentence.passages import Passages
from gpu_probe.parsers.sentence.rate import SUBJECT
from gpu_probe.parsers.sentence.remarks import remarks

_RATE = re.compile(
    r"^[~≈*`\s]*(\d{1,5}(?:\.\d{1,4})?)[*`]* ?(GB/s(?:ec)?|GBps)?[*`]*(?![\w/])(?P<rest>.*)$", re.ASCII
)
_CONVENTION = re.compile(
    r"(?i)bus[ _]?(?:bw|bandwidth|b/w)|(?P<algorithm>alg(?:o|orithm)?[ _]?(?:bw|bandwidth))"
)
_OF_RATES = re.compile(r"(?i)GB/s|GBps|\b(?:bus|alg)[ _]?bw\b|bandwidth|throughput|performance|\bbw\b|result")
_NOT_MEASURED = re.compile(
    r"(?i)expect|theor|ideal|target|line rate|spec\b|refer|baseline ratio|increase|delta|diff|%|ratio|speed-?up"
    r"|efficien|\bus\b|µs|latenc|time|time \(|Gb/s|Gbps|Gbit"
)
_OTHER = re.compile(
    r"(?i)\bib_\w+_bw|perftest|nvbandwidth|p2p|memcpy|H2D|D2H|HBM|iperf|loopback|NIC-pair|fabric,"
)
_SIZE = re.compile(r"(?i)(?<![\w.])(\d{1,4}) ?(KiB|MiB|GiB|KB|MB|GB|[KMG])(?![\w/])")
_UNITS = {"k": KIB, "m": MIB, "g": GIB}
_RULE = re.compile(r"^[\s|:=+-]+$")
_COLUMNS_LEAST, _ROWS_MOST = 2, 40
_USUAL_BYTES, _SIZE_MOST_BYTES = int(8 * GIB), int(64 * GIB)
_GPUS = re.compile(r"(?i)^(?:n?ranks|(?:num(?:ber)? of |#)?GPUs?|world size)$")
_NODES = re.compile(r"(?i)^(?:(?:num(?:ber)? of |#)?(?:nodes|hosts|servers))$")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table in words: the text above it, its header, its rows, and the line of each."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def grids(lines: Sequence[str]) -> Iterator[Grid]:
    """The tables of a text whose cells stand between bars."""
    caption, table = "", []
    for line in [*lines, ""]:
        if line.count("|") >= _COLUMNS_LEAST - 1 and "|" in line:
            table.append(line)
            continue
        if _RULE.match(line) and table and line.strip():
            continue
        if table:
            rows = [_cells(row) for row in table if not _RULE.match(row)]
            if len(rows) > 1 and len(rows[0]) >= _COLUMNS_LEAST:
                yield Grid(caption, rows[0], tuple(rows[1:_ROWS_MOST]))
            table = []
        caption = line if line.strip() else caption


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().strip("*`").strip() for cell in line.strip().strip("|").split("|"))


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
    runs = []
    for grid in grids(lines):
        for row in grid.rows:
            for column, cell in enumerate(row):
                run = _run(grid, row, column, cell, text, file, first)
                if run is not None:
                    said = tuple(
                        Observation(kind, value, "", first) for kind, value in dict.fromkeys(remarks(text))
                    )
                    heard = dict.fromkeys((*run.observations, *said, *beside))
                    runs.append(_with(run, tuple(heard)))
    return runs


def _with(run: Run, observations: tuple[Observation, ...]) -> Run:
    return Run(
        run.file, run.format, run.collective, run.ranks, run.machine, run.samples,
        warnings=run.warnings, observations=observations,
    )  # fmt: skip


def _run(
    grid: Grid, row: tuple[str, ...], column: int, cell: str, text: str, file: str, first: int
) -> Run | None:
    """The run of one cell; None where it is no measured rate of a collective, or the machine stays open."""
    header = grid.header[column] if column < len(grid.header) else ""
    match = _RATE.match(cell)
    words = _row_words(grid.header, row, column)
    if match is None or not _is_rate(header, cell, match) or _OTHER.search(words) or _OTHER.search(header):
        return None
    names = next(
        (said for part in (words, header, grid.caption, text) if (said := collectives_named(part))), set()
    )
    if len(names) != 1 or not any(SUBJECT.search(part) for part in (words, header, grid.caption, text)):
        return None
    told = f"{words}, {header}"
    gpu = gpu_of(told) or gpu_of(grid.caption) or gpu_of(text)
    named = f"{told} on {gpu}" if gpu and not gpu_of(told) else told
    stated = machine_of(Passages(named, named, _whole(named, grid.caption, text), 0), has_instance=False)
    collective = next(iter(names))
    factor = bus_factor(collective, stated.ranks) if stated else None
    if stated is None or factor is None:
        return None
    size_bytes = _size(words) or _size(header) or _size(grid.caption) or _USUAL_BYTES
    rate = float(match.group(1)) * GB
    convention = _CONVENTION.search(f"{cell} {header}")
    by_algorithm = convention is not None and convention.group("algorithm") is not None
    time_s = size_bytes / rate * (1.0 if by_algorithm else factor)
    told_so = (
        f"taken from a table of results: {collective}, {stated.ranks} ranks on {stated.nodes} "
        f"node{'s' if stated.nodes > 1 else ''}, {format_rate(rate)} {'algbw' if by_algorithm else 'busbw'} at "
        f"{format_size(size_bytes)}; the log itself tells more"
    )
    said = [Observation("nodes", str(stated.nodes), "", first)] if stated.nodes > 1 else []
    said += [Observation(kind, value, "", first) for kind, value in remarks(told)]
    return Run(
        file, "nccl-tests-text", collective, stated.ranks,
        Machine((GpuCount(stated.gpu, stated.ranks),) if stated.gpu else ()),
        (Sample(collective, size_bytes, time_s),),
        warnings=(Notice("from_prose", told_so, first),), observations=tuple(said),
    )  # fmt: skip


def _whole(row: str, caption: str, text: str) -> str:
    """The words to look for what a row leaves out: none where it counts its nodes, else caption and prose."""
    return row if names_nodes(row) else f"{row}. {caption}. {_prose(text)}"


def _prose(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "|" not in line)


def _is_rate(header: str, cell: str, match: re.Match[str]) -> bool:
    """Whether a cell is a measured rate: its unit stands in it or above it, and nothing calls it an expectation."""
    if (
        _NOT_MEASURED.search(header)
        or float(match.group(1)) <= 0
        or _NOT_MEASURED.search(match.group("rest")[:12])
    ):
        return False
    unit = match.group(2) is not None or re.search(r"(?i)GB/s|GBps", header) is not None
    return (unit or _CONVENTION.search(header) is not None) and bool(_OF_RATES.search(f"{header} {cell}"))


def _row_words(header: Sequence[str], row: Sequence[str], but: int) -> str:
    """The other cells of a row as a text: bare numbers with the word above them."""
    words = []
    for index, cell in enumerate(row):
        above = header[index] if index < len(header) else ""
        if index == but or not cell or _RATE.match(cell) and _OF_RATES.search(f"{above} {cell}"):
            continue
        if cell.isdigit():
            noun = "GPUs" if _GPUS.match(above) else "nodes" if _NODES.match(above) else ""
            words += [f"{cell} {noun}"] if noun else []
            continue
        words.append(cell)
    return ", ".join(words)


def _size(text: str) -> int:
    """The one message size that a text names; 0 where it names none, or several."""
    said = {int(int(match.group(1)) * _UNITS[match.group(2)[0].lower()]) for match in _SIZE.finditer(text)}
    sizes = {size for size in said if 0 < size <= _SIZE_MOST_BYTES}
    return sizes.pop() if len(sizes) == 1 else 0
