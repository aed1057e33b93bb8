"""Fit of the attention kernels: one generation after the other, in ln of time."""

from collections import defaultdict
from dataclasses import dataclass, fields, replace

import numpy as np

from core.catalog.calibrations.kernels import attention, mla
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
from tests.bench.attention_rows import ENGINES, grouped, latent, thinned

BLACKWELL = (Architecture.BLACKWELL, MemoryKind.HBM)
SMALL_TILES = {(Architecture.ADA, MemoryKind.GDDR), (Architecture.AMPERE, MemoryKind.HBM)}
FIT_ROWS = 4_000
"""Of a generation: more move no constant by more than its error."""
ROBUST_SCALE, PRIOR = 0.15, 0.02
FIRM = {"memory_share": 3.0, "speed": 1.0}
"""How firmly a constant is held where its start is known."""
TRITON_SPLITS = 8
MOST = {"memory_share": 0.95, "tensor_share": 0.8}
"""No kernel reaches more of a datasheet."""
NO_BAND = Band(1, 1, 1, 1)
INTERVAL = ("low", "high")
L2_BYTES = {Architecture.AMPERE: 40e6, Architecture.HOPPER: 50e6, Architecture.ADA: 96e6}
BLACKWELL_L2_BYTES = 126e6


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
        name: DecodeEngine(9e-6, 3e-6, 1.0, 0.87, 1.0, 1.0, single_heads=name == "trtllm")
        for name in ENGINES.values()
    }
    engines[FALLBACK] = replace(engines["sglang"], most_splits=TRITON_SPLITS, fp8_splits=TRITON_SPLITS)
    if generation[1] == MemoryKind.GDDR:
        engines["trtllm"] = replace(engines["trtllm"], fp8_splits=1)
    l2_bytes = L2_BYTES.get(generation[0], BLACKWELL_L2_BYTES)
    l2_speed = 3.0 if generation[1] == MemoryKind.GDDR else 1.0
    return DecodeKernel(
        3e-9, 1.0, 0.45, 0.3, 1e-6, 1e-8, 1.0, 512, 5e-9, l2_bytes, l2_speed, engines, NO_BAND
    )


def warm_decode(gpu, shape, kernel, engine):
    """Decode as the collectors time it: the same call again and again."""
    return decode_terms(gpu, shape, kernel, engine, warm=True)


def mla_prefill_start(generation):
    """The same for MLA: SGLang stays in the latent space but for the kernels of TensorRT-LLM on Blackwell."""
    start = prefill_start(generation)
    engines = {
        name: replace(entry, packs_group=False, absorbs=False)
        for name, entry in start.engines.items()
        if name != FALLBACK
    }
    if generation != BLACKWELL:
        engines["sglang"] = replace(engines["sglang"], packs_group=True, absorbs=True)
    return replace(start, engines=engines)


def mla_decode_start(generation):
    """The same for MLA, where a tile holds 64 heads of a sequence, in Triton 16."""
    start = decode_start(generation)
    engines = {
        name: replace(entry, single_heads=False, group_rows=64, fp8_splits=1024)
        for name, entry in start.engines.items()
        if name != FALLBACK
    }
    if generation[1] == MemoryKind.GDDR:
        engines["sglang"] = replace(engines["sglang"], group_rows=16)
    if generation in SMALL_TILES:
        engines["vllm"] = replace(engines["vllm"], group_rows=16)
    return replace(start, engines=engines, key_s=1e-8)


@dataclass(frozen=True)
class Phase:
    """A table of measured calls, the terms that price it and where a fit begins."""

    name: str
    file: str
    terms: object
    shipped: object
    start: object
    shape: object = grouped
    products: str = "attn_dtype"
    fallback: bool = True
    held: tuple = ()
    loose: tuple = ()


HELD = ("query_tile", "l2_bytes", "row")
HEADS = ("head_s", "head_key_s", "head_fp8")
LATENT = {"shape": latent, "products": "kv_cache_dtype", "fallback": False}
PHASES = (
    Phase(
        "prefill attention",
        "context_attention",
        prefill_terms,
        attention.PREFILL,
        prefill_start,
        held=HELD,
        loose=("memory_share",),
    ),
    Phase("decode attention", "generation_attention", warm_decode, attention.DECODE, decode_start, held=HELD),
    Phase(
        "prefill MLA",
        "context_mla",
        prefill_terms,
        mla.PREFILL,
        mla_prefill_start,
        held=HELD,
        loose=("memory_share",),
        **LATENT,
    ),
    Phase(
        "decode MLA",
        "generation_mla",
        warm_decode,
        mla.DECODE,
        mla_decode_start,
        held=(*HELD, *HEADS),
        **LATENT,
    ),
)


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
                if field.name not in INTERVAL and isinstance(getattr(entry, field.name), float)
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
    """Ln of predicted over measured; ``named`` False prices the mean of the engines."""
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
    """Errors of every engine priced as the median of the others with its own switches, and the seconds."""
    out = []
    for engine in ENGINES.values():
        kernels = fit_all(phase, [item for item in calls if item.engine != engine])
        judged = [item for item in calls if item.engine == engine]
        out += [(errors(phase, stand_in(phase, kernels, item), item), item.time_s) for item in judged]
    return tuple(np.concatenate(column) for column in zip(*out, strict=True))


def stand_in(phase, kernels, calls):
    """Constants in which the engine of the calls is the median of the others, but for what it switches."""
    kernel = kernels[calls.generation]
    own = phase.start(calls.generation).engines[calls.engine]
    values = {item.name: getattr(own, item.name) for item in fields(own)}
    switches = {name: value for name, value in values.items() if not isinstance(value, float)}
    engine = replace(engine_constants(kernel.engines, None), **switches)
    return replace(kernel, engines={**kernel.engines, calls.engine: engine})
