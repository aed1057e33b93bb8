"""Bus bandwidth from size, time and ranks, as nccl-tests defines it. Standard library only."""

ROUNDS = {
    "all_reduce": 2,
    "all_gather": 1,
    "reduce_scatter": 1,
    "all_to_all": 1,
    "gather": 1,
    "scatter": 1,
    "hypercube": 1,
}
"""Rounds of (n-1)/n of the message that a ring moves over each wire (nccl-tests, doc/PERFORMANCE.md)."""

WHOLE_MESSAGE = ("broadcast", "reduce", "send_recv")
"""Collectives that move the whole message over each wire, whatever the number of ranks."""


def bus_factor(collective: str | None, ranks: int | None) -> float | None:
    """
    What turns size over time into bus bandwidth (nccl-tests, doc/PERFORMANCE.md).

    Returns:
        None where it is undefined: an unknown collective, or fewer than two ranks.
    """
    if ranks is None or ranks < 2:  # noqa: PLR2004 (alone there is no bus)
        return None
    if collective in WHOLE_MESSAGE:
        return 1.0
    rounds = ROUNDS.get(collective or "")
    return None if rounds is None else rounds * (ranks - 1) / ranks
