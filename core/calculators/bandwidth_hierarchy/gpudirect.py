"""GPUDirect: straight from GPU to NIC, or bounced off host memory on the way."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.levels import Level, transfer_time_s


@dataclass(frozen=True, slots=True)
class Path:
    """
    One way out of the machine, bytes/s one way per GPU.

    Attributes:
        crossings: Times that the bytes cross the host link, sender and receiver together.
        formula: How the rate follows from those of host link, NIC and host memory.
    """

    name: str
    bytes_per_s: float
    time_s: float
    crossings: int
    formula: str


def paths(
    host: Level,
    network: Level,
    size_bytes: float,
    *,
    host_bytes_per_s: float | None = None,
    network_bytes_per_s: float | None = None,
    memory_bytes_per_s: float | None = None,
) -> tuple[Path, ...]:
    """
    The direct path and the two kinds of bounce, for one copy to another machine. F20.

    ``host_bytes_per_s`` and ``network_bytes_per_s`` replace the levels' rates, which may be shown
    both ways; ``memory_bytes_per_s`` is the CPU's memory, written and read once by a bounce.
    """
    link = host_bytes_per_s or host.bytes_per_s
    nic = network_bytes_per_s or network.bytes_per_s
    piped = min(link, nic) if memory_bytes_per_s is None else min(link, nic, memory_bytes_per_s / 2)
    direct_s = network.latency_s
    bounced_s = network.latency_s + 2 * host.latency_s

    def path(name: str, rate: float, latency_s: float, crossings: int, formula: str) -> Path:
        return Path(name, rate, transfer_time_s(size_bytes, latency_s, rate), crossings, formula)

    return (
        path("direct", min(link, nic), direct_s, 2, r"\min(B_{host}, B_{nic})"),
        path("bounce, pipelined", piped, bounced_s, 4, r"\min(B_{host}, B_{nic}, B_{memory}/2)"),
        path(
            "bounce",
            1 / (2 / link + 1 / nic),
            bounced_s,
            4,
            r"\frac{1}{1/B_{host} + 1/B_{nic} + 1/B_{host}}",
        ),
    )
