"""Two answers of one calculator: the difference of a quantity by terms, each with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.calculators.comparison.explanation import Explanation, Factor, Part, Quantity
from core.calculators.tensor_parallel import compare as compare_steps
from core.checks import InputError

SAME = 0.002
"""Values within this share of each other did not move."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One term on both sides, and why it differs; the differences add up to that of the totals."""

    name: str
    base: float
    other: float
    reason: str

    @property
    def change(self) -> float:
        """What the other side has more (or less) than the base."""
        return self.other - self.base


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    A quantity of an answer against that of the base.

    Attributes:
        differences: By term, the largest first.
        unlike: What the two questions ask differently: one line each.
    """

    base: Quantity
    other: Quantity
    differences: tuple[Difference, ...]
    unlike: tuple[str, ...]

    @property
    def change(self) -> float:
        """Total of the other side less that of the base."""
        return self.other.total - self.base.total

    @property
    def ratio(self) -> float | None:
        """Total of the other side over that of the base; None where the base is nothing."""
        return self.other.total / self.base.total if self.base.total else None


def compare(base: Explanation, other: Explanation, quantity: str | None = None) -> Comparison:
    """
    Explain the difference of a quantity, by default the main one of the base.

    Raises:
        InputError: The other answer has no such quantity.
    """
    name = quantity or base.main.name
    a, b = base.quantity(name), other.quantity(name)
    if a is None or b is None:
        message = f"compare answers of one kind: {base.main.noun} is not {other.main.noun}"
        raise InputError(message)
    steps = _step_reasons(a, b)
    parts_a, parts_b = ({part.name: part for part in side.parts} for side in (a, b))
    differences = []
    for term in dict.fromkeys([*parts_a, *parts_b]):
        pair = parts_a.get(term, Part(term, 0.0)), parts_b.get(term, Part(term, 0.0))
        if any(part.value for part in pair):
            reason = steps.get(term) or _reason(*pair)
            differences.append(Difference(term, pair[0].value, pair[1].value, reason))
    differences.sort(key=lambda difference: -abs(difference.change))
    return Comparison(a, b, tuple(differences), unlike(base.work, other.work))


def unlike(a: Mapping[str, str], b: Mapping[str, str]) -> tuple[str, ...]:
    """What two questions ask differently: then the better one is no better machine."""
    return tuple(
        f"{name}: {a.get(name, 'none')} against {b.get(name, 'none')}"
        for name in dict.fromkeys([*a, *b])
        if a.get(name) != b.get(name)
    )


def _step_reasons(a: Quantity, b: Quantity) -> dict[str, str]:
    """Reasons of a serving step's terms, which know counts, sizes and rates of both steps."""
    if a.step is None or b.step is None:
        return {}
    return {term.name: term.reason for term in compare_steps(a.step, b.step).terms}


def _reason(a: Part, b: Part) -> str:
    """The factors that moved the term in its direction, then those against it, then choices of words."""
    if not a.factors or not b.factors:
        return _only_one(a, b)
    before = {factor.name: factor for factor in a.factors}
    pairs = [(before.get(factor.name), factor) for factor in b.factors]
    moved = [(old, new) for old, new in pairs if old is not None and old.text != new.text]
    sign = (b.value > a.value) - (b.value < a.value)
    driving = [_text(old, new) for old, new in moved if _effect(old, new) * sign > 0]
    opposing = [_text(old, new) for old, new in moved if _effect(old, new) * sign < 0]
    words = [_text(old, new) for old, new in moved if _effect(old, new) == 0]
    text = ", ".join([*driving, *words])
    if opposing:
        text = f"{text}, although {', '.join(opposing)}" if text else f"although {', '.join(opposing)}"
    return text or "the same on both sides"


def _only_one(a: Part, b: Part) -> str:
    """The reason of a term that only one side has."""
    if a.value == b.value:
        return "the same on both sides"
    factors = ", ".join(f"{factor.name} {factor.text}" for factor in (b.factors or a.factors))
    if a.value and b.value:
        return factors
    return f"{'only in the other' if b.value else 'only in the base'}{f': {factors}' if factors else ''}"


def _effect(old: Factor, new: Factor) -> float:
    """Above zero where the change makes the term larger, below where smaller; 0 for words and equals."""
    if old.value is None or new.value is None:
        return 0.0
    largest = max(abs(old.value), abs(new.value))
    if largest == 0 or abs(new.value - old.value) <= SAME * largest:
        return 0.0
    return (new.value - old.value) * (-1 if new.shortens else 1)


def _text(old: Factor, new: Factor) -> str:
    return f"{new.name} {old.text} -> {new.text}"
