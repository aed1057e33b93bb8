"""The floor: the least time that the bytes which must cross a wire can take."""

from dataclasses import dataclass

from core.checks import Floats
from core.hardware import System
from core.systems import hop_for, outer_hop

IN_SWITCH = ("all_reduce", "reduce_scatter", "reduce", "broadcast", "all_gather")


@dataclass(frozen=True, slots=True)
class Wires:
    """One-way rates that a run had at its disposal: of a GPU inside, of a domain across."""

    inner_bytes_per_s: float
    domain_bytes_per_s: float | None
    switches_add: bool


def wires(system: System, local_ranks: int, domains: int) -> Wires:
    """The wires of a system with so many ranks in so many domains."""
    outer = outer_hop(system, local_ranks) if domains > 1 else None
    across = None if outer is None else outer.bytes_per_s * local_ranks
    inner = hop_for(system, local_ranks).bytes_per_s if local_ranks > 1 else float("inf")
    return Wires(inner, across, system.scale_up.in_network_reduction)


def floor_s(collective: str, sizes: Floats, local_ranks: int, domains: int, found: Wires) -> Floats:
    """
    Seconds below which a result cannot be true, whatever the algorithm.

    Inside a domain a GPU must send or receive what no other can do for it; across, a domain must
    send or receive what the others hold. An all-reduce in the switch needs each byte once, without
    it 2(n-1)/n of them.
    """
    ranks = local_ranks * domains
    inside = sizes * _inside(collective, local_ranks, domains, found) / found.inner_bytes_per_s
    if found.domain_bytes_per_s is None:
        return inside
    across = sizes * _across(collective, local_ranks, domains, ranks) / found.domain_bytes_per_s
    floors: Floats = (inside + across + abs(inside - across)) / 2
    return floors


def _inside(collective: str, local: int, domains: int, found: Wires) -> float:
    """Bytes of its own size that a GPU moves at least over the wire of its domain."""
    if local < 2:  # noqa: PLR2004 (alone in its domain)
        return 0.0
    if collective == "all_reduce":
        return 1.0 if found.switches_add or domains > 1 else 2 * (local - 1) / local
    if collective == "all_to_all":
        return (local - 1) / (local * domains)
    if collective in ("all_gather", "reduce_scatter"):
        return (local - 1) / (local * domains)
    return 1.0 if domains == 1 else 0.0


def _across(collective: str, local: int, domains: int, ranks: int) -> float:
    """Bytes of the operation's size that a domain sends or receives at least."""
    if collective == "all_to_all":
        return local * (ranks - local) / ranks
    if collective in ("all_gather", "reduce_scatter"):
        return (domains - 1) / domains
    return 1.0
