"""Measured routed MLPs as arrays, their model and its fit."""

from dataclasses import replace

import numpy as np

from core.catalog.calibrations.kernels.moe_constants import RoutedKernel
from core.kernels.formats import FORMATS
from core.kernels.grouped import Weights, grouped_terms
from core.kernels.routed import DEFAULT_ENGINE, routed_terms
from core.kernels.routing import CLASSES, Layer, Loads, loads
from tests.bench.kernel_fit import chips, solve
from tests.bench.kernel_rows import Rows, table

MOE_FORMATS = {
    "bfloat16": "bf16",
    "fp8": "fp8",
    "fp8_block": "fp8-block",
    "nvfp4": "nvfp4",
    "w4a8_mxfp4_mxfp8": "mxfp4-mxfp8",
    "w4a16_mxfp4": "mxfp4-weight-only",
    "int4_wo": "int4-weight-only",
}
ROUTING_NAMES = {
    "balanced": "balanced",
    "power_law_1.01": "power-law-1.01",
    "power_law_1.2": "power-law-1.2",
}
COLUMNS = {
    "tokens": "num_tokens",
    "hidden": "hidden_size",
    "width": "inter_size",
    "top_k": "topk",
    "experts": "num_experts",
    "tp": "moe_tp_size",
    "ep": "moe_ep_size",
}
LIBRARIES = {
    "marlin": ("marlin",),
    "trtllm-gen": ("flashinfer_trtllm",),
    "cutlass": ("cutlass", "nongated"),
    "triton": ("triton", "vllm_fused_moe"),
}
"""Kernels by what names them in the table, first match."""
START = RoutedKernel(1.2e-5, 5e-9, 5e-7, 5e-8, 0.5, 0.1, 1e-3, 0.8, 2e11, 2.5, 1.0, 2.0, 0.5, 0.2, 0.02)
BOUNDS = {
    "start_s": (1e-7, 2e-4),
    "expert_s": (1e-12, 1e-6),
    "wave_s": (1e-9, 2e-5),
    "step_s": (1e-10, 3e-6),
    "share": (0.05, 1.0),
    "throttle": (1e-3, 1.5),
    "throttle_s": (1e-6, 3e-2),
    "memory_share": (0.2, 0.97),
    "feed_bytes_per_s": (1e10, 1e14),
    "handover": (1.2, 12.0),
    "passes": (0.01, 8.0),
    "cache_rate": (1.0, 6.0),
    "cache_reach": (0.05, 2.0),
    "handled": (1e-3, 8.0),
    "elsewhere": (1e-4, 2.0),
}
GENERATED = "trtllm-gen"
"""Kernels whose tiles go by the mean load of an expert."""
FEWEST = 25
"""Rows of a library below which it is not fitted."""
NOISE = 0.1
SAMPLE, STEPS = 600, 14


def moes(folder, formats=MOE_FORMATS):
    """Routed MLPs of some formats."""
    names = (*COLUMNS.values(), "distribution", "kernel_source")
    rows = table(folder / "moe_perf.parquet", formats, "moe_dtype", names)
    sizes = {name: rows.sizes[column].astype(np.float64) for name, column in COLUMNS.items()}
    sizes["routing"] = np.array([ROUTING_NAMES[name] for name in rows.sizes["distribution"]], dtype=object)
    sizes["gated"] = ~_squared(sizes)
    sources = rows.sizes["kernel_source"]
    named = zip(rows.engine, sources, rows.format, strict=True)
    sizes["library"] = np.array([library(*names) for names in named], dtype=object)
    return Rows(rows.gpu, rows.engine, rows.format, rows.time_s, sizes)


def _squared(sizes):
    """Nemotron 3's experts of two matrices; one collector alone names them so."""
    nano = (sizes["hidden"] == 2688) & (sizes["width"] == 1856)
    return nano | ((sizes["top_k"] == 22) & (sizes["experts"] == 512))


def library(engine, source, number_format):
    """Engine and kernels of a row, as ``sglang:triton``; an engine has several, by format and GPU."""
    for name, marks in LIBRARIES.items():
        if any(mark in source for mark in marks):
            return f"{engine}:{name}"
    return f"{engine}:{GENERATED if number_format == 'mxfp4-mxfp8' else 'own'}"


def layers(rows):
    """The layers of the rows."""
    sizes = rows.sizes
    names = ("top_k", "experts", "ep")
    return Layer(
        sizes["tokens"], sizes["hidden"], sizes["width"] / sizes["tp"], *(sizes[name] for name in names)
    )


def routed(rows):
    """Loads of the rows, each by its own routing."""
    tokens, experts = np.ones((CLASSES, len(rows))), np.zeros((CLASSES, len(rows)))
    for name in set(rows.sizes["routing"]):
        at = np.flatnonzero(rows.sizes["routing"] == name)
        part = loads(layers(rows.take(at)), name)
        count = len(part.tokens)
        tokens[:count, at], experts[:count, at] = part.tokens, part.experts
    return Loads(tokens, experts)


class Prepared:
    """What does not change while constants are fitted."""

    def __init__(self, rows):
        self.layer, self.loads = layers(rows), routed(rows)
        entry = FORMATS[rows.format[0]]
        self.weights = Weights(entry.weight_bytes, entry.activation_bytes, 1.0 + rows.sizes["gated"])
        self.chips = chips(rows)

    def seconds(self, kernel):
        """Modelled times in one library's kernels."""
        return grouped_terms(self.chips, kernel, self.layer, self.loads, self.weights).time_s

    def of_engine(self, kernels, engine):
        """Modelled times in an engine's kernels."""
        return routed_terms(self.chips, kernels, engine, self.layer, self.loads, self.weights).time_s


def modelled(kernels, rows, *, engine=True, names=None):
    """Seconds of routed MLPs of one format and generation; without ``engine`` as an answer that names none."""
    if not engine:
        return Prepared(rows).of_engine(kernels, None)
    names, time_s = rows.engine if names is None else names, np.zeros(len(rows))
    for name in set(names):
        at = np.flatnonzero(names == name)
        time_s[at] = Prepared(rows.take(at)).of_engine(kernels, name)
    return time_s


def by_library(kernels, rows, *, engine=True):
    """The same, each row in the kernels that it was measured with."""
    return modelled(kernels, rows, engine=engine, names=rows.sizes["library"])


def fit_moe(rows, sample=SAMPLE, steps=STEPS):
    """Constants of one format and generation, by library."""
    names = rows.sizes["library"]
    parts = {name: rows.take(names == name) for name in sorted(set(names))}
    return {name: _fit(part, name, sample, steps) for name, part in parts.items() if len(part) >= FEWEST}


def fit_default(rows):
    """Those that an answer without an engine takes: TensorRT-LLM's where it was measured."""
    default = rows.take(rows.engine == DEFAULT_ENGINE)
    return fit_moe(default if len(default) >= FEWEST else rows)


def _fit(rows, name, sample, steps):
    part = rows.sample(sample)
    prepared, by_mean = Prepared(part), name.endswith(GENERATED)
    point = [getattr(START, field) for field in BOUNDS]
    low, high = zip(*BOUNDS.values(), strict=True)

    def kernel(theta):
        values = {field: float(value) for field, value in zip(BOUNDS, np.exp(theta), strict=True)}
        return replace(START, **values, by_mean=by_mean)

    def residuals(theta):
        return np.log(prepared.seconds(kernel(theta)) / part.time_s)

    return kernel(solve(residuals, point, low, high, steps, NOISE))
