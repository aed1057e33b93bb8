"""How often the verdict calls a measured table low, as measured and slowed down: false alarms against detection."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from core.catalog import LINKS, SYSTEMS
from core.checks import InputError
from core.collectives.cost_model import Setting
from core.collectives.question import LAUNCHES
from core.collectives.refit.data import LEAST_BYTES, NEEDED, Sweep, sweeps_of
from core.hardware import System
from core.hardware.topology import Topology
from core.measurement import Run, Sample
from core.systems import CustomSystem, NetworkSpec, custom_system
from core.units import MIB
from core.verdict import Status, judge_run
from core.verdict.log_network import by_port
from tests.bench.clusters import SOUND
from tests.bench.tables import percent, print_table
from tests.figures.curve import Curve

SLOWED = (1.0, 1.15, 1.33, 1.5, 2.0, 3.0, 4.0)
"""Times the measured time; 2 is half of the rate."""
LARGE_BYTES = 32 * MIB
SIZES_OF_A_CURVE = 3
LIBRARIES = ("nccl", "rccl")
DEGRADED, PAIR = "aic-l40s", 2
"""Its boards of four and eight have no working peer access (5.9 and 2.1 GB/s): low as measured."""
SETTINGS, SLOW_SETTING = "slingshot", 2.0
"""Its sources hold each curve under several settings, TCP among them: the best is sound, what takes twice
its time is not."""
HEADER = ("asked", "tables", *(f"low at {factor:g} × the time" for factor in SLOWED))


@dataclass(frozen=True, slots=True)
class Asked:
    """A measured curve on the system that it is judged by."""

    sweep: Sweep | Curve
    system: System

    @property
    def kind(self) -> str:
        """The links that decide: those of the domain, or the network between domains."""
        setting = self.sweep.setting
        if setting.domains == 1:
            return f"one domain, {setting.scale_up_link}"
        return f"several, {setting.scale_out_link}"

    def status(self, indices: Sequence[int], factor: float) -> Status:
        """The verdict on a table of these sizes, so many times slower than measured."""
        setting, sweep = self.sweep.setting, self.sweep
        samples = tuple(
            Sample(setting.collective, int(sweep.size_bytes[index]), float(sweep.time_s[index]) * factor)
            for index in indices
        )
        ranks = setting.domain_gpus * setting.domains
        run = Run("nccl-tests-text", "row", collective=setting.collective, ranks=ranks, samples=samples)
        launch = setting.launch if setting.launch in LAUNCHES else "stream"
        verdict = judge_run(run, self.system, implementation=setting.implementation, launch=launch)
        return verdict.status


def curves(rows: Iterable[dict[str, str]]) -> Iterator[Asked]:
    """The curves of NCCL and RCCL as they choose, of libraries that are not known to be slow."""
    for sweep in sweeps_of(rows):
        system = system_of(sweep.setting)
        as_chosen = sweep.setting.algorithm == "auto" and not sweep.old_library
        if system is not None and sweep.setting.implementation in LIBRARIES and as_chosen:
            yield Asked(sweep, system)


def independent() -> Iterator[Asked]:
    """The published curves of machines that calibrated nothing, likewise."""
    for curve in SOUND:
        system = system_of(curve.setting)
        if system is not None and curve.implementation in LIBRARIES and curve.algorithm == "auto":
            yield Asked(curve, system)


def measured_rows(folder: Path) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Rows of sound runs, and those that other settings of the same machine made twice as slow or more."""
    rows: list[dict[str, str]] = []
    for path in sorted(folder.glob("calibration*.csv")):
        with path.open(newline="", encoding="utf-8") as stream:
            rows += [row for row in csv.DictReader(stream) if _sound(row)]
    return split_settings(rows)


