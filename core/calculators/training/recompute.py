"""What activation recomputation repeats in backward: seconds of compute, and communication."""

from dataclasses import dataclass

from core.calculators.training.activations import recomputed_share
from core.calculators.training.scenario import Scenario
from core.calculators.training.work import VALUE_BYTES, Work, mlp_width
from core.catalog.calibrations import training as constants
from core.parallel.columns import where
from core.workload.transformer import parameters
from core.workload.transformer.parameters import shape

NORM_PASSES = 4.0
"""Two norms read the residual stream once and write it once."""
EVERY_OTHER = 0.5
"""Of a layer without attention: PyTorch's selective recomputation by operation (torchtitan) keeps every
second GEMM and what attention and collectives returned, and repeats the rest."""
HALF_OF_TENSOR = 0.5
"""Of a layer's TP communication: what belongs to its MLP."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Parts of a layer's forward communication that backward repeats, by kind of parallelism."""

    tensor: float
    expert: float
    context: float


@dataclass(frozen=True, slots=True)
class ForwardTime:
    """
    Seconds of a layer's forward that recomputation repeats parts of.

    Attributes:
        layer_s: All of it.
        attention_s: Scores and values.
        dense_flop_per_s, expert_flop_per_s: Of its GEMMs, of those of routed experts.
        bytes_per_s: Memory bandwidth reached.
    """

    layer_s: float
    attention_s: float
    dense_flop_per_s: float
    expert_flop_per_s: float
    bytes_per_s: float


def repeated(scenario: Scenario) -> Repeated:
    """Communication that is repeated with the layers or operations."""
    if scenario.recompute == "full":
        share = recomputed_share(scenario)
        return Repeated(share, share, share)
    modules = scenario.recompute_modules if scenario.recompute == "selective" else ()
    return Repeated(
        tensor=HALF_OF_TENSOR if "mlp" in modules else 0.0,
        expert=1.0 if "moe" in modules else 0.0,
        context=1.0 if "core_attn" in modules else 0.0,
    )


def recompute_s(scenario: Scenario, work: Work, forward: ForwardTime) -> float:
    """Seconds of compute that one layer's backward repeats of its forward, for one micro-batch."""
    if scenario.recompute == "none":
        return 0.0
    if scenario.recompute == "full":
        return recomputed_share(scenario) * forward.layer_s
    if _by_operation(scenario):
        return EVERY_OTHER * (forward.layer_s - forward.attention_s)
    if not scenario.recompute_modules:
        return forward.attention_s
    return sum(_module_s(scenario, name, work, forward) for name in scenario.recompute_modules)


def launched_again(scenario: Scenario, again_s: float, forward_s: float) -> float:
    """Share of a layer's forward that backward launches again: by operation half, whatever each takes."""
    return EVERY_OTHER if _by_operation(scenario) else again_s / forward_s


def _by_operation(scenario: Scenario) -> bool:
    selective = scenario.recompute == "selective" and not scenario.recompute_modules
    return selective and scenario.kernels in constants.PYTORCH


def _module_s(scenario: Scenario, module: str, work: Work, forward: ForwardTime) -> float:
    if module == "core_attn":
        return forward.attention_s
    if module == "layernorm":
        return NORM_PASSES * VALUE_BYTES * work.residual_values / forward.bytes_per_s
    if "moe" in scenario.recompute_modules and module in {"moe_act", "shared_experts"}:
        return 0.0
    gemm_s = _gemm_flop(scenario, module) / forward.dense_flop_per_s
    if module == "moe":
        gemm_s += work.expert_flop / forward.expert_flop_per_s
    return gemm_s + VALUE_BYTES * _inner_values(scenario, module) / forward.bytes_per_s


def _gemm_flop(scenario: Scenario, module: str) -> float:
    """FLOPs of an operation's dense GEMMs in one layer on one GPU, a mean over layers."""
    model = scenario.model
    counted = parameters(model)
    values = {
        "mlp": counted.dense_mlp,
        "moe": counted.shared_experts + counted.router,
        "shared_experts": counted.shared_experts,
        "mla_up_proj": _up_projections(scenario),
    }
    return 2 * values.get(module, 0.0) * scenario.tokens_per_gpu / scenario.layout.tp / model.layers


def _up_projections(scenario: Scenario) -> float:
    """Values of all layers' up-projections of latent attention."""
    model = scenario.model
    heads, head_dim = shape(model, "heads", "head_dim")
    query = (model.q_lora_rank or 0) * (head_dim + (model.rope_dim or 0))
    key_value = (model.kv_lora_rank or 0) * (head_dim + (model.value_head_dim or head_dim))
    return float(model.layers * heads * (query + key_value))


def _inner_values(scenario: Scenario, module: str) -> float:
    """Values read and written around those GEMMs and by nonlinearities, in one layer on one GPU."""
    model = scenario.model
    tokens = scenario.tokens_per_gpu / scenario.layout.tp
    if module == "mla_up_proj":
        heads, head_dim = shape(model, "heads", "head_dim")
        return tokens * heads * 2 * (head_dim + (model.rope_dim or 0))
    if module == "shared_experts":
        return tokens * model.shared_experts * (model.expert_ffn or 0)
    return where(module in {"mlp", "moe", "moe_act"}, constants.INNER_PASSES * tokens * mlp_width(model), 0.0)
