"""Pipeline stages across racks: bytes over the boundary against bytes of the exchange it avoids."""

from dataclasses import dataclass

from core import checks


@dataclass(frozen=True, slots=True)
class Boundary:
    """
    Bytes of one token.

    Attributes:
        boundary_bytes: Over one stage boundary: the residual stream, once.
        exchange_bytes: Dispatch and combine of one MoE layer, every expert's copy counted.
        ratio: How many times more one layer's exchange is.
    """

    boundary_bytes: float
    exchange_bytes: float
    ratio: float


def boundary(
    hidden: int, active_experts: int, *, stream: float = 2.0, dispatch: float = 1.0, combine: float = 2.0
) -> Boundary:
    """
    Compare one pipeline boundary with one MoE layer's exchange (no deduplication: the upper bound).

    Args:
        hidden: Width of the residual stream.
        active_experts: Experts of a token.
        stream: Bytes of a value over the boundary.
        dispatch: Bytes of a value on its way to an expert.
        combine: Bytes of a value on its way back.
    """
    width = checks.count("hidden", hidden)
    over = width * checks.number("stream", stream, above=0)
    both = checks.number("dispatch", dispatch, above=0) + checks.number("combine", combine, above=0)
    exchanged = checks.count("active_experts", active_experts, least=0) * width * both
    return Boundary(over, exchanged, exchanged / over)
