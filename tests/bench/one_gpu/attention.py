"""Measures causal attention of torch, forward and backward, by each of its two libraries."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from tests.bench.one_gpu.timing import call_timing, graph_timing

LIBRARIES = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
HEADS = ((32, 8, 128), (64, 8, 128), (8, 1, 128), (32, 32, 64), (16, 16, 128), (40, 8, 128))
"""Query heads, KV heads and values of a head."""
LENGTHS = (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
BATCHES = (1, 2, 4, 8, 16)
MOST_TOKENS, MOST_PAIRS = 32768, 1.5e10
COUNT = 110


class AttentionRow(NamedTuple):
    """One layer's causal attention in BF16: seconds of a pass."""

    library: str
    direction: str
    heads: int
    kv_heads: int
    head_dim: int
    length: int
    batch: int
    median_s: float
    least_s: float


class Shape(NamedTuple):
    """Heads, their values, tokens of a sequence, and sequences."""

    heads: int
    kv_heads: int
    head_dim: int
    length: int
    batch: int


def attention_rows() -> Iterator[AttentionRow]:
    """A sample of shapes, each by both libraries, forward and backward."""
    for shape in _shapes():
        for library, backend in LIBRARIES.items():
            yield from _rows(shape, library, backend)


def _shapes() -> list[Shape]:
    shapes = [
        Shape(*heads, length, batch)
        for heads in HEADS
        for length in LENGTHS
        for batch in BATCHES
        if length * batch <= MOST_TOKENS and length**2 * batch * heads[0] <= MOST_PAIRS
    ]
    random.Random(3).shuffle(shapes)  # noqa: S311
    return shapes[:COUNT]


def _rows(shape: Shape, library: str, backend: SDPBackend) -> Iterator[AttentionRow]:
    query = torch.randn(
        shape.batch, shape.heads, shape.length, shape.head_dim, device="cuda", dtype=torch.bfloat16
    )
    key, value = (
        torch.randn(
            shape.batch, shape.kv_heads, shape.length, shape.head_dim, device="cuda", dtype=torch.bfloat16
        )
        for _ in range(2)
    )

    def attention() -> torch.Tensor:
        return functional.scaled_dot_product_attention(
            query, key, value, is_causal=True, enable_gqa=shape.kv_heads != shape.heads
        )

    with sdpa_kernel(backend):
        with torch.no_grad():
            forward = graph_timing([attention] * 3)
        inputs = [tensor.requires_grad_() for tensor in (query, key, value)]
        output = attention()
        gradient = torch.randn_like(output)
        backward = call_timing(lambda: torch.autograd.grad(output, inputs, gradient, retain_graph=True))
    yield AttentionRow(library, "forward", *shape, forward.median_s, forward.least_s)
    yield AttentionRow(library, "backward", *shape, backward.median_s, backward.least_s)
