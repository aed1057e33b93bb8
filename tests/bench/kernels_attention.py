"""Attention kernels against measured calls: as shipped, and fitted without the GPU or the engine judged."""

import argparse
from collections import defaultdict
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path

import numpy as np

from core.catalog import GPUS
from core.catalog.calibrations.kernels import attention as shipped
from core.catalog.calibrations.kernels.shapes import (
    FALLBACK,
    Band,
    DecodeEngine,
    DecodeKernel,
    PrefillEngine,
    PrefillKernel,
)
from core.hardware import Architecture, MemoryKind
from core.kernels.bands import engine_constants
from core.kernels.decode import decode_terms
from core.kernels.generation import constants_of
from core.kernels.prefill import prefill_terms
from core.kernels.shapes import AttentionShape

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
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
BLACKWELL = (Architecture.BLACKWELL, MemoryKind.HBM)
SMALL_TILES = {(Architecture.ADA, MemoryKind.GDDR), (Architecture.AMPERE, MemoryKind.HBM)}
ROWS = 20_000
FIT_ROWS = 4_000
"""Of a generation: more move no constant by more than its error."""
ROBUST_SCALE, PRIOR = 0.15, 0.02
FIRM = {"memory_share": 3.0, "speed": 1.0}
"""How firmly a constant is held where its start is known."""
TRITON_SPLITS = 8
LEAST_COPIES = 0.9
MOST = {"memory_share": 0.95, "tensor_share": 0.8}
"""No kernel reaches more of a datasheet."""
NO_BAND = Band(1, 1, 1, 1, 1, 1)
L2_BYTES = {Architecture.AMPERE: 40e6, Architecture.HOPPER: 50e6, Architecture.ADA: 96e6}
BLACKWELL_L2_BYTES = 126e6
NULL_PEAK, NULL_MEMORY, NULL_LAUNCH_S = 0.55, 0.8, 10e-6


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


def prefill_start(generation):
    """Where every fit of prefill begins; which kernels pack a group is known."""
    packs = generation != BLACKWELL
    engines = {
        name: PrefillEngine(10e-6, 1.0, 1e-6, packs_group=packs and name not in ("trtllm", FALLBACK))
        for name in ENGINES.values()
    }
    engines[FALLBACK] = replace(engines["sglang"], packs_group=False, skips_window=False)
    shares = (0.4, 0.55, 0.5, 0.5, 0.3)
    tile = 64 if generation in SMALL_TILES else 128
    return PrefillKernel(shares, (1.0,) * 5, tile, 1.0, 0.6, engines, NO_BAND)


def decode_start(generation):
    """Where every fit of decode begins."""
    engines = {
        name: DecodeEngine(9e-6, 3e-6, 1.0, 0.87, single_heads=name == "trtllm") for name in ENGINES.values()
    }
    engines[FALLBACK] = replace(engines["sglang"], most_splits=TRITON_SPLITS, fp8_splits=TRITON_SPLITS)
    if generation[1] == MemoryKind.GDDR:
        engines["trtllm"] = replace(engines["trtllm"], fp8_splits=1)
    l2_bytes = L2_BYTES.get(generation[0], BLACKWELL_L2_BYTES)
    l2_speed = 3.0 if generation[1] == MemoryKind.GDDR else 1.0
    return DecodeKernel(3e-9, 1.0, 0.45, 0.3, 1e-6, 1e-8, 1.0, 512, 5e-9, l2_bytes, l2_speed, engines, NO_BAND)


def warm_decode(gpu, shape, kernel, engine):
    """Decode as the collectors time it: the same call again and again."""
    return decode_terms(gpu, shape, kernel, engine, warm=True)


@dataclass(frozen=True)
class Phase:
    """A table of measured calls, the terms that price it and where a fit begins."""

    name: str
    file: str
    terms: object
    shipped: object
    start: object
    held: tuple = ()
    loose: tuple = ()


