"""Rows of clusters that are known to be degraded: does each way to ask about them say so, does no fit take them?"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.catalog import SYSTEMS
from core.collectives.cost_model import Point
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.refit.data import Sweep, load
from core.collectives.refit.validation import compare, places_of
from core.measurement import GpuCount, Machine, Run, Sample
from core.systems import configure
from core.verdict import Status, judge_run
from tests.bench.tables import print_table

FILE = "degraded_rows.csv"
POINTS = 9


@dataclass(frozen=True, slots=True)
class Asked:
    """
    One curve of a degraded cluster, asked in each way.

    Attributes:
        slow: Rows that took longer than the interval's slow end.
        status: The verdict on them as a run.
        said: What the answer warns of when they are given as points.
        fitted: Rows that a fit would take.
    """

    name: str
    rows: int
    slow: int
    status: Status
    said: tuple[str, ...]
    fitted: int


def asked(data: Path) -> Iterator[Asked]:
    """Every curve of the file."""
    for sweep in load(data / FILE):
        answer = compare(sweep, shipped())
        curve = compile_curve(sweep.setting, _points(sweep), shipped())
        yield Asked(
            f"{sweep.site}: {sweep.setting.collective}",
            len(sweep.size_bytes),
            int((answer.measured_s > answer.high_s).sum()),
            _verdict(sweep),
            tuple(text for text in curve.warnings if "degraded" in text),
            len(sweep.trusted.size_bytes),
        )


def _points(sweep: Sweep) -> list[Point]:
    rows = len(sweep.size_bytes)
    return [
        Point(sweep.setting, float(sweep.size_bytes[place]), float(sweep.time_s[place]))
        for place in places_of(rows, min(POINTS, rows))
    ]


def _verdict(sweep: Sweep) -> Status:
    """What a check says of the rows, as a log of two nodes with one NIC each would hold them."""
    setting = sweep.setting
    system = configure(
        SYSTEMS["dgx-h100"], domains=setting.domains, network=setting.scale_out_link, nics_per_domain=1
    )
    ranks = setting.domain_gpus * setting.domains
    hosts = tuple(f"node{place}" for place in range(setting.domains))
    samples = tuple(
        Sample(setting.collective, int(size), float(time_s), "out-of-place", 0)
        for size, time_s in zip(sweep.size_bytes, sweep.time_s, strict=True)
    )
    machine = Machine((GpuCount("NVIDIA H100", ranks),), hosts, env={})
    run = Run("rows", "nccl-tests-text", setting.collective, ranks, machine, samples, dtype="float")
    return judge_run(run, system).status


def report(data: Path) -> None:
    """A line a curve."""
    if not (data / FILE).exists():
        return
    header = ("curve", "rows", "slower than the interval", "check", "as points", "taken by a fit")
    rows = [
        (
            item.name,
            str(item.rows),
            str(item.slow),
            str(item.status),
            "degraded" if item.said else "",
            str(item.fitted),
        )
        for item in asked(data)
    ]
    print_table("A cluster without GPUDirect RDMA: recognised wherever it is asked about", header, rows)
