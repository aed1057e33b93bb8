"""One execution of nccl-tests while it is read: devices, columns, rows, and the run they make."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GB, US
from gpu_probe.parsers import failures, guess
from gpu_probe.parsers.environment import Software
from gpu_probe.parsers.limits import RANKS_MOST
from gpu_probe.parsers.nccl_table import Columns, Figures, Row
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import Notices, ParsedRun

_RANK = re.compile(
    r"[#\s]{0,40}Rank\s{1,8}(\d{1,7})(?:\s{1,8}Group\s{1,8}(-?\d{1,10}))?(?:\s{1,8}Pid\s{1,12}\d{1,12})?"
    r"\s{1,8}on\s{1,40}(\S{1,255})\s{1,12}device\s{1,8}\d{1,6}\s{1,8}\[[0-9a-fA-Fx:.]{1,20}\]\s{0,8}(.{0,150})"
)
_OLD_DEVICE = re.compile(
    r"[#\s]{0,40}(?:Device\s{1,8}(\d{1,4})\s{1,8}->\s{1,8}\d{1,4}|Rank\s{1,8}(\d{1,4})\s{1,8}uses\s{1,8}device\s{1,8}\d{1,4})"
    r"\s{1,8}\[[0-9a-fA-Fx:.]{1,20}\]\s{1,8}(\S.{0,150})"
)
"""NCCL 1 numbers the devices of its one host."""
_CUT_RANK = re.compile(r"[#\s]{0,40}Rank\s{1,8}(\d{1,7})\s.{0,300}\bdevice\b")
_TOLERANCE = 0.02
_HALF_DIGIT = 0.0051


@dataclass(slots=True)
class Devices:
    """The ``Rank`` lines of one execution."""

    ranks: set[int] = field(default_factory=set)
    groups: dict[str, int] = field(default_factory=dict)
    gpus: dict[str, int] = field(default_factory=dict)
    hosts: dict[str, None] = field(default_factory=dict)
    elided: bool = False

    def feed(self, text: str) -> bool:
        """Take a ``Rank`` line or the dots that stand for some."""
        match = _RANK.match(text)
        if match is not None:
            rank, group, host, name = match.groups()
            self._add(int(rank), group or "0", host, name.strip())
            return True
        old = _OLD_DEVICE.match(text)
        if old is not None:
            self._add(int(old.group(1) or old.group(2)), "0", "", old.group(3).strip())
            return True
        return self._dots(text) or self._cut(text)

    def _add(self, rank: int, group: str, host: str, name: str) -> None:
        """A rank; older ROCm prints no name of its GPU."""
        if rank in self.ranks or len(self.ranks) >= RANKS_MOST:
            return
        self.ranks.add(rank)
        self.groups[group] = self.groups.get(group, 0) + 1
        if name:
            self.gpus[name] = self.gpus.get(name, 0) + 1
        if host:
            self.hosts[host] = None

    def _cut(self, text: str) -> bool:
        """A ``Rank`` line whose details were replaced by dots still counts."""
        match = _CUT_RANK.match(text) if "..." in text else None
        if match is not None and len(self.ranks) < RANKS_MOST:
            self.ranks.add(int(match.group(1)))
            self.groups["0"] = self.groups.get("0", 0) + 1
        return match is not None

    def _dots(self, text: str) -> bool:
        dots = bool(self.ranks) and text.strip(" #") in ("...", "[...]", "\u2026")
        self.elided = self.elided or dots
        return dots

    def count(self) -> int | None:
        """Ranks of one communicator; a list with gaps still tells the highest rank."""
        if not self.ranks:
            return None
        if len(self.groups) > 1:
            return max(self.groups.values())
        return max(self.ranks) + 1

    def gpu_counts(self) -> tuple[GpuCount, ...]:
        """GPUs by name; of an elided list with one name all ranks are taken to have it."""
        if len(self.gpus) == 1 and self.ranks and len(self.groups) == 1:
            return (GpuCount(next(iter(self.gpus)), max(self.ranks) + 1),)
        return tuple(GpuCount(name, count) for name, count in self.gpus.items())


@dataclass(slots=True)
class Block:
    """
    What is known of the execution that is being read.

    Attributes:
        line: Line where it begins.
        collective: From the log's own header or the command line; None where neither tells.
        spoken: Collective that a line of prose above the table names.
        columns: Of the table, once its header was read.
        parameters, named, ended: Whether the lines ``nThread ...``, ``Collective test starting`` and
            ``Avg bus bandwidth`` were there.
        rccl: Whether RCCL or rccl-tests printed its version.
        nccl_seen: Whether NCCL's own lines stood before the end; those after it belong to no other run.
        nranks: Ranks of the communicator as NCCL prints them, for logs without a list of ranks.
        failure, failure_line: The first error message, and its line; ``explained`` where its cause is known.
        connected: Whether NCCL said that its ranks are connected.
        devices, software, rows, notices: Gathered so far.
    """

    line: int
    collective: str | None = None
    spoken: str | None = None
    columns: Columns | None = None
    parameters: bool = False
    named: bool = False
    ended: bool = False
    rccl: bool = False
    nccl_seen: bool = False
    nranks: int | None = None
    failure: str = ""
    failure_line: int | None = None
    explained: bool = False
    connected: bool = False
    devices: Devices = field(default_factory=Devices)
    software: Software = field(default_factory=Software)
    rows: list[Row] = field(default_factory=list)
    notices: Notices = field(default_factory=Notices)

    def note_failure(self, text: str, line: int) -> None:
        """Remember the first thing that went wrong in this execution."""
        if not self.failure:
            self.failure, self.failure_line = text.strip(), line

    def note_message(self, text: str, line: int) -> None:
        """Remember the first message whose cause is known; it says more than the test's own."""
        if not self.explained and (meaning := failures.explained(text)):
            self.failure, self.failure_line, self.explained = meaning, line, True
        self.connected = self.connected or failures.connected(text)

    def parsed_run(self, file: str) -> ParsedRun:
        """The run of this block; without rows it comes with the reason."""
        ranks = self.devices.count() or self.nranks
        samples = samples_of(self.rows, self.collective)
        run = self._run(file, ranks, samples)
        if samples:
            return ParsedRun(self.line, run)
        incomplete = next((notice for notice in self.notices.kept if notice.code == "row_incomplete"), None)
        silent = f": {failures.HANG}" if self.connected else ", the run failed or the log was cut"
        reason = f": {self.failure}" if self.failure else silent
        if incomplete is not None and not self.failure:
            reason, self.failure_line = f" that are whole: {incomplete.message}", incomplete.line
        return ParsedRun(
            self.line, run, ParseError(f"the table has no rows{reason}", self.failure_line or self.line)
        )

    def _run(self, file: str, ranks: int | None, samples: tuple[Sample, ...]) -> Run:
        redops, roots = {row.redop for row in self.rows}, {row.root for row in self.rows}
        redop = redops.pop() if len(redops) == 1 else None
        root = roots.pop() if len(roots) == 1 else None
        collective = self.collective
        collective_guess = None if collective else self._guess(samples, ranks, redop, root)
        ranks_guess = guess.ranks_guess(samples, collective or collective_guess) if ranks is None else None
        self._remark(samples, ranks, collective_guess, ranks_guess)
        dtypes = {row.dtype for row in self.rows}
        return Run(
            file=file,
            format="rccl-tests-text" if self._is_rccl() else "nccl-tests-text",
            collective=collective,
            ranks=ranks,
            machine=self._machine(),
            samples=samples,
            warnings=self.notices.all(),
            dtype=dtypes.pop() if len(dtypes) == 1 else None,
            tool_version=self.software.tests,
            collective_guess=collective_guess,
            ranks_guess=ranks_guess,
        )

    def _guess(
        self, samples: tuple[Sample, ...], ranks: int | None, redop: str | None, root: str | None
    ) -> str | None:
        """What prose above the table says where the printed rates fit it; else what they fit."""
        if self.spoken and guess.fits(guess.printed_ratio(samples), self.spoken, ranks):
            return self.spoken
        return guess.collective_guess(samples, ranks, redop, root)

    def _is_rccl(self) -> bool:
        return self.rccl or any(name.startswith("AMD ") for name in self.devices.gpus)

    def _machine(self) -> Machine:
        software = self.software
        hosts = tuple(self.devices.hosts)
        return Machine(
            self.devices.gpu_counts(), hosts, None, software.cuda, software.nccl, dict(software.env)
        )

    def _remark(
        self,
        samples: tuple[Sample, ...],
        ranks: int | None,
        collective_guess: str | None,
        ranks_guess: int | None,
    ) -> None:
        if self.collective is None:
            hint = f"; algbw and busbw fit {collective_guess}" if collective_guess else ""
            hint = "" if collective_guess == self.spoken else hint
            self.notices.add("collective_unknown", f"the log does not name the collective{hint}", self.line)
        if ranks is None:
            hint = f"; algbw and busbw fit {ranks_guess} ranks" if ranks_guess else ""
            self.notices.add("ranks_unknown", f"the log does not list its ranks{hint}", self.line)
        if not samples:
            self.notices.add("no_rows", self.failure or "no rows", self.failure_line or self.line)
        if self.devices.elided or (ranks and self.devices.ranks and len(self.devices.ranks) < ranks):
            self.notices.add("ranks_elided", f"the list of ranks is cut; its last rank makes {ranks} of them")
        if len(self.devices.groups) > 1:
            self.notices.add(
                "several_groups", f"{len(self.devices.groups)} groups run side by side, {ranks} ranks each"
            )
        remark_on_rates(self.notices, self.rows, self.collective, ranks)


