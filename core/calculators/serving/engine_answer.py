"""Every figure of a serving engine for one scenario."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from core.calculators.serving.arrivals import PROMPTS, Arrivals, arrivals, arrivals_json
from core.calculators.serving.chunked import Chunked, chunked
from core.calculators.serving.disaggregated import Disaggregated, disaggregated
from core.calculators.serving.engine import Engine
from core.calculators.serving.interval import throughput_span
from core.calculators.serving.layer_parts import LayerPart, layer_parts
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.memory import Cache, cache
from core.calculators.serving.prefix import Prefix, prefix
from core.calculators.serving.queue import Queue, queue, queue_json
from core.calculators.serving.speculative import Speculative, speculative
from core.calculators.serving.throughput import Offline, offline
from core.calculators.tensor_parallel.intervals import with_intervals
from core.calculators.tensor_parallel.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineQuestion:
    """
    What an engine is asked beside a step.

    Attributes:
        input_tokens: Prompt (ISL); None takes the context.
        output_tokens: Output (OSL); None asks for no throughput and no queue.
        tpot_s: Latency target; None sets none.
        disaggregated: Whether prefill and decode on GPUs of their own are compared; needs both lengths.
        kv_path: The way of the KV cache between them; None takes the NIC.
        request_rate: Requests/s that arrive; None asks for none. Needs both lengths.
        prompts: Of the run in which they do.
        equal: Whether all of them have these lengths; else lengths are means, as of conversations.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    tpot_s: float | None = None
    disaggregated: bool = False
    kv_path: str | None = None
    request_rate: float | None = None
    prompts: int = PROMPTS
    equal: bool = True

    @property
    def lengths(self) -> Lengths | None:
        """Both lengths, where both are known."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return Lengths(input_tokens=self.input_tokens, output_tokens=self.output_tokens)


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """
    What an engine makes of a step; None for what is not asked or cannot run.

    Attributes:
        parts: The step by part.
        saturated: Throughput when the queue never empties.
        at_target: The same within the latency target.
        queue: TTFT of the scenario's concurrent requests, waiting included.
        arrivals: Latencies of requests that arrive at a rate.
    """

    engine: Engine
    parts: tuple[LayerPart, ...]
    chunked: Chunked | None
    speculative: Speculative | None
    prefix: Prefix | None
    cache: Cache | None
    saturated: Offline | None
    at_target: Offline | None
    disaggregated: Disaggregated | None
    queue: Queue | None = None
    arrivals: Arrivals | None = None


def engine_answer(scenario: Scenario, engine: Engine, question: EngineQuestion) -> EngineAnswer:
    """
    Every figure of an engine.

    Raises:
        InputError: A value that cannot be used.
    """
    prompt = question.input_tokens or max(1, scenario.cached)
    lengths, target = question.lengths, question.tpot_s
    isl, osl = (lengths.input_tokens, lengths.output_tokens) if lengths else (0, 0)
    apart = question.disaggregated and lengths is not None
    return EngineAnswer(
        engine=engine,
        parts=layer_parts(scenario),
        chunked=chunked(scenario, engine, prompt, target),
        speculative=speculative(scenario, engine),
        prefix=prefix(scenario, engine, prompt),
        cache=cache(scenario, engine, isl, osl) if lengths else None,
        saturated=offline(scenario, isl, osl, engine=engine) if lengths else None,
        at_target=offline(scenario, isl, osl, engine=engine, tpot_s=target) if lengths and target else None,
        disaggregated=disaggregated(scenario, engine, lengths, tpot_s=target, path=question.kv_path)
        if apart and lengths
        else None,
        queue=queue(scenario, engine, lengths) if lengths else None,
        arrivals=arrivals(
            scenario, engine, replace(lengths, equal=question.equal), question.request_rate, question.prompts
        )
        if lengths and question.request_rate is not None
        else None,
    )


def engine_json(answer: EngineAnswer, scenario: Scenario) -> dict[str, Any]:
    """The keys that an engine adds to ``tp --json``: seconds, bytes and bytes/s, with their intervals."""
    values, span = asdict(answer), throughput_span(scenario, answer.engine)

    def spread(name: str) -> dict[str, Any] | None:
        return None if values[name] is None else with_intervals(scenario, values[name], span)

    apart = spread("disaggregated")
    if apart and apart["aggregated"]:
        apart["aggregated"] = with_intervals(scenario, apart["aggregated"], span)
    return {
        "parts": values["parts"],
        "engine": values["engine"],
        "offline": spread("saturated"),
        "within_target": spread("at_target"),
        "chunked_prefill": spread("chunked"),
        "speculative": spread("speculative"),
        "prefix_cache": spread("prefix"),
        "kv_cache": values["cache"],
        "disaggregated": apart,
        "queue": None if answer.queue is None else queue_json(answer.queue, span),
        "arrivals": None if answer.arrivals is None else arrivals_json(answer.arrivals),
    }
