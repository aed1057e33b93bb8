"""Pools of a serving engine: states of recurrent layers apart from KV blocks, each with a room of its own."""

from dataclasses import dataclass

import numpy as np

from core import checks


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePools:
    """
    How an engine parts what weights leave between states and KV blocks.

    Attributes:
        ratio: Memory of states over that of KV blocks, which do not lend to each other; 0: one pool.
        states: Kept for each running request.
    """

    ratio: float = 0.0
    states: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be parted; raises InputError naming the argument."""
        checks.number("state_ratio", self.ratio, least=0)
        checks.count("state_slots", self.states)

    def most_requests(self, room_bytes: float, kv_bytes: float, state_bytes: float) -> float:
        """Requests of such a KV cache and such a state that the room holds; infinite of no bytes."""
        room = max(room_bytes, 0.0)
        if not self.ratio or not state_bytes:
            return _whole(room, kv_bytes + state_bytes)
        blocks = room / (1 + self.ratio)
        return min(_whole(blocks, kv_bytes), _whole(blocks * self.ratio, state_bytes * self.states))

    def text(self) -> str:
        """What the pools are, in words."""
        return (
            f"states in a pool of their own, {self.ratio:g} times that of KV blocks, "
            f"{self.states} for each running request"
        )


def _whole(room_bytes: float, each_bytes: float) -> float:
    """How many of these have room: a rounding of the last one does not count."""
    return np.floor(room_bytes / each_bytes * (1 + 1e-12)) if each_bytes > 0 else np.inf