def remark_on_rates(notices: Notices, rows: list[Row], collective: str | None, ranks: int | None) -> None:
    """Warn of wrong results and of printed figures that size, time and ranks contradict."""
    for row in rows:
        for figures in row.figures:
            if figures.wrong:
                notices.add("wrong_results", f"{figures.wrong} wrong values, {figures.placement}", row.line)
            if text := _mismatch(row.size_bytes, figures, bus_factor(collective, ranks)):
                notices.add("rate_mismatch", f"{figures.placement}: {text}", row.line)
    if not collective or ranks is not None:
        return
    ratio = guess.printed_ratio(samples_of(rows, collective))
    if ratio and not guess.fits(ratio, collective, None):
        text = f"busbw is {ratio.value:.4f} of algbw: that is {collective} at no number of ranks"
        notices.add("rates_inconsistent", text)


def samples_of(rows: list[Row], collective: str | None) -> tuple[Sample, ...]:
    """Two samples a row; what varies among the rows, type, reduction or root, tells their series apart."""
    settings = {(row.dtype, row.redop, row.root) for row in rows}
    varied = [len(set(column)) > 1 for column in zip(*settings, strict=True)]
    return tuple(sample for row in rows for sample in _samples(row, collective, varied))


def _detail(row: Row, varied: list[bool]) -> str | None:
    if not any(varied):
        return None
    settings = (row.dtype, row.redop, f"root {row.root}")
    return (
        ", ".join(str(setting) for setting, is_varied in zip(settings, varied, strict=True) if is_varied)
        or None
    )


