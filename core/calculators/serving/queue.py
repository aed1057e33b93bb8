"""TTFT under load: clients that each send the next request when one ends wait for one another's prompts."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.calculators.serving.benchmark import followed, server
from core.calculators.serving.engine import Engine
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.load_generator import ClosedLoop
from core.calculators.serving.memory import cache
from core.calculators.serving.mixed import priced_by_shape
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog.calibrations.serving_level import LevelSpan

WAVES = 4
MOST_CLIENTS = 1024
"""Of one attention group: beyond, a queue is not followed request by request."""


@dataclass(frozen=True, slots=True)
class Queue:
    """
    What so many concurrent requests measure, waiting included.

    Attributes:
        clients: Of one attention group.
        held: Of them, those that memory (or the engine) holds at once; the others wait.
        ttft_s: Where outputs vary in length, so that requests arrive one by one.
        equal_ttft_s: Where all have the same lengths, so that they end and arrive in groups, as in
            benchmarks; once those that arrived first are answered.
        burst_ttft_s: Of those that arrive first, all at once.
        tpot_s: Mean time per output token, where all have the same lengths.
        output_tokens_per_s: Of all attention groups, likewise.
    """

    clients: int
    held: int
    ttft_s: float
    equal_ttft_s: float
    burst_ttft_s: float
    tpot_s: float | None
    output_tokens_per_s: float


def queue(scenario: Scenario, engine: Engine, lengths: Lengths) -> Queue | None:
    """
    The queue of the scenario's concurrent requests.

    None in prefill, beyond 1,024 of them, where memory holds not even one of them, and where compute or
    messages are overridden.

    Raises:
        InputError: A value that cannot be used.
    """
    clients = scenario.tokens
    if scenario.phase != "decode" or clients > MOST_CLIENTS or not priced_by_shape(scenario):
        return None
    if not cache(scenario, engine, lengths.input_tokens, lengths.output_tokens).requests:
        return None
    loops = [ClosedLoop(clients=clients, requests=WAVES * clients, varied=varied) for varied in (False, True)]
    asked = server(scenario, engine, lengths, loops[0])
    run, varying = (followed(asked, lengths, loop) for loop in loops)
    equal, varied, later = run.ttft_s, varying.ttft_s, WAVES // 2 * clients
    tokens = max(1.0, scenario.ep / scenario.tp) * WAVES * clients * lengths.output_tokens
    return Queue(
        clients=clients,
        held=min(clients, asked.most),
        ttft_s=float(np.mean(varied[later:])),
        equal_ttft_s=float(np.mean(equal[later:])),
        burst_ttft_s=float(np.mean(equal[:clients])),
        tpot_s=float(np.mean(run.tpot_s)) if run.tpot_s.size else None,
        output_tokens_per_s=tokens / run.duration_s,
    )


def ttft_interval(waits: Queue, span: LevelSpan) -> tuple[float, float]:
    """From requests that arrive one by one to all at once, each at its end of the span of a step."""
    first, means = span.of_first_token(), (waits.ttft_s, waits.equal_ttft_s, waits.burst_ttft_s)
    return first.of(min(means))[0], first.of(max(means))[1]


def queue_json(waits: Queue, span: LevelSpan) -> dict[str, Any]:
    """The queue with both ends of its interval."""
    low, high = ttft_interval(waits, span)
    return asdict(waits) | {"ttft_low_s": low, "ttft_high_s": high}
