"""Wiring: which GPUs of the two DGX-1 are neighbours, and by how many links."""

Wiring = tuple[tuple[int, ...], ...]


def _symmetric(pairs: dict[tuple[int, int], int], gpus: int = 8) -> Wiring:
    return tuple(
        tuple(pairs.get((min(row, column), max(row, column)), 0) for column in range(gpus))
        for row in range(gpus)
    )


_QUADS = ((0, 1, 2, 3), (4, 5, 6, 7))
_ACROSS = {(corner, corner + 4): 1 for corner in range(4)}
_INSIDE = {(low, high): 1 for quad in _QUADS for low in quad for high in quad if low < high}
_DOUBLED = ((0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7))

DGX1_P100 = _symmetric(_INSIDE | _ACROSS)
"""Two full quads and four links across: four links a GPU."""

DGX1_V100 = _symmetric(_INSIDE | _ACROSS | dict.fromkeys(_DOUBLED, 2))
"""The same pairs, eight of them doubled: six links a GPU."""

WIRINGS = {"dgx-1-p100": DGX1_P100, "dgx-1-v100": DGX1_V100}
"""Known cube meshes by the machine they come from."""
