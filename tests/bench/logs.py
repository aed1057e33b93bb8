"""Logs of machines that calibrated nothing, or at node counts that did not: several domains."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model import Setting
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve
from core.collectives.refit.data import Series
from core.collectives.refit.validation import judge
from gpu_probe.parsers import read
from tests.bench.accuracy import HEADER, line
from tests.bench.tables import print_table

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """What a log does not say: whose it is, and the machine."""

    files: str
    operator: str
    site: str
    machine: Setting


PLACES = (
    Place(
        "nccl_odissei_2nodes_*_mpi.log",
        "odissei",
        "2 nodes x4 H100, InfiniBand HDR",
        Setting("h100-sxm", "nvlink4", 4, 2, "ib-hdr", 25e9),
    ),
    Place(
        "nccl_alcf_polaris_N128_*.dat",
        "alcf",
        "Polaris, 128 nodes x4 A100",
        Setting("a100-sxm-40gb", "nvlink3", 4, 128, "slingshot-200", 12.5e9),
    ),
    Place(
        "nccl_h20_16gpu_*.txt",
        "NCCL issue 1244",
        "2 nodes x8 H20",
        Setting("h20", "nvlink4", 8, 2, "ib-ndr", 50e9),
    ),
)


def series(folder: Path) -> list[Series]:
    """One series a collective of each place: the median of every size's out-of-place results."""
    found = []
    for place in PLACES:
        for path in sorted(folder.glob(place.files)):
            times: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
            for run in read(path.name, path.read_bytes()):
                for sample in run.samples:
                    if sample.size_bytes > 0 and sample.placement != "in-place":
                        times[
                            sample.operation
                            or run.collective
                            or run.collective_guess
                            or place.machine.collective
                        ][sample.size_bytes].append(sample.time_s)
            for collective, by_size in times.items():
                setting = replace(place.machine, collective=collective)
                sizes = np.array(sorted(by_size), float)
                medians = np.array([float(np.median(by_size[int(size)])) for size in sizes])
                found.append(Series(place.operator, place.site, setting, resolve(setting), sizes, medians))
    return found


def report(data: Path) -> None:
    """Each log without a point and with two."""
    found = [
        line(
            f"{one.operator}: {one.site}, {one.setting.collective}", points, [judge(one, shipped(), points)]
        )[:5]
        for one in series(data / "logs")
        for points in (0, 2)
        if len(one.size_bytes) > points
    ]
    print_table(
        "Several domains, logs that are not in calibration.csv (shipped constants)", HEADER[:5], found
    )
