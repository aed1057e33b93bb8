"""Work of one micro-batch on one GPU: FLOPs of GEMMs and attention, and bytes moved around them."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.calculators.training.stage_params import expert_shards
from core.calculators.training.wave_quantization import Gemm
from core.catalog import precision as format_of
from core.parallel.columns import unwrapped
from core.workload import Model
from core.workload.transformer import parameters
from core.workload.transformer.parameters import shape
from core.workload.transformer.work import attention_flop, prefill_batch

VALUE_BYTES = 2.0
"""Of one activation between kernels, which stays BF16."""


@dataclass(frozen=True, slots=True)
class Work:
    """
    Forward work of one micro-batch in one layer (a mean over layers) on one GPU.

    Attributes:
        dense_flop: Projections, dense MLP, router and shared experts.
        expert_flop: Routed experts.
        attention_flop: Scores and values, causal.
        operand_bytes: Read and written by the GEMMs.
        residual_values: Values read or written between them in one pass over the residual stream.
        inner_values: Hidden values of the MLP and of attention: activation function, rotary embedding.
        head_flop, logit_values: The output projection, on the last stage only.
        score_values: Attention scores, the whole square.
        gemms: The dense GEMMs of a forward.
    """

    dense_flop: float
    expert_flop: float
    attention_flop: float
    operand_bytes: float
    residual_values: float
    inner_values: float
    head_flop: float
    logit_values: float
    score_values: float
    gemms: tuple[Gemm, ...]


def layer_work(scenario: Scenario) -> Work:
    """Work of one GPU in one layer and one micro-batch, divided by the degrees of the layout."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    group_tokens = scenario.tokens_per_gpu
    tokens = group_tokens / layout.tp
    hidden = shape(model, "hidden")[0]
    batch = prefill_batch(scenario.micro_batch * scenario.seq, scenario.seq)
    attention = unwrapped(attention_flop(model, batch)) / (layout.tp * layout.cp)
    shared = counted.active_in_layers - counted.active_experts
    return Work(
        dense_flop=2 * shared * tokens / model.layers,
        expert_flop=2 * counted.active_experts * tokens / model.layers,
        attention_flop=attention / model.layers,
        operand_bytes=_operand_bytes(scenario),
        residual_values=hidden * (tokens if scenario.sequence_parallel else group_tokens),
        inner_values=tokens * (mlp_width(model) + attention_width(model)),
        head_flop=2 * counted.embedding * tokens,
        logit_values=tokens * (model.vocab or 0),
        score_values=group_tokens * scenario.seq * shape(model, "heads")[0] / (layout.tp * layout.cp),
        gemms=_gemms(scenario),
    )


def _gemms(scenario: Scenario) -> tuple[Gemm, ...]:
    """The dense GEMMs of one layer on one GPU; routed experts have a constant of their own."""
    model, layout = scenario.model, scenario.layout
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    rows = scenario.tokens_per_gpu
    inner = heads * head_dim / layout.tp
    gemms = [Gemm(rows, hidden, attention_width(model) / layout.tp), Gemm(rows, inner, hidden)]
    if not model.moe:
        ffn = (model.ffn or 0) / layout.tp
        gates = 2 if model.gated_mlp else 1
        gemms += [Gemm(rows, hidden, gates * ffn), Gemm(rows, ffn, hidden)]
    return tuple(gemms)


def mlp_width(model: Model) -> float:
    """Hidden values of the MLP of one token, gate included, a mean over layers."""
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


def _operand_bytes(scenario: Scenario) -> float:
    """Bytes of inputs, outputs and weights of the GEMMs in one layer."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    size = format_of(scenario.precision).bytes_per_value
    tokens = scenario.tokens_per_gpu
    routed = model.active_experts if model.moe else 0
    copies = 1 + routed * (model.layers - model.dense_layers) / model.layers
    mlp = mlp_width(model)
    inputs = tokens * 2 * hidden * (copies + 1) / 2 + tokens * (heads * head_dim + mlp) / layout.tp
    outputs = tokens * (attention_width(model) + mlp) / layout.tp + tokens * hidden * (1 + copies)
    weights = (counted.in_layers - counted.experts) / layout.tp
    weights += counted.experts / expert_shards(scenario)
    return size * (inputs + weights / model.layers) + VALUE_BYTES * outputs


def model_flop(scenario: Scenario) -> float:
    """
    Model FLOPs of a step of the whole job, as Megatron-LM and MFU tables count them.

    Six per token and active parameter outside the embedding table, and attention over the whole
    (not the causal) square; no activation recomputation.
    """
    model = scenario.model
    counted = parameters(model)
    matrices = counted.active_in_layers + counted.embedding
    batch = prefill_batch(scenario.seq, scenario.seq)
    causal = float(attention_flop(model, batch)) / scenario.seq
    return (6 * matrices + 3 * 2 * causal) * scenario.tokens
