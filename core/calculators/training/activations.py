"""What one layer keeps of a token for backward, operation by operation."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.workload import Attention, Model
from core.workload.transformer.parameters import shape

VALUE_BYTES = 2
"""Of a value that no GEMM reads: residuals, queries, keys, values and inputs of nonlinearities stay BF16."""
OPERAND_BYTES = {"bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "mxfp8": 1.0 + 1 / 32, "nvfp4": 0.5 + 1 / 16}
"""Of a GEMM's input kept for the gradient of its weights, with its scales: kept as the GEMM read it."""
SCORE_BYTES = 5
"""Of an attention score without flash attention: softmax, dropout and its mask (Korthikanti et al. 2022)."""
SELECTIVE_SHARE = 0.7
"""Part of a layer's activations that selective recomputation keeps."""


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


def whole_layer(scenario: Scenario) -> LayerBytes:
    """
    All that a layer's backward needs.

    After Korthikanti et al. 2022 with flash attention and without dropout, whose masks only jobs without
    flash attention (before 2022) are taken to have.
    """
    model = scenario.model
    hidden, heads = shape(model, "hidden", "heads")
    operand = OPERAND_BYTES[scenario.precision]
    stream = 2 * (VALUE_BYTES + operand) * hidden
    inner = _attention_bytes(model, operand) + _mlp_bytes(model, operand)
    if scenario.flash:
        return LayerBytes(stream, inner)
    return LayerBytes(stream + VALUE_BYTES * hidden, inner + SCORE_BYTES * scenario.seq * heads)


def kept_layer(scenario: Scenario) -> LayerBytes:
    """What recomputation leaves of it until backward: all, what selective keeps, or the layer's input."""
    if scenario.recompute == "full":
        return LayerBytes(VALUE_BYTES * shape(scenario.model, "hidden")[0], 0.0)
    whole = whole_layer(scenario)
    if scenario.recompute == "none":
        return whole
    scores = 0.0 if scenario.flash else SCORE_BYTES * scenario.seq * shape(scenario.model, "heads")[0]
    return LayerBytes(whole.stream, whole.inner - scores).times(SELECTIVE_SHARE)


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


def _mlp_bytes(model: Model, operand: float) -> float:
    """The input of the nonlinearity and its output, of every expert that a token visits."""
    ups = 2 if model.gated_mlp else 1
    if not model.moe:
        return (VALUE_BYTES * ups + operand) * (model.ffn or 0)
    inner = (model.active_experts + model.shared_experts) * (model.expert_ffn or 0)
    hidden = shape(model, "hidden")[0]
    copies = (operand + VALUE_BYTES) * model.active_experts * hidden
    return (VALUE_BYTES * ups + operand) * inner + copies
