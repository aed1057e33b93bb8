"""``nvidia-smi nvlink -s``: the links of each GPU and their unidirectional rate."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Matrix, Notice, Run
from core.units import GB, converted
from gpu_probe.parsers.grid import DOTS
from gpu_probe.parsers.limits import RANKS_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import BlockReader, Notices, ParsedRun

_GPU = re.compile(r"\s{0,8}GPU (\d{1,5}): (\S[^(]{0,100}?)\s{0,8}(?:\((?:UUID|HIDDEN)|$)")
_LINK = re.compile(
    r"\s{0,20}Link (\d{1,3}): (?:(?:NVLink )?(\d{1,6}(?:\.\d{1,6})?) GB/s|<?[A-Za-z/][A-Za-z /-]{0,30}>?)"
    r"\s{0,20}$"
)
"""A rate, or a word for a link that carries nothing: ``<inactive>``, ``N/A``, ``Degraded``."""
_PROPERTY = re.compile(r"\s{0,20}Link \d{1,3}[,:]\s")
"""A line of another listing of the same links: capabilities, errors."""


@dataclass(slots=True)
class _Listing:
    line: int
    names: dict[str, str] = field(default_factory=dict)
    links: dict[str, dict[int, float | None]] = field(default_factory=dict)
    gpu: str = ""
    elided: bool = False
    dark: bool = False


class NvLink(BlockReader[_Listing]):
    """Reader of link states; UUIDs are never kept."""

    @property
    def busy(self) -> bool:
        """Whether links of a GPU may follow."""
        return self._block is not None and bool(self._block.gpu)

    def feed(self, line: Line) -> bool:
        """Take a GPU's line or a link's line below one."""
        text = line.text
        if "GPU " in text and (match := _GPU.match(text)):
            self._begin(match, line.number)
            return True
        block = self._block
        if block is None or not block.gpu:
            return False
        return self._below(text, block)

    def _begin(self, match: re.Match[str], number: int) -> None:
        if self._block is not None and match.group(1) in self._block.names:
            self._close()
        block = self._block = self._block or _Listing(number)
        if len(block.names) < RANKS_MOST:
            block.gpu = match.group(1)
            block.names[block.gpu], block.links[block.gpu] = match.group(2), {}

    def _below(self, text: str, block: _Listing) -> bool:
        if "Link" in text and _link(text, block):
            return True
        if text.lstrip().startswith("MIG "):
            return True
        if "links are inactive" in text.lower():
            block.dark = True
            return True
        if text.strip() in DOTS:
            block.elided = True
            return True
        if text.strip():
            block.gpu = ""
        return False

    def _parsed(self, block: _Listing, /) -> list[ParsedRun]:
        columns = sorted({number for links in block.links.values() for number in links})
        rows = tuple(f"GPU {number}" for number in block.names)
        values = tuple(tuple(links.get(number) for number in columns) for links in block.links.values())
        names = list(block.names.values())
        gpus = tuple(GpuCount(name, names.count(name)) for name in dict.fromkeys(names))
        matrix = Matrix(
            "nvlink -s", "links", "one_way", None, rows, tuple(f"Link {n}" for n in columns), values
        )
        machine = Machine(gpus=gpus)
        run = Run(self._file, "nvlink-s", None, None, machine, (), (matrix,), _notices(block))
        text = "GPUs are listed here, but no NVLink of theirs: bring nvidia-smi nvlink -s"
        if block.dark:
            text = "all NVLinks are inactive: no bridge or switch, or its manager does not run"
        problem = None if any(any(row) for row in values) else ParseError(text, block.line)
        return [ParsedRun(block.line, run, problem)]


def _link(text: str, block: _Listing) -> bool:
    match = _LINK.match(text)
    if match is None:
        return _PROPERTY.match(text) is not None
    rate = real(match.group(2)) if match.group(2) else None
    block.links[block.gpu].setdefault(int(match.group(1)), converted(rate, GB))
    return True


def _notices(block: _Listing) -> tuple[Notice, ...]:
    notices = Notices()
    if block.elided:
        notices.add("truncated", "links are left out of the listing", block.line)
        return notices.all()
    active_links = {
        gpu: sum(rate is not None for rate in links.values()) for gpu, links in block.links.items()
    }
    most_links = max(active_links.values())
    for gpu, link_count in active_links.items():
        if link_count < most_links:
            text = f"GPU {gpu} has {link_count} active links, others {most_links}"
            notices.add("links_inactive", text, block.line)
    return notices.all()
