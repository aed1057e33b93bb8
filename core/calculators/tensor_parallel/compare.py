"""Compare (A/B): two answers and the difference of their steps, term by term."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.calculators.tensor_parallel.answer import Answer, first
from core.calculators.tensor_parallel.binding import causes
from core.calculators.tensor_parallel.calculator import answer
from core.calculators.tensor_parallel.reasons import Side, Sides, reason
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import step
from core.catalog import model, precision, system
from core.units import MS

SAME = 1.005
"""Below this ratio two steps take the same time to three digits."""


@dataclass(frozen=True, slots=True)
class Term:
    """One cause of the difference; the differences of all terms add up to that of the step."""

    name: str
    a_s: float
    b_s: float
    reason: str

    @property
    def difference_s(self) -> float:
        """What B takes more (or less) than A."""
        return self.b_s - self.a_s


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    Two answers side by side.

    Attributes:
        terms: Causes of the difference of the steps, the largest first.
        unlike: Where the two questions themselves differ: model, phase, context, batch; one line each.
    """

    a: Answer
    b: Answer
    terms: tuple[Term, ...]
    headline: str
    unlike: tuple[str, ...]


def compare(a: Scenario, b: Scenario) -> Comparison:
    """Answer both and explain the difference of their steps, the largest term first."""
    sides = Side(a, step(a, a.tp)), Side(b, step(b, b.tp))
    of_a, of_b = (_causes(side) for side in sides)
    names = dict.fromkeys([*of_a, *of_b])
    terms_of_both = [_term(name, of_a.get(name, 0.0), of_b.get(name, 0.0), sides) for name in names]
    differences = [term for term in terms_of_both if term.a_s or term.b_s]
    differences.sort(key=lambda term: -abs(term.difference_s))
    answer_a, answer_b = answer(a), answer(b)
    headline = _headline(answer_a.per_step.time_s / answer_b.per_step.time_s, differences[0])
    return Comparison(answer_a, answer_b, tuple(differences), headline, unlike(a, b))


def unlike(a: Scenario, b: Scenario) -> tuple[str, ...]:
    """What two steps do differently, whatever they run on: then the faster one is no better machine."""
    lines = []
    for name, words in _WORK.items():
        first_words, second_words = words(a), words(b)
        if first_words != second_words:
            lines.append(f"unlike questions: {name} {first_words} in A, {second_words} in B")
    return tuple(lines)


_WORK: dict[str, Callable[[Scenario], str]] = {
    "model": lambda scenario: scenario.model.name,
    "phase": lambda scenario: scenario.phase,
    "context length": lambda scenario: f"{scenario.cached:,}",
    "batched tokens": lambda scenario: f"{scenario.tokens:,}",
}
"""What a step is asked to do."""


def _term(name: str, a_s: float, b_s: float, sides: Sides) -> Term:
    return Term(name, a_s, b_s, reason(name, sides, b_s - a_s).text)


def _headline(ratio: float, largest: Term) -> str:
    if largest.difference_s == 0:
        return "A and B take the same time: no term of the step differs."
    word = "faster" if ratio >= 1 else "slower"
    apart = max(ratio, 1 / ratio)
    times = f"{apart:.2f} times {word} than" if apart >= SAME else "within 0.5 % of"
    return (
        f"A step of B is {times} one of A; "
        f"{largest.name} makes the largest difference "
        f"({largest.difference_s / MS:+.2f} ms: {largest.reason})."
    )


def _causes(side: Side) -> dict[str, float]:
    return {
        **{name: first(value) for name, value in causes(side.scenario, side.terms).items()},
        "output head and step": first(side.terms.compute.head_s),
    }


def llama_405b(tokens: int = 32, context: int = 4096) -> tuple[Scenario, Scenario]:
    """The shipped example: Llama 3.1 405B (126 layers) in FP8, 8x H100 against 4x B200."""
    fp8 = precision("fp8")
    a = Scenario(
        model=model("llama-3.1-405b"),
        system=system("dgx-h100"),
        tokens=tokens,
        context=context,
        tp=8,
        weights=fp8,
        kv=fp8,
    )
    return a, replace(a, system=system("dgx-b200"), tp=4)
