"""What a traced step sends beside what calculated ones do: calls and bytes by parallelism and operation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.calculators.training import StepCalls
from core.job.explain import Explanation
from core.job.message_sizes import PRICED_AS
from core.job.traffic import traffic
from core.units import format_memory

ALIKE = 0.1
"""Bytes that differ by less are called the same."""
_REASONS = {
    "TP": "sequence parallelism, recomputation and the tokens of a micro-batch decide it",
    "CP": "how keys and values are passed on, and how many heads have them, decide it",
    "EP": "the calculator counts what leaves a GPU under even routing, a trace all that the tensors hold",
    "PP": "a trace counts sends and receives, the calculator sends of the slowest stage",
    "DP": "the data types of gradients and parameters, their sharding and accumulation decide it",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """
    Calls and bytes in a step of one GPU.

    Attributes:
        calls: None where not told.
        bytes: As nccl-tests counts them; None where not told.
    """

    calls: float | None
    bytes: float | None


@dataclass(frozen=True, slots=True)
class SentBeside:
    """
    One kind of call, traced and calculated.

    Attributes:
        parallelism: TP, PP, DP, EP, CP or unknown.
        operation: As the model prices it: a send or receive is a ``send_recv``, a dispatch an ``all_to_all``.
        traced: None where the trace has no such call.
        calculated: In each calculated step; None where that has no such call.
    """

    parallelism: str
    operation: str
    traced: Sent | None
    calculated: tuple[Sent | None, ...]


def sent_beside(told: Explanation, steps: Sequence[Sequence[StepCalls]]) -> tuple[SentBeside, ...]:
    """
    Calls of a traced step with those of calculated ones, the traced kinds of parallelism first.

    Args:
        told: The job explained.
        steps: What ``step_calls`` gives, a calculated step each.
    """
    traced = _sums(
        (part.kind.parallelism, part.kind.operation, Sent(part.calls, part.bytes)) for part in traffic(told)
    )
    calculated = [
        _sums((part.parallelism, part.operation, Sent(part.calls, part.bytes)) for part in step)
        for step in steps
    ]
    keys = dict.fromkeys(key for table in (traced, *calculated) for key in table)
    order = list(dict.fromkeys(parallelism for parallelism, _ in keys))
    return tuple(
        SentBeside(*key, traced.get(key), tuple(table.get(key) for table in calculated))
        for key in sorted(keys, key=lambda key: order.index(key[0]))
    )


def differences(rows: Sequence[SentBeside]) -> tuple[str, ...]:
    """Where trace and first calculated step send other amounts, and what may be why: a sentence each."""
    lines = []
    for name in dict.fromkeys(row.parallelism for row in rows):
        own = [row for row in rows if row.parallelism == name]
        traced = _whole([row.traced for row in own])
        calculated = _whole([row.calculated[0] for row in own])
        if name not in _REASONS or traced is None or calculated is None:
            continue
        if abs(traced - calculated) <= ALIKE * max(traced, calculated):
            continue
        if not traced or not calculated:
            side, amount = ("calculated", calculated) if calculated else ("traced", traced)
            lines.append(f"Only the {side} step sends for {name}: {format_memory(amount)}.")
            continue
        lines.append(
            f"{name} sends {format_memory(traced)} in a traced step and {format_memory(calculated)} in the "
            f"calculated one: {_REASONS[name]}."
        )
    return tuple(lines)


def _sums(parts: Iterable[tuple[str, str, Sent]]) -> dict[tuple[str, str], Sent]:
    """Calls and bytes by parallelism and priced operation; unknown where a part of them is."""
    sums: dict[tuple[str, str], Sent] = {}
    for parallelism, operation, sent in parts:
        key = parallelism, PRICED_AS.get(operation, operation)
        before = sums.get(key, Sent(0.0, 0.0))
        sums[key] = Sent(_added(before.calls, sent.calls), _added(before.bytes, sent.bytes))
    return sums


def _added(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second


def _whole(entries: Sequence[Sent | None]) -> float | None:
    """Bytes of all entries, those that are missing none; None where some entry does not tell its own."""
    told = [entry.bytes for entry in entries if entry is not None]
    amounts = [amount for amount in told if amount is not None]
    return sum(amounts) if len(amounts) == len(told) else None
