"""DeepEP's tests: the best rates of its tuned normal kernels, and those of its low-latency kernels."""

import re
import statistics
from dataclasses import dataclass, field

from core.measurement import Machine, Matrix, Notice, Run
from core.units import GB
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.reader import BlockReader, ParsedRun

_SIGNS = ("Best ", "SMs ", "bandwidth:")
_RATE = r"(\d{1,5}(?:\.\d{1,4})?) GB/s"
_EMPHASIS = re.compile(r"\*\*_?|_?\*\*|(?<!\w)_{1,2}|_{1,2}(?!\w)")
_BEST = re.compile(
    rf"(?:^|\[tuning\] )Best (dispatch(?: \([A-Z]{{2,4}}\d{{0,2}}\))?|combine)[^:\n]{{0,60}}?[:,]"
    rf"[^\n]{{0,140}}?(?<![\w.]){_RATE} \((RDMA|NVL)\)(?:, {_RATE} \((NVL)\))?"
)
_RANK = re.compile(
    r"\[rank \d{1,5}\] (Dispatch \+ combine|Dispatch|Combine) bandwidth: "
    rf"{_RATE}(?:, avg_t=[\d.]{{1,14}} us)?(?:[^|\n]{{0,80}}\| (Combine) bandwidth: {_RATE})?"
)
_TRIED = re.compile(
    rf"(?:\[tuning\] )?SMs \d{{1,3}}, NVL chunk \d[^:\n]{{0,60}}?"
    rf"(?:[:,][^\n]{{0,140}}?(?<![\w.]){_RATE} \((RDMA|NVL)\)"
    rf"(?:, {_RATE} \((NVL)\))?|$|:)"
)
"""A setting that is tried before the best is known."""
INTERNODE, INTRANODE, LOW_LATENCY = "DeepEP internode", "DeepEP intranode", "DeepEP low-latency"
"""Titles of the matrices, by which the verdict knows what they are to reach."""


@dataclass(slots=True)
class _Block:
    line: int
    best: dict[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    by_rank: dict[str, list[float]] = field(default_factory=dict)
    tried: list[tuple[tuple[str, float], ...]] = field(default_factory=list)


class DeepEp(BlockReader[_Block]):
    """Reader of ``test_intranode.py``, ``test_internode.py`` and ``test_low_latency.py``."""

    @property
    def busy(self) -> bool:
        """Never: its lines are known by themselves, whatever stands between them."""
        return False

    def feed(self, line: Line) -> bool:
        """Take a line with a best rate, or a rate of one rank."""
        text = _EMPHASIS.sub("", line.text.strip())
        if not any(sign in text for sign in _SIGNS):
            return False
        if match := _BEST.search(text[:400]):
            found = [(match[3], match[2]), *([(match[5], match[4])] if match[5] else [])]
            rates = tuple((link, value) for link, printed in found if (value := real(printed)))
            self._opened(line).best[match[1]] = rates
            return True
        if match := _RANK.search(text[:400]):
            by_rank = self._opened(line).by_rank
            for name, printed in ((match[1], match[2]), (match[3], match[4])):
                if name and (value := real(printed)) is not None:
                    by_rank.setdefault(name.lower(), []).append(value)
            return True
        return self._try(line, text)

    def _try(self, line: Line, text: str) -> bool:
        """A setting that is tried: its rate counts where no best one is told."""
        match = _TRIED.match(text[:400])
        if match is None or not match[1]:
            return self._block is not None and match is not None
        found = [(match[2], match[1]), *([(match[4], match[3])] if match[4] else [])]
        self._opened(line).tried.append(
            tuple((link, value) for link, printed in found if (value := real(printed)))
        )
        return True

    def _opened(self, line: Line) -> _Block:
        self._block = self._block or _Block(line.number)
        return self._block

    def _parsed(self, block: _Block) -> list[ParsedRun]:
        matrices = [_best(name, rates) for name, rates in block.best.items() if rates]
        matrices += [
            _matrix(LOW_LATENCY, name, (("RDMA", statistics.median(rates)),))
            for name, rates in block.by_rank.items()
        ]
        if tried := [] if matrices else [rates for rates in block.tried if rates]:
            matrices = [_best("best of those tried", max(tried, key=lambda rates: rates[0][1]))]
        notice = Notice(
            "deepep", "logical bandwidths: what a rank keeps for itself is counted too", block.line
        )
        run = Run(self._file, "deepep", None, None, Machine(), matrices=tuple(matrices), warnings=(notice,))
        return [ParsedRun(block.line, run)] if matrices else []


def told_run(file: str, rates: list[tuple[str, float, bool]], line: int, *, low_latency: bool) -> Run:
    """
    A run of rates that prose tells.

    Args:
        file: Its name.
        rates: Operation, bytes/s, and whether it went over the network.
        line: Where it stands.
        low_latency: Whether they are of the low-latency kernels.
    """
    matrices = tuple(
        Matrix(
            LOW_LATENCY if low_latency else INTERNODE if over_network else INTRANODE,
            "bandwidth", "one_way", None, (name,),
            ("RDMA" if over_network or low_latency else "NVL",), ((rate,),),
        )
        for name, rate, over_network in rates
    )  # fmt: skip
    notice = Notice("deepep", "logical bandwidths: what a rank keeps for itself is counted too", line)
    return Run(file, "deepep", None, None, Machine(), matrices=matrices, warnings=(notice,))


def _best(name: str, rates: tuple[tuple[str, float], ...]) -> Matrix:
    return _matrix(INTERNODE if rates[0][0] == "RDMA" else INTRANODE, name, rates)


def _matrix(title: str, name: str, rates: tuple[tuple[str, float], ...]) -> Matrix:
    """One row, so that no reader of pairs takes it for copies between GPUs."""
    links = tuple(link for link, _ in rates)
    values = tuple(value * GB for _, value in rates)
    return Matrix(title, "bandwidth", "one_way", None, (name,), links, (values,))
