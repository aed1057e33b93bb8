"""Why a term of two steps differs: the inputs that moved it in its direction, then those against it."""

from collections.abc import Callable
from dataclasses import dataclass

from core.calculators.tensor_parallel.factors import (
    Factor,
    Side,
    Sides,
    compute_factors,
    head_factors,
    launch_factors,
    memory_factors,
    message_factors,
    wire_factors,
)

__all__ = ["Reason", "Side", "Sides", "reason"]


@dataclass(frozen=True, slots=True)
class Reason:
    """
    Why B's term is longer or shorter than A's.

    Attributes:
        driving: Factors that move the term in its direction.
        opposing: Factors that move it the other way.
        text: Both in a line; where nothing moved, what both sides have.
    """

    driving: tuple[Factor, ...]
    opposing: tuple[Factor, ...]
    text: str


def reason(name: str, sides: Sides, difference_s: float) -> Reason:
    """The factors of the term ``name`` whose difference, B less A, is ``difference_s``."""
    if name in ("wire", "NIC") and _crosses(sides[0]) != _crosses(sides[1]):
        words = [("across domains, over NICs" if _crosses(side) else "inside one domain") for side in sides]
        text = f"messages go {words[0]} -> {words[1]}"
        return Reason((Factor(text, 1.0),), (), text)
    factors = _FACTORS[name](sides)
    sign = 0.0 if difference_s == 0 else difference_s / abs(difference_s)
    moved = [factor for factor in factors if factor.effect]
    driving = tuple(factor for factor in moved if factor.effect * sign > 0)
    opposing = tuple(factor for factor in moved if factor.effect * sign < 0)
    return Reason(driving, opposing, _text(factors, driving, opposing))


def _text(factors: list[Factor], driving: tuple[Factor, ...], opposing: tuple[Factor, ...]) -> str:
    because, although = (", ".join(factor.text for factor in group) for group in (driving, opposing))
    if not driving and not opposing:
        return ", ".join(factor.text for factor in factors)
    if not driving:
        return f"although {although}"
    equal = next((factor.text for factor in factors if not factor.effect), "")
    both = f"; {equal}{'' if '->' in equal else ' in both'}" if equal else ""
    return (f"{because}, although {although}" if opposing else because) + both


def _crosses(side: Side) -> bool:
    return side.terms.exchange.crosses


def _launches(sides: Sides) -> list[Factor]:
    return message_factors(sides, "launch_s", "launch")


def _latency(sides: Sides) -> list[Factor]:
    return message_factors(sides, "latency_s", "latency")


def _reduction(sides: Sides) -> list[Factor]:
    return message_factors(sides, "reduction_s", "reduction")


_FACTORS: dict[str, Callable[[Sides], list[Factor]]] = {
    "wire": wire_factors,
    "NIC": wire_factors,
    "launch": _launches,
    "latency": _latency,
    "reduction": _reduction,
    "HBM": memory_factors,
    "FLOPs": compute_factors,
    "kernel launch overhead": launch_factors,
    "output head and step": head_factors,
}
"""What each cause of a step consists of."""
