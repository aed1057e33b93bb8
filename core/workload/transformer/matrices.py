"""The matrices of a step by shape: what one GPU of a tensor-parallel group multiplies, and how often."""

from dataclasses import dataclass
from functools import lru_cache

from core.workload import Attention, Model
from core.workload.transformer.kv import kv_heads_per_gpu
from core.workload.transformer.parameters import parameters, shape
from core.workload.transformer.work import projected_values

PROJECTIONS, MLP = "projections", "mlp"


@dataclass(frozen=True, slots=True)
class Matrix:
    """
    Weights of one shape on one GPU.

    Attributes:
        part: ``projections`` (attention and state) or ``mlp`` (dense MLPs, shared experts, router).
        count: How many of them a step multiplies, all layers.
        outputs, inputs: Features.
    """

    part: str
    count: float
    outputs: float
    inputs: float

    @property
    def values(self) -> float:
        """Values of all of them."""
        return self.count * self.outputs * self.inputs


@lru_cache(maxsize=1024)
def matrices(model: Model, tp: int) -> tuple[Matrix, ...]:
    """
    Matrices of all layers, those fused that engines fuse: queries with keys and values, gate with up.

    What a shape does not tell apart (layers that keep a state, an indexer, a gate of attention) counts as one
    matrix a layer with the hidden size as its inputs, so that the values are those of ``parameters``.
    """
    hidden = shape(model, "hidden")[0]
    attention = _latent(model, tp) if model.attention is Attention.MLA else _by_heads(model, tp)
    rest = float(projected_values(model, tp)) - sum(matrix.values for matrix in attention)
    layers = model.attention_layers + (model.state.layers if model.state else 0)
    other = (Matrix(PROJECTIONS, layers, rest / layers / hidden, hidden),) if rest > hidden * layers else ()
    return (*attention, *other, *_mlps(model, tp))


def _by_heads(model: Model, tp: int) -> tuple[Matrix, ...]:
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    inner, layers, rank = heads * head_dim / tp, model.attention_layers, model.q_lora_rank
    shared = 2 * float(kv_heads_per_gpu(model, tp)) * head_dim
    out = Matrix(PROJECTIONS, layers, hidden, inner)
    if rank is None:
        return Matrix(PROJECTIONS, layers, inner + shared, hidden), out
    first = Matrix(PROJECTIONS, layers, rank + shared, hidden)
    return first, Matrix(PROJECTIONS, layers, inner, rank), out


def _latent(model: Model, tp: int) -> tuple[Matrix, ...]:
    """MLA: down to the latents, up to queries, the latent to keys and values of the heads, output."""
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    latent, rope = shape(model, "kv_lora_rank", "rope_dim")
    value, layers, rank = model.value_head_dim or head_dim, model.attention_layers, model.q_lora_rank
    queries = heads * (head_dim + rope) / tp
    return (
        Matrix(PROJECTIONS, layers, latent + rope + (rank or 0), hidden),
        Matrix(PROJECTIONS, layers, queries, rank or hidden),
        Matrix(PROJECTIONS, layers, heads * (head_dim + value) / tp, latent),
        Matrix(PROJECTIONS, layers, hidden, heads * value / tp),
    )


def _mlps(model: Model, tp: int) -> tuple[Matrix, ...]:
    counted, hidden = parameters(model), shape(model, "hidden")[0]
    gates = 2 if model.gated_mlp else 1
    widths = (
        (model.plain_layers, (model.ffn or 0) / tp if counted.dense_mlp else 0.0),
        (model.moe_layers, model.shared_experts * (model.expert_ffn or 0) / tp),
    )
    layers = [
        Matrix(MLP, count, *sizes)
        for count, width in widths
        if count and width
        for sizes in ((gates * width, hidden), (hidden, width))
    ]
    if model.moe_layers:
        layers.append(Matrix(MLP, model.moe_layers, counted.router / model.moe_layers / hidden, hidden))
    return tuple(layers)
