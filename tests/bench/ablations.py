"""Published ablations of training, one at a time: what data, tensor, pipeline parallelism and scale cost."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import mean

from core.calculators.training import speed
from core.calculators.training.work import model_flop
from tests.bench import (
    held_out,
    held_out_blind,
    held_out_evening,
    held_out_fresh,
    held_out_last,
    held_out_later,
    held_out_newest,
    held_out_night,
    unseen_training,
)
from tests.bench.ablation_pairs import BLIND, EVENING, FRESH, LAST, NEWEST, Pair
from tests.bench.ablation_pairs_night import NIGHT
from tests.bench.tables import percent, print_table

THIRD = 1 / 3
"""How far a computed loss may be from the published one, over it."""
POINT = 0.01
"""A loss no further off than this is within the noise of two runs."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """
    Two published runs that differ in one thing.

    Attributes:
        kind: What the loss is of.
        name: What differs.
        published, computed: Share of the model FLOP/s per GPU that the second run loses; negative where it gains.
    """

    kind: str
    name: str
    published: float
    computed: float

    @property
    def right(self) -> bool:
        """Whether the computed loss is within a third or a point of the published one."""
        return abs(self.computed - self.published) <= max(POINT, THIRD * abs(self.published))

    @property
    def signed(self) -> bool:
        """Whether the second run is the slower one in both, or in neither; a published loss within a point has no sign."""
        return abs(self.published) <= POINT or self.computed * self.published > 0


def _ablation(kind: str, name: str, first, second) -> Ablation:
    work = [model_flop(run.scenario) / run.scenario.tokens for run in (first, second)]
    more = work[1] / work[0]
    lost = 1 - more * second.tokens_per_s_per_gpu / first.tokens_per_s_per_gpu
    rates = [speed(run.scenario).tokens_per_s_per_gpu for run in (first, second)]
    return Ablation(kind, name, lost, 1 - more * rates[1] / rates[0])


def ablations() -> tuple[Ablation, ...]:
    """Every pair."""
    return (
        *_scaling(),
        *_batch(),
        *_degrees(),
        *held_out_pairs(),
        *fresh_pairs(),
        *newest_pairs(),
        *last_pairs(),
        *blind_pairs(),
        *evening_pairs(),
        *night_pairs(),
    )


def _scaling() -> Iterator[Ablation]:
    """Fewest GPUs against most."""
    for series in (*held_out.DENSE_TABLES, *held_out.MOE_TABLES):
        runs = list(series.runs())
        if len(runs) > 2:
            precision = runs[0].scenario.precision.upper()
            name = f"{series.table}, {precision}, {series.system}, {runs[0].gpus} to {runs[-1].gpus}"
            strong = held_out.STRONG in series.table
            yield _ablation("strong scaling" if strong else "weak scaling", name, runs[0], runs[-1])


def _batch() -> Iterator[Ablation]:
    """A smaller batch on the same GPUs: data parallelism has less to hide behind, a pipeline more to fill."""
    runs = {(run.series.table, run.gpus, run.scenario.precision): run for run in held_out.DENSE}
    for few in ("two micro-batches", "one micro-batch"):
        name = f"InternEvo on 1,024 A100: four micro-batches, then {few}"
        yield _ablation("DP", name, runs["optimizer in a node", 1024, "bf16"], runs[few, 1024, "bf16"])
    for table in ("recomputed, micro-batch 4", "recomputed, micro-batch 2"):
        name = f"InternEvo on 1,024 A100: micro-batch 8 recomputed, then {table.split(', ')[1].removeprefix('micro-batch ')}"
        yield _ablation("DP", name, runs["recomputed", 1024, "bf16"], runs[table, 1024, "bf16"])
    for precision in ("bf16", "fp8"):
        many = runs["Nemotron-4 340B, strong scaling", 128, precision]
        name = f"Nemotron-4 340B on 128 GB200, {precision.upper()}: 128 micro-batches, then 8"
        yield _ablation("PP", name, many, runs["Nemotron-4 340B", 128, precision])


def _degrees() -> Iterator[Ablation]:
    """Another degree on the same GPUs and batch."""
    runs = {(run.series.table, run.gpus, run.scenario.precision): run for run in held_out.DENSE}
    for gpus in (8, 128, 1024):
        pair = (runs[name, gpus, "bf16"] for name in ("optimizer in a node", "optimizer in a node, TP2"))
        yield _ablation("TP", f"InternEvo on {gpus:,} A100: TP1, then TP2", *pair)
    for precision in ("bf16", "fp8"):
        pair = (runs[name, 16, precision] for name in ("Nemotron-4 15B, TP2", "Nemotron-4 15B"))
        yield _ablation("TP", f"Nemotron-4 15B on 16 H100, {precision.upper()}: TP2, then TP4", *pair)
    titan = [run for run in unseen_training.DENSE if run.source == unseen_training.TORCHTITAN]
    exposed, hidden = (run for run in titan if run.layout.tp == 8 and run.layout.pp == 1)
    yield _ablation("TP", "torchtitan 70B on 256 H100: TP overlapped, then not", hidden, exposed)
    plain, interleaved = (run for run in titan if run.layout.pp == 8)
    yield _ablation("PP", "torchtitan 405B on 512 H100: interleaved, then not", interleaved, plain)


def held_out_pairs() -> Iterator[Ablation]:
    """Pairs of publishers that no constant of a loss was chosen by: KempnerForge and torchtitan's FSDP."""
    runs = {
        (series.table, run.gpus): run
        for series in held_out_later.DENSE_TABLES
        if series.source == held_out_later.KEMPNER
        for run in series.runs()
    }
    for first, second, gpus in (("8B", "8B, TP2", 4), ("8B", "8B, TP4", 4), ("13B", "13B, TP4", 8)):
        name = f"KempnerForge on {gpus} H200: {first} in FSDP, then {second[-3:]}"
        yield _ablation("TP", name, runs[first, gpus], runs[second, gpus])
    for table, first, last in (("8B, TP4", 4, 32), ("13B, TP4", 8, 160), ("70B, TP4", 32, 160)):
        name = f"KempnerForge, {table}, H200, {first} to {last}"
        yield _ablation("weak scaling", name, runs[table, first], runs[table, last])
    titan = [run for run in unseen_training.DENSE if run.source == unseen_training.TORCHTITAN]
    for precision in ("bf16", "fp8"):
        job = {
            run.layout.gpus: run
            for run in titan
            if run.batch == (2, 2 * run.layout.gpus, 8192) and run.scenario.precision == precision
        }
        yield _ablation(
            "weak scaling", f"torchtitan 8B, {precision.upper()}, H100, 8 to 128", job[8], job[128]
        )


