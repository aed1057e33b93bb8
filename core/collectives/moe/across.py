"""MoE dispatch and combine across domains: kernels that write into the NICs, as DeepEP does."""

from dataclasses import dataclass

import numpy as np

from core.catalog.calibrations.moe_alltoall import DEEPEP, LOW_LATENCY, NORMAL, Across
from core.checks import Floats
from core.collectives.cost_model.basis import calibrated, extrapolated
from core.collectives.moe.exchange import exchange_time, widened
from core.collectives.pricing import PricedSizes, Scenario, sweep
from core.collectives.rates import Rates
from core.hardware import Architecture, System
from core.hardware.link import NODE_GPUS
from core.provenance import Origin
from core.systems.scale_up import scale_up_path


@dataclass(frozen=True, slots=True)
class Routed:
    """
    Tokens of one GPU on their way to experts.

    Attributes:
        tokens: Of one GPU, an array.
        token_bytes: One token in the format it travels in.
        active: Experts of a token.
    """

    tokens: Floats
    token_bytes: float
    active: int


def nic_bytes_per_s(system: System) -> float | None:
    """A GPU's share of its domain's NICs, one way; None without a network."""
    return None if system.scale_out is None else system.scale_out.bytes_per_s


def across_time(system: System, ep: int, routed: Routed) -> PricedSizes | None:
    """
    One dispatch or combine over ``ep`` GPUs in several domains, by the faster of two kernels.

    None where there is no network.
    """
    nic = nic_bytes_per_s(system)
    if nic is None:
        return None
    local = min(ep, system.domain_gpus)
    inside = 1 if local <= NODE_GPUS else local  # low-latency kernels send everything over a node's NICs
    copies = _copies(routed, ep, inside)
    once = _once_a_domain(routed, ep / local)
    quick, bulk = _price(LOW_LATENCY, copies, nic), _price(NORMAL, once, nic)
    low_latency = quick <= bulk
    time, sent = np.where(low_latency, quick, bulk), np.where(low_latency, copies, once)
    floor = np.minimum(time, np.where(low_latency, LOW_LATENCY.start_s, NORMAL.wait_s))
    zero = np.zeros_like(time)
    measured = system.gpu.architecture is Architecture.HOPPER and local <= NODE_GPUS
    basis = (calibrated if measured else extrapolated)("moe-deepep")
    return PricedSizes(
        size_bytes=sent,
        time_s=time,
        low_s=time * widened(LOW_LATENCY.low, basis),
        high_s=time * widened(LOW_LATENCY.high, basis),
        launch_s=zero,
        latency_s=floor,
        transfer_s=time - floor,
        reduction_s=zero,
        wire_bytes=sent,
        algorithms=np.where(low_latency, "low-latency", "normal"),
        basis=str(basis),
        warnings=(),
        sources=(DEEPEP,),
    )


def routed_time(
    system: System, kind: str, ep: int, sent_bytes: Floats, routed: Routed, rates: Rates
) -> PricedSizes:
    """
    One exchange on any system, by what its engines would use.

    Measured kernels inside an NVLink 5 domain, kernels over the NICs across domains of NVIDIA GPUs,
    else (and with datasheet or replaced rates) a plain all-to-all of ``sent_bytes`` leaving each GPU.
    """
    measured = (
        rates.origin in (Origin.CALIBRATED, Origin.FITTED) and not rates.overridden and not rates.points
    )
    if measured and ep > system.domain_gpus and system.gpu.vendor == "NVIDIA":
        across = across_time(system, ep, routed)
        if across is not None:
            return across
    if measured and ep <= system.domain_gpus and scale_up_path(system, ep).topology.pcie:
        return _gathered(system, kind, ep, routed, rates)
    return exchange_time(system, kind, ep, sent_bytes, routed.tokens, rates)


def _gathered(system: System, kind: str, ep: int, routed: Routed, rates: Rates) -> PricedSizes:
    """
    Without NVLink no kernel sends tokens one by one: engines gather all tokens on every GPU.

    The way back is a reduce-scatter (TensorRT-LLM's and vLLM's default with attention by data).
    """
    name = "all_gather" if kind == "dispatch" else "reduce_scatter"
    collective = Scenario(system=system, collective=name, ranks=ep, rates=rates)
    return sweep(collective, ep * routed.tokens * routed.token_bytes)


def _price(kernel: Across, sent_bytes: Floats, nic: float) -> Floats:
    time = kernel.start_s + np.maximum(kernel.wait_s, sent_bytes / (kernel.share * nic))
    return np.where(sent_bytes > 0, time, 0.0)


def _copies(routed: Routed, ep: int, inside: int) -> Floats:
    """A copy for every expert that is not among the ``inside`` GPUs reached without a NIC."""
    return routed.tokens * routed.token_bytes * routed.active * ((ep - inside) / ep)


def _once_a_domain(routed: Routed, domains: float) -> Floats:
    """
    A copy for every domain that owns one of the token's experts (routing uniform).

    Its own among them: that copy takes the same channels, and published bandwidths count it.
    """
    reached = domains * (1 - (1 - 1 / domains) ** routed.active)
    return routed.tokens * routed.token_bytes * reached
