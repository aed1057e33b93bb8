"""Our values for the ledger: each a few words over the functions that the calculators use."""

from core import catalog
from core.collective import Scenario as Collective
from core.collective import sweep
from core.collectives import ALGORITHMS, busbw_factor
from core.collectives.nccl_protocols import ring_envelope
from core.gradient_sync import Volume, efficiencies, phases, wire_bytes
from core.gradient_sync.compare import payload_s
from core.hardware import Hop, System
from core.money import loss, payback_months
from core.nvl72 import boundary, fabric_figures, minimum_gpus, ports, weight_bytes
from core.provenance import Origin
from core.rates import Rates
from core.systems import configure, custom_system, outer_hop
from core.tensor_parallel import Scenario as TensorParallel
from core.tensor_parallel import answer as tensor_parallel
from core.tensor_parallel import required_bytes_per_s, valid_degrees
from core.tensor_parallel.answer import Totals
from core.transformer import parameters
from core.units import GB, TB, US

LLAMA_70B = catalog.model("llama-3.1-70b")
LLAMA_405B = catalog.model("llama-3.1-405b")
TOKEN_BYTES = float((LLAMA_70B.hidden or 0) * 2)
"""One token's activations of the 70B model in 16 bits."""


def one_way(link: str) -> float:
    """GB/s of a link, one way."""
    rate = catalog.link(link).rate
    return rate.bytes_per_s / GB if rate else 0.0


def both_ways(link: str) -> float:
    """GB/s of a link, both directions added up."""
    return 2 * one_way(link)


def scale_up(gpu: str) -> float:
    """GB/s of a GPU's links, both directions added up."""
    quoted = catalog.gpu(gpu).scale_up
    return 2 * quoted.bytes_per_s / GB if quoted else 0.0


def memory(gpu: str) -> float:
    """GB/s of a GPU's memory."""
    return catalog.gpu(gpu).memory_rate.bytes_per_s / GB


def nic_share(system: str) -> float:
    """GB/s one way that each GPU has on the network when all send."""
    hop = outer_hop(configure(catalog.system(system), domains=2), catalog.system(system).domain_gpus)
    return hop.bytes_per_s / GB if hop else 0.0


def copy_s(size_bytes: float, gbps: float) -> float:
    """Seconds of a copy at a rate, latency left out."""
    hop = Hop(0.0, gbps * GB)
    return float(ALGORITHMS["send_recv", "direct"].function(size_bytes, 2, hop).total_s)


def ring_us(size_bytes: float, gbps: float, alpha_us: float = 0.0, ranks: int = 8) -> float:
    """Microseconds of a ring all-reduce at a one-way rate and a latency a step."""
    hop = Hop(alpha_us * US, gbps * GB)
    return float(ALGORITHMS["all_reduce", "ring"].function(size_bytes, ranks, hop).total_s) / US


def nvls_us(size_bytes: float, gbps: float, ranks: int = 8) -> float:
    """Microseconds of an ideal in-switch all-reduce, latency left out."""
    hop = Hop(0.0, gbps * GB)
    return float(ALGORITHMS["all_reduce", "nvls"].function(size_bytes, ranks, hop).total_s) / US


def factor(ranks: int) -> float:
    """Messages that a ring all-reduce puts on each wire."""
    return float(busbw_factor("all_reduce", ranks))


def layer_params() -> float:
    """Parameters of one layer of the 70B model."""
    return parameters(LLAMA_70B).in_layers / LLAMA_70B.layers


def layer_us(tp: int, gbps: float = 450.0, alpha_us: float = 1.0) -> Totals:
    """The sources' layer: 875 million parameters in FP8, batch 32, latency once an operation."""
    wire = Rates(Origin.SPEC, latency_s=alpha_us * US, latency_per="operation", bytes_per_s=gbps * GB)
    asked = TensorParallel(
        model=LLAMA_70B,
        system=catalog.system("dgx-h100"),
        tokens=32,
        tp=tp,
        weights=catalog.precision("fp8"),
        mfu=1.0,
        hbm_efficiency=1.0,
        params_per_layer=875e6,
        rates=wire,
        algorithm="ring",
    )
    return tensor_parallel(asked).per_layer


