"""What limits a run on its system: the link, its rate in both conventions, and what size still adds."""

from core.catalog import link_name
from core.collectives.pricing import Scenario, Sweep, sweep
from core.hardware import Family, System
from core.measurement.bus_factor import bus_factor
from core.units import GIB, format_rate, format_size
from core.verdict.links import link_rates, nics_in_use, scale_up_family
from core.verdict.ranks import RankMapping

_LARGE_BYTES = int(8 * GIB)
_RISES = 1.08
"""A bus bandwidth that grows by less than this to 8 GiB is no longer worth a word."""
_LATENCY_SHARE = 0.5


def bottleneck(scenario: Scenario, mapping: RankMapping, expected: Sweep) -> str:
    """The limiting link in both conventions; and whether bus bandwidth still rises with size."""
    sentences = [_link(mapping), _still_rising(scenario, expected)]
    return ". ".join(filter(None, sentences))


def _link(mapping: RankMapping) -> str:
    system, local = mapping.system, mapping.local_ranks
    links = link_rates(system, local, mapping.domains)
    across = links.domain_bytes_per_s
    if across is not None and across <= links.gpu_bytes_per_s:
        return _network(system, local, across)
    rate, both = format_rate(links.gpu_bytes_per_s), format_rate(2 * links.gpu_bytes_per_s)
    per_gpu = f"{rate} unidirectional per GPU ({both} bidirectional"
    if scale_up_family(system) is Family.PCIE or system.scale_up.topology.pcie:
        return f"bottleneck: PCIe, {per_gpu}): no NVLink joins these GPUs"
    return f"bottleneck: {link_name(system.scale_up.link)}, {per_gpu}, as datasheets count)"


def _network(system: System, local: int, across: float) -> str:
    nics = nics_in_use(system, local)
    fewer = f": fewer NICs than GPUs, {format_rate(across / local)} each" if nics < local else ""
    return (
        f"bottleneck: {nics} {'NIC' if nics == 1 else 'NICs'} of a node, {format_rate(across)} "
        f"unidirectional for {local} {'GPU' if local == 1 else 'GPUs'}{fewer}"
    )


def _still_rising(scenario: Scenario, expected: Sweep) -> str:
    """What the same system should show at 8 GiB, where the largest size is smaller and its rate rises."""
    factor = bus_factor(scenario.collective, scenario.ranks)
    if factor is None or not len(expected.size_bytes):
        return ""
    index = int(expected.size_bytes.argmax())
    size_bytes, time_s = float(expected.size_bytes[index]), float(expected.time_s[index])
    if size_bytes >= _LARGE_BYTES or time_s <= 0:
        return ""
    large_s = float(sweep(scenario, [_LARGE_BYTES]).time_s[0])
    if _LARGE_BYTES / large_s < _RISES * size_bytes / time_s:
        return ""
    latency = float(expected.transfer_s[index]) < _LATENCY_SHARE * time_s
    why = "latency-bound sizes" if latency else "bus bandwidth still rises with size"
    return (
        f"{why}: {format_rate(factor * size_bytes / time_s)} expected at {format_size(int(size_bytes))}, "
        f"{format_rate(factor * _LARGE_BYTES / large_s)} at 8 GiB"
    )
