"""Parameters counted part by part from a model's shape."""

from dataclasses import dataclass
from functools import lru_cache

from core.checks import InputError
from core.workload import Attention, Model

NORMS_PER_LAYER = 2


@dataclass(frozen=True, slots=True)
class Parameters:
    """
    Values of a whole model, by part; every field is a count of values.

    Attributes:
        embedding: Input embedding.
        head: Output projection; 0 where it shares the embedding's weights.
        attention: Projections of all layers.
        attention_replicated: The part of ``attention`` that tensor parallelism does not divide
            (MLA's two down-projections).
        key_value: The part of ``attention`` divided by KV heads, not by heads.
        dense_mlp: MLPs of the dense layers.
        experts, shared_experts, router: MoE layers.
        norms: Norms, sinks, biases outside the MLPs.
    """

    embedding: float
    head: float
    attention: float
    attention_replicated: float
    key_value: float
    dense_mlp: float
    experts: float
    shared_experts: float
    router: float
    norms: float
    active_experts: float

    @property
    def in_layers(self) -> float:
        """All values of the decoder layers."""
        mlp = self.dense_mlp + self.experts + self.shared_experts + self.router
        return self.attention + mlp + self.norms

    @property
    def active_in_layers(self) -> float:
        """Values of the layers that one token meets."""
        return self.in_layers - self.experts + self.active_experts

    @property
    def total(self) -> float:
        """Every value stored."""
        return self.in_layers + self.embedding + self.head

    @property
    def active(self) -> float:
        """Values that one token meets, embeddings included."""
        return self.active_in_layers + self.embedding + self.head

    @property
    def active_without_lookup(self) -> float:
        """Values that one token meets in GEMMs: of an embedding it only looks a row up."""
        return self.active_in_layers + (self.head or self.embedding)

    def by_part(self) -> dict[str, float]:
        """The breakdown in the order it is shown; the parts add up to ``total``."""
        return {
            "embedding": self.embedding,
            "attention": self.attention,
            "dense MLP": self.dense_mlp,
            "experts": self.experts,
            "shared experts": self.shared_experts,
            "router": self.router,
            "norms and biases": self.norms,
            "output head": self.head,
        }


def shape(model: Model, *names: str) -> tuple[int, ...]:
    """The named dimensions of a model, or an InputError that says which one is not known."""
    values = [getattr(model, name) for name in names]
    missing = [name for name, value in zip(names, values, strict=True) if value is None]
    if missing:
        message = f"model {model.id}: {', '.join(missing)} not published; its shape cannot be computed"
        raise InputError(message)
    return tuple(int(value) for value in values)


@lru_cache(maxsize=256)
def parameters(model: Model) -> Parameters:
    """
    Count a model's values from its shape.

    Raises:
        InputError: A dimension is not known (a rumoured model).
    """
    hidden, vocab = shape(model, "hidden", "vocab")
    attention = _attention(model)
    moe_layers = model.layers - model.dense_layers if model.moe else 0
    dense_layers = model.layers - moe_layers
    dense = dense_layers * _mlp(model, "ffn") if dense_layers else 0
    expert = _mlp(model, "expert_ffn") if moe_layers else 0
    layer_norms = NORMS_PER_LAYER * hidden + attention.norms + model.layer_extra_params
    return Parameters(
        embedding=float(vocab * hidden),
        head=0.0 if model.tied_embeddings else float(vocab * hidden),
        attention=float(model.layers * attention.projections),
        attention_replicated=float(model.layers * attention.replicated),
        key_value=float(model.layers * attention.key_value),
        dense_mlp=float(dense),
        experts=float(moe_layers * model.experts * expert),
        shared_experts=float(moe_layers * model.shared_experts * expert),
        router=float(moe_layers * model.experts * hidden),
        norms=float(model.layers * layer_norms + hidden + model.once_extra_params),
        active_experts=float(moe_layers * model.active_experts * expert),
    )


def _mlp(model: Model, width: str) -> int:
    hidden, inner = shape(model, "hidden", width)
    return (3 if model.gated_mlp else 2) * hidden * inner + model.mlp_extra_params


@dataclass(frozen=True, slots=True)
class _AttentionValues:
    """Values of one layer: projections, of them replicated and of keys and values, norms of latents."""

    projections: int
    replicated: int = 0
    key_value: int = 0
    norms: int = 0


def _attention(model: Model) -> _AttentionValues:
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    if model.attention is Attention.MLA:
        latent, rope = shape(model, "kv_lora_rank", "rope_dim")
        value = model.value_head_dim or head_dim
        down = hidden * (latent + rope) + (hidden * model.q_lora_rank if model.q_lora_rank else 0)
        query = (model.q_lora_rank or hidden) * heads * (head_dim + rope)
        up = latent * heads * (head_dim + value)
        out = heads * value * hidden
        norms = latent + (model.q_lora_rank or 0)
        return _AttentionValues(down + query + up + out, replicated=down, norms=norms)
    kv_heads = shape(model, "kv_heads")[0]
    key_value = 2 * hidden * kv_heads * head_dim
    return _AttentionValues(2 * hidden * heads * head_dim + key_value, key_value=key_value)
