"""The ranking of the page Parallelism layouts in words and figures."""

import math
from functools import lru_cache

from core.calculators.layouts import (
    Crossover,
    ServingLayout,
    crossover_searches,
    serving_crossover_searches,
)
from core.calculators.tensor_parallel import Answer, Scenario
from core.calculators.tensor_parallel import answer as tensor_parallel
from core.units import GB, counted, format_number, format_share, format_time
from pages.ui.layouts.inputs import LATENCY
from pages.ui.layouts.ranking import bottleneck
from pages.ui.layouts.result import Result, ServingResult, TrainingResult
from pages.ui.shared import answer, job, work
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.work import Parts

MOST_CROSSOVERS = 3
CROSSOVERS = "Crossovers"


def headline(result: Result) -> Headline:
    """The best layout and why it is best; the crossovers come later."""
    if isinstance(result, TrainingResult):
        return _training_headline(result)
    return _serving_headline(result)


def _training_headline(result: TrainingResult) -> Headline:
    best, winner = result.ranking.best, result.ranking.ranked[0]
    tight = f" Memory: {best.memory.text}." if winner.tight else ""
    text = f"Fastest layout: {winner.name()}. A step takes {format_time(best.step_s)}, MFU {best.mfu_text}.{tight}"
    return Headline(text, f"{result.ranking.why}{_roomier(result)}")


def _roomier(result: TrainingResult) -> str:
    """Where memory is tight, the fastest layout that leaves more of it."""
    if not result.ranking.ranked[0].tight:
        return ""
    roomy = next((layout for layout in result.ranking.layouts if not layout.tight), None)
    if roomy is None:
        return " Every layout that fits is tight in memory."
    more = roomy.step_s / result.ranking.ranked[0].step_s - 1
    return f" With memory to spare ({roomy.memory.text}): {roomy.name()}, {format_share(more)} slower."


def _serving_headline(result: ServingResult) -> Headline:
    ranking = result.ranking
    quality = "Lowest-latency layout" if result.goal == LATENCY else "Highest-throughput layout"
    text = f"{quality}: {ranking.best.name()}, {_performance(ranking.best)}."
    return Headline(text, ranking.why)


def crossovers(result: Result, requests: int) -> None:
    """Where another layout is best: searched while the page stands; the other serving goal, where requests are stated."""
    if isinstance(result, TrainingResult):
        question = (result.scenario, result.gpus)
        found = work.collect(CROSSOVERS, question, lambda: crossover_searches(result.ranking))
        answer.crossovers(_text(found))
        return
    serving = (result.scenario, result.gpus, result.sequences, result.goal)
    found = work.collect(
        CROSSOVERS,
        serving,
        lambda: serving_crossover_searches(result.scenario, result.gpus, result.sequences, result.ranking),
    )
    other_goal = f" {_other_goal(result)}" if requests else ""
    answer.crossovers(f"{_text(found)}{other_goal}")


def _performance(layout: ServingLayout) -> str:
    return (
        f"TPOT {format_time(layout.token_s)}, {format_number(layout.tokens_per_s_per_gpu)} tokens/s per GPU"
    )


def _text(found: Parts[Crossover | None]) -> str:
    """The values nearest to the current ones at which another layout is best."""
    points = [point for point in found.done if point is not None]
    points.sort(key=lambda point: abs(math.log(point.factor)))
    conditions: dict[str, list[str]] = {}
    for point in points[:MOST_CROSSOVERS]:
        conditions.setdefault(point.to, []).append(point.condition)
    texts = "; ".join(f"{', or '.join(each)}: {layout}" for layout, each in conditions.items())
    if texts:
        return f"Crossovers: {texts}."
    return "No crossover within a factor of 16 of any input." if found.complete else "No crossover so far."


def _other_goal(result: ServingResult) -> str:
    """What the other serving goal would choose."""
    layouts = result.ranking.layouts
    if result.goal == LATENCY:
        goal, other = "throughput", max(layouts, key=lambda layout: layout.tokens_per_s_per_gpu)
    else:
        goal, other = "latency", min(layouts, key=lambda layout: layout.token_s)
    load = f"At {counted(result.sequences, 'request')} on all {result.gpus:,} GPUs"
    if other.name() == result.ranking.best.name():
        return f"{load} it is best for {goal} too."
    return f"{load}, best for {goal}: {other.name()}, {_performance(other)}."


def note(result: Result) -> str:
    """Where it runs."""
    system = result.scenario.system
    place = job.place(system)
    return f"{result.scenario.model.name} on {result.gpus:,} GPUs of {system.name}, {place}."


def figures(result: Result) -> list[Figure]:
    """Time, throughput, exposed communication, bubble and memory."""
    return _training_figures(result) if isinstance(result, TrainingResult) else _serving_figures(result)


def _training_figures(result: TrainingResult) -> list[Figure]:
    best = result.ranking.best
    exposed = best.exposed_s.total_s / best.step_s
    return [
        Figure(
            "Step time",
            format_time(best.step_s),
            f"Prediction interval: {format_time(best.low_s)} to {format_time(best.high_s)}.",
        ),
        Figure(
            "MFU",
            format_share(best.mfu),
            f"{best.mfu_text}: the interval is that of published steps.",
        ),
        Figure("Tokens/s/GPU", format_number(best.tokens_per_s_per_gpu)),
        Figure("Exposed comm.", format_share(exposed), "Exposed communication, share of the step."),
        Figure("Bubble", format_share(best.bubble_share), "Pipeline bubble, share of the step."),
        Figure(
            "Memory",
            f"{best.memory_bytes_per_gpu / GB:,.0f} GB{', tight' if best.memory.tight else ''}",
            f"Fullest GPU: {best.memory.text}. Mostly {best.memory.limiting}.",
        ),
    ]


def _serving_figures(result: ServingResult) -> list[Figure]:
    best = result.ranking.best
    exposed = f"Exposed communication, share of a decode step. Bottleneck: {bottleneck(best.binding)}."
    return [
        Figure("TPOT", format_time(best.token_s), "Time per output token of a request."),
        Figure("Tokens/s/GPU", format_number(best.tokens_per_s_per_gpu)),
        Figure("Exposed comm.", format_share(best.share), exposed),
        Figure(
            "Free memory",
            f"{best.free_bytes_per_gpu / GB:,.0f} GB",
            "Per GPU, beside weights and KV cache.",
        ),
    ]


def sources(result: Result) -> None:
    """Formula, assumptions and sources of the best layout."""
    if isinstance(result, TrainingResult):
        answer.numbers_and_sources(result.ranking.best)
        return
    best = result.ranking.best
    answer.numbers_and_sources(_step(best.step(result.scenario)))


@lru_cache(maxsize=64)
def _step(scenario: Scenario) -> Answer:
    return tensor_parallel(scenario)
