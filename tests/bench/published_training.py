"""Published training throughput laid beside the training calculator: level and shape."""

import csv
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from statistics import mean, median

from core import catalog
from core.calculators.training import Layout, Scenario, answer, with_fastest_micro_batch
from core.calculators.training.work import model_flop
from core.checks import InputError
from core.hardware import System
from core.systems import configure
from core.units import TERA
from core.workload import Model
from core.workload.config import read_config
from tests.bench.tables import percent, print_table

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "published" / "training.csv"
CATALOG = {
    "llama3-8b": "llama-3.1-8b",
    "llama3-70b": "llama-3.1-70b",
    "llama3-405b": "llama-3.1-405b",
    "llama3.1-405b": "llama-3.1-405b",
    "deepseek-v3": "deepseek-v3-r1",
    "qwen3-235b-a22b": "qwen3-235b-a22b",
    "gpt-oss-120b": "gpt-oss-120b",
}
SYSTEMS = {
    "h100-sxm": "dgx-h100",
    "h800-sxm": "dgx-h100",
    "h200-sxm": "dgx-h200",
    "a100-sxm-80gb": "dgx-a100",
    "a100-sxm-40gb": "dgx-a100",
    "b200-sxm": "dgx-b200",
    "gb200": "gb200-nvl72",
}
HEAD_DIM = 128
"""Values of a head where a table does not say how many heads there are."""
PRECISION = {"": "bf16", "bf16-mixed": "bf16", "bf16-pure": "bf16", "fp16/bf16": "bf16", "fp8-mixed": "fp8"}


@dataclass(frozen=True, slots=True)
class Published:
    """One row that can be asked: what was run and tokens/s per GPU of it."""

    id: str
    table: str
    group: str
    model: str
    gpu: str
    scenario: Scenario
    tokens_per_s_per_gpu: float

    @property
    def calibration(self) -> tuple[str, str, str]:
        """Rows that share one efficiency constant: GPU, precision, framework."""
        return self.gpu, self.scenario.precision, self.group

    @property
    def step_s(self) -> float:
        """Seconds of the step that was measured."""
        return self.scenario.tokens / self.scenario.layout.gpus / self.tokens_per_s_per_gpu

    @property
    def peers(self) -> tuple[object, ...]:
        """Rows of one table that differ in layout or GPU count only."""
        asked = self.scenario
        return self.table, asked.model, self.gpu, asked.precision, asked.seq, asked.recompute


