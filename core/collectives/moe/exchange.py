"""Seconds of one MoE dispatch or combine: measured kernels where they exist, else an all-to-all."""

import numpy as np

from core.catalog.calibrations.moe_alltoall import (
    FITTED_EP,
    KERNELS,
    MANY,
    MANY_HANDOVER,
    MEASURED_ARCHITECTURE,
    MEASURED_BYTES_PER_S,
    MEASURED_FAMILY,
    SOURCES,
)
from core.checks import Floats, choice
from core.collectives.cost_model.bands import WIDER
from core.collectives.cost_model.basis import Basis, calibrated, extrapolated
from core.collectives.cost_model.communicator import family_of
from core.collectives.cost_model.domains import SAME_RATE
from core.collectives.pricing import PricedSizes, Scenario, sweep
from core.collectives.rates import Rates
from core.hardware import Gpu, System
from core.provenance import Origin

STYLES = ("one-sided", "two-sided")


def widened(factor: Floats | float, basis: Basis) -> Floats:
    """An edge of the band (times the answer) as wide as its basis asks for."""
    return np.asarray(factor ** WIDER[basis.support])


def balanced_bytes(
    tokens_per_rank: Floats | float, hidden: int, bytes_per_value: float, ep: int, active: int
) -> Floats:
    """Bytes that leave a GPU under round-robin routing: min(EP, top-k) GPUs a token, itself among them."""
    reached = min(ep, active) * (ep - 1) / ep
    return np.asarray(tokens_per_rank, np.float64) * hidden * bytes_per_value * reached


def measured_time(
    kind: str, ep: int, sent_bytes: Floats, tokens: Floats, style: str = "one-sided", *, faster: float = 1.0
) -> PricedSizes:
    """
    One exchange on NVLink 5 inside a rack.

    Args:
        kind: ``dispatch`` or ``combine``.
        ep: GPUs of the group.
        sent_bytes: Bytes that leave (or reach) one GPU.
        tokens: Tokens of one GPU in this step.
        style: ``one-sided`` (each GPU writes into its peers) or ``two-sided``.
        faster: What if the links carried so many times the rate of those measured.
    """
    kernel = KERNELS[choice("style", style, STYLES), choice("kind", kind, ("dispatch", "combine"))]
    moving = sent_bytes > 0
    floor = np.where(moving, kernel.start_s + kernel.doubling_s * np.log2(max(min(ep, kernel.reach), 1)), 0.0)
    rate = kernel.bytes_per_s * faster / (1 + ep / kernel.halving)
    wire, handled = sent_bytes / rate, np.where(moving, tokens * kernel.token_s, 0.0)
    work = np.maximum(wire, handled)
    ratio = np.divide(np.minimum(wire, handled), work, out=np.zeros_like(work), where=work > 0)
    work = work * (1 + ratio**kernel.meet) ** (1 / kernel.meet)
    time = (floor**kernel.blend + work**kernel.blend) ** (1 / kernel.blend)
    if ep > MANY:
        least = np.where(moving, kernel.many_s, 0.0)
        time = (time**MANY_HANDOVER + least**MANY_HANDOVER) ** (1 / MANY_HANDOVER)
    latency = np.minimum(floor, time)
    fitted = ep <= max(FITTED_EP[style]) and abs(faster - 1) < SAME_RATE
    basis = (calibrated if fitted else extrapolated)("moe-alltoall-gb200")
    zero = np.zeros_like(time)
    return PricedSizes(
        size_bytes=sent_bytes,
        time_s=time,
        low_s=time * widened(kernel.low, basis),
        high_s=time * widened(kernel.high, basis),
        launch_s=zero,
        latency_s=latency,
        transfer_s=time - latency,
        reduction_s=zero,
        wire_bytes=sent_bytes,
        algorithms=np.full(sent_bytes.shape, style),
        basis=str(basis),
        warnings=(),
        sources=SOURCES,
    )


def exchange_time(
    system: System, kind: str, ep: int, sent_bytes: Floats, tokens: Floats, rates: Rates
) -> PricedSizes:
    """
    One exchange on any system: the measured kernels inside Blackwell's NVLink domains, else an all-to-all.

    The all-to-all is of the size whose (n-1)/n leaves each GPU.
    """
    inside = ep <= system.domain_gpus and _has_kernels(system.gpu)
    free = rates.latency_s is None and rates.bytes_per_s is None and not rates.measured
    if inside and free and rates.origin in (Origin.CALIBRATED, Origin.FITTED):
        faster = system.scale_up.bytes_per_s / MEASURED_BYTES_PER_S
        return measured_time(kind, ep, sent_bytes, tokens, faster=faster)
    all_to_all = Scenario(system=system, collective="all_to_all", ranks=ep, rates=rates)
    return sweep(all_to_all, sent_bytes * (ep / (ep - 1)))


def _has_kernels(gpu: Gpu) -> bool:
    """Whether a GPU is of the generation that the kernels were timed on, behind links of that family."""
    return gpu.architecture is MEASURED_ARCHITECTURE and family_of(gpu.scale_up_link or "") is MEASURED_FAMILY
