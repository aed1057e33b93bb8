"""Measured routed MLPs as arrays, their model and its fit."""

from dataclasses import fields, replace

import numpy as np

from core.catalog.calibrations.kernels.moe_constants import EngineKernels, RoutedKernel
from core.kernels.formats import FORMATS
from core.kernels.grouped import Weights, grouped_terms
from core.kernels.routed import engine_of
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
START = RoutedKernel(1.2e-5, 5e-9, 5e-7, 5e-8, 0.5, 0.1, 1e-3, 0.8, 2e11, 2.5, 1.0, 2.0, 1.0)
BOUNDS = {
    "start_s": (1e-7, 1e-4),
    "expert_s": (1e-12, 1e-6),
    "wave_s": (1e-9, 2e-5),
    "step_s": (1e-10, 2e-6),
    "share": (0.1, 1.0),
    "throttle": (1e-3, 1.5),
    "throttle_s": (1e-6, 3e-2),
    "memory_share": (0.3, 0.95),
    "feed_bytes_per_s": (2e10, 1e14),
    "handover": (1.2, 12.0),
    "passes": (0.01, 5.0),
    "cache_rate": (1.0, 6.0),
    "cache_reach": (0.1, 2.0),
}
ENGINE_BOUNDS = {
    "start_s": (1e-9, 6e-5, 1e-6),
    "rate": (0.4, 2.0, 1.0),
    "memory": (0.6, 1.6, 1.0),
    "handled": (1e-3, 5.0, 0.3),
    "elsewhere": (1e-4, 2.0, 0.02),
}
"""Least, most and where the fit starts."""
NOISE = 0.1
SAMPLE, STEPS = 2000, 18


def moes(folder, formats=MOE_FORMATS):
    """Routed MLPs of some formats."""
    names = (*COLUMNS.values(), "distribution", "kernel_source")
    rows = table(folder / "moe_perf.parquet", formats, "moe_dtype", names)
    sizes = {name: rows.sizes[column].astype(np.float64) for name, column in COLUMNS.items()}
    sizes["routing"] = np.array([ROUTING_NAMES[name] for name in rows.sizes["distribution"]], dtype=object)
    sizes["gated"] = np.array(["nongated" not in name for name in rows.sizes["kernel_source"]])
    return Rows(rows.gpu, rows.engine, rows.format, rows.time_s, sizes)


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
        self.engine = rows.engine

    def seconds(self, kernel, *, engine=True):
        """Modelled times; without ``engine`` at the mean of engines."""
        each = {name: engine_of(kernel, name if engine else None) for name in set(self.engine)}
        columns = {
            item.name: np.array([getattr(each[name], item.name) for name in self.engine])
            for item in fields(EngineKernels)
        }
        engines = EngineKernels(**columns)
        return grouped_terms(self.chips, kernel, engines, self.layer, self.loads, self.weights).time_s


def modelled(kernel, rows, *, engine=True):
    """Seconds of routed MLPs of one format and generation."""
    return Prepared(rows).seconds(kernel, engine=engine)


def fit_moe(rows, sample=SAMPLE, steps=STEPS):
    """Constants of one format and generation."""
    part = rows.sample(sample)
    prepared, engines = Prepared(part), sorted(set(part.engine))
    several = [name for name in ENGINE_BOUNDS if len(engines) > 1 or name in ("handled", "elsewhere")]
    spans = [BOUNDS[name] for name in BOUNDS] + [ENGINE_BOUNDS[name][:2] for _ in engines for name in several]
    point = [getattr(START, name) for name in BOUNDS] + [
        ENGINE_BOUNDS[name][2] for _ in engines for name in several
    ]
    low, high = zip(*spans, strict=True)

    def kernel(theta):
        values = iter(np.exp(theta))
        plain = {name: float(next(values)) for name in BOUNDS}
        each = {name: EngineKernels(**{key: float(next(values)) for key in several}) for name in engines}
        return replace(START, **plain, engines=each)

    return kernel(
        solve(
            lambda theta: np.log(prepared.seconds(kernel(theta)) / part.time_s),
            point,
            low,
            high,
            steps,
            NOISE,
        )
    )
