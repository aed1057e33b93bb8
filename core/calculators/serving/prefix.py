"""Prefix caching: TTFT and prefill throughput at a share of prompt tokens that are cached."""

from dataclasses import dataclass, replace

from core.calculators.serving.cycle import fill_step
from core.calculators.serving.engine import Engine
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.mixed import check_priced_by_shape
from core.calculators.serving.throughput import prompt_s
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Prefix:
    """
    One prompt with a part of it in the prefix cache.

    Attributes:
        computed_tokens: Prompt tokens that are not.
        ttft_s, without_ttft_s: Prefill of the prompt alone, with and without the cache.
        tokens_per_s_per_gpu, without_tokens_per_s_per_gpu: Prompt tokens taken in, cached ones among them.
    """

    hit: float
    input_tokens: int
    computed_tokens: float
    ttft_s: float
    without_ttft_s: float
    tokens_per_s_per_gpu: float
    without_tokens_per_s_per_gpu: float


def prefix(scenario: Scenario, engine: Engine, input_tokens: int) -> Prefix | None:
    """
    The prefix cache of an engine; None without hits.

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    if not engine.prefix_hit:
        return None
    check_priced_by_shape(scenario, "prefix_hit")
    without = replace(engine, prefix_hit=0.0)
    return Prefix(
        hit=engine.prefix_hit,
        input_tokens=input_tokens,
        computed_tokens=engine.uncached(input_tokens),
        ttft_s=prompt_s(scenario, engine, input_tokens),
        without_ttft_s=prompt_s(scenario, without, input_tokens),
        tokens_per_s_per_gpu=_taken_in(scenario, engine, input_tokens),
        without_tokens_per_s_per_gpu=_taken_in(scenario, without, input_tokens),
    )


def _taken_in(scenario: Scenario, engine: Engine, input_tokens: int) -> float:
    lengths = Lengths(input_tokens=input_tokens, output_tokens=1)
    computed_per_s = engine.chunk_tokens / first(fill_step(scenario, engine, lengths).time_s)
    per_gpu = max(1.0, scenario.ep / scenario.tp) / max(scenario.tp, scenario.ep)
    return computed_per_s * per_gpu * input_tokens / engine.uncached(input_tokens)
