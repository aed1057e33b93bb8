"""What each data-parallel strategy sends in one optimizer step: its collectives and their bytes."""

from dataclasses import dataclass

from core.checks import InputError, choice, count, number
from core.collectives.formulas import busbw_factor

STRATEGY_NAMES = {
    "ddp": "DDP",
    "zero1": "ZeRO-1",
    "zero2": "ZeRO-2",
    "zero3": "ZeRO-3",
    "fsdp": "FSDP",
    "hsdp": "HSDP",
}
"""Data-parallel strategies by id, as their frameworks call them."""
STRATEGIES = tuple(STRATEGY_NAMES)

WORLD, SHARD, REPLICA = "world", "shard", "replica"
FORWARD, BACKWARD, UPDATE = "forward", "backward", "update"


@dataclass(frozen=True, slots=True)
class Phase:
    """
    One kind of collective of an optimizer step.

    Attributes:
        name: As ``gradient reduce-scatter``.
        collective: As ``reduce_scatter``.
        group: ``world`` (all ranks), ``shard`` (those that share one copy) or ``replica``
            (the ranks that hold the same shard in different copies).
        ranks: Size of that group.
        size_bytes: Bytes of one whole pass over the model, in nccl-tests' sense of size.
        times: Passes in one optimizer step.
        when: ``forward``, ``backward`` (compute can overlap with it) or ``update`` (after the optimizer).
    """

    name: str
    collective: str
    group: str
    ranks: int
    size_bytes: float
    times: int
    when: str

    @property
    def wire_bytes(self) -> float:
        """Bytes that each GPU sends in one optimizer step with ring collectives."""
        return self.times * float(busbw_factor(self.collective, self.ranks)) * self.size_bytes


@dataclass(frozen=True, slots=True)
class Volume:
    """
    Bytes that a strategy communicates, and how often.

    Attributes:
        gradient_bytes, parameter_bytes: All gradients and all parameters, as sent.
        accumulation: Gradient accumulation steps (micro-batches) of one optimizer step.
        whole_gradients: Gradients stay unsharded until the last accumulation step: less traffic,
            more memory.
    """

    gradient_bytes: float
    parameter_bytes: float
    accumulation: int = 1
    whole_gradients: bool = False


def phases(strategy: str, volume: Volume, ranks: int, shard_ranks: int | None = None) -> tuple[Phase, ...]:
    """
    The collectives of one optimizer step; a single rank sends nothing.

    Args:
        strategy: One of ``STRATEGIES``; ``fsdp`` sends what ``zero3`` sends.
        volume: Bytes of gradients and parameters, accumulation steps.
        ranks: Data-parallel ranks.
        shard_ranks: Ranks that share one copy (``hsdp`` only); must divide ``ranks``.

    Raises:
        InputError: An unknown strategy, or a shard group that does not divide the ranks.
    """
    choice("strategy", strategy, STRATEGIES)
    ranks = count("ranks", ranks)
    count("accumulation", volume.accumulation)
    number("gradient_bytes", volume.gradient_bytes, least=0)
    number("parameter_bytes", volume.parameter_bytes, least=0)
    shard = _shard_ranks(shard_ranks, ranks) if strategy == "hsdp" else ranks
    return checked_phases(strategy, volume, ranks, shard)


def checked_phases(strategy: str, volume: Volume, ranks: int, shard: int) -> tuple[Phase, ...]:
    """The same without the checks: bytes and ranks may be columns."""
    steps = volume.accumulation
    if strategy == "ddp":
        return (
            _phase("gradient all-reduce", "all_reduce", WORLD, ranks, volume.gradient_bytes, 1, BACKWARD),
        )
    if strategy in ("zero1", "zero2"):
        reduces = 1 if strategy == "zero1" or volume.whole_gradients else steps
        return (
            _reduce_scatter(WORLD, ranks, volume, reduces),
            _phase("parameter all-gather", "all_gather", WORLD, ranks, volume.parameter_bytes, 1, UPDATE),
        )
    if strategy != "hsdp":
        return _sharded(WORLD, ranks, volume, steps)
    replicas = ranks // shard
    across = _phase(
        "replica all-reduce", "all_reduce", REPLICA, replicas, volume.gradient_bytes / shard, 1, BACKWARD
    )
    return (*_sharded(SHARD, shard, volume, steps), across)


def wire_bytes(step: tuple[Phase, ...]) -> float:
    """Bytes that each GPU sends in one optimizer step with ring collectives."""
    return sum(phase.wire_bytes for phase in step)


def _sharded(group: str, ranks: int, volume: Volume, steps: int) -> tuple[Phase, ...]:
    """All-gather the parameters in forward and in backward, then reduce-scatter the gradients."""
    parameters = volume.parameter_bytes
    return (
        _phase("forward all-gather", "all_gather", group, ranks, parameters, steps, FORWARD),
        _phase("backward all-gather", "all_gather", group, ranks, parameters, steps, BACKWARD),
        _reduce_scatter(group, ranks, volume, 1 if volume.whole_gradients else steps),
    )


def _reduce_scatter(group: str, ranks: int, volume: Volume, times: int) -> Phase:
    name = "gradient reduce-scatter"
    return _phase(name, "reduce_scatter", group, ranks, volume.gradient_bytes, times, BACKWARD)


def _phase(name: str, collective: str, group: str, ranks: int, size: float, times: int, when: str) -> Phase:
    return Phase(name, collective, group, ranks, size, times, when)


def _shard_ranks(shard_ranks: int | None, ranks: int) -> int:
    shard = count("shard_ranks", ranks if shard_ranks is None else shard_ranks)
    if ranks % shard:
        message = f"shard_ranks: must divide the {ranks} ranks, and {shard} does not"
        raise InputError(message)
    return shard
