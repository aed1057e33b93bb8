"""Layers of a model by what they hold: how many attend, how many keep a state, how many have an MLP."""

from collections.abc import Callable
from dataclasses import dataclass

from core.workload import Indexer, StateLayers
from core.workload.config.keys import Keys


@dataclass(frozen=True, slots=True)
class Sizes:
    """The common shape that extras are counted from."""

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int

    @property
    def qkv(self) -> int:
        """Outputs of the query, key and value projections."""
        return (self.heads + 2 * self.kv_heads) * self.head_dim


@dataclass(frozen=True, slots=True)
class Mixers:
    """
    Layers by what they hold, and what attention has beyond the common shape.

    Attributes:
        without_attention, without_mlp: Layers that lack one.
        expert_hidden: Width that routed experts work in, where it is not the stream's.
        extra: Values beyond the matrices and norms of the blocks, all layers together.
    """

    without_attention: int = 0
    without_mlp: int = 0
    state: StateLayers | None = None
    indexer: Indexer | None = None
    gated_attention: bool = False
    expert_hidden: int | None = None
    extra: int = 0


PLAIN = Mixers()
"""Every layer attends to all tokens and has an MLP."""

ReadMixers = Callable[[Keys, int, Sizes], Mixers]
"""From keys, layers and the common sizes."""
