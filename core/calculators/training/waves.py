"""The tail of a matrix product: tiles rarely fill the last wave over a GPU's multiprocessors."""

from dataclasses import dataclass

from core.calculators.training import constants
from core.hardware import Gpu

TILE = 128 * 256
"""Results that one multiprocessor works out at a time, in the tiles that reach the peak."""
MULTIPROCESSORS = {"Pascal": 56, "Volta": 80, "Ampere": 108, "Hopper": 132, "Blackwell": 148}
"""By architecture, of the boards that train; others are taken as Hopper's."""


@dataclass(frozen=True, slots=True)
class Product:
    """One matrix product of a forward: (rows x inner) times (inner x columns)."""

    rows: float
    inner: float
    columns: float


def tail_flop(gpu: Gpu, products: tuple[Product, ...]) -> tuple[float, float]:
    """
    FLOPs that the products' last waves could have done and do not: forward and backward.

    A product of ``rows x columns`` results falls into tiles that the multiprocessors take in
    waves; the last is half empty in the mean, whatever the product's size, so small products lose
    most. Backward computes the gradients of both operands, whose sums run over columns and rows.
    """
    wave = 2 * constants.TAIL_WAVES * TILE * _multiprocessors(gpu)
    forward = sum(each.inner for each in products)
    backward = sum(each.columns + each.rows for each in products)
    return wave * forward, wave * backward


def _multiprocessors(gpu: Gpu) -> int:
    family = gpu.architecture.label
    return MULTIPROCESSORS.get(family, MULTIPROCESSORS["Hopper"])
