"""Why the first of a serving ranking wins: what it gives, what it saves and what it pays."""

from collections.abc import Sequence

from core.calculators.layouts.serving_layout import ServingLayout, cost_s
from core.units import format_number, format_share, format_time


def why(ordered: Sequence[ServingLayout], goal: str) -> str:
    """What the first gives, by how much the second is worse, and what the first saves and pays."""
    first = ordered[0]
    text = (
        f"{first.name()} has a TPOT of {format_time(first.token_s)} and "
        f"{format_number(first.tokens_per_s_per_gpu)} tokens/s per GPU, bound by {first.binding}"
    )
    if len(ordered) == 1:
        return text + "; nothing else fits."
    second = ordered[1]
    if goal == "latency":
        more = f"{format_share(second.token_s / first.token_s - 1)} longer"
    else:
        more = f"{format_share(1 - second.tokens_per_s_per_gpu / first.tokens_per_s_per_gpu)} less"
    return f"{text}; {second.name()} comes next, {more}: {_savings(first, second, goal)}."


def _savings(first: ServingLayout, second: ServingLayout, goal: str) -> str:
    """Communication and work of a token: seconds of a request, or of one GPU for throughput."""

    def parts(layout: ServingLayout) -> dict[str, float]:
        token_s = cost_s(layout, goal)
        return {"communication": layout.share * token_s, "work on the GPU": (1 - layout.share) * token_s}

    first_s, second_s = parts(first), parts(second)
    saved_s = {name: second_s[name] - first_s[name] for name in first_s}
    gain, loss = sorted(saved_s, key=lambda name: -saved_s[name])
    unit = "" if goal == "latency" else " per token and GPU"
    text = f"the winner saves {format_time(saved_s[gain])} of {gain}{unit}"
    return f"{text} and pays {format_time(-saved_s[loss])} of {loss}" if saved_s[loss] < 0 else text
