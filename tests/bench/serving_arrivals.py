"""`python -m tests.bench.serving_arrivals`: published runs at a rate of arrivals beside the computed ones."""

from collections import defaultdict

from core.calculators.serving import Lengths, arrivals
from tests.bench.serving_runs import Judged, line, question
from tests.figures.serving_arrivals import ARRIVING


def judge(run):
    """Every figure of a run."""
    scenario, engine = question(run)
    lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl, equal=run.equal)
    answer = arrivals(scenario, engine, lengths, run.rate, run.prompts)
    for latency, statistic, published in run.figures:
        each = getattr(answer, latency)
        ours, low, high = (1e3 * getattr(at, statistic) for at in (each.expected, each.low, each.high))
        name = f"{latency.upper()} {statistic.removesuffix('_s')}"
        yield Judged(name, run, published / ours, low <= published <= high)
    if run.tokens_per_s is not None:
        inside = answer.output_tokens_per_s_low <= run.tokens_per_s <= answer.output_tokens_per_s_high
        yield Judged("throughput", run, answer.output_tokens_per_s / run.tokens_per_s, inside)


def judged():
    """Every figure of every run."""
    return [each for run in ARRIVING for each in judge(run)]


def main():
    """Print every latency and statistic, by publisher too."""
    print("serving at a rate of arrivals (speed, computed over published)")
    groups = defaultdict(list)
    for each in judged():
        for name in ("all", each.kind, each.run.source.key, f"{each.run.source.key} {each.kind}"):
            groups[name].append(each)
    for name in sorted(groups):
        line(name, [each.ratio for each in groups[name]], [each.inside for each in groups[name]])


if __name__ == "__main__":
    main()
