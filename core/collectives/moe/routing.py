"""Which GPUs and domains a token reaches, by how its experts are chosen."""

from core.checks import choice

ROUTINGS = ("random", "balanced")


def reached(groups: int, experts: int, topk: int, routing: str = "random") -> float:
    """
    Groups (GPUs or domains) that own one of a token's experts, its own group among them.

    Args:
        groups: Over which the experts are spread evenly.
        experts: Of the layer.
        topk: Of a token.
        routing: ``random`` (any set of experts is as likely) or ``balanced`` (round robin, as benchmarks do).
    """
    if choice("routing", routing, ROUTINGS) == "balanced":
        return float(min(groups, topk))
    elsewhere = 1.0
    inside = experts / groups
    for taken in range(topk):
        elsewhere *= max(experts - inside - taken, 0.0) / (experts - taken)
    return groups * (1 - elsewhere)
