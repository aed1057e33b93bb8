"""What-if systems: the same system with one rate multiplied by a factor."""

from dataclasses import replace

from core.hardware import System

PEAKS = ("bf16_flop_per_s", "fp8_flop_per_s", "fp4_flop_per_s", "int8_flop_per_s")


def with_scale_up_rate(system: System, factor: float) -> System:
    """The same system with its scale-up links faster by a factor."""
    domain = replace(system.scale_up, bytes_per_s=system.scale_up.bytes_per_s * factor)
    pair = None if system.pair_bytes_per_s is None else system.pair_bytes_per_s * factor
    bridge = system.bridge and replace(system.bridge, bytes_per_s=system.bridge.bytes_per_s * factor)
    return replace(
        system, fabrics=(domain, *system.fabrics[1:]), pair_bytes_per_s=pair, bridge=bridge, yours=True
    )


def with_network_rate(system: System, factor: float) -> System:
    """The same system with every tier of its scale-out fabric faster by a factor."""
    domain, *outside = system.fabrics
    tiers = (replace(tier, bytes_per_s=tier.bytes_per_s * factor) for tier in outside)
    return replace(system, fabrics=(domain, *tiers))


def with_memory_rate(system: System, factor: float) -> System:
    """The same system with the memory bandwidth of its GPUs multiplied by a factor."""
    rate = system.gpu.memory_rate
    gpu = replace(system.gpu, memory_rate=replace(rate, value=rate.value * factor))
    return replace(system, gpu=gpu)


def with_peaks(system: System, factor: float) -> System:
    """The same system with every dense peak of its GPUs multiplied by a factor."""
    peaks = {name: rate * factor for name in PEAKS if (rate := getattr(system.gpu, name)) is not None}
    return replace(system, gpu=replace(system.gpu, **peaks))
