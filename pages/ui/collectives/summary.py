"""The answer of the page Collectives in words, figures and tables."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.collectives.formulas import ALGORITHMS
from core.collectives.formulas.registry import Algorithm
from core.collectives.pricing import Answer, Crossover, RunnerUp, Scenario, Sweep, compare, sweep
from core.collectives.pricing import answer as calculate
from core.collectives.pricing.answer import EDGE
from core.collectives.pricing.crossovers import crossovers
from core.collectives.pricing.placement import placement_of
from core.units import counted, format_message, format_rate, format_size, format_time
from pages.ui.shared import answer, basis, folded, names, overlay, record, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import strong

MOST_CROSSOVERS = 4
BINDING = {
    "wire": "link bandwidth",
    "nic": "NIC bandwidth",
    "launch": "launch overhead",
    "latency": "step latency",
    "reduction": "reduction",
}
"""Terms of a collective as the page names them."""
ROWS_APART = 4


@dataclass(frozen=True, slots=True)
class Result:
    """One answer with its crossovers and its sweep over message size."""

    answer: Answer
    sweep: Sweep


@lru_cache(maxsize=64)
def ask(scenario: Scenario) -> Answer:
    """The answer, remembered; its crossovers take longer and come after the headline."""
    return calculate(scenario, with_crossovers=False)


@lru_cache(maxsize=64)
def detail(scenario: Scenario) -> Result:
    """The answer with its crossovers and its sweep, remembered."""
    answered = replace(ask(scenario), crossovers=crossovers(scenario, placement_of(scenario)))
    return Result(answered, sweep(scenario, overlay.SIZES))


@lru_cache(maxsize=64)
def algorithms(scenario: Scenario) -> dict[str, Sweep]:
    """The sweep of every algorithm, remembered."""
    return compare(scenario, overlay.SIZES)


def title(collective: str) -> str:
    """A collective as a sentence begins with it: All-reduce."""
    return names.operation(collective).capitalize()


def headline(scenario: Scenario, result: Answer) -> Headline:
    """Time and bus bandwidth, and the winning algorithm."""
    gpus = counted(scenario.ranks, "GPU")
    operation = f"{title(scenario.collective)} of {format_size(scenario.size_bytes)} over {gpus}"
    if result.time_s <= 0:
        return Headline(f"{operation} costs nothing: there is nothing to move.")
    interval = (
        ""
        if result.high_s <= result.low_s
        else f" ({format_time(result.low_s)} to {format_time(result.high_s)})"
    )
    rate = (
        ""
        if result.busbw_bytes_per_s is None
        else f", {format_rate(result.busbw_bytes_per_s)} of bus bandwidth"
    )
    text = f"{operation} takes {format_time(result.time_s)}{interval}{rate}."
    return Headline(text, _winner(result))


def _winner(result: Answer) -> str:
    parts = {"launch": result.launch_s, "latency": result.latency_s, "reduction": result.reduction_s}
    binding_s = parts.get(str(result.binding), result.transfer_s)
    share = 100 * binding_s / result.time_s
    text = f"{strong(label(result))} is fastest; {BINDING.get(str(result.binding), result.binding)} takes {share:.0f} % of the time."
    if result.runner_up is not None:
        ratio = result.runner_up.time_s / result.time_s
        text += f" Runner-up: {label(result.runner_up)}, {ratio:.2f} times the time."
    return text


def basis_note(result: Answer) -> str:
    """What the answer rests on, and the bandwidth drop at the edge of a scale-up domain."""
    if result.time_s <= 0:
        return ""
    edge = [f"{names.sentence(line)}." for line in result.warnings if line.startswith(EDGE)]
    return " ".join([basis.sentence(result.basis), *edge])


def without_edge(result: Answer) -> Answer:
    """The answer without the warning that its note already states; an algorithm has its name, not its id."""
    lines = (line for line in result.warnings if not line.startswith(EDGE))
    return replace(result, warnings=tuple(_named(line, str(result.algorithm)) for line in lines))


def _named(line: str, algorithm: str) -> str:
    rest = line.removeprefix(f"{algorithm}: ")
    return line if rest == line else f"{names.algorithm(algorithm)}: {rest}"


def label(winner: Answer | RunnerUp) -> str:
    """Algorithm and protocol, such as *ring LL128*."""
    return names.algorithm(f"{winner.algorithm}/{winner.protocol or ''}")


def crossover_text(scenario: Scenario, result: Answer) -> str:
    """Where another algorithm would win; empty where none would."""
    texts = [_crossover(scenario, crossover) for crossover in result.crossovers[:MOST_CROSSOVERS]]
    return f"Crossovers: {'; '.join(texts)}." if texts else ""


def _crossover(scenario: Scenario, crossover: Crossover) -> str:
    winner = names.algorithm(crossover.to)
    if crossover.input == "size_bytes":
        side = "from" if crossover.value > scenario.size_bytes else "up to"
        return f"{winner} {side} {format_message(crossover.value)}"
    if crossover.input == "ranks":
        return f"{winner} at {crossover.value:,.0f} GPUs"
    if crossover.input == "latency_s":
        return f"{winner} at a step latency of {format_time(crossover.value)}"
    return f"{winner} at {format_rate(crossover.value)} per GPU"


def figures(result: Answer) -> list[Figure]:
    """Time with its prediction interval, algorithm, bus bandwidth, traffic and domains."""
    interval = (
        f"Prediction interval, p10 to p90: {format_time(result.low_s)} to {format_time(result.high_s)}."
    )
    protocol = f"Protocol {result.protocol}." if result.protocol else ""
    busbw = format_rate(result.busbw_bytes_per_s) if result.busbw_bytes_per_s else "–"
    return [
        Figure("Time", format_time(result.time_s), interval),
        Figure("Algorithm", names.algorithm(result.algorithm or "none"), protocol),
        Figure("Bus bandwidth", busbw, "As nccl-tests reports it (busbw)."),
        Figure("Sent per GPU", format_message(result.wire_bytes)),
        Figure("Scale-up domains", f"{result.domains:,}"),
    ]


def numbers(scenario: Scenario, result: Result) -> None:
    """The table over message size, the formula and the sources."""
    points = result.sweep
    shown = slice(None, None, ROWS_APART)
    frame = pd.DataFrame(
        {
            "message size": [format_message(size) for size in points.size_bytes[shown]],
            "time": [format_time(value) for value in points.time_s[shown]],
            "p10": [format_time(value) for value in points.low_s[shown]],
            "p90": [format_time(value) for value in points.high_s[shown]],
            "bus bandwidth": [
                format_rate(value) if np.isfinite(value) else "–" for value in points.busbw_bytes_per_s[shown]
            ],
            "algorithm": [names.algorithm(label) for label in points.algorithms[shown]],
            "runner-up": [names.algorithm(label) for label in points.runner_ups[shown]],
        }
    )
    alt = "Time and bus bandwidth vs message size"
    record.add_table(alt, frame)
    documents = answer.cite(result.answer.sources)

    def draw() -> None:
        tables.draw(frame, alt)
        for formula in formulas(scenario, result.answer):
            st.latex(formula.formula_latex)
            st.caption(f"{names.algorithm(formula.word)}, {counted(formula.levels, 'level')}")
        st.markdown(
            f"{basis.sentence(result.answer.basis)} **Rates** {result.answer.rates}. Model {result.answer.model_version}."
        )
        st.markdown(documents)

    folded.numbers("Numbers, formula and sources", draw)


def formulas(scenario: Scenario, result: Answer) -> list[Algorithm]:
    """The published formulas of the algorithm that won."""
    levels = 2 if result.domains > 1 else 1
    return [
        algorithm
        for algorithm in ALGORITHMS.values()
        if algorithm.collective == scenario.collective
        and algorithm.word == result.algorithm
        and algorithm.levels == levels
    ]
