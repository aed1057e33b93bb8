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


_HOPPER, _BLACKWELL = (Architecture.HOPPER, MemoryKind.HBM), (Architecture.BLACKWELL, MemoryKind.HBM)
UNNAMED = "trtllm"
"""Whose kernels answer where no engine is named."""
DECODE: Mapping[str, Mapping[Generation, SparseKernel]] = {
    "trtllm": {_HOPPER: SparseKernel(200e-6, 1.5), _BLACKWELL: SparseKernel(80e-6, 1.5)},
    "sglang": {_HOPPER: SparseKernel(60e-6, 2.0), _BLACKWELL: SparseKernel(60e-6, 3.0)},
    "vllm": {_HOPPER: SparseKernel(150e-6, 1.25), _BLACKWELL: SparseKernel(150e-6, 1.25)},
}
"""Fitted on each engine's modules of DeepSeek-V3.2 on six GPUs (docs/MODEL-ATTENTION.md)."""
PREFILL: Mapping[Generation, SparseKernel] = {
    _HOPPER: SparseKernel(300e-6, 5.0),
    _BLACKWELL: SparseKernel(100e-6, 2.5),
}
"""Fitted on TensorRT-LLM's modules; the other engines' prompts follow no such form."""
