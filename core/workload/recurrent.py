"""Layers that keep a state of constant size, and the indexer of attention that picks its tokens."""

from dataclasses import dataclass
from enum import StrEnum


class Recurrence(StrEnum):
    """How a layer updates its state."""

    MAMBA = "Mamba"
    MAMBA2 = "Mamba-2"
    GATED_DELTA = "gated delta net"
    KIMI_DELTA = "Kimi delta attention"
    LIGHTNING = "lightning attention"
    SHORT_CONVOLUTION = "short convolution"


DELTA_RULES = (Recurrence.GATED_DELTA, Recurrence.KIMI_DELTA)
"""Kinds that read the state before they correct it."""


@dataclass(frozen=True, slots=True)
class StateLayers:
    """
    Linear-attention or state-space layers, all of one shape.

    A sequence keeps, in each of them, ``heads`` matrices of ``key_dim`` x ``value_dim`` and the last
    inputs of a short convolution, however long it is.

    Attributes:
        layers: How many layers are of this kind.
        heads: Heads of the state; tensor parallelism divides them.
        key_dim: Rows of a head's state: the state size of Mamba, the key's width of linear attention.
        value_dim: Columns of a head's state.
        groups: Groups that share keys (B and C of Mamba); more GPUs than groups keep copies.
        conv_kernel: Taps of the convolution; 0 without one.
        projections: Values of the matrices of one layer.
        group_projections: The part of ``projections`` divided by groups, not by heads.
        vectors: Values of one layer beyond matrices and its norm before: taps, decay, gates' norms.
        state_value_bytes, conv_value_bytes: Bytes of one value of the state and of the convolution's inputs.
    """

    kind: Recurrence
    layers: int
    heads: int
    key_dim: int
    value_dim: int
    groups: int
    conv_kernel: int
    projections: int
    group_projections: int
    vectors: int
    state_value_bytes: float = 4.0
    conv_value_bytes: float = 2.0

    @property
    def head_values(self) -> int:
        """Values of one head's state."""
        return self.key_dim * self.value_dim


@dataclass(frozen=True, slots=True)
class Indexer:
    """
    DeepSeek sparse attention's indexer: small heads that pick the tokens that attention reads.

    Attributes:
        layers: Attention layers with an indexer of their own; others read what one of those picked.
        heads, head_dim: Of the indexer; its one key a token is cached in 8 bits, scaled in blocks.
        tokens: Tokens picked for every query.
        projections: Values of its matrices in one layer, whole on every GPU.
        vectors: Values of its norm in one layer.
    """

    layers: int
    heads: int
    head_dim: int
    tokens: int
    projections: int
    vectors: int
