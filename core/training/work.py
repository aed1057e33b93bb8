"""What one micro-batch must compute on one GPU: matrix products, attention, and bytes moved between them."""

from dataclasses import dataclass

from core.training.scenario import Scenario
from core.transformer import parameters
from core.transformer.parameters import shape
from core.transformer.work import attention_flop, prefill_batch

ACTIVATION_BYTES = 2.0
PASSES = 16
"""Times a layer's residual stream is read or written outside matrix products in one forward."""
BACKWARD_OVER_FORWARD = 2.0
FLASH_BACKWARD_OVER_FORWARD = 2.5
"""Flash attention computes the scores again in backward (Dao 2023)."""


@dataclass(frozen=True, slots=True)
class Work:
    """
    Forward work of one micro-batch in one layer (a mean over layers) on one GPU.

    Attributes:
        dense_flop: Projections, dense MLP, router and shared experts.
        expert_flop: Routed experts.
        attention_flop: Scores and values, causal.
        moved_bytes: Read or written between the matrix products.
        head_flop: The output projection, on the last stage only.
    """

    dense_flop: float
    expert_flop: float
    attention_flop: float
    moved_bytes: float
    head_flop: float


def work(scenario: Scenario) -> Work:
    """Work of one GPU in one layer and one micro-batch, divided as the layout says."""
    model, layout = scenario.model, scenario.layout
    counted = parameters(model)
    tokens = scenario.tokens_per_gpu / layout.tp
    hidden = shape(model, "hidden")[0]
    batch = prefill_batch(scenario.micro_batch * scenario.seq, scenario.seq)
    attention = float(attention_flop(model, batch)) / (layout.tp * layout.cp)
    shared = counted.active_in_layers - counted.active_experts
    normed = tokens if scenario.sequence_parallel else scenario.tokens_per_gpu
    inner = _inner_width(scenario)
    return Work(
        dense_flop=2 * shared * tokens / model.layers,
        expert_flop=2 * counted.active_experts * tokens / model.layers,
        attention_flop=attention / model.layers,
        moved_bytes=(PASSES * hidden * normed + 3 * inner * tokens) * ACTIVATION_BYTES,
        head_flop=2 * counted.embedding * tokens,
    )


def _inner_width(scenario: Scenario) -> float:
    """Hidden values of the MLP that one token meets, a mean over layers."""
    model = scenario.model
    if not model.moe:
        return float(model.ffn or 0)
    moe = model.layers - model.dense_layers
    routed = (model.active_experts + model.shared_experts) * (model.expert_ffn or 0)
    return (model.dense_layers * (model.ffn or 0) + moe * routed) / model.layers


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
