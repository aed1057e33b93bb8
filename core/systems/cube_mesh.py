"""Cube mesh: the rate of a part of eight GPUs that are not all neighbours."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

from core.checks import InputError
from core.hardware import System, Topology

Wiring = tuple[tuple[int, ...], ...]
Edges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Route:
    """
    How two GPUs of a domain reach each other.

    Attributes:
        links: Direct links between them; 0 where there is none.
        via: GPUs that are neighbours of both, when there is no direct link.
    """

    first: int
    second: int
    links: int
    via: tuple[int, ...] = ()


def route(system: System, first: int, second: int) -> Route:
    """
    Direct links of a pair in a cube mesh, or the GPUs between them (else PCIe).

    Raises:
        InputError: The system is no cube mesh with known wiring, or the GPUs are not two of it.
    """
    wiring = system.wiring
    if system.scale_up.topology is not Topology.CUBE_MESH or not wiring:
        message = f"system: {system.id} is no cube mesh with known wiring"
        raise InputError(message)
    if first == second or not {first, second} <= set(range(len(wiring))):
        message = f"pair: two different GPUs from 0 to {len(wiring) - 1}, not {first} and {second}"
        raise InputError(message)
    links = wiring[first][second]
    between = (
        ()
        if links
        else tuple(gpu for gpu in range(len(wiring)) if wiring[first][gpu] and wiring[gpu][second])
    )
    return Route(first, second, links, between)


@lru_cache
def ring_links(wiring: Wiring, ranks: int) -> int:
    """
    Links that each GPU of the best placed ``ranks`` can keep busy in rings; 0 where no ring exists.

    Rings share no link; each is run in both orders, so it keeps two links of every GPU busy.
    """
    rings = (_most_rings(wiring, members) for members in combinations(range(len(wiring)), ranks))
    return 2 * max(rings, default=0)


def _most_rings(wiring: Wiring, members: tuple[int, ...]) -> int:
    """The most rings through all members that share no link."""
    start, *others = members
    rings = [
        edges
        for order in permutations(others)
        if order[0] < order[-1]
        for edges in [tuple(zip((start, *order), (*order, start), strict=True))]
        if all(wiring[near][far] for near, far in edges)
    ]
    return _pack(rings, Counter({(a, b): wiring[a][b] for a in members for b in members}), 0)


def _pack(rings: list[Edges], free: Counter[tuple[int, int]], first: int) -> int:
    """Most rings from ``first`` on that fit the free links, by trying each in turn."""
    best = 0
    for index in range(first, len(rings)):
        edges = rings[index]
        if all(free[edge] for edge in edges):
            taken = Counter(edges) + Counter((b, a) for a, b in edges)
            best = max(best, 1 + _pack(rings, free - taken, index))
    return best