def rows(path: Path = PUBLISHED) -> Iterator[Published]:
    """Every row that says enough; products and the publisher's own errors are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file):
            found = _row(cells)
            if found is not None:
                yield found


def _row(cells: dict[str, str]) -> Published | None:
    needed = ("TP", "PP", "gpus", "global_batch", "seq", "layers", "hidden", "value")
    if any(not cells[name] for name in needed) or "LAYOUT product" in cells["note"]:
        return None
    if cells["check"] and abs(float(cells["check"]) - 1) > 0.05:
        return None
    try:
        asked = _scenario(cells)
        if not cells["micro_batch"]:
            asked = with_fastest_micro_batch(asked)
        asked.check()
    except (InputError, KeyError, StopIteration):
        return None
    rate = _rate(cells, asked)
    if rate is None or not cells["precision"] or not possible(asked, rate):
        return None
    dated = re.search(r"date [0-9-]+", cells["note"])
    table = " ".join([cells["table"], *([dated.group()] if dated else [])])
    group = table if dated else cells["group"]
    return Published(cells["id"], table, group, cells["model"], cells["gpu"], asked, rate)


def _scenario(cells: dict[str, str]) -> Scenario:
    tp, pp, gpus = int(float(cells["TP"])), int(float(cells["PP"])), int(cells["gpus"])
    cp, ep = int(float(cells["CP"] or 1)), int(float(cells["EP"] or 1))
    dp = gpus // (tp * pp * cp)
    precision = PRECISION.get(cells["precision"], cells["precision"].split("-")[0])
    sharding = cells["sharding"]
    recompute = "full" if cells["recompute"].startswith("full") else "none"
    if cells["recompute"].startswith("selective"):
        recompute = "selective"
    strategy = "fsdp" if "FSDP" in sharding else "ddp" if "ZeRO-0" in sharding else "zero1"
    early = any(name in cells["table"] for name in ("megatron-sc21", "bigscience", "korthikanti"))
    pieces = cells["VPP"] or (
        "1" if early or pp == 1 else str(_one_layer_each(int(float(cells["layers"])), pp))
    )
    return Scenario(
        model=_model(cells),
        system=_system(
            cells["gpu"], int(cells["gpus_per_domain"]), float(cells["scale_out_GBps_per_gpu"] or 0), gpus
        ),
        layout=Layout(tp, pp, int(float(pieces)), dp, cp, ep),
        micro_batch=int(float(cells["micro_batch"] or 1)),
        global_batch=int(float(cells["global_batch"])),
        seq=int(float(cells["seq"])),
        precision=precision,
        recompute=recompute,
        strategy=strategy,
        tp_overlap=0.0 if early else None,
        pp_overlap=0.0 if early else None,
        dp_overlap=not early,
        flash=not early,
        sequence_parallel="megatron-sc21" not in cells["table"] and "bigscience" not in cells["table"],
    )


def _one_layer_each(layers: int, pp: int) -> int:
    """Pieces of a stage where the table does not say: one layer each, as these frameworks ship."""
    return layers // pp if layers % pp == 0 else 1


@lru_cache
def _system(gpu: str, domain: int, nic: float, gpus: int) -> System:
    base = catalog.system(SYSTEMS[gpu])
    if gpu == "a100-sxm-40gb":
        base = replace(base, gpu=catalog.gpu("a100-sxm-40gb"))
    wide = configure(base, domains=max(1, -(-gpus // base.domain_gpus)))
    if not nic or base.domain_gpus != domain or len(wide.fabrics) < 2:
        return wide
    inside, *outside = wide.fabrics
    return replace(wide, fabrics=(inside, *(replace(tier, bytes_per_s=nic * 1e9) for tier in outside)))


def _model(cells: dict[str, str]) -> Model:
    name = CATALOG.get(cells["model"].lower())
    if name:
        return catalog.model(name)
    if cells["experts"]:
        raise KeyError(cells["model"])
    return _shaped(
        *(int(float(cells[key] or 0)) for key in ("layers", "hidden", "heads", "kv_heads", "ffn", "vocab"))
    )


@lru_cache
def _shaped(layers: int, hidden: int, heads: int, kv_heads: int, ffn: int, vocab: int) -> Model:
    config = {} if heads else {"head_dim": HEAD_DIM}
    heads = heads or hidden // HEAD_DIM
    config |= {
        "model_type": "llama",
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads or heads,
        "intermediate_size": ffn or 4 * hidden,
        "vocab_size": vocab or 51200,
    }
    plain = ffn == 4 * hidden or not ffn
    found = read_config(json.dumps(config)).model
    return replace(found, gated_mlp=not plain, tied_embeddings=plain)


def _rate(cells: dict[str, str], asked: Scenario) -> float | None:
    """Tokens/s per GPU, whatever was published."""
    value, metric = float(cells["value"]), cells["metric"]
    flop = model_flop(asked) / asked.tokens
    if metric == "tokens_per_s_per_gpu":
        return value
    if metric == "step_time":
        return asked.tokens / value / asked.layout.gpus
    if metric == "model_TFLOPs_per_gpu":
        return value * TERA / flop
    if metric == "hardware_TFLOPs_per_gpu":
        again = 4 / 3 if asked.recompute == "full" else 1
        return value * TERA / (flop * again)
    return None


def possible(asked: Scenario, tokens_per_s_per_gpu: float) -> bool:
    """No row may compute faster than the GPU's peak: such a one has a wrong batch or layout."""
    gpu = asked.system.gpu
    peaks = {"bf16": gpu.bf16_flop_per_s, "fp16": gpu.bf16_flop_per_s, "nvfp4": gpu.fp4_flop_per_s}
    peak = peaks.get(asked.precision, gpu.fp8_flop_per_s) or math.inf
    return tokens_per_s_per_gpu * model_flop(asked) / asked.tokens < 0.9 * peak


def predicted(row: Published, efficiency: float) -> float:
    """Tokens/s per GPU of the calculator at one constant."""
    return answer(replace(row.scenario, efficiency=efficiency)).tokens_per_s_per_gpu


