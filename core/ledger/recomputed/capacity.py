"""Weights, memory and decode floors of a domain, from the capacity calculator; SI."""

from core.calculators.capacity import Scenario, boundary, minimum_gpus, weight_bytes
from core.calculators.capacity import capacity as lay
from core.catalog import model, precision, system
from core.units import GB, converted
from core.workload.transformer import parameters

RUMOUR, RUMOUR_ACTIVE = 1.8e12, 280e9


def memory(system_id: str, gpu_gb: float | None = None) -> float:
    """Memory of a whole domain; with ``gpu_gb`` that of each GPU replaced."""
    hbm = converted(gpu_gb, GB)
    return lay(Scenario(system(system_id), params=0, hbm_bytes=hbm)).total_bytes


def weights(params: float, fmt: str) -> float:
    """Weights in a format, block scales included."""
    return weight_bytes(params, precision(fmt))


def fewest_gpus(params: float, fmt: str, gpu_gb: float) -> float:
    """GPUs whose whole memory holds the weights."""
    return float(minimum_gpus(weights(params, fmt), gpu_gb * GB))


def per_gpu(params: float, fmt: str, gpus: int) -> float:
    """Weights of each GPU when all share them."""
    return weights(params, fmt) / gpus


def weights_per_gpu(model_id: str, system_id: str, tp: int) -> float:
    """FP8 weights that each GPU of a tensor-parallel group holds."""
    scenario = Scenario(system(system_id), model(model_id), weights=precision("fp8"), gpus=tp, tp=tp)
    return lay(scenario).weights_bytes_per_gpu


def dense_floor_s(params: float, fmt: str, system_id: str, gpus: int | None = None) -> float:
    """Seconds to read every weight once from all memories."""
    return lay(Scenario(system(system_id), params=params, weights=precision(fmt), gpus=gpus)).dense_floor_s


def active_floor_s() -> float:
    """Seconds to read what one token of the rumoured 1.8T model needs, FP4, on an NVL72."""
    scenario = Scenario(
        system("gb200-nvl72"), params=RUMOUR, active_params=RUMOUR_ACTIVE, weights=precision("fp4")
    )
    return lay(scenario).decode_floor_s


def tokens_per_s(params: float, fmt: str, system_id: str) -> float:
    """Tokens a second of one sequence at that floor."""
    return 1 / dense_floor_s(params, fmt, system_id)


def largest_params(system_id: str, fmt: str, gpu_gb: float) -> float:
    """Parameters that fill all memory, nothing else kept."""
    scenario = Scenario(
        system(system_id), params=0, weights=precision(fmt), hbm_bytes=gpu_gb * GB, usable=1.0
    )
    return lay(scenario).largest_params


def share_of_memory(params: float, fmt: str, system_id: str, gpu_gb: float) -> float:
    """Weights as a share of a domain's memory."""
    return weights(params, fmt) / memory(system_id, gpu_gb)


def domains_for(params: float, fmt: str, system_id: str) -> float:
    """Domains whose memory the weights fill."""
    return weights(params, fmt) / memory(system_id)


def peak_flop_per_s(system_id: str, gpus: int) -> float:
    """Dense FP8 peak of so many GPUs."""
    return gpus * (system(system_id).gpu.fp8_flop_per_s or 0.0)


def expert_layer_bytes(model_id: str) -> float:
    """Routed experts of one MoE layer in FP8."""
    config = model(model_id)
    return weights(parameters(config).experts / (config.layers - config.dense_layers), "fp8")


def boundary_bytes(model_id: str, what: str) -> float:
    """Bytes of a token over a pipeline ``boundary`` or in one layer's ``exchange``, or their ``ratio``."""
    config = model(model_id)
    edge = boundary(config.hidden or 0, config.active_experts)
    return {"boundary": edge.boundary_bytes, "exchange": edge.exchange_bytes, "ratio": edge.ratio}[what]
