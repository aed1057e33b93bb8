"""Requests that arrive at a rate: TTFT, TPOT, inter-token and end-to-end latency, medians and tails."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from core import checks
from core.calculators.serving.benchmark import Measured, Server, followed, server
from core.calculators.serving.engine import Engine
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.load_generator import OpenLoop
from core.calculators.serving.memory import cache
from core.calculators.serving.mixed import priced_by_shape
from core.calculators.serving.percentiles import Percentiles, Spread, percentiles, spread
from core.calculators.serving.throughput import offline
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.serving_level import LevelSpan

PROMPTS = 1000
"""Of a run where nothing is stated, as in benchmarks."""
MOST_PROMPTS = 5000
DATASETS = ("random", "sharegpt")
"""Requests of equal lengths, or of lengths that vary as those of conversations."""
LATENCIES = ("ttft", "tpot", "itl", "e2e")


@dataclass(frozen=True, slots=True)
class Arrivals:
    """
    A run of ``prompts`` requests that arrive at random at a rate, whatever the server answers.

    Attributes:
        request_rate: Requests/s that arrive, of all attention groups.
        capacity: Requests/s that are answered at saturation.
        requests_per_s, output_tokens_per_s: Answered in the whole run, its end included.
        output_tokens_per_s_low, output_tokens_per_s_high: With the ends of the interval of a step.
        running: Mean requests that wait or run.
        ttft, tpot, itl, e2e: Time to the first token, time per output token of a request, time between two
            tokens, and of a request to its last token; None where an answer is one token.
    """

    request_rate: float
    prompts: int
    capacity: float
    requests_per_s: float
    output_tokens_per_s: float
    output_tokens_per_s_low: float
    output_tokens_per_s_high: float
    running: float
    ttft: Spread
    tpot: Spread | None
    itl: Spread | None
    e2e: Spread

    @property
    def utilization(self) -> float:
        """Share of the capacity that arrives; the queue grows with the run above 1."""
        return self.request_rate / self.capacity


def arrivals(
    scenario: Scenario, engine: Engine, lengths: Lengths, request_rate: float, prompts: int = PROMPTS
) -> Arrivals | None:
    """
    Latencies of requests that arrive at ``request_rate`` a second, first come first served.

    None in prefill, where memory holds not even one request, and where compute or messages are overridden.
    The interval reaches from steps at the low end of theirs to the high end, where a queue is longer by more
    than its steps. Where lengths are not equal they are exponential.

    Raises:
        InputError: A value that cannot be used.
    """
    checks.count("prompts", prompts, most=MOST_PROMPTS)
    groups = max(1.0, scenario.ep / scenario.tp)
    load = OpenLoop(
        per_s=request_rate / groups, requests=max(1, round(prompts / groups)), varied=not lengths.equal
    )
    full = offline(scenario, lengths.input_tokens, lengths.output_tokens, engine=engine)
    held = cache(scenario, engine, lengths.input_tokens, lengths.output_tokens).requests
    if scenario.phase != "decode" or not priced_by_shape(scenario) or not held or full is None:
        return None
    asked = server(scenario, engine, lengths, load)
    runs = _runs(asked, lengths, load, throughput_span(scenario, engine))
    return _answer(runs, full.requests_per_s, groups, load.requests, lengths.output_tokens)


def _answer(
    runs: "_Runs", capacity: float, groups: float, requests: int, output_tokens: int
) -> Arrivals | None:
    spreads = {name: _spread(name, runs) for name in LATENCIES}
    ttft, e2e = spreads["ttft"], spreads["e2e"]
    if ttft is None or e2e is None:
        return None
    prompts, duration_s = groups * requests, runs.expected.duration_s
    low, high = (prompts * output_tokens / runs.steps[place].duration_s for place in (-1, 0))
    return Arrivals(
        request_rate=groups * runs.per_s,
        prompts=round(prompts),
        capacity=capacity,
        requests_per_s=prompts / duration_s,
        output_tokens_per_s=prompts * output_tokens / duration_s,
        output_tokens_per_s_low=low,
        output_tokens_per_s_high=high,
        running=groups * float(runs.expected.e2e_s.sum()) / duration_s,
        ttft=ttft,
        tpot=spreads["tpot"],
        itl=spreads["itl"],
        e2e=e2e,
    )


@dataclass(frozen=True, slots=True)
class _Runs:
    """The run as expected, and with steps and first tokens at the ends of their intervals, low ends first."""

    per_s: float
    expected: Measured
    steps: list[Measured]
    first: list[Measured]


def _runs(asked: Server, lengths: Lengths, load: OpenLoop, span: LevelSpan) -> _Runs:
    def ends(of: LevelSpan) -> list[Measured]:
        slower = [
            replace(asked, steps=asked.steps.times(factor), outside_s=factor * asked.outside_s)
            for factor in (of.low, of.high)
        ]
        return [followed(each, lengths, load) for each in slower]

    return _Runs(load.per_s, followed(asked, lengths, load), ends(span), ends(span.of_first_token()))


def _of(name: str, run: Measured) -> Percentiles | None:
    if name == "itl":
        return percentiles(run.gap_s, run.gaps)
    return percentiles(np.asarray(getattr(run, f"{name}_s")))


def _spread(name: str, runs: _Runs) -> Spread | None:
    expected = _of(name, runs.expected)
    ends = [_of(name, run) for run in (runs.first if name == "ttft" else runs.steps)]
    return None if expected is None else spread(expected, [each for each in ends if each is not None])


def arrivals_json(answer: Arrivals) -> dict[str, Any]:
    """Every figure, each latency with both ends of its interval."""
    values = asdict(answer) | {"utilization": answer.utilization}
    for name in LATENCIES:
        each = values[name]
        values[name] = each and each["expected"] | {"low": each["low"], "high": each["high"]}
    return values