def split_settings(rows: list[dict[str, str]]) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The rows without those of slower settings of one machine, and those that take twice its best time."""
    best: dict[tuple[str, ...], float] = {}
    for row in rows:
        best[_cell(row)] = min(best.get(_cell(row), float("inf")), float(row["time_us"]))
    several = [row for row in rows if row["scale_out_link"].startswith(SETTINGS)]
    sound = [row for row in rows if row not in several]
    slow = [row for row in several if float(row["time_us"]) >= SLOW_SETTING * best[_cell(row)]]
    return sound + [row for row in several if float(row["time_us"]) == best[_cell(row)]], slow


def _cell(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("system", *NEEDED, "size_bytes"))


def _sound(row: dict[str, str]) -> bool:
    degraded = row["source_id"].startswith(DEGRADED) and int(row["domain_gpus"]) > PAIR
    return row["source_id"] not in LEAST_BYTES and not degraded


def system_of(setting: Setting) -> System | None:
    """The catalog's system of these GPUs, or a custom one; None where neither can be."""
    if setting.domains == 1:
        fitting = [
            item
            for item in SYSTEMS.values()
            if item.gpu.id == setting.gpu
            and item.scale_up.link == setting.scale_up_link
            and item.domain_gpus >= setting.domain_gpus
        ]
        if fitting:
            return min(
                fitting, key=lambda item: (item.scale_up.topology is not Topology.SWITCH, item.domain_gpus)
            )
    try:
        network = _network(setting) if setting.domains > 1 else None
        return custom_system(CustomSystem(setting.gpu, setting.domain_gpus, network, setting.domains))
    except (InputError, KeyError):
        return None


def _network(setting: Setting) -> NetworkSpec:
    link = LINKS[setting.scale_out_link or ""]
    if link.rate is None or not by_port(link.id):
        return NetworkSpec(link.id)
    rate = (setting.scale_out_bytes_per_s_per_gpu or 0.0) * setting.domain_gpus
    return NetworkSpec(link.id, max(1, round(rate / link.rate.bytes_per_s)))


Table = tuple[Asked, tuple[int, ...]]


def single_sizes(asked: Sequence[Asked], *, large: bool, seed: int = 15) -> list[Table]:
    """Tables of one size each, a few of every curve by chance."""
    chance = Random(seed)  # noqa: S311 (a sample, no secret)
    tables: list[Table] = []
    for curve in asked:
        sizes = curve.sweep.size_bytes
        places = [index for index, size in enumerate(sizes) if bool(size >= LARGE_BYTES) is large]
        chosen = chance.sample(places, min(SIZES_OF_A_CURVE, len(places)))
        tables += [(curve, (index,)) for index in sorted(chosen)]
    return tables


def whole(asked: Sequence[Asked]) -> list[Table]:
    """Each curve as one table."""
    return [(curve, tuple(range(len(curve.sweep.size_bytes)))) for curve in asked]


def line(name: str, tables: Sequence[Table]) -> tuple[str, ...]:
    """The share of the judged tables that is called low, by how much slower they are than measured."""
    shares = []
    for factor in SLOWED:
        statuses = [curve.status(indices, factor) for curve, indices in tables]
        judged = [status for status in statuses if status is not Status.UNKNOWN]
        shares.append(percent(judged.count(Status.LOW) / len(judged)) if judged else "")
    return (name, str(len(tables)), *shares)


def _by_table(asked: Sequence[Asked]) -> list[tuple[str, ...]]:
    """Lines of one kind of table each, in one domain and in several."""
    rows = []
    for place, several in (("one domain", False), ("several domains", True)):
        chosen = [curve for curve in asked if (curve.sweep.setting.domains > 1) is several]
        rows.append(line(f"{place}, one size from 32 MiB", single_sizes(chosen, large=True)))
        rows.append(line(f"{place}, one smaller size", single_sizes(chosen, large=False)))
        rows.append(line(f"{place}, whole curve", whole(chosen)))
    return rows


def report(folder: Path) -> None:
    """Print detection against false alarms: by kind of table, by link, and of machines not calibrated on."""
    sound, slow = measured_rows(folder)
    asked = list(curves(sound))
    rows = _by_table(asked)
    rows.append(line("settings that are slow as measured", single_sizes(list(curves(slow)), large=True)))
    print_table("Tables called low: the calibration's own rows", HEADER, rows)
    print_table("Tables called low: machines that calibrated nothing", HEADER, _by_table(list(independent())))
    by_link = [
        line(kind, single_sizes([curve for curve in asked if curve.kind == kind], large=True))
        for kind in sorted({curve.kind for curve in asked})
    ]
    print_table("One size from 32 MiB by link: the calibration's own rows", HEADER, by_link)


if __name__ == "__main__":
    from tests.bench.__main__ import DATA

    report(DATA)
