"""`python -m tests.bench.serving_recipes`: recipes and tuned kernels of engines, asked before they were compared."""

import numpy as np

from core.calculators.serving.interval import throughput_span
from core.calculators.serving.mixed import Load
from core.calculators.serving.throughput import prompt_s
from core.units import MS
from tests.bench.serving_newest import Judged, judged_at, question, report
from tests.figures.serving_recipes import AT, LOADED_FIRST


def first_tokens():
    """Mean time to the first token while others decode, nobody waiting for memory."""
    for run in AT:
        published = LOADED_FIRST.get((run.system, run.requests))
        if published is None or run.osl != run.isl:
            continue
        scenario, engine = question(run)
        load = Load(np.array([run.requests - 1.0]), np.array([run.isl + run.osl / 2]), np.zeros(1))
        ours = prompt_s(scenario, engine, run.isl, load)
        low, high = throughput_span(scenario, engine).of_first_token().of(ours)
        yield Judged("TTFT at a load", run, published * MS / ours, low <= published * MS <= high)


def judged():
    """Every figure."""
    return [*(entry for run in AT for entry in judged_at(run)), *first_tokens()]


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("recipes and tuned kernels", judged())


if __name__ == "__main__":
    main()
