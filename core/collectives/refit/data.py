"""Measured rows for the fit: read from CSV, grouped by setting, repeats replaced by their median."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
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
    source: str = ""
    old_library: bool = False

    @property
    def trusted(self) -> "Sweep":
        """The rows that the fit takes."""
        return self.cut(self.size_bytes >= LEAST_BYTES.get(self.source, 0.0))

    @property
    def undisturbed(self) -> "Sweep":
        """The times without what others disturbed: no message takes longer than a larger one."""
        return replace(self, time_s=np.minimum.accumulate(self.time_s[::-1])[::-1])

    def cut(self, keep: np.ndarray) -> "Sweep":
        """The rows where ``keep`` is true."""
        return replace(self, size_bytes=self.size_bytes[keep], time_s=self.time_s[keep])

    @property
    def several(self) -> bool:
        """Whether it crosses domains."""
        return self.setting.domains > 1


OPERATORS = {
    "a3mega": "gcp",
    "gke": "gcp",
    "p5": "aws",
    "oke": "oci",
    "cscs": "alps",
    "aac8": "aac",
    "aac10": "aac",
    "iss309": "gjaion",
}
"""Operators that a source's id does not name: a3-mega and DraNet are Google's, p5 is AWS's."""
FORCED = {"ring": "ring", "tree": "tree"}
"""Algorithms that a source's id says were forced."""


LEAST_BYTES = {
    "abci-a100-2n-sharp": np.inf,
    "aac10-mi300x-2n": 2.0**27,
    "rocm-mi350x-1": 2.0**23,
    "iss309-gjaion-h100-4n": 2.0**23,
}
"""Sources of which smaller rows are no part of the fit: reduced in the InfiniBand switches, which no
setting says; a host that takes 220 us for anything up to 512 KiB and up to six times as long as another of
its kind until 64 MiB; one process that launches on eight GPUs
in turn, which ROCm takes 50 us for where eight processes take 13; three first rows of 317, 227 and 231 us
that the same log has in place at 93, 156 and 174."""
OLD_LIBRARY = ("efa-", "dgxa100", "aws-p4d-eks")
"""What the ids of sources begin with whose NCCL is older than 2.12: their all-reduces of middle sizes take up
to twice as long as those of later versions on the same network."""


def operator_of(source_id: str) -> str:
    """Who measured: all rows of one operator are left out together in cross-validation."""
    first = source_id.split("-", maxsplit=1)[0]
    return OPERATORS.get(first, first)


def algorithm_of(source_id: str) -> str:
    """The algorithm that was forced; ``auto`` where none was."""
    return next((FORCED[word] for word in source_id.split("-") if word in FORCED), "auto")


def load(*paths: Path) -> list[Sweep]:
    """All sweeps of some calibration CSVs."""
    rows: list[dict[str, str]] = []
    for path in paths:
        with path.open(newline="", encoding="utf-8") as stream:
            rows += csv.DictReader(stream)
    return list(sweeps_of(rows))


def sweeps_of(rows: Iterable[dict[str, str]]) -> Iterator[Sweep]:
    """Group rows by site and setting."""
    groups: dict[tuple[str, str, str, bool, Setting], dict[float, list[float]]] = {}
    for row in rows:
        setting = row_setting({name: row.get(name, "") for name in NEEDED})
        site = row["system"]
        setting = replace(setting, algorithm=algorithm_of(row["source_id"]))
        doubted = row["source_id"] if row["source_id"] in LEAST_BYTES else ""
        old = row["source_id"].startswith(OLD_LIBRARY)
        key = (operator_of(row["source_id"]), site, doubted, old, setting)
        sizes = groups.setdefault(key, defaultdict(list))
        sizes[float(row["size_bytes"])].append(float(row["time_us"]) * 1e-6)
    for (operator, site, source, old, setting), sizes in groups.items():
        ordered = sorted(size for size in sizes if size > 0)
        yield Sweep(
            operator,
            site,
            setting,
            resolve(setting),
            np.array(ordered),
            np.array([median(sizes[size]) for size in ordered]),
            source,
            old,
        )
