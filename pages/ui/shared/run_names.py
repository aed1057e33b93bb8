"""Names of runs: file, machine and date, the same on every page."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from core.measurement import Run
from db.identity import comparable
from db.moments import parse_moment

FILE_MOST = 28
SEPARATOR = " · "
_MEMORY = re.compile(r"[ -]\d+ ?GB\b( HBM\w*)?")
"""The memory in a GPU's name, which a run's name can do without."""


class Named(Protocol):
    """What a stored run is called by: a row or a label of the store."""

    @property
    def id(self) -> int:
        """Its number, which the address holds."""

    @property
    def file(self) -> str:
        """The file it was read from."""

    @property
    def gpu(self) -> str:
        """Name of its GPUs."""

    @property
    def gpu_count(self) -> int:
        """How many there are, over all hosts."""

    @property
    def measured_at(self) -> datetime:
        """When it was measured, or else stored."""


def run_name(row: Named) -> str:
    """File, machine and date, such as ``nccl.log · 16 x H100 80GB HBM3 · 22 Nov 2026``."""
    return _joined(row.file, row.gpu, row.gpu_count, row.measured_at)


def run_names(rows: Iterable[Named]) -> dict[int, str]:
    """The name of each run by its number; equal ones with the time of day, then with the run's number."""
    named = [(row, run_name(row)) for row in rows]
    for further in ("{row.measured_at:%H:%M}", "run {row.id}"):
        counts = Counter(name for _, name in named)
        named = [
            (row, f"{name} {further.format(row=row)}" if counts[name] > 1 else name) for row, name in named
        ]
    return {row.id: name for row, name in named}


def upload_name(file: str, run: Run) -> str:
    """The same of a run that is not stored; its date where its log has one."""
    machine = comparable(run.machine)
    return _joined(file, machine["gpu"], machine["gpu_count"], parse_moment(run.started_at or ""))


def unique(names: Sequence[str]) -> list[str]:
    """The names with a number behind those that came before."""
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return numbered


def _joined(file: str, gpu: str, gpu_count: int, moment: datetime | None) -> str:
    machine = _MEMORY.sub("", gpu.replace("NVIDIA ", ""))
    if machine and gpu_count:
        machine = f"{gpu_count} × {machine}"
    date = f"{moment:%d %b %Y}".lstrip("0") if moment else ""
    return SEPARATOR.join(filter(None, [_short(file), machine, date]))


def _short(file: str) -> str:
    """A long file name without its middle."""
    name = " ".join(file.split())
    return name if len(name) <= FILE_MOST else f"{name[: FILE_MOST // 2]}…{name[-FILE_MOST // 2 :]}"
