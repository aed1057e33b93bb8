"""`python -m tests.bench.serving_engines`: published TPOT, TTFT and fixed batches of other engines and versions."""

import numpy as np

from core.calculators.serving import Lengths
from core.calculators.serving.cycle import cycle
from core.calculators.serving.interval import throughput_span
from tests.bench.serving_runs import Judged, every, question, report
from tests.figures.serving_engines import FIXED_BATCHES, SERVED


def fixed_batches():
    """Seconds of a batch that begins and ends together."""
    for run in FIXED_BATCHES:
        scenario, engine = question(run)
        lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl)
        at = cycle(scenario, engine, lengths, np.array([run.requests]))
        step_s = run.requests * float(at.step_s[0]) / float(at.running[0])
        low, high = throughput_span(scenario, engine).of(step_s)
        published = run.requests / run.tokens_per_s
        yield Judged("throughput", run, published / step_s, low <= published <= high)


def judged():
    """Every figure."""
    return [*every(SERVED), *fixed_batches()]


def main():
    """Print every kind of question by engine, GPU and model."""
    report("other engines and versions", judged())


if __name__ == "__main__":
    main()
