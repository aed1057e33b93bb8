"""Published training throughput that no constant was fitted to: asked first, compared afterwards."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean, median, quantiles
from typing import Any

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.parallel.grow import grow_to
from core.workload import Model
from core.workload.config import read_config
from tests.bench import (
    held_out,
    held_out_blind,
    held_out_evening,
    held_out_fresh,
    held_out_last,
    held_out_later,
    held_out_night,
)
from tests.bench.held_out import HeldOut
from tests.bench.recipes import QWEN3_30B
from tests.bench.tables import percent, print_table

TORCHTITAN = "github.com/pytorch/torchtitan: benchmarks/llama3_h100_202412_torchtitan.md"
TORCHTITAN_A100 = "github.com/pytorch/torchtitan: docs/performance.md, 2024"
MAXTEXT = "NGC catalog, dgxc-benchmarking: MaxText recipes 25.01 and 25.02"
AUTOMODEL = "github.com/NVIDIA-NeMo/Automodel: docs/performance-summary.md, 2025-10 and 2026-04"
NEMO = "docs.nvidia.com/nemo-framework: performance summary, container 25.07"
H100, A100, GB200 = "dgx-h100", "dgx-a100", "gb200-nvl72"


@dataclass(frozen=True, slots=True)
class Unseen:
    """A published run: its source, system, model, layout and batch, and its tokens/s per GPU."""

    source: str
    system: str
    model: str
    layout: Layout
    batch: tuple[int, int, int]
    job: dict[str, Any]
    tokens_per_s_per_gpu: float

    @property
    def scenario(self) -> Scenario:
        """The question, as the source states it."""
        micro_batch, global_batch, seq = self.batch
        job = Scenario(
            grow_to(catalog.system(self.system), self.layout.gpus),
            _model(self.model),
            self.layout,
            micro_batch=micro_batch,
            global_batch=global_batch,
            seq=seq,
            **held_out.reduced(self.source, self.job),
        )
        return held_out.dated(self.source, job)


def _model(name: str) -> Model:
    return read_config(json.dumps(QWEN3_30B)).model if name == "qwen3-30b-a3b" else catalog.model(name)


_KEEP = {"strategy": "fsdp", "recompute": "selective"}
_KEEP8 = _KEEP | {"precision": "fp8"}
_FULL8 = {"strategy": "fsdp", "recompute": "full", "precision": "fp8"}
_8B, _70B, _405B = "llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b"
DENSE = (
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=8), (2, 16, 8192), _KEEP, 6667),
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=8), (2, 16, 8192), _KEEP8, 8532),
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=8), (1, 8, 32768), _FULL8, 3890),
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=4, cp=2), (1, 4, 65536), _FULL8, 2540),
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=2, cp=4), (1, 2, 131072), _FULL8, 1071),
    Unseen(TORCHTITAN, H100, _8B, Layout(cp=8), (1, 1, 262144), _FULL8, 548),
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=128), (2, 256, 8192), _KEEP, 6514),
    Unseen(TORCHTITAN, H100, _8B, Layout(dp=128), (2, 256, 8192), _KEEP8, 8380),
    Unseen(TORCHTITAN, H100, _70B, Layout(tp=8, dp=32), (16, 512, 8192), _FULL8 | {"tp_overlap": 0.0}, 829),
    Unseen(TORCHTITAN, H100, _70B, Layout(tp=8, dp=32), (16, 512, 8192), _FULL8, 876),
    Unseen(TORCHTITAN, H100, _405B, Layout(tp=8, pp=8, dp=8), (4, 256, 8192), _FULL8, 100),
    Unseen(TORCHTITAN, H100, _405B, Layout(tp=8, pp=8, vpp=2, dp=8), (4, 256, 8192), _FULL8, 128),
    Unseen(TORCHTITAN_A100, A100, _8B, Layout(dp=64), (1, 64, 8192), _KEEP, 2973),
    Unseen(
        TORCHTITAN_A100,
        A100,
        _70B,
        Layout(dp=64),
        (1, 64, 8192),
        {"strategy": "fsdp", "recompute": "full"},
        331,
    ),
    Unseen(MAXTEXT, H100, _70B, Layout(dp=128), (2, 256, 8192), _KEEP, 1052),
    Unseen(MAXTEXT, H100, "llama-2-70b", Layout(dp=64), (2, 128, 4096), _KEEP, 1036),
    Unseen(AUTOMODEL, H100, _70B, Layout(tp=2, dp=32), (1, 128, 8192), _KEEP, 867),
    Unseen(NEMO, GB200, _8B, Layout(dp=8), (2, 128, 8192), {"precision": "fp8"}, 31737),
    Unseen(
        NEMO,
        GB200,
        _70B,
        Layout(dp=64),
        (1, 128, 8192),
        {"precision": "fp8", "strategy": "fsdp", "framework": "megatron"},
        4066,
    ),
    Unseen(
        NEMO,
        GB200,
        _405B,
        Layout(tp=2, dp=64),
        (1, 64, 8192),
        {"precision": "fp8", "strategy": "fsdp", "framework": "megatron"},
        706,
    ),
)
_SHARDED = {"strategy": "fsdp"}
MOE = (
    Unseen(
        AUTOMODEL,
        H100,
        "deepseek-v3-r1",
        Layout(pp=4, vpp=8, dp=256, ep=64),
        (1, 8192, 4096),
        _SHARDED,
        865,
    ),
    Unseen(
        AUTOMODEL, H100, "deepseek-v3-r1", Layout(pp=4, vpp=8, dp=64, ep=64), (1, 512, 4096), _SHARDED, 1002
    ),
    Unseen(AUTOMODEL, H100, "kimi-k2", Layout(pp=8, vpp=4, dp=32, ep=32), (1, 512, 4096), _SHARDED, 924),
    Unseen(AUTOMODEL, H100, "qwen3-30b-a3b", Layout(dp=8, ep=8), (4, 512, 4096), _SHARDED, 12040),
    Unseen(AUTOMODEL, H100, "gpt-oss-20b", Layout(dp=8, ep=8), (2, 256, 4096), _SHARDED, 13058),
    Unseen(AUTOMODEL, H100, "gpt-oss-120b", Layout(dp=64, ep=64), (2, 512, 4096), _SHARDED, 7626),
)
"""GPT-OSS's EP is not stated: taken as all GPUs of the job, as its recipes have it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer over the published rate less one, and whether the published one lies in the interval, and its high end over its low one."""

    run: Unseen | HeldOut
    error: float
    inside: bool
    width: float


