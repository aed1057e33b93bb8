"""`python -m tests.bench.serving_unseen`: steps by batch and saturated engines, asked before they were compared."""

from collections import defaultdict

import numpy as np

from core.calculators.serving import Lengths
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.throughput import cycle
from core.units import MS
from tests.bench.serving_held_out import line
from tests.bench.serving_newest import Judged, judged_at, question, saturated
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
    print("serving, steps by batch and saturated engines (speed, computed over published)")
    groups = defaultdict(list)
    for entry in judged():
        run = entry.run
        where = f"{run.model} {run.system} {run.weights} {run.software} TP{run.tp} EP{run.ep}"
        for key in ("all", entry.kind, run.source.key, run.system, where):
            groups[key].append(entry)
    for name in sorted(groups):
        line(name, [entry.ratio for entry in groups[name]], [entry.inside for entry in groups[name]])


if __name__ == "__main__":
    main()
