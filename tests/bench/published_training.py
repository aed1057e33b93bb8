"""Published training throughput against the training calculator: level and shape."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import mean, median

from core.calculators.training import Scenario, answer
from core.calculators.training.work import model_flop
from tests.bench import ablations, left_out, measured_memory, training_shipped, unseen_training
from tests.bench.published_rows import PUBLISHED, Published, rows
from tests.bench.tables import percent, print_table


def predicted(row: Published, efficiency: float) -> float:
    """Tokens/s per GPU of the calculator at a GEMM efficiency."""
    return answer(replace(row.scenario, efficiency=efficiency)).tokens_per_s_per_gpu


def fitted(group: Iterable[Published]) -> float:
    """
    The GEMM efficiency at which the median row comes out right.

    A step is taken as a + b / efficiency between two computed points, which is how it behaves but
    for what overlaps.
    """
    members = list(group)
    half, full = ([1 / predicted(row, share) for row in members] for share in (0.5, 1.0))
    low, high = 0.05, 1.1
    for _ in range(30):
        middle = math.sqrt(low * high)
        rates = [
            1 / (2 * whole - part + (part - whole) / middle) for part, whole in zip(half, full, strict=True)
        ]
        off = median(rate / row.tokens_per_s_per_gpu for rate, row in zip(rates, members, strict=True))
        low, high = (middle, high) if off < 1 else (low, middle)
    return math.sqrt(low * high)


@dataclass(frozen=True, slots=True)
class Level:
    """One calibration group: its GEMM efficiency, the errors left, and the rows whose step lies in the band."""

    key: tuple[str, str, str]
    moe: bool
    rows: int
    efficiency: float
    errors: dict[str, float]
    inside: int


def levels(published: Iterable[Published]) -> list[Level]:
    """Errors of level after one GEMM efficiency per GPU, precision, framework; MoE models apart."""
    groups = defaultdict(list)
    for row in published:
        groups[row.calibration, row.scenario.model.moe].append(row)
    result = []
    for (key, moe), members in groups.items():
        efficiency = fitted(members)
        pairs = [(row, answer(replace(row.scenario, efficiency=efficiency))) for row in members]
        errors = {row.id: ours.tokens_per_s_per_gpu / row.tokens_per_s_per_gpu - 1 for row, ours in pairs}
        inside = sum(ours.low_s <= row.step_s <= ours.high_s for row, ours in pairs)
        result.append(Level(key, moe, len(members), efficiency, errors, inside))
    return result


def shapes(
    published: Iterable[Published], constants: dict[tuple[object, ...], float]
) -> dict[str, list[tuple[str, float]]]:
    """
    Errors of the ratio between peers.

    *Weak*: more GPUs, the batch grows with them. *Strong*: more GPUs, one batch. *Layout*: the same GPUs and
    batch under other degrees of parallelism.
    """
    peers = defaultdict(list)
    for row in published:
        peers[row.peers].append(row)
    errors: dict[str, list[tuple[str, float]]] = {"weak": [], "strong": [], "layout": []}
    for members in peers.values():
        for first, second in combinations(members, 2):
            kind = _kind(first.scenario, second.scenario)
            if kind is None:
                continue
            efficiency = constants[first.calibration, first.scenario.model.moe]
            flop = [model_flop(row.scenario) / row.scenario.tokens for row in (first, second)]
            ratio = predicted(first, efficiency) * flop[0] / predicted(second, efficiency) / flop[1]
            error = ratio / (first.flop_per_s_per_gpu / second.flop_per_s_per_gpu) - 1
            errors[kind].append((f"{first.id}/{second.id}", error))
    return errors


def _kind(first: Scenario, second: Scenario) -> str | None:
    """What differs between two peers, or None where it is more than layout and GPUs."""
    gpus = [job.layout.gpus for job in (first, second)]
    batch_per_gpu = [job.global_batch / job.layout.gpus for job in (first, second)]
    if first.micro_batch != second.micro_batch or (gpus[0] == gpus[1] and first.layout == second.layout):
        return None
    if math.isclose(*batch_per_gpu, rel_tol=0.02):
        return "layout" if gpus[0] == gpus[1] else "weak"
    return "strong" if first.global_batch == second.global_batch else None


def report(data: Path) -> None:
    """Print level and shape as tables, with their targets."""
    path = data / "published" / PUBLISHED.name
    if not path.is_file():
        print(f"training: skipped, no published runs at {path}")
        return
    published = list(rows(path))
    measured = levels(published)
    header = (
        "GPU, precision, framework",
        "models",
        "rows",
        "GEMM efficiency",
        "mean error",
        "worst",
        "in the band",
    )
    print_table(
        f"training, level: {len(published)} published rows, one GEMM efficiency per group (aim: 10 % mean, 20 % worst)",
        header,
        [_cells(level) for level in sorted(measured, key=lambda item: item.key)],
    )
    training_shipped.report(published)
    unseen_training.report()
    left_out.report(published)
    ablations.report()
    measured_memory.report()
    constants = {(level.key, level.moe): level.efficiency for level in measured}
    lines = []
    operators = {row.id: re.split(r"[-:]", row.table)[0] for row in published}
    for kind, errors in shapes(published, constants).items():
        parts = {operators[ids.split("/")[0]] for ids, _ in errors}
        for name in (*sorted(parts), ""):
            off = [abs(error) for ids, error in errors if operators[ids.split("/")[0]].startswith(name)]
            lines.append((f"{kind}, {name or 'all'}", str(len(off)), percent(mean(off)), percent(max(off))))
    print_table(
        "training, shape: pairs of one table that differ in layout or GPUs (aim: weak 3 %, strong 6 %)",
        ("what differs", "pairs", "mean error", "worst"),
        lines,
    )


def _cells(level: Level) -> tuple[str, ...]:
    off = [abs(error) for error in level.errors.values()]
    kind = "MoE" if level.moe else "dense"
    efficiency = f"{level.efficiency:.3f}"
    inside = percent(level.inside / level.rows)
    return (
        " ".join(level.key),
        kind,
        str(level.rows),
        efficiency,
        percent(mean(off)),
        percent(max(off)),
        inside,
    )


if __name__ == "__main__":
    report(PUBLISHED.parents[1])
