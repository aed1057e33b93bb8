"""Bus bandwidth from size, time and ranks, as nccl-tests defines it. Standard library only."""

_SHARE_OF_OTHERS = ("all_gather", "reduce_scatter", "all_to_all", "gather", "scatter", "hypercube")


def bus_factor(collective: str | None, ranks: int | None) -> float | None:
    """
    What turns size over time into bus bandwidth (nccl-tests, doc/PERFORMANCE.md).

    Returns:
        None where it is undefined: an unknown collective, or fewer than two ranks.
    """
    if collective in ("broadcast", "reduce", "send_recv") and ranks is not None and ranks > 1:
        return 1.0
    if ranks is None or ranks < 2:  # noqa: PLR2004 (alone there is no bus)
        return None
    if collective == "all_reduce":
        return 2 * (ranks - 1) / ranks
    return (ranks - 1) / ranks if collective in _SHARE_OF_OTHERS else None
