"""The nouns of the work: precision, attention kind, a transformer's shape."""

from dataclasses import dataclass
from enum import StrEnum

from core.provenance import Confidence, Source


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
        layers: All decoder layers; the first ``dense_layers`` of a MoE model are dense.
        head_dim: Width of one key (and value) head; for MLA the nope width.
        value_head_dim: Width of one value head where it differs (MLA).
        kv_lora_rank, rope_dim, q_lora_rank: MLA's latent widths; None elsewhere.
        ffn: Hidden size of a dense layer's gated MLP.
        expert_ffn: Hidden size of one expert; None without experts.
        window: Sliding window in tokens of ``window_layers`` of the layers; None without.
        gated_mlp: Three matrices in an MLP (gate, up, down) instead of two.
        layer_extra_params: Values of a layer beyond matrices and two norms: biases, sinks, q/k norms.
        once_extra_params: Values outside the layers beyond embedding, head and last norm: learned positions.
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
    sources: tuple[Source, ...] = ()
    confidence: Confidence = Confidence.HIGH
    note: str = ""
    yours: bool = False

    @property
    def moe(self) -> bool:
        """True where some layers route tokens to experts."""
        return self.experts > 0
