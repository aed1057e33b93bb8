"""The figures of a serving engine as text."""

from core.calculators.serving import (
    Arrivals,
    Chunked,
    Disaggregated,
    EngineAnswer,
    LayerPart,
    Offline,
    Prefix,
    Queue,
    Speculative,
)
from core.calculators.serving.percentiles import Spread
from core.shell.output import facts, page, percent, table
from core.units import counted, format_number, format_rate, format_time


def engine_text(answer: EngineAnswer) -> str:
    """The step by part, then what the engine makes of it; what was not asked is left out."""
    arriving = answer.arrivals and arrivals_text(answer.arrivals)
    return page(parts_text(answer.parts), _figures(answer), _saturation(answer.saturated), arriving or "")


def parts_text(parts: tuple[LayerPart, ...]) -> str:
    """The split of a layer and of the step."""
    rows = [
        (
            part.part,
            format_time(part.layer_s) if part.layer_s else None,
            format_time(part.step_s),
            percent(part.share),
        )
        for part in parts
    ]
    return table(("part", "per layer", "per step", "share"), rows)


def _figures(answer: EngineAnswer) -> str:
    return facts(
        (
            ("chunked prefill", answer.chunked and chunked_text(answer.chunked)),
            ("largest chunk", answer.chunked and largest_chunk_text(answer.chunked)),
            ("speculative decoding", answer.speculative and speculative_text(answer.speculative)),
            ("prefix cache", answer.prefix and prefix_text(answer.prefix)),
            ("TTFT under load", answer.queue and queue_text(answer.queue)),
            ("within the target", answer.at_target and load_text(answer.at_target)),
            ("disaggregated", answer.disaggregated and disaggregated_text(answer.disaggregated)),
        )
    )


def chunked_text(chunked: Chunked) -> str:
    """TPOT beside a chunk, and TTFT."""
    return (
        f"a step takes {format_time(chunked.mixed_step_s)} with {chunked.chunk_tokens:,.0f} prompt tokens, "
        f"{format_time(chunked.decode_step_s)} without, the engine's host time included; "
        f"TTFT {format_time(chunked.ttft_s)} in {counted(chunked.chunks, 'step')}"
    )


def largest_chunk_text(chunked: Chunked) -> str | None:
    """The chunk that keeps the latency target; None without a target."""
    if chunked.largest_chunk is None:
        return None
    if chunked.largest_chunk_ttft_s is None:
        return "none: no step with a chunk keeps the TPOT target"
    return (
        f"{chunked.largest_chunk:,} batched tokens keep the TPOT target "
        f"(TTFT {format_time(chunked.largest_chunk_ttft_s)})"
    )


def speculative_text(speculative: Speculative) -> str:
    """TPOT with drafted tokens, and the acceptance rate from which it pays."""
    pays = speculative.break_even_acceptance
    return (
        f"TPOT {format_time(speculative.tpot_s)} at {speculative.tokens_per_step:.2f} tokens a step, "
        f"{speculative.speedup:.2f} times as fast as without; "
        + ("no acceptance rate pays" if pays is None else f"pays from an acceptance rate of {pays:.2f}")
    )


def prefix_text(prefix: Prefix) -> str:
    """TTFT and prefill throughput with hits."""
    return (
        f"TTFT {format_time(prefix.ttft_s)} at a hit rate of {percent(prefix.hit)}, "
        f"{format_time(prefix.without_ttft_s)} without; "
        f"{format_number(prefix.tokens_per_s_per_gpu)} prompt tokens/s per GPU, "
        f"{format_number(prefix.without_tokens_per_s_per_gpu)} without"
    )


def queue_text(queue: Queue) -> str:
    """Mean TTFT of so many clients, waiting included."""
    varied, equal, burst = map(format_time, (queue.ttft_s, queue.equal_ttft_s, queue.burst_ttft_s))
    waits = "" if queue.held == queue.clients else f", of which {queue.held:,} run at once"
    tpot = "" if queue.tpot_s is None else f", TPOT {format_time(queue.tpot_s)}"
    return (
        f"{counted(queue.clients, 'concurrent request')}{waits}: mean {varied} where outputs vary in length, "
        f"{equal} where all are equal{tpot} and {queue.output_tokens_per_s:,.0f} output tokens/s, "
        f"{burst} of those that arrive all at once"
    )


def arrivals_text(arrivals: Arrivals) -> str:
    """The run of a rate, and its latencies."""
    return f"{arrivals_headline(arrivals)}\n{latencies_text(arrivals)}"


def arrivals_headline(arrivals: Arrivals) -> str:
    """What arrives beside what can be answered."""
    most = f"the {format_number(arrivals.capacity)} that it answers at saturation"
    keeps = (
        f"{percent(arrivals.utilization)} of {most}"
        if arrivals.utilization < 1
        else f"more than {most}: the queue grows with the run"
    )
    return (
        f"{arrivals.request_rate:,.10g} requests/s arrive, {keeps}. {counted(arrivals.prompts, 'prompt')}: "
        f"{arrivals.output_tokens_per_s:,.0f} output tokens/s, {arrivals.running:,.1f} requests at once."
    )


def latencies_text(arrivals: Arrivals) -> str:
    """Mean, median and tails, each with its interval."""
    named = (
        ("TTFT", arrivals.ttft),
        ("TPOT", arrivals.tpot),
        ("inter-token latency", arrivals.itl),
        ("end-to-end latency", arrivals.e2e),
    )
    rows = [(name, *latency_cells(each)) for name, each in named if each is not None]
    return table(("", "mean", "median", "p90", "p99"), rows)


def latency_cells(latency: Spread) -> list[str]:
    """Each percentile with its interval."""
    ends = zip(latency.expected.values, latency.low.values, latency.high.values, strict=True)
    return [f"{format_time(value)} ({format_time(low)} to {format_time(high)})" for value, low, high in ends]


def load_text(load: Offline) -> str:
    """Throughput within a latency target."""
    return (
        f"{load.output_tokens_per_s:,.0f} output tokens/s "
        f"({format_number(load.tokens_per_s_per_gpu)} per GPU) with {load.sequences:,} concurrent requests, "
        f"mean TPOT {format_time(load.tpot_s)}; limit: {load.limit}"
    )


def disaggregated_text(answer: Disaggregated) -> str:
    """The verdict, the balance and the break-even of the KV cache transfer."""
    even = answer.break_even_bytes_per_s
    path = f"{format_time(answer.transfer_s)} of KV cache transfer over {answer.path}"
    prefill = format_number(answer.prefill_groups_per_decode_group)
    return f"{answer.verdict} {prefill} prefill GPUs for each decode GPU; {path}" + (
        "." if even is None else f", lower TTFT from {format_rate(even)} per GPU on."
    )


def _saturation(load: Offline | None) -> str:
    if load is None:
        return ""
    return (
        f"Throughput at saturation: {load.sequences:,} concurrent requests, "
        f"{load.output_tokens_per_s:,.0f} output tokens/s, "
        f"{percent(load.comm_share)} of the time communicating."
    )
