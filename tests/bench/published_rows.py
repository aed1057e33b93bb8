"""Published training throughput: rows that state enough, as questions to the training calculator."""

import csv
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core import catalog
from core.calculators.training import Layout, Scenario, with_fastest_micro_batch
from core.calculators.training.work import model_flop
from core.catalog.calibrations.training import FSDP_2024, MEGATRON, MEGATRON_2024
from core.checks import InputError
from core.collectives.question import AUTO
from core.hardware import System
from core.parallel.grow import grow_to
from core.units import TERA
from core.workload import Model
from core.workload.config import read_config
from tests.bench import recipes

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
FUSED_LOSS = "llm-foundry"
"""Tables of a framework whose models take `loss_fn: fused_crossentropy` unless told otherwise (github.com/mosaicml/llm-foundry)."""
HEAD_DIM = 128
"""Head dimension where a table does not state the number of heads."""
LOGGED_HEADS = {"date 02-17": 96, "date 02-20": 96, "date 02-21": 64}
"""Attention heads that BigScience's log states for runs whose table does not (chronicles-prequel.md)."""
PRECISION = {"": "bf16", "bf16-mixed": "bf16", "bf16-pure": "bf16", "fp16/bf16": "bf16", "fp8-mixed": "fp8"}


@dataclass(frozen=True, slots=True)
class Published:
    """One row that states enough: its job and its tokens/s per GPU."""

    id: str
    table: str
    group: str
    model: str
    gpu: str
    scenario: Scenario
    tokens_per_s_per_gpu: float

    @property
    def calibration(self) -> tuple[str, str, str]:
        """Rows that share one GEMM efficiency: GPU, precision, framework."""
        return self.gpu, self.scenario.precision, self.group

    @property
    def step_s(self) -> float:
        """Seconds of the step that was measured."""
        return self.scenario.tokens / self.scenario.layout.gpus / self.tokens_per_s_per_gpu

    @property
    def peers(self) -> tuple[object, ...]:
        """Rows of one table that differ in layout or GPU count only; in BigScience's search in layers too."""
        job = self.scenario
        model = job.model
        layers = 0 if "bigscience" in self.table else model.layers
        alike = layers, model.hidden, model.heads, model.kv_heads, model.ffn, model.expert_ffn, model.vocab
        return self.table, alike, self.gpu, job.precision, job.seq, job.recompute

    @property
    def flop_per_s_per_gpu(self) -> float:
        """Model FLOP/s per GPU, by which models of different layers compare."""
        return self.tokens_per_s_per_gpu * model_flop(self.scenario) / self.scenario.tokens


