"""Logs of machines that calibrated nothing, or at node counts that did not: several domains."""

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.collectives.cost_model import Setting
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve
from core.collectives.refit.data import Sweep
from core.collectives.refit.validation import compare
from gpu_probe.parsers import read
from tests.bench.accuracy import HEADER, line
from tests.bench.tables import print_table


@dataclass(frozen=True, slots=True)
class LogSource:
    """What a log does not say: who measured, where, and on which cluster."""

    files: str
    operator: str
    site: str
    machine: Setting


SOURCES = (
    LogSource(
        "nccl_odissei_2nodes_*_mpi.log",
        "odissei",
        "2 nodes x4 H100, InfiniBand HDR",
        Setting("h100-sxm", "nvlink4", 4, 2, "ib-hdr", 25e9),
    ),
    LogSource(
        "nccl_alcf_polaris_N128_*.dat",
        "alcf",
        "Polaris, 128 nodes x4 A100",
        Setting("a100-sxm-40gb", "nvlink3", 4, 128, "slingshot-200", 12.5e9),
    ),
    LogSource(
        "nccl_h20_16gpu_*.txt",
        "NCCL issue 1244",
        "2 nodes x8 H20",
        Setting("h20", "nvlink4", 8, 2, "ib-ndr", 50e9),
    ),
)


def sweeps(folder: Path) -> list[Sweep]:
    """One sweep a collective of each source: the median of every size's out-of-place results."""
    measured = []
    for source in SOURCES:
        for path in sorted(folder.glob(source.files)):
            times: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
            for run in read(path.name, path.read_bytes()):
                for sample in run.samples:
                    if sample.size_bytes > 0 and sample.placement != "in-place":
                        times[
                            sample.operation
                            or run.collective
                            or run.collective_guess
                            or source.machine.collective
                        ][sample.size_bytes].append(sample.time_s)
            for collective, by_size in times.items():
                setting = replace(source.machine, collective=collective)
                sizes = np.array(sorted(by_size), float)
                medians = np.array([float(np.median(by_size[int(size)])) for size in sizes])
                measured.append(
                    Sweep(source.operator, source.site, setting, resolve(setting), sizes, medians)
                )
    return measured


def report(data: Path) -> None:
    """Each log without a point and with two."""
    rows = [
        line(
            f"{sweep.operator}: {sweep.site}, {sweep.setting.collective}",
            points,
            [compare(sweep, shipped(), points)],
        )[:5]
        for sweep in sweeps(data / "logs")
        for points in (0, 2)
        if len(sweep.size_bytes) > points
    ]
    print_table("Several domains, logs that are not in calibration.csv (shipped constants)", HEADER[:5], rows)
