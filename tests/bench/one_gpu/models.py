"""Sizes of the models that are trained: Llama's and layers of it, of two vocabularies."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Widths:
    """Sizes of a dense decoder."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    ffn: int
    vocab: int


MODELS = {
    "1b": Widths(16, 2048, 32, 8, 8192, 128_256),
    "1b-small-vocab": Widths(24, 2048, 16, 16, 5504, 32_000),
    "3b": Widths(28, 3072, 24, 8, 8192, 128_256),
    "8b-8-layers": Widths(8, 4096, 32, 8, 14336, 32_000),
    "70b-4-layers": Widths(4, 8192, 64, 8, 28672, 32_000),
}