def outcomes(runs: Iterable[Unseen | HeldOut]) -> list[Outcome]:
    """Every run as shipped, without a constant of its own."""
    result = []
    for run in runs:
        ours = answer(run.scenario)
        rate = run.tokens_per_s_per_gpu
        low, high = (ours.tokens_per_s_per_gpu * ours.step_s / end_s for end_s in (ours.high_s, ours.low_s))
        error, width = ours.tokens_per_s_per_gpu / rate - 1, ours.high_s / ours.low_s
        result.append(Outcome(run, error, low <= rate <= high, width))
    return result


def report() -> None:
    """Print errors and coverage by kind and publisher."""
    _report("rows of 2024 to 2026 never fitted", DENSE, MOE)
    _report("held-out tables, 2023 to 2025", held_out.DENSE, held_out.MOE)
    _report("held-out tables, read later", held_out_later.DENSE, held_out_later.MOE)
    _report("tables read on 2026-11-27", held_out_fresh.DENSE, held_out_fresh.MOE)
    _report("tables read on 2026-11-28", held_out_last.DENSE, held_out_last.MOE)
    _report("figures read late on 2026-11-28", held_out_blind.DENSE, held_out_blind.MOE)
    _report("figures of 2026-11-28, first part", held_out_evening.DENSE, held_out_evening.MOE)
    _report("figures of 2026-11-28, second part, ten publishers", held_out_night.DENSE, held_out_night.MOE)
    _report("a hybrid, read on 2026-11-27", held_out_fresh.HYBRID, ())


def _report(title: str, dense: Iterable[Unseen | HeldOut], moe: Iterable[Unseen | HeldOut]) -> None:
    lines = []
    for kind, runs in (("dense", dense), ("MoE", moe)):
        every = outcomes(runs)
        if not every:
            continue
        for source in ("", *dict.fromkeys(item.run.source for item in every)):
            members = [item for item in every if item.run.source == source or not source]
            errors = [abs(item.error) for item in members]
            figures = mean(errors), median(errors), _ninetieth(errors), max(errors)
            inside = mean(item.inside for item in members)
            cells = (percent(share) for share in (*figures, inside))
            width = f"{mean(item.width for item in members):.2f}"
            lines.append((f"{kind}, {source or 'all'}", str(len(members)), *cells, width))
    header = (
        "publishers",
        "rows",
        "mean error",
        "median",
        "p90",
        "worst",
        "in the interval",
        "high over low",
    )
    print_table(f"training, {title} (intervals: 75 to 90 %)", header, lines)


def _ninetieth(errors: list[float]) -> float:
    return quantiles(errors, n=10, method="inclusive")[-1] if len(errors) > 1 else errors[0]