def fresh_pairs() -> Iterator[Ablation]:
    """Pairs of publishers read on 2026-11-27, by model FLOPs where they differ in sequence length."""
    yield from _pairs(FRESH, (*held_out_fresh.DENSE, *held_out_fresh.HYBRID, *held_out_fresh.MOE))


def newest_pairs() -> Iterator[Ablation]:
    """Pairs read on 2026-11-27."""
    yield from _pairs(NEWEST, (*held_out_newest.DENSE, *held_out_newest.MOE, *held_out_newest.PROXIES))


def last_pairs() -> Iterator[Ablation]:
    """Pairs read on 2026-11-28."""
    yield from _pairs(LAST, (*held_out_last.DENSE, *held_out_last.MOE))


def blind_pairs() -> Iterator[Ablation]:
    """Pairs of one publisher read late on 2026-11-28: by its TP8 and FP8 the cost of launching a layer was chosen."""
    yield from _pairs(BLIND, (*held_out_blind.DENSE, *held_out_blind.MOE))


def evening_pairs() -> Iterator[Ablation]:
    """Pairs read on 2026-11-28: TP, graphs, length; what graphs of an iteration gain was chosen by the last two."""
    graphs = [
        run for run in (*held_out_last.MOE, *held_out_newest.MOE) if run.scenario.cuda_graphs is not None
    ]
    trl = (run for run in held_out_evening.DENSE if run.source != held_out_evening.MAD)
    yield from _pairs(EVENING[:11], trl)
    yield from _pairs(EVENING[11:], (*held_out_evening.DENSE, *graphs, *held_out_evening.MOE))


def night_pairs() -> Iterator[Ablation]:
    """Pairs read on 2026-11-28 after those; the rows of experts among them chose what experts cost, none what a loss does."""
    tp4 = (run for run in held_out_evening.DENSE if run.source == held_out_evening.OLD_BENCH)
    yield from _pairs(NIGHT, (*tp4, *held_out_night.DENSE, *held_out_night.MOE, *held_out_night.PROXIES))


def _pairs(pairs: Iterable[Pair], every: Iterable[held_out.HeldOut]) -> Iterator[Ablation]:
    runs = {(run.series.table, run.gpus, run.scenario.precision): run for run in every}
    for kind, name, first, second in pairs:
        yield _ablation(kind, name, runs[first], runs[second])


def report() -> None:
    """Print every ablation, then how many come out."""
    every = ablations()
    lines = [
        (item.kind, item.name, percent(item.published), percent(item.computed), _ratio(item))
        for item in every
    ]
    print_table(
        "training, published ablations (loss of tokens/s per GPU; aim: within a third)",
        ("loss of", "what differs", "published", "computed", "computed over published"),
        lines,
    )
    for kind in dict.fromkeys(item.kind for item in every):
        members = [item for item in every if item.kind == kind]
        means = (mean(getattr(item, name) for item in members) for name in ("published", "computed"))
        right = sum(item.right for item in members)
        signed = sum(item.signed for item in members)
        print(
            f"{kind}: {' published, '.join(map(percent, means))} computed; {right} of {len(members)} within, "
            f"{signed} with the right sign"
        )
    right, signed = sum(item.right for item in every), sum(item.signed for item in every)
    print(f"all: {right} of {len(every)} within, {signed} with the right sign")


def _ratio(item: Ablation) -> str:
    return f"{item.computed / item.published:.2f}" if abs(item.published) >= POINT else ""


if __name__ == "__main__":
    report()