PHASES = (
    Phase(
        "prefill attention",
        "context_attention",
        prefill_terms,
        shipped.PREFILL,
        prefill_start,
        ("query_tile",),
        ("memory_share",),
    ),
    Phase(
        "decode attention",
        "generation_attention",
        warm_decode,
        shipped.DECODE,
        decode_start,
        ("l2_bytes", "row"),
    ),
)


def calls_of(table, gpu_id, engine):
    """The rows of one GPU and engine as shapes and seconds."""
    windows = np.nan_to_num(table["window_size"].to_numpy(float))
    prefill = (table["step"] == 0).all()
    columns = ("batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim")
    batch, length, heads, kv_heads, head_dim = (table[name].to_numpy(float) for name in columns)
    shape = AttentionShape(
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
    return Calls(GPUS[gpu_id], engine, shape, table["latency"].to_numpy(float) * 1e-3)


def read(path, rows):
    """A table as calls by GPU, engine and products, thinned to ``rows`` of it."""
    import pandas as pd

    table = pd.read_parquet(path)
    table = table.sample(min(rows, len(table)), random_state=14)
    fallback = table["kernel_source"].str.contains(FALLBACK)
    table["engine"] = table["framework"].map(ENGINES).mask(fallback, FALLBACK)
    keys = ["gpu", "engine", "attn_dtype"]
    calls = [calls_of(part, GPU_IDS[gpu], engine) for (gpu, engine, _), part in table.groupby(keys)]
    return [possible(item) for item in calls]


def possible(calls):
    """Without what no memory delivers: TensorRT-LLM 1.0 on A100 reads its cache at 1.5 times HBM's rate."""
    shape = calls.shape
    if (calls.gpu.id, calls.engine) != ("a100-sxm-80gb", "trtllm") or (shape.queries > 1).any():
        return calls
    read_bytes = 2 * shape.batch * shape.kv_heads * shape.head_dim * shape.keys * shape.cache_bytes
    return thinned(calls, read_bytes / calls.time_s < LEAST_COPIES * calls.gpu.memory_rate.bytes_per_s)


def thinned(calls, mask):
    """Some of the calls."""
    arrays = {
        item.name: getattr(calls.shape, item.name)[mask]
        for item in fields(calls.shape)
        if item.name != "fp8_products"
    }
    return replace(calls, shape=replace(calls.shape, **arrays), time_s=calls.time_s[mask])


def constants(kernel, held):
    """Where the numbers of a kernel stand: a name, with an index or an engine's name."""
    paths = []
    for item in fields(kernel):
        value = getattr(kernel, item.name)
        if item.name in ("band", *held) or (item.name == "l2_speed" and value == 1):
            continue
        if isinstance(value, tuple):
            paths += [(item.name, index) for index in range(len(value))]
        elif isinstance(value, dict):
            paths += [
                (item.name, engine, field.name)
                for engine, entry in value.items()
                for field in fields(entry)
                if isinstance(getattr(entry, field.name), float)
            ]
        else:
            paths.append((item.name,))
    return paths


def value_at(kernel, path):
    """The number at a path."""
    value = getattr(kernel, path[0])
    if len(path) == 2:
        return value[path[1]]
    return getattr(value[path[1]], path[2]) if len(path) == 3 else value


def with_values(kernel, paths, values):
    """The kernel with numbers at their paths."""
    changed = defaultdict(dict)
    for path, value in zip(paths, values, strict=True):
        changed[path[0]][path[1:]] = float(value)
    new = {}
    for name, parts in changed.items():
        old = getattr(kernel, name)
        if isinstance(old, tuple):
            new[name] = tuple(parts[(index,)] for index in range(len(old)))
        elif isinstance(old, dict):
            new[name] = {
                engine: replace(entry, **{key[1]: item for key, item in parts.items() if key[0] == engine})
                for engine, entry in old.items()
            }
        else:
            new[name] = parts[()]
    return replace(kernel, **new)


def fitted(phase, start, calls):
    """The constants of a generation fitted to its calls, in ln of time."""
    from scipy.optimize import least_squares

    paths = constants(start, phase.held)
    origin = np.log([value_at(start, path) for path in paths])
    firm = {name: weight for name, weight in FIRM.items() if name not in phase.loose}
    weight = np.array([firm.get(path[-1] if len(path) == 3 else path[0], PRIOR) for path in paths])
    top = np.log([MOST.get(path[-1] if len(path) == 3 else path[0], np.inf) for path in paths])

    def off(values):
        kernel = with_values(start, paths, np.exp(np.minimum(values, top)))
        return np.concatenate([*(errors(phase, kernel, item) for item in calls), weight * (values - origin)])

    best = least_squares(off, origin, loss="soft_l1", f_scale=ROBUST_SCALE, max_nfev=50).x
    return with_values(start, paths, np.exp(np.minimum(best, top)))


def errors(phase, kernel, calls, *, named=True):
    """ln of predicted over measured; ``named`` False prices the mean of the engines."""
    known = named and calls.engine in kernel.engines
    engine = engine_constants(kernel.engines, calls.engine if known else None)
    return np.log(phase.terms(calls.gpu, calls.shape, kernel, engine).time_s / calls.time_s)


def sample(calls, rows):
    """About ``rows`` calls of them all, evenly."""
    total = sum(len(item.time_s) for item in calls)
    step = max(1, total // rows)
    return [thinned(item, np.arange(len(item.time_s)) % step == 0) for item in calls]


def by_generation(calls):
    """Calls of each generation."""
    groups = defaultdict(list)
    for item in calls:
        groups[item.generation].append(item)
    return groups


def fit_all(phase, calls):
    """Constants of every generation in the calls; an engine without calls there has none."""
    kernels = {}
    for generation, items in by_generation(calls).items():
        start = phase.start(generation)
        present = {item.engine for item in items}
        engines = {name: entry for name, entry in start.engines.items() if name in present}
        kernels[generation] = fitted(phase, replace(start, engines=engines), sample(items, FIT_ROWS))
    return kernels


def without_gpu(phase, calls):
    """Errors of every GPU with constants fitted on the others: its generation's, else the nearest's."""
    out = []
    for gpu in {item.gpu.id: item.gpu for item in calls}.values():
        others = [item for item in calls if item.gpu != gpu]
        near = [item for item in others if item.generation == (gpu.architecture, gpu.memory_kind)]
        kernel, _ = constants_of(gpu, fit_all(phase, near) if near else fit_all(phase, others))
        out += [errors(phase, kernel, item) for item in calls if item.gpu == gpu]
    return np.concatenate(out)


def without_engine(phase, calls):
    """Errors of every engine priced as the mean of the others, with the switches of its own kernels."""
    out = []
    for engine in ENGINES.values():
        kernels = fit_all(phase, [item for item in calls if item.engine != engine])
        for item in calls:
            if item.engine == engine:
                kernel = kernels[item.generation]
                mean = engine_constants(kernel.engines, None)
                own = phase.start(item.generation).engines[engine]
                switches = {
                    field.name: getattr(own, field.name)
                    for field in fields(own)
                    if not isinstance(getattr(own, field.name), float)
                }
                engines = {**kernel.engines, engine: replace(mean, **switches)}
                out.append(errors(phase, replace(kernel, engines=engines), item))
    return np.concatenate(out)


def null(phase, calls):
    """ln of a roofline with one constant over measured."""
    shape, gpu = calls.shape, calls.gpu
    reach = np.minimum(shape.keys, shape.window)
    prefill = phase.terms is prefill_terms
    pairs = shape.queries * (reach / 2 if prefill else reach)
    flop = 4 * shape.batch * shape.heads * shape.head_dim * pairs
    cache = 2 * shape.kv_heads * reach * shape.cache_bytes
    moved = shape.batch * shape.head_dim * (cache + 4 * shape.heads * shape.queries)
    time = np.maximum(
        flop / (NULL_PEAK * gpu.bf16_flop_per_s), moved / (NULL_MEMORY * gpu.memory_rate.bytes_per_s)
    )
    return np.log((NULL_LAUNCH_S + time) / calls.time_s)


def line(name, off, inside=None):
    """One row of the table: rows, median and 90th percentile of the error, share inside the interval."""
    error = np.abs(np.expm1(off))
    share = "" if inside is None else f"  inside the interval {np.mean(inside):4.0%}"
    print(f"  {name:44}{len(off):7,} rows {np.median(error):7.1%} /{np.quantile(error, 0.9):7.1%}{share}")


def report(data_dir, *, quick=False):
    """Print every table whose data is there."""
    print("Attention kernels against measured calls (median / 90th percentile of the error)")
    for phase in PHASES:
        path = Path(data_dir) / "kernels" / f"{phase.file}_perf.parquet"
        if not path.exists():
            print(f"  {phase.name}: skipped, no measured data")
            continue
        judge(phase, read(path, ROWS), quick=quick)


def judged(phase, calls):
    """Errors of the shipped constants, and whether the interval holds each call."""
    every, inside = [], []
    for item in calls:
        kernel, _ = constants_of(item.gpu, phase.shipped)
        off = errors(phase, kernel, item)
        low, high = kernel.band.of(named=True, measured=True)
        every.append(off)
        inside.append((off >= -np.log(high)) & (off <= -np.log(low)))
    return np.concatenate(every), np.concatenate(inside)


def judge(phase, calls, *, quick):
    """The table of one phase."""
    line(f"{phase.name}, roofline and one constant", np.concatenate([null(phase, item) for item in calls]))
    line(f"{phase.name}, as shipped", *judged(phase, calls))
    for gpu in sorted({item.gpu.id for item in calls}):
        line(f"  {gpu}", *judged(phase, [item for item in calls if item.gpu.id == gpu]))
    for engine in sorted({item.engine for item in calls}):
        line(f"  {engine}", *judged(phase, [item for item in calls if item.engine == engine]))
    if not quick:
        line(f"{phase.name}, the GPU judged left out", without_gpu(phase, calls))
        line(f"{phase.name}, the engine judged left out", without_engine(phase, calls))


def show_fit(data_dir):
    """Print the constants of every phase and generation as they stand in the catalog."""
    for phase in PHASES:
        calls = read(Path(data_dir) / "kernels" / f"{phase.file}_perf.parquet", 3 * ROWS)
        new = interval(without_generation(phase, calls))
        print(f"{phase.name.split()[0].upper()}: Mapping[Generation, object] = {{")
        for generation, kernel in fit_all(phase, calls).items():
            items = [item for item in calls if item.generation == generation]
            named, mean = (
                interval(np.concatenate([errors(phase, kernel, item, named=named) for item in items]))
                for named in (True, False)
            )
            wide = min(named[0], mean[0]), max(named[1], mean[1])
            band = Band(*named, *wide, min(new[0], wide[0]), max(new[1], wide[1]))
            print(f"    (Architecture.{generation[0].name}, MemoryKind.{generation[1].name}): ", end="")
            print(rounded(replace(kernel, band=band)) + ",")
        print("}")


def interval(off):
    """Measured over predicted, 10th and 90th percentile."""
    return tuple(np.exp(-np.quantile(off, [0.9, 0.1])))


def without_generation(phase, calls):
    """Errors of every generation with the constants of the one that stands in for it."""
    kernels = fit_all(phase, calls)
    out = []
    for item in calls:
        others = {
            generation: kernel for generation, kernel in kernels.items() if generation != item.generation
        }
        out.append(errors(phase, constants_of(item.gpu, others)[0], item))
    return np.concatenate(out)


def rounded(value):
    """A kernel with three digits, as it is written down."""
    if is_dataclass(value):
        inner = ", ".join(f"{item.name}={rounded(getattr(value, item.name))}" for item in fields(value))
        return f"{type(value).__name__}({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {rounded(item)}' for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(rounded(item) for item in value) + ")"
    return str(value) if isinstance(value, bool) else f"{value:.3g}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kernels_attention")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--fit", action="store_true", help="print the constants fitted anew")
    options = parser.parse_args()
    show_fit(options.data) if options.fit else report(options.data)
