"""The nouns of the work: precision, attention kind, a transformer's shape."""

from dataclasses import dataclass
from enum import StrEnum

from core.provenance import Confidence, Source
from core.workload.recurrent import Indexer, StateLayers


class Attention(StrEnum):
    """How keys and values are kept."""

    MHA = "MHA"
    GQA = "GQA"
    MLA = "MLA"


@dataclass(frozen=True, slots=True)
class Precision:
    """
    A number format: value bits, and the block scale that some formats carry.

    ``bytes_per_value`` counts both, so NVFP4 is 4 + 8/16 = 4.5 bits. ``weight_only`` formats are widened
    in the GEMM: nothing else is kept in them.
    """

    id: str
    name: str
    bits: float
    scale_bits: float = 0.0
    block: int = 1
    weight_only: bool = False

    @property
    def bytes_per_value(self) -> float:
        """Bytes of one value with its share of the block scale."""
        return (self.bits + self.scale_bits / self.block) / 8


@dataclass(frozen=True, slots=True)
class Model:
    """
    A transformer's shape with its source.

    Attributes:
        layers: All decoder layers; ``dense_layers`` of those with an MLP are dense.
        layers_without_attention, layers_without_mlp: Of hybrid models, whose layers differ.
        state: Linear-attention or state-space layers; None where every layer keeps keys and values.
        indexer: What picks the tokens of sparse attention; None where all are attended to.
        gated_attention: A gate of the width of all heads scales what attention puts out.
        head_dim: Width of one key (and value) head; for MLA the nope width.
        value_head_dim: Width of one value head where it differs (MLA).
        kv_lora_rank, rope_dim: MLA's latent widths; None elsewhere.
        q_lora_rank: Width that queries are brought down to first; None where they come from the stream.
        ffn: Hidden size of a dense layer's gated MLP.
        expert_ffn: Hidden size of one expert; None without experts.
        expert_hidden: Width that tokens are brought to before routed experts and from afterwards; None where
            experts work on the residual stream itself.
        window: Sliding window in tokens of ``window_layers`` of the layers; None without.
        gated_mlp: Three matrices in an MLP (gate, up, down) instead of two.
        layer_extra_params: Values of a layer beyond matrices and two norms: biases, sinks, q/k norms.
        once_extra_params: Values beyond all of that, once a model: learned positions, norms of some layers.
        mlp_extra_params: Biases of one dense MLP or of one expert.
        params, active_params: Published or recomputed totals; recomputed where the shape allows.
    """

    id: str
    name: str
    layers: int
    dense_layers: int
    hidden: int | None
    heads: int | None
    kv_heads: int | None
    head_dim: int | None
    attention: Attention | None
    ffn: int | None
    vocab: int | None
    params: float
    active_params: float
    published_params: str
    value_head_dim: int | None = None
    kv_lora_rank: int | None = None
    rope_dim: int | None = None
    q_lora_rank: int | None = None
    expert_ffn: int | None = None
    experts: int = 0
    shared_experts: int = 0
    active_experts: int = 0
    window: int | None = None
    window_layers: int = 0
    tied_embeddings: bool = False
    gated_mlp: bool = True
    layer_extra_params: int = 0
    mlp_extra_params: int = 0
    once_extra_params: int = 0
    layers_without_attention: int = 0
    layers_without_mlp: int = 0
    state: StateLayers | None = None
    indexer: Indexer | None = None
    gated_attention: bool = False
    expert_hidden: int | None = None
    sources: tuple[Source, ...] = ()
    confidence: Confidence = Confidence.HIGH
    note: str = ""
    yours: bool = False

    @property
    def moe(self) -> bool:
        """True where some layers route tokens to experts."""
        return self.experts > 0

    @property
    def attention_layers(self) -> int:
        """Layers that keep keys and values of every token."""
        return self.layers - self.layers_without_attention

    @property
    def moe_layers(self) -> int:
        """Layers that route tokens to experts."""
        return self.layers - self.layers_without_mlp - self.dense_layers if self.moe else 0

    @property
    def routed_hidden(self) -> int | None:
        """Width of a token on its way to an expert and back."""
        return self.expert_hidden or self.hidden

    @property
    def plain_layers(self) -> int:
        """Layers with a dense MLP."""
        return self.layers - self.layers_without_mlp - self.moe_layers

    @property
    def blocks(self) -> int:
        """Attention, state and MLP blocks: each adds to the residual stream behind a norm of its own."""
        states = self.state.layers if self.state else 0
        return self.attention_layers + states + self.layers - self.layers_without_mlp
