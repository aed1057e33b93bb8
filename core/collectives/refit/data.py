"""Measured rows for the fit: read from CSV, grouped by setting, repeats replaced by their median."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from core.collectives.cost_model.columns import row_setting
from core.collectives.cost_model.communicator import Communicator, resolve
from core.collectives.cost_model.setting import Setting

NEEDED = (
    "gpu",
    "scale_up_link",
    "domain_gpus",
    "domains",
    "scale_out_link",
    "scale_out_GBps_per_gpu",
    "collective",
    "implementation",
    "launch",
    "dtype",
)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One site's sweep of one setting: sizes and times, medians over repeats."""

    operator: str
    site: str
    setting: Setting
    comm: Communicator
    size_bytes: np.ndarray
    time_s: np.ndarray

    @property
    def several(self) -> bool:
        """Whether it crosses domains."""
        return self.setting.domains > 1


def operator_of(source_id: str) -> str:
    """Who measured: all rows of one operator are left out together in cross-validation."""
    first = source_id.split("-", maxsplit=1)[0]
    return {"a3mega": "gcp", "p5": "aws", "aws": "aws", "efa": "efa"}.get(first, first)


def load(path: Path) -> list[Sweep]:
    """All sweeps of a calibration CSV."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(sweeps_of(csv.DictReader(stream)))


def sweeps_of(rows: Iterable[dict[str, str]]) -> Iterator[Sweep]:
    """Group rows by site and setting."""
    groups: dict[tuple[str, str, Setting], dict[float, list[float]]] = {}
    for row in rows:
        setting = row_setting({name: row.get(name, "") for name in NEEDED})
        site = row["system"]
        key = (operator_of(row["source_id"]), site, setting)
        sizes = groups.setdefault(key, defaultdict(list))
        sizes[float(row["size_bytes"])].append(float(row["time_us"]) * 1e-6)
    for (operator, site, setting), sizes in groups.items():
        ordered = sorted(size for size in sizes if size > 0)
        yield Sweep(
            operator,
            site,
            setting,
            resolve(setting),
            np.array(ordered),
            np.array([median(sizes[size]) for size in ordered]),
        )
