"""What one micro-batch must compute on one GPU: matrix products, attention, and bytes moved around them."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.calculators.training.waves import Product
from core.catalog import precision as format_of
from core.workload import Model
from core.workload.transformer import parameters
from core.workload.transformer.parameters import shape
from core.workload.transformer.work import attention_flop, prefill_batch

VALUE_BYTES = 2.0
"""Activations between kernels stay BF16."""


@dataclass(frozen=True, slots=True)
class Work:
    """
    Forward work of one micro-batch in one layer (a mean over layers) on one GPU.

    Attributes:
        dense_flop: Projections, dense MLP, router and shared experts.
        expert_flop: Routed experts.
        attention_flop: Scores and values, causal.
        operand_bytes: Read and written by the matrix products.
        passing_values: Values read or written between them, per pass over the residual stream.
        inner_values: Hidden values of the MLP and of attention: activation function, rotation.
        head_flop, logit_values: The output projection, on the last stage only.
        score_values: Attention scores, the whole square.
        products: The dense matrix products of a forward.
    """

    dense_flop: float
    expert_flop: float
    attention_flop: float
    operand_bytes: float
    passing_values: float
    inner_values: float
    head_flop: float
    logit_values: float
    score_values: float
    products: tuple[Product, ...]


def work(scenario: Scenario) -> Work:
    """Work of one GPU in one layer and one micro-batch, divided as the layout says."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    whole = scenario.tokens_per_gpu
    tokens = whole / layout.tp
    hidden = shape(model, "hidden")[0]
    batch = prefill_batch(scenario.micro_batch * scenario.seq, scenario.seq)
    attention = float(attention_flop(model, batch)) / (layout.tp * layout.cp)
    shared = counted.active_in_layers - counted.active_experts
    return Work(
        dense_flop=2 * shared * tokens / model.layers,
        expert_flop=2 * counted.active_experts * tokens / model.layers,
        attention_flop=attention / model.layers,
        operand_bytes=_operands(scenario),
        passing_values=hidden * (tokens if scenario.sequence_parallel else whole),
        inner_values=tokens * (mlp_width(model) + attention_width(model)),
        head_flop=2 * counted.embedding * tokens,
        logit_values=tokens * (model.vocab or 0),
        score_values=whole * scenario.seq * shape(model, "heads")[0] / (layout.tp * layout.cp),
        products=_products(scenario),
    )


def _products(scenario: Scenario) -> tuple[Product, ...]:
    """The dense products of one layer on one GPU; routed experts have a constant of their own."""
    model, layout = scenario.model, scenario.layout
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    rows = scenario.tokens_per_gpu
    inner = heads * head_dim / layout.tp
    found = [Product(rows, hidden, attention_width(model) / layout.tp), Product(rows, inner, hidden)]
    if not model.moe:
        wide = (model.ffn or 0) / layout.tp
        gates = 2 if model.gated_mlp else 1
        found += [Product(rows, hidden, gates * wide), Product(rows, wide, hidden)]
    return tuple(found)


def mlp_width(model: Model) -> float:
    """Hidden values of the MLP that one token meets, gate included, a mean over layers."""
    gates = 2 if model.gated_mlp else 1
    if not model.moe:
        return float(gates * (model.ffn or 0))
    moe = model.layers - model.dense_layers
    routed = (model.active_experts + model.shared_experts) * (model.expert_ffn or 0)
    return gates * (model.dense_layers * (model.ffn or 0) + moe * routed) / model.layers


def attention_width(model: Model) -> float:
    """Values of queries, keys and values of one token in one layer."""
    heads, head_dim = shape(model, "heads", "head_dim")
    return float((heads + 2 * (model.kv_heads or heads)) * head_dim)


def _operands(scenario: Scenario) -> float:
    """Bytes of inputs, outputs and weights of the products in one layer."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    size = format_of(scenario.precision).bytes_per_value
    whole = scenario.tokens_per_gpu
    routed = model.active_experts if model.moe else 0
    copies = 1 + routed * (model.layers - model.dense_layers) / model.layers
    inputs = whole * 2 * hidden * (copies + 1) / 2 + whole * (heads * head_dim + mlp_width(model)) / layout.tp
    outputs = whole * (attention_width(model) + mlp_width(model)) / layout.tp + whole * hidden * (1 + copies)
    held = (counted.in_layers - counted.experts) / layout.tp
    held += counted.experts / (layout.ep if layout.ep > 1 else layout.tp)
    return size * (inputs + held / model.layers) + VALUE_BYTES * outputs


def model_flop(scenario: Scenario) -> float:
    """
    Model FLOPs of a step of the whole job, as Megatron-LM and MFU tables count them.

    Six per active parameter outside the embedding table and token, and attention over the whole
    (not the causal) square; nothing that is computed twice.
    """
    model = scenario.model
    counted = parameters(model)
    matrices = counted.active_in_layers + counted.embedding
    batch = prefill_batch(scenario.seq, scenario.seq)
    causal = float(attention_flop(model, batch)) / scenario.seq
    return (6 * matrices + 3 * 2 * causal) * scenario.tokens
