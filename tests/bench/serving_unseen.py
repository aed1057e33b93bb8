"""`python -m tests.bench.serving_unseen`: steps by batch and saturated engines, asked before they were compared."""

import numpy as np

from core.calculators.serving import Lengths
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.throughput import cycle
from core.units import MS
from tests.bench.serving_newest import Judged, judged_at, question, report, saturated
from tests.figures.serving_unseen import AT, FULL, STEPS


def steps():
    """Median time between tokens: the decode step without prompts, which most steps are."""
    for run in STEPS:
        scenario, engine = question(run)
        lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl)
        at = cycle(scenario, engine, lengths, np.array([run.requests]))
        ours, published = float(at.plain.time_s[0]), run.itl_ms * MS
        low, high = throughput_span(scenario, engine).of(ours)
        yield Judged("decode step", run, published / ours, low <= published <= high)


def judged():
    """Every figure."""
    return [*steps(), *(entry for run in AT for entry in judged_at(run)), *saturated(FULL)]


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("steps by batch and saturated engines", judged())


if __name__ == "__main__":
    main()