def _samples(row: Row, collective: str | None, varied: list[bool]) -> list[Sample]:
    detail = _detail(row, varied)
    return [
        Sample(
            operation=collective,
            detail=detail,
            size_bytes=row.size_bytes,
            time_s=figures.time_us * US,
            placement=figures.placement,
            wrong=figures.wrong,
            reported_algbw_bytes_per_s=None if figures.algbw is None else figures.algbw * GB,
            reported_busbw_bytes_per_s=None if figures.busbw is None else figures.busbw * GB,
            low_s=None if figures.fastest_us is None else figures.fastest_us * US,
            high_s=None if figures.slowest_us is None else figures.slowest_us * US,
        )
        for figures in row.figures
    ]


def _mismatch(size_bytes: int, figures: Figures, factor: float | None) -> str:
    """A printed figure that size and time contradict by more than two percent and rounding."""
    time_s = figures.time_us * US
    if time_s <= 0 or size_bytes == 0:
        return ""
    algbw = size_bytes / time_s / GB
    few_digits = figures.time_us < 1000 * figures.rounding_us / _HALF_DIGIT
    slack = _TOLERANCE + (figures.rounding_us / figures.time_us if few_digits else 0.0)
    pairs = [("algbw", figures.algbw, algbw)]
    if factor is not None:
        pairs.append(("busbw", figures.busbw, algbw * factor))
    for name, printed, recomputed in pairs:
        if printed is not None and abs(printed - recomputed) > slack * recomputed + _HALF_DIGIT:
            return f"printed {name} {printed:g} GB/s, size and time make {recomputed:.4g} GB/s"
    return ""
