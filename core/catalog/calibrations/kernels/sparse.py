"""Sparse attention with an indexer: what measured modules take beside their projections."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.catalog.calibrations.kernels.shapes import Generation
from core.hardware import Architecture, MemoryKind


@dataclass(frozen=True, slots=True)
class SparseKernel:
    """
    Indexer, choice of tokens and attention to them, of one layer, over a roofline of the same.

    Attributes:
        start_s: Of a layer, however little it holds: about ten small kernels one after the other.
        times: How many times the roofline the rest takes.
    """

    start_s: float
    times: float


DECODE: Mapping[Generation, SparseKernel] = {
    (Architecture.HOPPER, MemoryKind.HBM): SparseKernel(200e-6, 1.5),
    (Architecture.BLACKWELL, MemoryKind.HBM): SparseKernel(80e-6, 1.5),
}
PREFILL: Mapping[Generation, SparseKernel] = {
    (Architecture.HOPPER, MemoryKind.HBM): SparseKernel(300e-6, 5.0),
    (Architecture.BLACKWELL, MemoryKind.HBM): SparseKernel(100e-6, 2.5),
}
"""Fitted on DeepSeek-V3.2's modules in TensorRT-LLM on six GPUs (docs/MODEL-ATTENTION.md)."""
