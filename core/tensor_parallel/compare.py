"""Scenario against scenario: two answers and their difference, term by term."""

from dataclasses import dataclass, replace

import numpy as np

from core.catalog import model, precision, system
from core.tensor_parallel.answer import Answer, first
from core.tensor_parallel.binding import causes
from core.tensor_parallel.calculator import answer
from core.tensor_parallel.peaks import peak
from core.tensor_parallel.scenario import Scenario
from core.tensor_parallel.terms import terms


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
    """Two answers side by side."""

    a: Answer
    b: Answer
    terms: tuple[Term, ...]
    headline: str


def compare(a: Scenario, b: Scenario) -> Comparison:
    """Answer both and explain the difference of their steps, the largest term first."""
    of_a, of_b = _causes(a), _causes(b)
    names = dict.fromkeys([*of_a, *of_b])
    found = [Term(name, of_a.get(name, 0.0), of_b.get(name, 0.0), _reason(name, a, b)) for name in names]
    told = [term for term in found if term.a_s or term.b_s]
    told.sort(key=lambda term: -abs(term.difference_s))
    left, right = answer(a), answer(b)
    ratio = left.per_step.time_s / right.per_step.time_s
    word = "faster" if ratio >= 1 else "slower"
    headline = (
        f"A step of B is {max(ratio, 1 / ratio):.2f} times {word} than one of A; "
        f"{told[0].name} makes the largest difference "
        f"({told[0].difference_s * 1e3:+.2f} ms: {told[0].reason})."
    )
    return Comparison(left, right, tuple(told), headline)


def _causes(scenario: Scenario) -> dict[str, float]:
    cell = np.array([float(scenario.tokens)]), np.array([float(scenario.cached)])
    at = terms(scenario, *cell, scenario.tp)
    return {
        **{name: first(value) for name, value in causes(scenario, at).items()},
        "output head and step": first(at.compute.head_s),
    }


def _reason(name: str, a: Scenario, b: Scenario) -> str:
    """The inputs behind a term, A -> B."""
    gpus = a.system.gpu, b.system.gpu
    if name == "HBM":
        each = [s.model.params * s.weights.bytes_per_value / max(s.tp, 1) / 1e9 for s in (a, b)]
        rate = [(s.hbm_bytes_per_s or s.system.gpu.memory_rate.bytes_per_s) / 1e12 for s in (a, b)]
        return f"{each[0]:,.1f} -> {each[1]:,.1f} GB of weights a GPU at {rate[0]:.2f} -> {rate[1]:.2f} TB/s"
    if name == "FLOPs":
        top = [s.tp * peak(gpu, s.weights).flop_per_s / 1e15 for s, gpu in zip((a, b), gpus, strict=True)]
        return f"{top[0]:,.1f} -> {top[1]:,.1f} PFLOP/s dense in the group"
    if name in ("launch", "latency", "wire", "NIC", "reduction"):
        rate = [s.system.scale_up.bytes_per_s / 1e9 for s in (a, b)]
        return f"TP{a.tp} -> TP{b.tp} at {rate[0]:,.0f} -> {rate[1]:,.0f} GB/s one way a GPU"
    if name == "kernel starts":
        return f"{a.layer_count} -> {b.layer_count} layers"
    return f"vocabulary over {a.tp} -> {b.tp} GPUs"


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
