"""Rates, ratios, copies and latencies of wires, from the catalog and the hierarchy calculator; SI."""

from core.calculators.bandwidth_hierarchy import Path, Scenario, answer
from core.calculators.bandwidth_hierarchy.levels import Level, transfer_time_s
from core.catalog import LINKS, gpu, link, system
from core.catalog.measured import MEASURED
from core.catalog.step_latency import step_latency_s
from core.hardware import Family
from core.systems import configure, outer_hop
from core.units import GB


def rate(link_id: str, ways: int = 1, tier: str = "nominal") -> float:
    """Bytes/s of a link in one direction or two, nominal, after line code, or as measured."""
    wire = link(link_id)
    rates = {
        "nominal": None if wire.rate is None else wire.rate.bytes_per_s,
        "effective": wire.effective_bytes_per_s,
        "raw": wire.raw_bytes_per_s,
        "measured": MEASURED[link_id].one_way_bytes_per_s if link_id in MEASURED else None,
    }
    return ways * _known(rates[tier])


def measured_both_ways(link_id: str) -> float:
    """Bytes/s somebody measured in both directions at once, added up."""
    return _known(MEASURED[link_id].both_ways_bytes_per_s)


def per_link(link_id: str, ways: int = 2, tier: str = "nominal") -> float:
    """Bytes/s of one of the links that a GPU has of this kind."""
    return rate(link_id, ways, tier) / links(link_id)


def links(link_id: str) -> float:
    """Links of this kind on one GPU (of a switch chip: its ports)."""
    return _known(link(link_id).links)


def year(link_id: str) -> float:
    """Year of the first product."""
    return float(link(link_id).year)


def lane_rate(link_id: str, bits_per_symbol: int = 1) -> float:
    """Net bytes/s of one lane, unidirectional; with two bits a symbol the symbols it sends."""
    return per_link(link_id, 1) / _known(link(link_id).lanes) / bits_per_symbol


def ratio(upper: str, lower: str, upper_ways: int = 1, lower_ways: int = 1) -> float:
    """How many times faster one link is than another, in the directions given."""
    return rate(upper, upper_ways) / rate(lower, lower_ways)


def growth(newer: str, older: str, what: str = "links") -> float:
    """Links, or the rate of one link, of a generation over those of another."""
    measure = links if what == "links" else per_link
    return measure(newer) / measure(older)


def gpu_links(gpu_id: str) -> float:
    """GPU-to-GPU links of an accelerator; 0 for one that has none."""
    card = gpu(gpu_id)
    return 0.0 if card.scale_up is None else float(card.scale_up_links or 0)


def gpu_rate(gpu_id: str, ways: int = 2) -> float:
    """Bytes/s of a GPU's scale-up links."""
    quoted = gpu(gpu_id).scale_up
    return 0.0 if quoted is None else ways * quoted.bytes_per_s


def memory_rate(gpu_id: str) -> float:
    """Bytes/s of a GPU's memory, reads and writes together."""
    return gpu(gpu_id).memory_rate.bytes_per_s


def memory_over_link(gpu_id: str, ways: int = 1) -> float:
    """How many times faster a GPU's own memory is than that of a peer."""
    return memory_rate(gpu_id) / gpu_rate(gpu_id, ways)


def with_links(*gpu_ids: str) -> float:
    """How many of these GPUs have GPU-to-GPU links."""
    return float(sum(gpu(gpu_id).scale_up is not None for gpu_id in gpu_ids))


def reducing(*gpu_ids: str) -> float:
    """How many of these GPUs sit on switches that can add."""
    return float(sum(gpu(gpu_id).in_network_reduction for gpu_id in gpu_ids))


def switch_generation(last_year: int) -> float:
    """Which generation of NVSwitch the newest chip of a year is."""
    return float(
        sum(switch.family is Family.NVSWITCH and switch.year <= last_year for switch in LINKS.values())
    )


def latency(link_id: str) -> float:
    """Seconds of one step that datasheet rates assume."""
    return step_latency_s(link(link_id))


def network_share(system_id: str) -> float:
    """Unidirectional bytes/s that each GPU has on the network when all of them send."""
    machine = configure(system(system_id), domains=2)
    hop = outer_hop(machine, machine.domain_gpus)
    return 0.0 if hop is None else hop.bytes_per_s


def node_network(system_id: str) -> float:
    """Unidirectional bytes/s that a whole domain has on the network."""
    return network_share(system_id) * system(system_id).domain_gpus


def nics_per_gpu(system_id: str) -> float:
    """Network cards of a domain over its GPUs."""
    machine = system(system_id)
    return machine.nics_per_domain / machine.domain_gpus


def copy_s(size_bytes: float, link_id: str, ways: int = 1, tier: str = "nominal") -> float:
    """Seconds of a copy, latency left out; a real copy uses one direction."""
    return transfer_time_s(size_bytes, 0.0, rate(link_id, ways, tier))


def level_rate(system_id: str, name: str, direction: str = "one-way") -> float:
    """Bytes/s of a level of a machine, as the hierarchy page shows it."""
    return _level(system_id, name, direction).bytes_per_s


def level_ratio(system_id: str, name: str, direction: str = "one-way") -> float:
    """How many times slower a level is than the one above it, like for like."""
    return _known(_level(system_id, name, direction).ratio_to_previous)


def share_of(bytes_per_s: float, link_id: str, ways: int = 1, tier: str = "nominal") -> float:
    """A rate as a share of a link's."""
    return bytes_per_s / rate(link_id, ways, tier)


def direct_over_bounce(system_id: str, bounce: str) -> float:
    """How many times more GPUDirect carries than a ``bounce`` or a ``bounce, pipelined``."""
    rates = {path.name: path.bytes_per_s for path in _paths(system_id)}
    return rates["direct"] / rates[bounce]


def crossings(system_id: str, name: str) -> float:
    """How often bytes cross PCIe on that path, sender and receiver together."""
    return float(next(path.crossings for path in _paths(system_id) if path.name == name))


def apart(upper_gb_per_s: float, lower_gb_per_s: float) -> float:
    """Two printed rates over each other, whatever each of them counts."""
    return upper_gb_per_s * GB / (lower_gb_per_s * GB)


def _paths(system_id: str) -> tuple[Path, ...]:
    return answer(Scenario(system(system_id))).paths


def _level(system_id: str, name: str, direction: str) -> Level:
    levels = answer(Scenario(system(system_id), direction=direction, unverified=True)).levels
    return next(level for level in levels if level.level == name)


def _known(value: float | None) -> float:
    if value is None:
        message = "the catalog has no such figure"
        raise LookupError(message)
    return value
