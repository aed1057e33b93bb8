"""The training calculator as shipped, without a constant per table: level, intervals, losses of weak scaling."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import mean

from core.calculators.cost.exposed import exposed_interval
from core.calculators.training import answer
from tests.bench.tables import percent, print_table

CLEAR_LOSS = 0.02
"""A loss of weak scaling large enough to be told from noise."""
ONE_OFF = 0.05
"""A series that gains more than that with GPUs has a row out of line with its neighbours."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """One published row beside the answer: the error of its rate, and whether its step lies in the interval."""

    id: str
    operator: str
    moe: bool
    error: float
    inside: bool
    width: float


@dataclass(frozen=True, slots=True)
class Loss:
    """Throughput per GPU lost from the fewest GPUs of a series to the most, published and computed."""

    series: str
    gpus: tuple[int, int]
    published: float
    computed: float


def shipped(published):
    """Every row at the constants of the catalog."""
    result = []
    for row in published:
        ours = answer(row.scenario)
        error = ours.tokens_per_s_per_gpu / row.tokens_per_s_per_gpu - 1
        inside = ours.low_s <= row.step_s <= ours.high_s
        width = ours.high_s / ours.low_s
        result.append(Shipped(row.id, row.calibration[2], row.scenario.model.moe, error, inside, width))
    return result


def losses(published):
    """Series of one table whose batch grows with their GPUs, layouts alike but for DP."""
    series = defaultdict(list)
    for row in published:
        job, layout = row.scenario, row.scenario.layout
        degrees = layout.tp, layout.pp, layout.cp, layout.ep, job.micro_batch
        series[(*row.peers, *degrees, job.global_batch / layout.gpus)].append(row)
    result = []
    for members in series.values():
        first, *_, last = sorted((*members, *members), key=lambda row: row.scenario.layout.gpus)
        gpus = first.scenario.layout.gpus, last.scenario.layout.gpus
        if gpus[0] == gpus[1]:
            continue
        rates = [answer(row.scenario).tokens_per_s_per_gpu for row in (first, last)]
        lost = 1 - last.tokens_per_s_per_gpu / first.tokens_per_s_per_gpu
        if lost > -ONE_OFF:
            result.append(Loss(f"{first.table} {first.model}", gpus, lost, 1 - rates[1] / rates[0]))
    return result


def held_loss(loss):
    """Whether a published loss lies in the interval of exposed communication around the computed one."""
    low, high = exposed_interval(max(0.0, loss.computed), communicates=True)
    return low <= max(0.0, loss.published) <= high


def report(published):
    """Print level by operator, then losses of weak scaling."""
    rows = shipped(published)
    groups = [("dense", [row for row in rows if not row.moe]), ("MoE", [row for row in rows if row.moe])]
    for name in sorted({(row.operator, row.moe) for row in rows}):
        members = [row for row in rows if (row.operator, row.moe) == name]
        groups.append((f"{name[0]}{', MoE' if name[1] else ''}", members))
    header = ("as shipped", "rows", "mean error", "worst", "in the interval", "high over low")
    print_table(
        "training as shipped (aim: dense 9 / 25 %, MoE 12 / 35 %)", header, [_cells(*g) for g in groups]
    )
    series = losses(published)
    inside = mean(held_loss(loss) for loss in series)
    print(f"exposed communication: {percent(inside)} of the losses of {len(series)} series in its interval\n")
    lines = [
        (loss.series, f"{loss.gpus[0]} to {loss.gpus[1]}", percent(loss.published), percent(loss.computed))
        for loss in series
    ]
    print_table(
        "training, losses of weak scaling (aim: within a third of the loss)",
        ("series", "GPUs", "published", "computed"),
        lines,
    )


def _cells(name, rows):
    errors = [abs(row.error) for row in rows]
    inside = mean(row.inside for row in rows)
    width = f"{mean(row.width for row in rows):.2f}"
    return name, str(len(rows)), percent(mean(errors)), percent(max(errors)), percent(inside), width
