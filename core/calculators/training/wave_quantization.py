"""Wave quantization: the tiles of a GEMM rarely fill the last wave over a GPU's multiprocessors."""

from dataclasses import dataclass

from core.catalog.calibrations.training import TAIL_WAVES, TILE_RESULTS, TYPICAL_MULTIPROCESSORS
from core.hardware import Gpu


@dataclass(frozen=True, slots=True)
class Gemm:
    """One matrix product of a forward: (rows x inner) times (inner x columns)."""

    rows: float
    inner: float
    columns: float


@dataclass(frozen=True, slots=True)
class TailFlop:
    """FLOPs that the last waves of some GEMMs leave undone, in forward and in backward."""

    forward: float
    backward: float


def tail_flop(gpu: Gpu, gemms: tuple[Gemm, ...]) -> TailFlop:
    """
    FLOPs that the last waves of the GEMMs could have done and do not.

    The tiles of a result are computed in waves, one tile per multiprocessor; the last wave is half
    empty on average, whatever the size of the GEMM, so small ones lose most. Backward computes the
    gradients of both operands, whose sums run over columns and rows.
    """
    multiprocessors = gpu.multiprocessors or TYPICAL_MULTIPROCESSORS
    flop_per_inner = 2 * TAIL_WAVES * TILE_RESULTS * multiprocessors
    return TailFlop(
        forward=flop_per_inner * sum(gemm.inner for gemm in gemms),
        backward=flop_per_inner * sum(gemm.columns + gemm.rows for gemm in gemms),
    )
