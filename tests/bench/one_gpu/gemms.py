"""Measures GEMMs: BF16 linear layers and scaled FP8 products, each on weights that left the cache."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch.nn import functional

from tests.bench.one_gpu.timing import Call, Timing, graph_timing

KINDS = ("bf16", "fp8", "fp8-row", "fp8-rounding")
"""Of linear layers: BF16; FP8 scaled per tensor; per row and column; per tensor with BF16 activations rounded first."""
TOKENS = (1, 8, 16, 32, 64, 128, 200, 256, 512, 777, 1024, 2048, 3000, 4096, 8192, 16384)
LAYERS = (
    *((6144, 4096), (4096, 4096), (28672, 4096), (4096, 14336), (128256, 4096), (16032, 8192)),
    *((10240, 8192), (8192, 8192), (57344, 8192), (8192, 28672), (1280, 8192), (8192, 1024)),
    *((7168, 8192), (8192, 3584), (5120, 8192), (8192, 4096), (28672, 8192), (8192, 14336)),
    *((3072, 2048), (2048, 2048), (16384, 2048), (2048, 8192), (5120, 3072), (16384, 3072), (3072, 8192)),
    *((2112, 7168), (24576, 1536), (7168, 16384), (36864, 7168), (7168, 18432), (4096, 7168), (7168, 2048)),
    *((152064, 5120), (7168, 5120), (5120, 5120), (51200, 5120), (5120, 25600)),
)
"""Output and input features of linear layers of Llama 3, Qwen3 and DeepSeek-V3, some cut by tensor parallelism."""
COPIES = (2, 24)
FEATURES = 0.02


class GemmRow(NamedTuple):
    """m tokens through n x k weights: seconds of one product."""

    kind: str
    m: int
    n: int
    k: int
    median_s: float
    least_s: float


def gemm_rows(kind: str) -> Iterator[GemmRow]:
    """All shapes of a kind, in an order that a run cut short leaves a sample of all."""
    shapes = [(m, n, k) for n, k in LAYERS for m in TOKENS]
    random.Random(kind).shuffle(shapes)  # noqa: S311
    for m, n, k in shapes:
        timing = _timing(kind, m, n, k)
        yield GemmRow(kind, m, n, k, timing.median_s, timing.least_s)


def _timing(kind: str, m: int, n: int, k: int) -> Timing:
    value_bytes = 2 if kind == "bf16" else 1
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    copies = max(COPIES[0], min(COPIES[1], 4 * cache // (value_bytes * n * k) + 1))
    activations = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    weights = [torch.randn(n, k, device="cuda", dtype=torch.bfloat16) * FEATURES for _ in range(copies)]
    if kind == "bf16":
        return graph_timing([partial(functional.linear, activations, weight) for weight in weights])
    return graph_timing(_scaled(kind, activations, [w.to(torch.float8_e4m3fn) for w in weights]))


def _scaled(kind: str, activations: torch.Tensor, weights: Sequence[torch.Tensor]) -> list[Call]:
    by_row = kind == "fp8-row"
    rows, columns = activations.shape[0], weights[0].shape[0]
    scale = torch.ones(rows, 1, device="cuda") if by_row else torch.ones((), device="cuda")
    weight_scale = torch.ones(1, columns, device="cuda") if by_row else torch.ones((), device="cuda")
    rounded = activations.to(torch.float8_e4m3fn)

    def product(weight: torch.Tensor) -> torch.Tensor:
        left = (activations * 0.5).to(torch.float8_e4m3fn) if kind == "fp8-rounding" else rounded
        return torch._scaled_mm(
            left, weight.t(), scale, weight_scale, out_dtype=torch.bfloat16, use_fast_accum=True
        )

    return [partial(product, weight) for weight in weights]