def fitted(group: Iterable[Published]) -> float:
    """
    The constant at which the median row comes out right.

    A step is taken as a + b / constant between two computed points, which is how it behaves but
    for what overlaps.
    """
    members = list(group)
    half, full = ([1 / predicted(row, share) for row in members] for share in (0.5, 1.0))
    low, high = 0.05, 1.1
    for _ in range(30):
        middle = math.sqrt(low * high)
        rates = [1 / (2 * one - two + (two - one) / middle) for two, one in zip(half, full, strict=True)]
        off = median(rate / row.tokens_per_s_per_gpu for rate, row in zip(rates, members, strict=True))
        low, high = (middle, high) if off < 1 else (low, middle)
    return math.sqrt(low * high)


@dataclass(frozen=True, slots=True)
class Level:
    """One calibration group: its constant, the errors left, and the rows whose step lies in the band."""

    key: tuple[str, str, str]
    moe: bool
    rows: int
    efficiency: float
    errors: dict[str, float]
    inside: int


def levels(rows_found: Iterable[Published]) -> list[Level]:
    """Errors of level after one constant per GPU, precision, framework; MoE models apart."""
    groups = defaultdict(list)
    for row in rows_found:
        groups[row.calibration, row.scenario.model.moe].append(row)
    result = []
    for (key, moe), members in groups.items():
        constant = fitted(members)
        found = [(row, answer(replace(row.scenario, efficiency=constant))) for row in members]
        errors = {row.id: one.tokens_per_s_per_gpu / row.tokens_per_s_per_gpu - 1 for row, one in found}
        inside = sum(one.low_s <= row.step_s <= one.high_s for row, one in found)
        result.append(Level(key, moe, len(members), constant, errors, inside))
    return result


def shapes(
    found: Iterable[Published], constants: dict[tuple[object, ...], float]
) -> dict[str, list[tuple[str, float]]]:
    """
    Errors of the ratio between peers.

    *Weak*: more GPUs, the batch grows with them. *Strong*: more GPUs, one batch. *Layout*: the same GPUs and
    batch under other degrees of parallelism.
    """
    peers = defaultdict(list)
    for row in found:
        peers[row.peers].append(row)
    errors: dict[str, list[tuple[str, float]]] = {"weak": [], "strong": [], "layout": []}
    for members in peers.values():
        for one, two in combinations(members, 2):
            kind = _kind(one.scenario, two.scenario)
            if kind is None:
                continue
            share = constants[one.calibration, one.scenario.model.moe]
            ratio = predicted(one, share) / predicted(two, share)
            error = ratio / (one.tokens_per_s_per_gpu / two.tokens_per_s_per_gpu) - 1
            errors[kind].append((f"{one.id}/{two.id}", error))
    return errors


def _kind(one: Scenario, two: Scenario) -> str | None:
    """What sets two peers apart, or None where it is more than layout and GPUs."""
    gpus = [item.layout.gpus for item in (one, two)]
    per = [item.global_batch / item.layout.gpus for item in (one, two)]
    if one.micro_batch != two.micro_batch or (gpus[0] == gpus[1] and one.layout == two.layout):
        return None
    if math.isclose(*per, rel_tol=0.02):
        return "layout" if gpus[0] == gpus[1] else "weak"
    return "strong" if one.global_batch == two.global_batch else None


def report(data: Path) -> None:
    """Print level and shape as tables, beside what is aimed at."""
    path = data / "published" / PUBLISHED.name
    if not path.is_file():
        print(f"training: skipped, no published runs at {path}")
        return
    found = list(rows(path))
    measured = levels(found)
    header = ("GPU, format, framework", "models", "rows", "constant", "mean error", "worst", "in the band")
    print_table(
        f"training, level: {len(found)} published rows, one constant a group (aim: 10 % mean, 20 % worst)",
        header,
        [_cells(level) for level in sorted(measured, key=lambda item: item.key)],
    )
    constants = {(level.key, level.moe): level.efficiency for level in measured}
    lines = []
    operators = {row.id: re.split(r"[-:]", row.table)[0] for row in found}
    for kind, errors in shapes(found, constants).items():
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
    constant = f"{level.efficiency:.3f}"
    inside = percent(level.inside / level.rows)
    return " ".join(level.key), kind, str(level.rows), constant, percent(mean(off)), percent(max(off)), inside


if __name__ == "__main__":
    report(PUBLISHED.parents[1])
