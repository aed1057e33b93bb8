"""Parameters counted part by part from a model's shape."""

from dataclasses import dataclass
from functools import lru_cache

from core.checks import InputError
from core.workload import Attention, Model


@dataclass(frozen=True, slots=True)
class Parameters:
    """
    Values of a whole model, by part; every field is a count of values.

    Attributes:
        embedding: Input embedding.
        head: Output projection; 0 where it shares the embedding's weights.
        attention: Projections of all layers.
        attention_replicated: The part of ``attention`` that tensor parallelism does not divide
            (MLA's two down-projections, the indexer of sparse attention).
        key_value: The part of ``attention`` divided by KV heads, not by heads.
        indexer: The part of ``attention`` that picks tokens.
        state: Projections of linear-attention or state-space layers.
        state_groups: The part of ``state`` divided by groups, not by heads.
        dense_mlp: MLPs of the dense layers.
        experts, shared_experts, router: MoE layers; the router with what brings tokens to the experts' width.
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
    indexer: float = 0.0
    state: float = 0.0
    state_groups: float = 0.0

    @property
    def in_layers(self) -> float:
        """All values of the decoder layers."""
        mlp = self.dense_mlp + self.experts + self.shared_experts + self.router
        return self.attention + self.state + mlp + self.norms

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
        hybrid = {"indexer": self.indexer, "linear attention and state space": self.state}
        return {
            "embedding": self.embedding,
            "attention": self.attention - self.indexer,
            **{name: values for name, values in hybrid.items() if values},
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
    layers, indexer = model.attention_layers, model.indexer
    attention = _latent(model) if model.attention is Attention.MLA else _by_heads(model)
    picking = indexer.layers * indexer.projections if indexer else 0
    state, states = model.state, model.state.layers if model.state else 0
    dense = model.plain_layers * _mlp(model, "hidden", "ffn") if model.plain_layers else 0
    expert = _mlp(model, "routed_hidden", "expert_ffn") if model.moe_layers else 0
    shared = _mlp(model, "hidden", "expert_ffn") if model.moe_layers else 0
    norms = model.blocks * hidden + layers * attention.norms + model.layers * model.layer_extra_params
    norms += states * state.vectors if state else 0
    norms += indexer.layers * indexer.vectors if indexer else 0
    return Parameters(
        embedding=float(vocab * hidden),
        head=0.0 if model.tied_embeddings else float(vocab * hidden),
        attention=float(layers * attention.projections + picking),
        attention_replicated=float(layers * attention.replicated + picking),
        key_value=float(layers * attention.key_value),
        dense_mlp=float(dense),
        experts=float(model.moe_layers * model.experts * expert),
        shared_experts=float(model.moe_layers * model.shared_experts * shared),
        router=float(model.moe_layers * hidden * (model.experts + 2 * (model.expert_hidden or 0))),
        norms=float(norms + hidden + model.once_extra_params),
        active_experts=float(model.moe_layers * model.active_experts * expert),
        indexer=float(picking),
        state=float(states * state.projections) if state else 0.0,
        state_groups=float(states * state.group_projections) if state else 0.0,
    )


def _mlp(model: Model, outer: str, width: str) -> int:
    hidden, inner = shape(model, outer, width)
    return (3 if model.gated_mlp else 2) * hidden * inner + model.mlp_extra_params


@dataclass(frozen=True, slots=True)
class _AttentionValues:
    """Values of one layer: projections, of them replicated and of keys and values, norms of latents."""

    projections: int
    replicated: int = 0
    key_value: int = 0
    norms: int = 0


def _latent(model: Model) -> _AttentionValues:
    """MLA: down to the latents, up to the heads."""
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    latent, rope = shape(model, "kv_lora_rank", "rope_dim")
    value = model.value_head_dim or head_dim
    down = hidden * (latent + rope) + (hidden * model.q_lora_rank if model.q_lora_rank else 0)
    query = (model.q_lora_rank or hidden) * heads * (head_dim + rope)
    up = latent * heads * (head_dim + value)
    out = heads * value * hidden
    norms = latent + (model.q_lora_rank or 0)
    return _AttentionValues(down + query + up + out, replicated=down, norms=norms)


def _by_heads(model: Model) -> _AttentionValues:
    """MHA and GQA: queries, keys, values, output and, where there is one, its gate."""
    hidden, heads, head_dim, kv_heads = shape(model, "hidden", "heads", "head_dim", "kv_heads")
    key_value = 2 * hidden * kv_heads * head_dim
    inner, rank = heads * head_dim, model.q_lora_rank
    out = (2 if model.gated_attention else 1) * hidden * inner
    down = hidden * rank if rank else 0
    query = rank * inner if rank else hidden * inner
    return _AttentionValues(down + query + out + key_value, replicated=down, key_value=key_value)
