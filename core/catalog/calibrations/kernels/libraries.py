"""Which of the timed libraries of routed MLPs an engine starts by itself, where that is not the quickest one."""

from types import MappingProxyType

from core.hardware import Architecture
from core.provenance import Source

VLLM_MARLIN = Source(
    "vllm-27523",
    "vLLM: MXFP4 experts run in Marlin on Hopper, pull requests 27523 and 30598",
    "github.com/vllm-project/vllm",
    "2025-12",
)
STARTED = MappingProxyType({("vllm", "mxfp4-weight-only", Architecture.HOPPER): "vllm:marlin"})
"""Library by engine, constants of the format and architecture (``VLLM_MARLIN``)."""
ALSO = MappingProxyType({"fp8": "fp8-block"})
"""
Constants of a format whose kernels run another format too.

FP8 with a scale a matrix or channel runs in the kernels that read a scale for each block. vLLM's were timed in
CUTLASS alone on Hopper, which reads memory at a fifth of its rate, and SGLang's not at all.
"""
