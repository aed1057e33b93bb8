"""What was measured on one GPU, as tables, beside what the models say of it."""

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core import catalog
from core.calculators.training import Layout, Memory, Scenario, answer, fit, memory
from core.kernels.attention import prefill_attention_s
from core.kernels.gemm import gemm_s
from core.kernels.result import KernelTime
from core.parallel.grow import grow_to
from core.workload import Model
from core.workload.config import read_config
from tests.bench.one_gpu.models import MODELS

FOLDER = Path(__file__).parent / "measured"
GPUS = ("h100-sxm", "h200-sxm")
"""Measured on 28 November 2026 with torch 2.11 (CUDA 13.0) and driver 580.159.04, each at 700 W."""
SYSTEMS = {"h100-sxm": "dgx-h100", "h200-sxm": "dgx-h200"}
FORMATS = {"bf16": "bf16", "fp8": "fp8", "fp8-row": "fp8", "fp8-rounding": "fp8"}
CONFIG = {
    "layers": "num_hidden_layers",
    "hidden": "hidden_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "ffn": "intermediate_size",
    "vocab": "vocab_size",
}
LONG_S = 50e-6

Rows = dict[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Errors of one group, as shares of the measured time, and the share of rows in the interval."""

    rows: int
    median: float
    p90: float
    bias: float
    inside: float


def gemm_figures(gpu: str, kind: str, *, long: bool = False, engine: str | None = None) -> Figures:
    """A kind's GEMMs; ``long``: those above 50 us alone."""
    rows = _table(gpu, "gemms", kind=kind)
    modelled = gemm_s(catalog.gpu(gpu), FORMATS[kind], rows["m"], rows["n"], rows["k"], engine=engine)
    return _figures(rows["median_s"], modelled, long=long)


def attention_figures(gpu: str, library: str, *, engine: str | None = None) -> Figures:
    """Causal attention forward, above 50 us."""
    rows = _table(gpu, "attention", library=library, direction="forward")
    shape = (rows[name] for name in ("batch", "length", "heads", "kv_heads", "head_dim"))
    modelled = prefill_attention_s(catalog.gpu(gpu), "bf16", *shape, engine=engine)
    return _figures(rows["median_s"], modelled, long=True)


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """A job of one GPU, its seconds a step, none where it ran out of memory, and the bytes torch held at the peak."""

    name: str
    scenario: Scenario
    compiled: bool
    step_s: float | None
    allocated_bytes: float
    reserved_bytes: float

    @property
    def modelled_s(self) -> tuple[float, float, float]:
        """Seconds of the step, and its interval."""
        said = answer(self.scenario)
        return said.step_s, said.low_s, said.high_s

    @property
    def memory(self) -> Memory:
        """Bytes that are counted."""
        return memory(self.scenario)

    @property
    def verdict(self) -> str:
        """Whether the job is said to fit."""
        return str(fit(self.scenario).verdict)


def training_steps(gpu: str) -> Iterator[TrainingStep]:
    """All jobs of a GPU."""
    system = grow_to(catalog.system(SYSTEMS[gpu]), 1)
    for row in _records(gpu, "steps"):
        micro, length = int(row["micro_batch"]), int(row["length"])
        recompute = "full" if row["recompute"] == "1" else "none"
        job = Scenario(
            system,
            _model(row["model"]),
            Layout(),
            micro_batch=micro,
            global_batch=micro,
            seq=length,
            strategy="fsdp",
            recompute=recompute,
        )
        name = f"{row['model']}, {micro} x {length:,}" + (", recomputed" if recompute == "full" else "")
        step_s = float(row["step_s"]) or None
        held = float(row["allocated_bytes"]), float(row["reserved_bytes"])
        yield TrainingStep(name, job, row["compiled"] == "1", step_s, *held)


def _model(name: str) -> Model:
    widths = {CONFIG[key]: value for key, value in asdict(MODELS[name]).items()}
    return read_config(json.dumps({"model_type": "llama"} | widths)).model


def _figures(measured_s: NDArray[np.float64], modelled: KernelTime, *, long: bool) -> Figures:
    kept = measured_s > LONG_S if long else np.ones_like(measured_s, bool)
    error = (np.asarray(modelled.time_s) / measured_s - 1)[kept]
    inside = ((modelled.low_s <= measured_s) & (measured_s <= modelled.high_s))[kept]
    spread = np.abs(error)
    return Figures(
        int(kept.sum()),
        float(np.median(spread)),
        float(np.percentile(spread, 90)),
        float(np.median(error)),
        float(inside.mean()),
    )


def _table(gpu: str, part: str, **kept: str) -> Rows:
    rows = [row for row in _records(gpu, part) if all(row[name] == value for name, value in kept.items())]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name not in kept}


def _records(gpu: str, part: str) -> list[dict[str, str]]:
    with (FOLDER / gpu / f"{part}.csv").open(newline="") as file:
        return list(csv.DictReader(file))
