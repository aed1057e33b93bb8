"""What the constants of a GEMM mean."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Band:
    """Measured over modelled time, 10th and 90th percentile: calls below 20 us, then longer ones."""

    short: tuple[float, float] = (0.7, 1.4)
    long: tuple[float, float] = (0.8, 1.3)

    def union(self, other: "Band") -> "Band":
        """The band that holds both."""
        pairs = zip((self.short, self.long), (other.short, other.long), strict=True)
        short, long = ((min(a[0], b[0]), max(a[1], b[1])) for a, b in pairs)
        return Band(short, long)


@dataclass(frozen=True, slots=True)
class Bands:
    """
    How sure a time is.

    Attributes:
        measured: On the GPUs of the fit.
        sibling: On another GPU of a generation that was measured (each left out of the fit in turn).
        neighbour: On a generation that nobody measured (each left out in turn).
        engines: On the GPUs of the fit where the engine is named, by its name.
        unseen: Of an engine that was not measured, by what the others say (each left out in turn).
    """

    measured: Band = Band()
    sibling: Band = Band()
    neighbour: Band = Band()
    engines: Mapping[str, Band] = field(default_factory=dict)
    unseen: Band = Band()


@dataclass(frozen=True, slots=True)
class Tile:
    """
    The tile of a library that chooses it by the rows of a product alone and never splits k.

    Attributes:
        rows, columns: Of the tile.
        most_rows: Up to how many rows of a product.
        paired: Tiles along m that SMs take together, empty ones too (thread block clusters).
    """

    rows: float
    columns: float
    most_rows: float = math.inf
    paired: float = 1


@dataclass(frozen=True, slots=True)
class GemmKernel:
    """
    What the GEMMs of one format reach on one generation of GPU.

    Attributes:
        start_s: A call before its first tile.
        wave_s: A wave of tiles before and after its products: filling the pipeline, writing the output.
        step_s: 64 values of k in one tile, latency alone.
        split_s: Adding up products whose k is split over several SMs.
        share: Of the dense peak that short GEMMs reach.
        throttle: How much longer arithmetic takes once power limits the clock.
        throttle_s: Seconds of arithmetic after which half of that applies.
        memory_share: Of the memory rate.
        cache_rate: Rate of the L2 cache over the memory rate reached.
        feed_bytes_per_s: What one SM loads; infinite where it never binds.
        handover: How sharply arithmetic, loads and memory hand over; large takes the longest.
        quantise: Passes over the activations that scaling and rounding them costs.
        row_s: Of one SM for each row that is scaled and rounded, where that takes longer than the passes.
        tiles: Of a library with a tile for each range of m; empty where it searches tiles and splits.
        engines: The same of one engine's library alone, by its name; where several were measured.
        revision: Rate of a later revision of the chip (Blackwell Ultra) over the datasheet's ratio.
    """

    start_s: float
    wave_s: float
    step_s: float
    split_s: float
    share: float
    throttle: float
    throttle_s: float
    memory_share: float
    cache_rate: float
    handover: float
    feed_bytes_per_s: float = math.inf
    quantise: float = 0.0
    engines: Mapping[str, "GemmKernel"] = field(default_factory=dict)
    revision: float = 1.0
    row_s: float = 0.0
    tiles: tuple[Tile, ...] = ()

    def without_rounding(self) -> "GemmKernel":
        """The same of activations that arrive rounded."""
        return replace(self, quantise=0.0, row_s=0.0)

    def of(self, engine: str | None) -> "GemmKernel":
        """Of an engine; of None, or of one that was not measured, those of all engines together."""
        return self.engines.get(engine or "", self)