def rows(path: Path = PUBLISHED) -> Iterator[Published]:
    """Every row that states enough; products, the publisher's own errors and replaced rows are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    gone = recipes.replaced(table)
    for cells in table:
        row = None if cells["id"] in gone else _row(cells)
        if row is not None:
            yield row


def _row(cells: dict[str, str]) -> Published | None:
    needed = ("TP", "PP", "gpus", "global_batch", "seq", "layers", "hidden", "value")
    if any(not cells[name] for name in needed) or "LAYOUT product" in cells["note"]:
        return None
    if cells["check"] and abs(float(cells["check"]) - 1) > 0.05:
        return None
    try:
        job = _scenario(cells)
        if not cells["micro_batch"]:
            job = with_fastest_micro_batch(job)
        job.check()
    except (InputError, KeyError, StopIteration):
        return None
    rate = _rate(cells, job)
    if rate is None or not cells["precision"] or not possible(job, rate):
        return None
    dated = re.search(r"date [0-9-]+", cells["note"])
    table = " ".join([cells["table"], *([dated.group()] if dated else [])])
    return Published(cells["id"], table, cells["group"], cells["model"], cells["gpu"], job, rate)


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
    vpp = cells["VPP"] or (
        "1" if early or pp == 1 else str(_one_layer_per_stage(int(float(cells["layers"])), pp))
    )
    job = Scenario(
        model=_model(cells),
        system=_system(
            cells["gpu"], int(cells["gpus_per_domain"]), float(cells["scale_out_GBps_per_gpu"] or 0), gpus
        ),
        layout=Layout(tp, pp, int(float(vpp)), dp, cp, ep),
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
        framework=_framework(cells["table"]),
        fused_loss=cells["table"].startswith(FUSED_LOSS),
    )
    return replace(job, **recipes.stated(cells))


def _framework(table: str) -> str:
    """Whose kernels, where the table says more than its strategy does: its publisher or its year."""
    if table.startswith(("mcore", "nemo")):
        return MEGATRON_2024
    if table.startswith(("llm-foundry", "torchtitan")):
        return FSDP_2024
    return MEGATRON if table.startswith("mbridge") else AUTO


def _one_layer_per_stage(layers: int, pp: int) -> int:
    """Virtual pipeline stages where the table states none: one layer each, as these frameworks ship."""
    return layers // pp if layers % pp == 0 else 1


@lru_cache
def _system(gpu: str, domain: int, nic: float, gpus: int) -> System:
    base = catalog.system(SYSTEMS[gpu])
    if gpu == "a100-sxm-40gb":
        base = replace(base, gpu=catalog.gpu("a100-sxm-40gb"))
    cluster = grow_to(base, gpus)
    if not nic or base.domain_gpus != domain or len(cluster.fabrics) < 2:
        return cluster
    inside, *outside = cluster.fabrics
    return replace(cluster, fabrics=(inside, *(replace(tier, bytes_per_s=nic * 1e9) for tier in outside)))


def _model(cells: dict[str, str]) -> Model:
    name = CATALOG.get(cells["model"].lower())
    if name:
        return catalog.model(name)
    if cells["model"] == "qwen3-30b-a3b":
        return read_config(json.dumps(recipes.QWEN3_30B)).model
    if cells["experts"]:
        raise KeyError(cells["model"])
    numbers = {
        key: int(float(cells[key] or 0)) for key in ("layers", "hidden", "heads", "kv_heads", "ffn", "vocab")
    }
    if "bigscience" in cells["table"]:
        numbers |= {"layers": _logged_layers(cells), "heads": numbers["heads"] or _logged_heads(cells)}
    return _shaped(*numbers.values())


def _logged_heads(cells: dict[str, str]) -> int:
    """The heads of a run by its date, 0 where the log does not state them either."""
    return next((heads for date, heads in LOGGED_HEADS.items() if date in cells["note"]), 0)


def _logged_layers(cells: dict[str, str]) -> int:
    """
    Layers as the log tweaked them to a multiple of the stages, told by the size that it prints.

    Its last runs count the embedding and the head as two of them.
    """
    layers, stages, hidden = (int(float(cells[key])) for key in ("layers", "PP", "hidden"))
    if layers % stages == 0 or (layers + 2) % stages == 0:
        return layers
    in_layers = float(cells["params_B"]) * 1e9 - float(cells["vocab"]) * hidden
    return round(in_layers / (12 * hidden**2) / stages) * stages


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
    model = read_config(json.dumps(config)).model
    return replace(model, gated_mlp=not plain, tied_embeddings=plain)


def _rate(cells: dict[str, str], job: Scenario) -> float | None:
    """Tokens/s per GPU, whatever was published."""
    value, metric = float(cells["value"]), cells["metric"]
    flop = model_flop(job) / job.tokens
    if metric == "tokens_per_s_per_gpu":
        return value
    if metric == "step_time":
        return job.tokens / value / job.layout.gpus
    if metric == "model_TFLOPs_per_gpu":
        return value * TERA / flop
    if metric == "hardware_TFLOPs_per_gpu":
        again = 4 / 3 if job.recompute == "full" else 1
        return value * TERA / (flop * again)
    return None


def possible(job: Scenario, tokens_per_s_per_gpu: float) -> bool:
    """No row may compute faster than the GPU's peak: it would have a wrong batch or layout."""
    gpu = job.system.gpu
    peaks = {"bf16": gpu.bf16_flop_per_s, "fp16": gpu.bf16_flop_per_s, "nvfp4": gpu.fp4_flop_per_s}
    peak = peaks.get(job.precision, gpu.fp8_flop_per_s) or math.inf
    return tokens_per_s_per_gpu * model_flop(job) / job.tokens < 0.9 * peak
