"""Published all-reduce curves of whole systems: bus bandwidth over message size."""

from dataclasses import dataclass

from core.catalog.sources import cite
from core.provenance import Source
from core.units import GB, GIB, KIB, MIB


@dataclass(frozen=True, slots=True)
class Curve:
    """All-reduce points of one system: (size in bytes, bus bandwidth in bytes/s), by rising size."""

    system: str
    ranks: int
    tool: str
    points: tuple[tuple[float, float], ...]
    source: Source
    note: str = ""


_ML, _AIC = cite("ml-network", "aiconfigurator-nccl")


def _points(*pairs: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    return tuple((size, gb_per_s * GB) for size, gb_per_s in pairs)


CURVES = (
    Curve(
        "dgx-h200", 8, "torch all_reduce_bench",
        _points(
            (32 * KIB, 1.44), (64 * KIB, 2.93), (128 * KIB, 5.73), (256 * KIB, 11.74), (512 * KIB, 23.94),
            (1 * MIB, 39.93), (2 * MIB, 64.53), (4 * MIB, 107.16), (8 * MIB, 155.53), (16 * MIB, 219.89),
            (32 * MIB, 275.84), (64 * MIB, 346.51), (128 * MIB, 401.93), (256 * MIB, 436.15),
            (512 * MIB, 450.29), (1 * GIB, 463.58), (16 * GIB, 482.26),
        ),
        _ML, "reduced in the switch (NVLS); by ring alone 367.61 at the end",
    ),
    Curve(
        "dgx-a100", 8, "nccl-tests",
        _points((1 * MIB, 18.0), (64 * MIB, 171.5), (1 * GIB, 229.0), (16 * GIB, 234.9)), _ML,
    ),
    Curve(
        "dgx-h100", 8, "NCCL 2.29, AIConfigurator",
        _points(
            (64 * KIB, 6.14), (1 * MIB, 72.2), (8 * MIB, 186.0), (16 * MIB, 241.0), (64 * MIB, 362.0),
            (128 * MIB, 406.0), (512 * MIB, 445.0),
        ),
        _AIC, "reduced in the switch (NVLS)",
    ),
    Curve(
        "dgx-b200", 8, "NCCL 2.29, AIConfigurator",
        _points(
            (64 * KIB, 3.95), (1 * MIB, 60.9), (8 * MIB, 205.0), (16 * MIB, 296.0), (64 * MIB, 422.0),
            (128 * MIB, 590.0), (512 * MIB, 704.0),
        ),
        _AIC, "reduced in the switch (NVLS)",
    ),
    Curve("dgx-b200", 8, "torch all_reduce_bench", _points((8 * GIB, 838.0)), _ML, "NVLS; by ring 682.2"),
)  # fmt: skip
