"""Rows of the measured kernels as arrays, without those that a trap of their collector spoils."""

from dataclasses import dataclass, fields

import numpy as np
from pyarrow import parquet

from core.catalog import GPUS
from core.catalog.calibrations.kernels.gemm import CACHE_BYTES

GPU_IDS = {
    "a100_sxm": "a100-sxm-80gb",
    "h100_sxm": "h100-sxm",
    "h200_sxm": "h200-sxm",
    "l40s": "l40s",
    "b200_sxm": "b200-sxm",
    "b300_sxm": "b300-sxm",
    "gb200": "gb200",
    "gb300": "gb300",
    "rtx_pro_6000_server": "rtx-pro-6000-server",
}
ENGINE_IDS = {"TRTLLM": "trtllm", "SGLang": "sglang", "VLLM": "vllm"}
GEMM_FORMATS = {
    "bfloat16": "bf16",
    "fp8": "fp8",
    "fp8_block": "fp8-block",
    "nvfp4": "nvfp4",
    "sq": "int8",
    "int8_wo": "int8-weight-only",
    "int4_wo": "int4-weight-only",
}
WEIGHT_BYTES = {"bf16": 2, "fp8": 1, "fp8-block": 1, "nvfp4": 0.5625, "int8": 1, "int8-weight-only": 1}
MATRICES = 6
"""Weight matrices through which the collectors of SGLang and vLLM go in turn."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns of a table, equally long; times in seconds, names as the product spells them."""

    gpu: np.ndarray
    engine: np.ndarray
    format: np.ndarray
    time_s: np.ndarray
    sizes: dict

    def take(self, chosen):
        """The rows of a mask or of indices."""
        return Rows(
            *(getattr(self, item.name)[chosen] for item in fields(self)[:-1]),
            {name: column[chosen] for name, column in self.sizes.items()},
        )

    def __len__(self):
        return len(self.time_s)

    def sample(self, most, seed=1):
        """At most so many rows, at random."""
        return self.take(np.random.default_rng(seed).permutation(len(self))[:most])


def table(path, formats, column, names):
    """A table of the folder, of these formats alone; sizes are its columns of these names."""
    data = parquet.read_table(path, filters=[(column, "in", list(formats))])
    plain = {name: data[name].to_numpy(zero_copy_only=False) for name in data.column_names}
    rows = Rows(
        named(plain["gpu"], GPU_IDS),
        named(plain["framework"], ENGINE_IDS),
        named(plain[column], formats),
        plain["latency"] * 1e-3,
        {name: plain[name] for name in names},
    )
    # the GB300 rows of SGLang are those of the B300, one by one
    return rows.take(~((rows.gpu == "gb300") & (rows.engine == "sglang")))


def named(column, names):
    """The column with other names; what has none is empty."""
    return np.array([names.get(value, "") for value in column], dtype=object)


def gemms(folder, formats=GEMM_FORMATS):
    """GEMMs of some formats, with the weights that their collector cycles through."""
    rows = table(folder / "gemm_perf.parquet", formats, "gemm_dtype", ("m", "n", "k"))
    # vLLM's block-scaled kernels were timed without a CUDA graph: 80 to 260 us whatever the shape
    rows = rows.take(~((rows.format == "fp8-block") & (rows.engine == "vllm")))
    sizes = {name: column.astype(np.float64) for name, column in rows.sizes.items()}
    width = np.array([WEIGHT_BYTES.get(name, 0.5) for name in rows.format])
    weights = sizes["n"] * sizes["k"] * width
    cache = np.array([CACHE_BYTES[GPUS[gpu].architecture, GPUS[gpu].memory_kind] for gpu in rows.gpu])
    matrices = np.where(rows.engine == "trtllm", np.ceil(cache / weights), MATRICES)
    return Rows(rows.gpu, rows.engine, rows.format, rows.time_s, sizes | {"cycled_bytes": matrices * weights})


def figure(rows, name):
    """A figure of each row's GPU from the catalog, as an array."""
    values = {gpu: float(getattr(GPUS[gpu], name) or np.nan) for gpu in set(rows.gpu)}
    return np.array([values[gpu] for gpu in rows.gpu])
