"""The tile that a library takes for each range of m, found on measured GEMMs."""

import math
from dataclasses import replace

import numpy as np

from core.catalog.calibrations.kernels.gemm_constants import Tile

EDGES = (16, 32, 64, 128, 256, 512, 1024, 2048, math.inf)
"""Ranges of m that a library may tell apart."""
SIZES = (
    *((16, columns) for columns in (64, 128)),
    *((32, columns) for columns in (64, 128)),
    *((64, columns) for columns in (32, 64, 128, 256)),
    *((128, columns) for columns in (32, 64, 128, 256)),
    *((256, columns) for columns in (128, 256)),
)
PAIRS = ((64, 64), (64, 128), (128, 64), (128, 128), (128, 256), (256, 128))
TILES = (*(Tile(*size) for size in SIZES), *(Tile(*size, paired=2) for size in PAIRS))
NOISE = 0.05


def best_tiles(kernel, rows, seconds):
    """For each range of m the tile whose times err least at these constants; like neighbours as one."""
    errors = np.array([_loss(seconds(replace(kernel, tiles=(tile,)), rows) / rows.time_s) for tile in TILES])
    ranges = np.searchsorted(EDGES, rows.sizes["m"])
    chosen = []
    for number, edge in enumerate(EDGES):
        members = ranges == number
        if members.any():
            chosen.append(replace(TILES[int(np.argmin(errors[:, members].sum(axis=1)))], most_rows=edge))
    return _merged(chosen)


def _merged(tiles):
    """Ranges with the same tile as one; the last has no end."""
    ends = [*tiles[:-1], replace(tiles[-1], most_rows=math.inf)]
    following = [*ends[1:], None]
    return tuple(
        tile
        for tile, after in zip(ends, following, strict=True)
        if after is None or replace(after, most_rows=0) != replace(tile, most_rows=0)
    )


def _loss(ratio):
    return np.sqrt(1 + (np.log(ratio) / NOISE) ** 2)
