"""Pools of a serving engine: states of recurrent layers apart from KV blocks, each with a room of its own."""

from dataclasses import dataclass

import numpy as np

from core import checks
from core.workload import Model
from core.workload.transformer import state_page_tokens

STEP_TOKENS = 16
"""Tokens by which attention kernels let a KV block grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePools:
    """
    How an engine parts what weights leave between states and KV blocks.

    Attributes:
        ratio: Memory of states over that of KV blocks, which do not lend to each other; 0: one pool.
        states: Kept for each running request.
        paged: KV blocks are as large as the page of a layer's state, so that both come out of one pool.
    """

    ratio: float = 0.0
    states: int = 1
    paged: bool = False

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

    def block_tokens(self, model: Model, bytes_per_value: float, tp: int) -> int:
        """Tokens of a KV block on each of ``tp`` GPUs: one where states set no size."""
        tokens = state_page_tokens(model, bytes_per_value, tp) if self.paged else 1
        return tokens if tokens == 1 else -(-tokens // STEP_TOKENS) * STEP_TOKENS

    def text(self) -> str:
        """What the pools are, in words."""
        if self.paged:
            return "KV blocks as large as the page of a layer's state, so that a request fills up the last"
        return (
            f"states in a pool of their own, {self.ratio:g} times that of KV blocks, "
            f"{self.states} for each running request"
        )


def _whole(room_bytes: float, each_bytes: float) -> float:
    """How many of these have room: a rounding of the last one does not count."""
    return np.floor(room_bytes / each_bytes * (1 + 1e-12)) if each_bytes > 0 else np.inf
