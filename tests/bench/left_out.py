"""Training's intervals for a publisher whose own tables are left out: as if it had never published."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median

from core.calculators.training import Scenario
from core.calculators.training.efficiency import efficiency
from core.calculators.training.interval import Certainty, ends
from core.calculators.training.step import step
from core.catalog.calibrations import training as constants
from tests.bench import held_out, unseen_training
from tests.bench.tables import percent, print_table

PUBLISHERS = {
    unseen_training.TORCHTITAN: "torchtitan",
    unseen_training.TORCHTITAN_A100: "torchtitan",
    unseen_training.MAXTEXT: "maxtext",
    unseen_training.AUTOMODEL: "automodel",
    unseen_training.NEMO: "nemo",
    held_out.DGXC: "dgxc",
    held_out.FMS: "fms",
    held_out.INTERNEVO: "internevo",
    held_out.BRIDGE: "mbridge",
}
FRAMEWORKS = {"internevo": "internevo", "maxtext": "jax"}
"""Of publishers whose framework is none that the calculator knows."""
KERNELS = {"fp16": "bf16", "mxfp8": "fp8"}
MOST_ROWS = 6
"""Rows of a publisher, framework, GPU generation and format whose efficiency is taken from: more tell no more."""


@dataclass(frozen=True, slots=True)
class Row:
    """A published run, with who published it."""

    publisher: str
    scenario: Scenario
    tokens_per_s_per_gpu: float

    @property
    def framework(self) -> str:
        """Whose kernels it ran."""
        return FRAMEWORKS.get(self.publisher, self.scenario.kernels)

    @property
    def kernels(self) -> tuple[str, str]:
        """GPU generation and format, by which tables stand for one another."""
        precision = self.scenario.precision
        return self.scenario.system.gpu.architecture.value, KERNELS.get(precision, precision)

    @property
    def step_s(self) -> float:
        """Seconds of the step that was measured."""
        return self.scenario.tokens / self.scenario.layout.gpus / self.tokens_per_s_per_gpu


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row beside the answer from all other publishers."""

    row: Row
    error: float
    inside: bool
    width: float


def every_row(published: Iterable[object]) -> Iterator[Row]:
    """The open tables, then the rows that nothing was fitted to."""
    for item in published:
        yield Row(re.sub(r"-(a|b|gb|h)\d+.*", "", item.group), item.scenario, item.tokens_per_s_per_gpu)
    for item in (*unseen_training.DENSE, *unseen_training.MOE, *held_out.DENSE, *held_out.MOE):
        yield Row(PUBLISHERS[item.source], item.scenario, item.tokens_per_s_per_gpu)


def left_out(rows: list[Row]) -> list[LeftOut]:
    """Every row at the efficiency and with the interval that all other publishers leave."""
    groups = defaultdict(list)
    for row in rows:
        if not row.scenario.model.moe:
            groups[row.publisher, row.framework, row.kernels].append(row)
    shares = {key: _efficiency(members) for key, members in groups.items()}
    return [_answered(row, shares) for row in rows]


def _efficiency(rows: list[Row]) -> float:
    """The efficiency at which the median row comes out right, a step taken as a + b / efficiency."""
    every = max(1, len(rows) // MOST_ROWS)
    found = []
    for row in rows[::every]:
        half_s, whole_s = (step(replace(row.scenario, efficiency=share)).total_s for share in (0.5, 1.0))
        found.append((half_s - whole_s) / max(row.step_s - 2 * whole_s + half_s, (half_s - whole_s) / 1.1))
    return median(found)


def _answered(row: Row, shares: dict[tuple[str, str, tuple[str, str]], float]) -> LeftOut:
    others = {
        key: share for key, share in shares.items() if key[0] != row.publisher and key[2] == row.kernels
    }
    alike = [share for key, share in others.items() if key[1] == row.framework]
    share = median(alike or others.values() or [constants.UNMEASURED.usual])
    job = replace(row.scenario, efficiency=share)
    ours_s = step(job).total_s
    low_s, high_s = ends(job, ours_s, _certainty(row, known=bool(alike), measured=bool(others)))
    inside = low_s <= row.step_s <= high_s
    return LeftOut(row, row.step_s / ours_s - 1, inside, high_s / low_s)


def _certainty(row: Row, *, known: bool, measured: bool) -> Certainty:
    """What the answer would know of this row's software had its publisher kept silent."""
    band = constants.ANY_BAND if measured else constants.UNMEASURED_BAND
    if known:
        band = efficiency(row.scenario.system.gpu, row.scenario.precision, row.framework).band
    if row.scenario.model.moe:
        band = max(band, constants.MOE_BAND)
    return Certainty(band, overlap_known=known)


def report(published: Iterable[object]) -> None:
    """Print coverage by publisher, dense and MoE."""
    results = left_out(list(every_row(published)))
    lines = []
    for kind, moe in (("dense", False), ("MoE", True)):
        members = [item for item in results if item.row.scenario.model.moe is moe]
        names = sorted({item.row.publisher for item in members})
        lines.append(_cells(f"{kind}, all", members))
        lines.extend(
            _cells(f"{kind}, {name}", [item for item in members if item.row.publisher == name])
            for name in names
        )
    print_table(
        "training, whole publishers left out with their constants (interval: 75 to 90 %)",
        ("left out", "rows", "mean error", "within 10 %", "within 20 %", "in the interval", "high over low"),
        lines,
    )


def _cells(name: str, members: list[LeftOut]) -> tuple[str, ...]:
    errors = [abs(item.error) for item in members]
    shares = (mean(errors), mean(e <= 0.1 for e in errors), mean(e <= 0.2 for e in errors))
    inside, width = mean(item.inside for item in members), mean(item.width for item in members)
    return name, str(len(members)), *(percent(share) for share in (*shares, inside)), f"{width:.2f}"


if __name__ == "__main__":
    from tests.bench.published_rows import rows as published_rows

    report(list(published_rows(Path("../shared/data/published/training.csv"))))
