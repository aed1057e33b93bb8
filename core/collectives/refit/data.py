"""Measured rows for the fit: read from CSV, grouped by setting, repeats replaced by their median."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np

from core.collectives.cost_model.columns import row_setting
from core.collectives.cost_model.communicator import Communicator, resolve
from core.collectives.cost_model.setting import Setting
from core.hardware import Family

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
    """
    One site's sweep of one setting: sizes and times, medians over repeats.

    Attributes:
        environment: Which of a source's sets of variables for NCCL and its plug-in the rows ran under.
        over_sockets: On a network whose plug-in none of them names: NCCL took TCP.
    """

    operator: str
    site: str
    setting: Setting
    comm: Communicator
    size_bytes: np.ndarray
    time_s: np.ndarray
    source: str = ""
    old_library: bool = False
    environment: str = ""
    over_sockets: bool = False

    @property
    def trusted(self) -> "Sweep":
        """The rows that the fit takes: none over TCP, as no network that can be asked is."""
        unsound = self.over_sockets or self.operator in DEGRADED
        least = np.inf if unsound else LEAST_BYTES.get(self.source, 0.0)
        return self.cut(self.size_bytes >= least)

    @property
    def undisturbed(self) -> "Sweep":
        """The times without what others disturbed: no message takes longer than a larger one."""
        return replace(self, time_s=np.minimum.accumulate(self.time_s[::-1])[::-1])

    def cut(self, keep: np.ndarray) -> "Sweep":
        """The rows where ``keep`` is true."""
        return replace(self, size_bytes=self.size_bytes[keep], time_s=self.time_s[keep])

    @property
    def machine(self) -> tuple[str, str, str]:
        """What was measured, whatever the number of its nodes: operator, name, variables."""
        return self.operator, NODES.sub("", self.site), self.environment

    @property
    def several(self) -> bool:
        """Whether it crosses domains."""
        return self.setting.domains > 1


NODES = re.compile(r"\b\d+(x| nodes?)(?= )")
"""Of a site's name, how many nodes took part."""
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

DEGRADED = ("moc",)
"""Operators whose rows are of a cluster without GPUDirect RDMA."""
ENVIRONMENTS = re.compile(r"argonne-lcf/alcf-nccl-tests@.*\.dat(?:\.(\d))?$")
"""Files of one curve that ran under different variables: (1) none, (2) those of NCCL, from (3) on also the
libfabric plug-in with more and more of its own (README of that repository). One without a number had none."""
PLUGIN_ENVIRONMENTS = ("3", "4", "5", "6")


def environment_of(source: str) -> str | None:
    """The set of variables that the file of a row ran under; None where a source tells of no such sets."""
    found = ENVIRONMENTS.search(source)
    return (found[1] or "1") if found else None


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
    groups: dict[tuple[str, str, str, bool, str | None, Setting], dict[float, list[float]]] = {}
    for row in rows:
        setting = row_setting({name: row.get(name, "") for name in NEEDED})
        site = row["system"]
        setting = replace(setting, algorithm=algorithm_of(row["source_id"]))
        doubted = row["source_id"] if row["source_id"] in LEAST_BYTES else ""
        old = row["source_id"].startswith(OLD_LIBRARY)
        environment = environment_of(row.get("source") or "")
        key = (operator_of(row["source_id"]), site, doubted, old, environment, setting)
        sizes = groups.setdefault(key, defaultdict(list))
        sizes[float(row["size_bytes"])].append(float(row["time_us"]) * 1e-6)
    for (operator, site, source, old, environment, setting), sizes in groups.items():
        ordered = sorted(size for size in sizes if size > 0)
        comm = resolve(setting)
        slingshot = comm.network_family is Family.SLINGSHOT
        yield Sweep(
            operator,
            f"{site}, variables ({environment})" if environment else site,
            setting,
            comm,
            np.array(ordered),
            np.array([median(sizes[size]) for size in ordered]),
            source,
            old,
            environment or "",
            bool(environment) and slingshot and environment not in PLUGIN_ENVIRONMENTS,
        )
