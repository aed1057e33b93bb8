"""What one layer keeps of a token for backward, operation by operation."""

from dataclasses import dataclass
from functools import reduce

from core.calculators.training.scenario import Scenario
from core.calculators.training.work import attention_share, moe_share
from core.catalog.calibrations import training as constants
from core.parallel.columns import smaller
from core.workload import Attention, Model
from core.workload.transformer.parameters import shape

VALUE_BYTES = 2
"""Of a value that no GEMM reads: residuals, queries, keys, values and inputs of nonlinearities stay BF16."""
OPERAND_BYTES = {"bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "mxfp8": 1.0 + 1 / 32, "nvfp4": 0.5 + 1 / 16}
"""Of a GEMM's input kept for the gradient of its weights, with its scales: kept as the GEMM read it."""
SCORE_BYTES, DROPOUT_BYTES = 2, 3
"""Of an attention score without flash attention: of the softmax; of dropout and its mask, which jobs until
2022 have (Korthikanti et al. 2022). Qwen3 8B with unfused attention holds two bytes for each
(Megatron-Bridge 0.1.0rc4)."""
SELECTIVE_SHARE = 0.7
"""Part of a layer's activations that selective recomputation keeps."""
BY_OPERATION_SHARE = 0.5
"""The same of PyTorch's by operation: 83 GB of 8B on eight H100 (torchtitan, 2024), a quarter logits."""


@dataclass(frozen=True, slots=True)
class LayerBytes:
    """
    Bytes of one token in one layer, before TP divides them.

    Attributes:
        stream: Around the norms: inputs, outputs and masks of dropout, which TP divides only with
            sequence parallelism.
        inner: Of attention and MLP, which TP always divides.
    """

    stream: float
    inner: float

    def times(self, share: float) -> "LayerBytes":
        """So large a part of both."""
        return LayerBytes(share * self.stream, share * self.inner)

    def __add__(self, other: "LayerBytes") -> "LayerBytes":
        """Both."""
        return LayerBytes(self.stream + other.stream, self.inner + other.inner)

    def less(self, other: "LayerBytes") -> "LayerBytes":
        """This without the other."""
        return self + other.times(-1)


def whole_layer(scenario: Scenario) -> LayerBytes:
    """
    All that a layer's backward needs.

    After Korthikanti et al. 2022 with flash attention and without dropout, whose masks only jobs until 2022
    are taken to have.
    """
    model = scenario.model
    [hidden] = shape(model, "hidden")
    operand = OPERAND_BYTES[scenario.precision]
    stream = model.blocks / model.layers * (VALUE_BYTES + operand) * hidden
    inner = attention_share(model) * _attention_bytes(model, operand) + _mlp_bytes(scenario, operand)
    inner += _state_bytes(model, operand)
    dropout = VALUE_BYTES * hidden if _drops_out(scenario) else 0
    return LayerBytes(stream + dropout, inner + _score_bytes(scenario))


def _drops_out(scenario: Scenario) -> bool:
    """Whether the layers have dropout: those of 2022 that keep attention's scores."""
    return not scenario.flash and scenario.kernels == constants.MEGATRON_2022


def _score_bytes(scenario: Scenario) -> float:
    """Of one token's attention scores that a layer keeps."""
    if scenario.flash:
        return 0.0
    each = SCORE_BYTES + (DROPOUT_BYTES if _drops_out(scenario) else 0)
    return each * scenario.seq * shape(scenario.model, "heads")[0]


def kept_layer(scenario: Scenario) -> LayerBytes:
    """What recomputation leaves of it until backward: all, what selective keeps, or the layer's input."""
    whole = whole_layer(scenario)
    if scenario.recompute == "full":
        share = recomputed_share(scenario)
        layer_input = VALUE_BYTES * shape(scenario.model, "hidden")[0]
        return LayerBytes(share * layer_input, 0.0) + whole.times(1 - share)
    if scenario.recompute == "none":
        return whole
    if scenario.recompute_modules:
        dropped = (_dropped(scenario, name) for name in scenario.recompute_modules)
        return reduce(LayerBytes.less, dropped, whole)
    scores = _score_bytes(scenario)
    kept = BY_OPERATION_SHARE if scenario.kernels in constants.PYTORCH else SELECTIVE_SHARE
    return LayerBytes(whole.stream, whole.inner - scores).times(kept)


def recomputed_share(scenario: Scenario) -> float:
    """Part of a stage's layers that full recomputation repeats."""
    if scenario.recompute_layers is None:
        return 1.0
    return smaller(1.0, scenario.recompute_layers * scenario.layout.pp / scenario.model.layers)


def _dropped(scenario: Scenario, module: str) -> LayerBytes:
    """What a layer need not keep where this operation is repeated; of two that overlap, the larger."""
    model = scenario.model
    [hidden] = shape(model, "hidden")
    operand = OPERAND_BYTES[scenario.precision]
    if module == "layernorm":
        return LayerBytes(2 * operand * hidden, 0.0)
    whole_moe = "moe" in scenario.recompute_modules
    experts = moe_share(model) * (model.expert_ffn or 0) * (0 if whole_moe else 1)
    inner = {
        "core_attn": _score_bytes(scenario),
        "mla_up_proj": _projected_bytes(model),
        "mlp": _dense_bytes(model, operand),
        "moe": _moe_bytes(scenario, operand),
        "moe_act": operand * scenario.expert_imbalance * model.active_experts * experts,
        "shared_experts": _hidden_bytes(model, operand) * model.shared_experts * experts,
    }
    return LayerBytes(0.0, inner[module])


def _projected_bytes(model: Model) -> float:
    """Queries, keys and values of latent attention, which its up-projections make of the latents."""
    heads, head_dim = shape(model, "heads", "head_dim")
    key_dim = head_dim + (model.rope_dim or 0)
    return VALUE_BYTES * heads * (2 * key_dim + (model.value_head_dim or head_dim))


def _attention_bytes(model: Model, operand: float) -> float:
    """Queries, keys, values and the output, which the projection reads again in its own format."""
    heads, head_dim = shape(model, "heads", "head_dim")
    value_dim = model.value_head_dim or head_dim
    key_dim = head_dim + (model.rope_dim or 0 if model.attention is Attention.MLA else 0)
    kv_heads = heads if model.attention is Attention.MLA else model.kv_heads or heads
    values = heads * (key_dim + value_dim) + kv_heads * (key_dim + value_dim)
    latent = (model.kv_lora_rank or 0) + (model.q_lora_rank or 0)
    copy = operand if operand < VALUE_BYTES else 0.0
    return VALUE_BYTES * values + operand * latent + copy * heads * value_dim


def _state_bytes(model: Model, operand: float) -> float:
    """Inputs of the convolution, of the scan and of the gate, and what the output projection reads."""
    state = model.state
    if state is None:
        return 0.0
    inner = state.heads * state.value_dim
    convolved = inner + 2 * max(state.groups, 1) * state.key_dim
    return state.layers / model.layers * (VALUE_BYTES * (2 * convolved + 2 * inner) + operand * inner)


def _mlp_bytes(scenario: Scenario, operand: float) -> float:
    """Of a mean layer: of a dense MLP, or of every expert that a token visits."""
    model = scenario.model
    return _dense_bytes(model, operand) + _moe_bytes(scenario, operand)


def _dense_bytes(model: Model, operand: float) -> float:
    return _dense_share(model) * _hidden_bytes(model, operand) * (model.ffn or 0)


def _moe_bytes(scenario: Scenario, operand: float) -> float:
    """Hidden values of the experts, and the tokens as they are dispatched and combined."""
    model = scenario.model
    routed = scenario.expert_imbalance * model.active_experts
    inner = _hidden_bytes(model, operand) * (routed + model.shared_experts) * (model.expert_ffn or 0)
    copies = (operand + VALUE_BYTES) * routed * (model.routed_hidden or 0)
    return moe_share(model) * (inner + copies)


def _dense_share(model: Model) -> float:
    """Layers with a dense MLP, of all."""
    return model.plain_layers / model.layers


def _hidden_bytes(model: Model, operand: float) -> float:
    """Of one hidden value of an MLP: the nonlinearity's inputs, and its output as the GEMM reads it."""
    return VALUE_BYTES * (2 if model.gated_mlp else 1) + operand