def by_both_ways_us(both_gbps: float, messages: int = 1) -> float:
    """Microseconds of one token's all-reduces in the sources' convention."""
    asked = Collective(_machine(both_gbps / 2), "all_reduce", 8, rates=Rates(Origin.PUBLISHED))
    return messages * float(sweep(asked, [TOKEN_BYTES]).time_s[0]) / US


def gradient_s(gbps: float) -> float:
    """Seconds of gradient bytes once, over both directions: 280 GB."""
    return payload_s(_machine(gbps), 280e9)


def _machine(one_way_gbps: float) -> System:
    return custom_system("h100-sxm", domain_gpus=8, scale_up_bytes_per_s=one_way_gbps * GB)


def nccl_us(size_bytes: float) -> float:
    """Microseconds that NCCL's own constants give a ring of eight H100."""
    return float(ring_envelope("all_reduce", size_bytes, 8, 20.6 * 18 * GB).cost.total_s) / US


def implied_us(size_bytes: float, busbw_gbps: float) -> float:
    """Microseconds that a printed bus bandwidth of eight GPUs implies."""
    return float(busbw_factor("all_reduce", 8)) * size_bytes / (busbw_gbps * GB) / US


def traffic_gbps(message_bytes: float, layers: int, steps_per_s: float) -> float:
    """GB/s of payload that messages of every layer and step need."""
    return required_bytes_per_s(message_bytes, layers, steps_per_s, ranks=8).payload_bytes_per_s / GB


def ddp_gb(params: float, grad_bytes: float, ranks: int = 8) -> float:
    """GB that each GPU of a DDP ring sends in a step."""
    size = params * grad_bytes
    return wire_bytes(phases("ddp", Volume(size, size), ranks)) / GB


def weights_gb(params: float, fmt: str) -> float:
    """GB of weights in a format."""
    return weight_bytes(params, catalog.precision(fmt)) / GB


def fewest_gpus(params: float, fmt: str, hbm_gb: float) -> float:
    """GPUs whose memory holds the weights."""
    return float(minimum_gpus(weight_bytes(params, catalog.precision(fmt)), hbm_gb * GB))


def aggregate_tbps(gpus: int, both_gbps: float) -> float:
    """TB/s of all GPUs, both ways."""
    return fabric_figures(gpus, both_gbps / 2 * GB, TB).aggregate_both_ways_bytes_per_s / TB


def bisection_tbps(gpus: int, both_gbps: float) -> float:
    """TB/s between two halves, both ways."""
    return fabric_figures(gpus, both_gbps / 2 * GB, TB).bisection_both_ways_bytes_per_s / TB


def usd_per_day(share: float, price: float = 3.0) -> float:
    """Dollars a day of a share of 16,384 GPUs."""
    return loss(share, 16384, price).usd_per_day


def payback(capital_usd: float, share: float) -> float:
    """Months until a share of 16,384 GPUs at 3 dollars has earned the capital."""
    return payback_months(capital_usd, loss(share, 16384, 3)) or 0.0


def efficiency(name: str, compute: float, comm: float, other: float) -> float:
    """Scaling efficiency by one of the definitions."""
    found = efficiencies(compute, comm, other)
    return found[name] if found else 0.0


def pipeline_ratio() -> float:
    """Bytes of one MoE layer's exchange over bytes of a stage boundary, for DeepSeek-V3."""
    return boundary(7168, 8).ratio


def moe_layer_gb() -> float:
    """GB of one MoE layer of DeepSeek-V3 in FP8."""
    model = catalog.model("deepseek-v3-r1")
    return parameters(model).experts / (model.layers - model.dense_layers) / GB


__all__ = ["LLAMA_70B", "LLAMA_405B", "TOKEN_BYTES", "catalog", "loss", "ports", "valid_degrees"]
