"""``nvidia-smi nvlink -s``: the links of each GPU and their unidirectional rate."""

import re

from core.measurement import GpuCount, Machine, Matrix, Notice, Run
from core.units import GB, converted
from gpu_probe.parsers.grid import DOTS
from gpu_probe.parsers.limits import RANKS_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import Notices, ParsedRun

_GPU = re.compile(r"\s{0,8}GPU (\d{1,5}): (\S[^(]{0,100}?)\s{0,8}(?:\((?:UUID|HIDDEN)|$)")
_LINK = re.compile(
    r"\s{0,20}Link (\d{1,3}): (?:(?:NVLink )?(\d{1,6}(?:\.\d{1,6})?) GB/s|<?[A-Za-z/][A-Za-z /-]{0,30}>?)"
    r"\s{0,20}$"
)
"""A rate, or a word for a link that carries nothing: ``<inactive>``, ``N/A``, ``Degraded``."""
_PROPERTY = re.compile(r"\s{0,20}Link \d{1,3}[,:]\s")
"""A line of another listing of the same links: capabilities, errors."""


class NvLink:
    """Reader of link states; UUIDs are never kept."""

    def __init__(self, file: str) -> None:
        """Start with no GPU seen."""
        self._file = file
        self._runs: list[ParsedRun] = []
        self._begin()

    def _begin(self) -> None:
        self._line = 0
        self._names: dict[str, str] = {}
        self._links: dict[str, dict[int, float | None]] = {}
        self._gpu = ""
        self._elided = False
        self._dark = False

    @property
    def busy(self) -> bool:
        """Whether links of a GPU may follow."""
        return bool(self._gpu)

    def feed(self, line: Line) -> bool:
        """Take a GPU's line or a link's line below one."""
        text = line.text
        if "GPU " in text and (match := _GPU.match(text)):
            if match.group(1) in self._names:
                self._close()
            self._line = self._line or line.number
            if len(self._names) < RANKS_MOST:
                self._gpu = match.group(1)
                self._names[self._gpu], self._links[self._gpu] = match.group(2), {}
            return True
        if self._gpu and "Link" in text and self._link(text):
            return True
        if self._gpu and text.lstrip().startswith("MIG "):
            return True
        if self._gpu and "links are inactive" in text.lower():
            self._dark = True
            return True
        if self._gpu and text.strip() in DOTS:
            self._elided = True
            return True
        if text.strip():
            self._gpu = ""
        return False

    def _link(self, text: str) -> bool:
        match = _LINK.match(text)
        if match is None:
            return _PROPERTY.match(text) is not None
        rate = real(match.group(2)) if match.group(2) else None
        self._links[self._gpu].setdefault(int(match.group(1)), converted(rate, GB))
        return True

    def finish(self) -> list[ParsedRun]:
        """The GPUs with links, or why there are none."""
        self._close()
        return self._runs

    def _close(self) -> None:
        if not self._names:
            return
        columns = sorted({number for links in self._links.values() for number in links})
        rows = tuple(f"GPU {number}" for number in self._names)
        values = tuple(tuple(links.get(number) for number in columns) for links in self._links.values())
        names = list(self._names.values())
        gpus = tuple(GpuCount(name, names.count(name)) for name in dict.fromkeys(names))
        matrix = Matrix(
            "nvlink -s", "links", "one_way", None, rows, tuple(f"Link {n}" for n in columns), values
        )
        machine = Machine(gpus=gpus)
        run = Run(self._file, "nvlink-s", None, None, machine, (), (matrix,), self._notices())
        text = "GPUs are listed here, but no NVLink of theirs: bring nvidia-smi nvlink -s"
        if self._dark:
            text = "all NVLinks are inactive: no bridge or switch, or its manager does not run"
        problem = None if any(any(row) for row in values) else ParseError(text, self._line)
        self._runs.append(ParsedRun(self._line, run, problem))
        self._begin()

    def _notices(self) -> tuple[Notice, ...]:
        notices = Notices()
        if self._elided:
            notices.add("truncated", "links are left out of the listing", self._line)
            return notices.all()
        active_links = {
            gpu: sum(rate is not None for rate in links.values()) for gpu, links in self._links.items()
        }
        most_links = max(active_links.values())
        for gpu, link_count in active_links.items():
            if link_count < most_links:
                notices.add(
                    "links_inactive",
                    f"GPU {gpu} has {link_count} active links, others {most_links}",
                    self._line,
                )
        return notices.all()
