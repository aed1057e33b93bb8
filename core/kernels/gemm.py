"""Seconds of a matrix product on one GPU, by shape, format and generation."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from core.catalog.calibrations.kernels.gemm import CACHE_BYTES, GEMM_BANDS, GEMMS, MEASURED_GPUS
from core.catalog.calibrations.kernels.gemm_constants import Bands, GemmKernel
from core.catalog.calibrations.kernels.unseen import UNSEEN, UNSEEN_GEMM
from core.checks import Floats, choice
from core.errors import InputError
from core.hardware import Gpu
from core.kernels.formats import format_on
from core.kernels.generation import constants_of, multiprocessors
from core.kernels.result import KernelTime, is_launch_bound
from core.kernels.tiles import Chip, GemmTerms, Operands, gemm_terms

ENGINES = ("trtllm", "sglang", "vllm")
SHORT_S = 20e-6
"""Calls whose interval is that of short ones."""
REVISED = "Blackwell Ultra"


def gemm_s(
    gpu: Gpu,
    number_format: str,
    m: ArrayLike,
    n: ArrayLike,
    k: ArrayLike,
    *,
    engine: str | None = None,
    cycled_bytes: ArrayLike = np.inf,
) -> KernelTime:
    """
    One product of m x k activations by k x n weights, launched in a CUDA graph.

    Args:
        gpu: Of the catalog or one's own.
        m: Tokens.
        n: Output features of this GPU.
        k: Input features of this GPU.
        number_format: One of ``core.kernels.formats.FORMATS``; what the GPU lacks runs as its stand-in.
        engine: trtllm, sglang or vllm; None takes what fits all of them best.
        cycled_bytes: Weights read before these come again: a whole model's, unless a loop repeats few.

    Raises:
        InputError: A size below 1, a format or engine that nobody measured, a GPU without a matrix peak.
    """
    entry, peak = format_on(gpu, number_format)
    fitted, measured = constants_of(gpu, GEMMS[entry.constants])
    sizes = [_size(name, value) for name, value in (("m", m), ("n", n), ("k", k))]
    rows, columns, depth, cycled = np.broadcast_arrays(*sizes, np.asarray(cycled_bytes, np.float64))
    work = Operands(rows, columns, depth, entry.weight_bytes, entry.activation_bytes, cycled)
    if engine is not None:
        choice("engine", engine, ENGINES)
    kernel = fitted.of(engine)
    terms = gemm_terms(chip(gpu, peak, kernel), kernel, work)
    own = engine if engine in fitted.engines else None
    bands = replace(GEMM_BANDS[entry.constants], unseen=UNSEEN_GEMM.get(entry.constants, UNSEEN))
    return banded(gpu, bands, terms, measured=measured, engine=own, unseen=engine not in (None, own))


def chip(gpu: Gpu, peak: float, kernel: GemmKernel) -> Chip:
    """What a GEMM depends on of this GPU, at the dense ``peak`` of its format."""
    cache, _ = constants_of(gpu, CACHE_BYTES)
    return Chip(multiprocessors(gpu), peak * _revision(gpu, kernel), gpu.memory_rate.bytes_per_s, cache)


def revision_rate(gpu: Gpu, number_format: str) -> float:
    """Rate of GEMMs on a later revision of a chip, over its first one at the same share of the peak."""
    measured = GEMMS.get(format_on(gpu, number_format)[0].constants, {})
    kernel = measured.get((gpu.architecture, gpu.memory_kind))
    return 1.0 if kernel is None else _revision(gpu, kernel)


def _revision(gpu: Gpu, kernel: GemmKernel) -> float:
    return kernel.revision if gpu.silicon.startswith(REVISED) else 1.0


def _size(name: str, value: ArrayLike) -> Floats:
    sizes = np.asarray(value, np.float64)
    if not np.all(np.isfinite(sizes) & (sizes >= 1)):
        message = f"{name}: at least 1"
        raise InputError(message)
    return sizes


def banded(
    gpu: Gpu,
    bands: Bands,
    terms: GemmTerms,
    *,
    measured: bool,
    engine: str | None = None,
    unseen: bool = False,
) -> KernelTime:
    """
    The interval: wider for a sibling of a measured GPU, widest for a generation that nobody measured.

    ``engine``: whose kernels were measured on the generation; None where none is named or it was not.
    ``unseen``: one is named whose kernels were not, so that those of others answer.
    """
    level = bands.neighbour
    if measured:
        own = bands.measured if engine is None else bands.engines.get(engine, bands.measured)
        level = own if gpu.id in MEASURED_GPUS else bands.sibling
    if unseen:
        level = level.union(bands.unseen)
    short = terms.time_s < SHORT_S
    low = np.where(short, level.short[0], level.long[0])
    high = np.where(short, level.short[1], level.long[1])
    return KernelTime(
        time_s=terms.time_s,
        low_s=terms.time_s * low,
        high_s=terms.time_s * high,
        compute_bound=terms.math_s > terms.memory_s,
        launch_bound=is_launch_bound(terms.time_s, terms.math_s, terms.memory_s),
        engine=engine,
    )
