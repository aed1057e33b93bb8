"""Measured calls of attention kernels, read as shapes and seconds."""

from dataclasses import dataclass, fields, replace

import numpy as np

from core.catalog import GPUS
from core.catalog.calibrations.kernels.shapes import FALLBACK
from core.kernels import mla
from core.kernels.shapes import AttentionShape

GPU_IDS = {
    "a100_sxm": "a100-sxm-80gb",
    "h100_sxm": "h100-sxm",
    "h200_sxm": "h200-sxm",
    "b200_sxm": "b200-sxm",
    "b300_sxm": "b300-sxm",
    "gb200": "gb200",
    "gb300": "gb300",
    "l40s": "l40s",
    "rtx_pro_6000_server": "rtx-pro-6000-server",
}
ENGINES = {"TRTLLM": "trtllm", "VLLM": "vllm", "SGLang": "sglang"}
LEAST_COPIES = 0.9
"""Of HBM's rate: a faster read never left L2."""


@dataclass(frozen=True)
class Calls:
    """Measured calls of one GPU and engine with one kind of products."""

    gpu: object
    engine: str
    shape: AttentionShape
    time_s: np.ndarray

    @property
    def generation(self):
        return self.gpu.architecture, self.gpu.memory_kind


def grouped(table, engine):
    """Rows of multi-head or grouped attention as a shape."""
    windows = np.nan_to_num(table["window_size"].to_numpy(float))
    prefill = (table["step"] == 0).all()
    columns = ("batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim")
    batch, length, heads, kv_heads, head_dim = (table[name].to_numpy(float) for name in columns)
    return AttentionShape(
        batch,
        length if prefill else np.ones(len(table)),
        length if prefill else length + table["step"].to_numpy(float),
        heads,
        kv_heads,
        head_dim,
        np.where(windows > 0, windows, np.inf),
        np.where(table["kv_cache_dtype"] == "fp8", 1.0, 2.0),
        fp8_products=bool((table["attn_dtype"] == "fp8").all()),
    )


def latent(table, engine):
    """Rows of MLA as a shape: in prefill unpacked, or absorbed where the engine does so."""
    columns = ("batch_size", "isl", "num_heads", "step")
    batch, length, heads, step = (table[name].to_numpy(float) for name in columns)
    stored = np.where(table["kv_cache_dtype"] == "fp8", 1.0, 2.0)
    if (step == 0).all():
        shape = mla.prefill_shape(batch, length, length, heads, stored, engine)
    else:
        shape = mla.decode_shape(batch, length + step, heads, stored)
    arrays = {name: np.broadcast_to(getattr(shape, name), batch.shape) for name in numbers(shape)}
    return replace(shape, **arrays)


def numbers(shape):
    """Names of a shape's arrays."""
    return [item.name for item in fields(shape) if item.name != "fp8_products"]


def read(path, phase, rows):
    """A table as calls by GPU, engine and products, thinned to ``rows`` of it."""
    import pandas as pd

    table = pd.read_parquet(path)
    table = table.sample(min(rows, len(table)), random_state=14)
    table["engine"] = table["framework"].map(ENGINES)
    if phase.fallback:
        table["engine"] = table["engine"].mask(table["kernel_source"].str.contains(FALLBACK), FALLBACK)
    calls = []
    for (gpu_id, engine, _), part in table.groupby(["gpu", "engine", phase.products]):
        gpu = GPUS[GPU_IDS[gpu_id]]
        start = phase.start((gpu.architecture, gpu.memory_kind))
        shape = phase.shape(part, start.engines[engine])
        calls.append(possible(Calls(gpu, engine, shape, part["latency"].to_numpy(float) * 1e-3)))
    return calls


def possible(calls):
    """Without what no memory delivers: TensorRT-LLM 1.0 on A100 reads its cache at 1.5 times HBM's rate."""
    shape = calls.shape
    if (calls.gpu.id, calls.engine) != ("a100-sxm-80gb", "trtllm") or (shape.queries > 1).any():
        return calls
    read_bytes = 2 * shape.batch * shape.kv_heads * shape.head_dim * shape.keys * shape.cache_bytes
    return thinned(calls, read_bytes / calls.time_s < LEAST_COPIES * calls.gpu.memory_rate.bytes_per_s)


def thinned(calls, mask):
    """Some of the calls."""
    arrays = {name: getattr(calls.shape, name)[mask] for name in numbers(calls.shape)}
    return replace(calls, shape=replace(calls.shape, **arrays), time_s=calls.time_s[mask])
