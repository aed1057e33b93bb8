"""KV cache transfer: every path by latency and bytes over rate, and the prefill that would replace it."""

from core.calculators.capacity import Path, Transfer
from core.calculators.comparison.explanation import (
    BYTES,
    RATE,
    SECONDS,
    Explanation,
    Factor,
    Figure,
    Part,
    Quantity,
)
from core.calculators.comparison.facts import option, rate, rates_text
from core.calculators.comparison.tensor_parallel import step
from core.calculators.tensor_parallel import Scenario
from core.provenance import Origin
from core.units import format_memory, format_time


def transfer(prefill: Scenario, answer: Transfer) -> Explanation:
    """
    The fastest path, the recomputation, and the paths by name.

    Args:
        prefill: The step that computes the cache again.
        answer: The paths.
    """
    fastest = min(answer.carried, key=lambda carried: carried.time_s)
    paths = [
        Quantity(f"Transfer, {carried.path.name}", SECONDS, _parts(answer, carried.path))
        for carried in answer.carried
    ]
    return Explanation(
        subject=f"{prefill.model.name}, {answer.context:,} tokens, on {prefill.system.name}",
        work={
            "model": prefill.model.name,
            "context length": f"{answer.context:,}",
            "GPUs holding the cache": f"{answer.gpus:,}",
            "rates": rates_text(prefill.rates),
        },
        quantities=(
            Quantity("Fastest transfer", SECONDS, _parts(answer, fastest.path)),
            step(prefill, "Recompute (prefill)"),
            *paths,
        ),
        figures=(
            Figure(answer.what, answer.bytes, BYTES, more=False),
            Figure("Cache per GPU", answer.bytes_per_gpu, BYTES, more=False),
            Figure("Break-even bandwidth", answer.break_even_bytes_per_s, RATE),
        ),
        rates=str(Origin.SPEC),
        sources=(*prefill.model.sources, *prefill.system.sources),
    )


def _parts(answer: Transfer, path: Path) -> tuple[Part, ...]:
    link = option("path", path.name)
    size = Factor("cache per GPU", format_memory(answer.bytes_per_gpu), answer.bytes_per_gpu)
    latency = Factor("latency", format_time(path.latency_s), path.latency_s)
    return (
        Part("latency", path.latency_s, (latency, link)),
        Part(
            "transfer",
            answer.bytes_per_gpu / path.bytes_per_s,
            (size, rate("bandwidth", path.bytes_per_s), link),
        ),
    )
