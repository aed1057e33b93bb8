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
from core.workload.transformer.work import attention_flop, prefill_batch, scan_flop

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
        scan_flop: Of layers that keep a state; their projections count as dense.
        operand_bytes: Read and written by the GEMMs.
        residual_values: Values read or written between them in one pass over the residual stream.
        inner_values: Hidden values of the MLP and of attention: activation function, rotary embedding.
        biased_values: Values in and out of routed experts that have biases.
        head_flop, logit_values: The output projection, on the last stage only.
        score_values: Attention scores, the whole square.
        gemms: The dense GEMMs of a forward.
    """

    dense_flop: float
    expert_flop: float
    attention_flop: float
    scan_flop: float
    operand_bytes: float
    residual_values: float
    inner_values: float
    biased_values: float
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
        scan_flop=unwrapped(scan_flop(model, batch)) / (layout.tp * layout.cp) / model.layers,
        operand_bytes=_operand_bytes(scenario),
        residual_values=blocks_of_a_layer(model)
        * hidden
        * (tokens if scenario.sequence_parallel else group_tokens),
        inner_values=tokens * (mlp_width(model) + attention_width(model) + state_width(model)),
        biased_values=tokens * biased_width(model),
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
    queries = (heads + 2 * (model.kv_heads or heads)) * head_dim / layout.tp
    gemms = [
        (attention_share(model), Gemm(rows, hidden, queries)),
        (attention_share(model), Gemm(rows, inner, hidden)),
    ]
    if model.state is not None:
        states, inner = (
            model.state.layers / model.layers,
            model.state.heads * model.state.value_dim / layout.tp,
        )
        width = (model.state.projections / hidden) / layout.tp - inner
        gemms += [(states, Gemm(rows, hidden, width)), (states, Gemm(rows, inner, hidden))]
    if not model.moe:
        ffn, share = (model.ffn or 0) / layout.tp, model.plain_layers / model.layers
        gates = 2 if model.gated_mlp else 1
        gemms += [(share, Gemm(rows, hidden, gates * ffn)), (share, Gemm(rows, ffn, hidden))]
    return tuple(Gemm(share * gemm.rows, share * gemm.inner, share * gemm.columns) for share, gemm in gemms)


def attention_share(model: Model) -> float:
    """Layers with attention, of all."""
    return model.attention_layers / model.layers


def moe_share(model: Model) -> float:
    """Layers that route tokens to experts, of all."""
    return model.moe_layers / model.layers


def blocks_of_a_layer(model: Model) -> float:
    """Blocks that add to the residual stream over the two of a transformer's layer, a mean over layers."""
    return model.blocks / (2 * model.layers)


def mlp_width(model: Model) -> float:
    """Hidden values of the MLP of one token, gate included, a mean over layers."""
    gates = 2 if model.gated_mlp else 1
    routed = (model.active_experts + model.shared_experts) * (model.expert_ffn or 0)
    return gates * (model.plain_layers * (model.ffn or 0) + model.moe_layers * routed) / model.layers


def biased_width(model: Model) -> float:
    """Values that routed experts of a token read and write where they add biases, a mean over layers."""
    if not model.moe or not model.mlp_extra_params:
        return 0.0
    hidden, gates = model.routed_hidden or 0, 2 if model.gated_mlp else 1
    return model.active_experts * (gates * (model.expert_ffn or 0) + hidden) * moe_share(model)


def attention_width(model: Model) -> float:
    """Values of queries, keys and values of one token, a mean over layers."""
    heads, head_dim = shape(model, "heads", "head_dim")
    return attention_share(model) * (heads + 2 * (model.kv_heads or heads)) * head_dim


def state_width(model: Model) -> float:
    """Values of what goes into a scan (values, gate, keys, queries) and comes out, a mean over layers."""
    state = model.state
    if state is None:
        return 0.0
    values = 3 * state.heads * state.value_dim + 2 * max(state.groups, 1) * state.key_dim
    return state.layers * values / model.layers


def _operand_bytes(scenario: Scenario) -> float:
    """Bytes of inputs, outputs and weights of the GEMMs in one layer."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    hidden, heads, head_dim = shape(model, "hidden", "heads", "head_dim")
    size = format_of(scenario.precision).bytes_per_value
    tokens = scenario.tokens_per_gpu
    copies = (
        blocks_of_a_layer(model)
        + model.active_experts * moe_share(model) * (model.routed_hidden or 0) / hidden
    )
    mlp, state = mlp_width(model), state_width(model)
    attended = attention_share(model) * heads * head_dim
    inputs = (
        tokens * hidden * (copies + blocks_of_a_layer(model))
        + tokens * (attended + mlp + state / 3) / layout.tp
    )
    outputs = tokens * (attention_width(model) + mlp + 2 * state / 3) / layout.tp
    outputs = outputs + tokens * hidden * (copies + blocks_of_a_layer(model))
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
    scanned = float(scan_flop(model, batch)) / scenario.seq
    return (6 * matrices + 3 * (2 * causal + scanned)) * scenario.tokens
