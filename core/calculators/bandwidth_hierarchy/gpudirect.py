"""GPUDirect RDMA: from GPU to NIC directly, or through a bounce buffer in host memory."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.levels import Level, transfer_time_s


@dataclass(frozen=True, slots=True)
class Path:
    """
    One path to the network, bytes/s per GPU and direction.

    Attributes:
        crossings: Times that the bytes cross the host link, sender and receiver together.
        formula: How the rate follows from those of host link, NIC and host memory.
    """

    name: str
    bytes_per_s: float
    time_s: float
    crossings: int
    formula: str


@dataclass(frozen=True, slots=True)
class Bounce:
    """Bytes/s through a bounce buffer in host memory: one copy after the other, and pipelined."""

    serial_bytes_per_s: float
    pipelined_bytes_per_s: float


def bounce(host: float, nic: float, memory: float | None = None) -> Bounce:
    """
    Rates through host memory from those of host link, NIC and (written and read once) host memory, bytes/s.

    Serial: 1 / (1/host + 1/nic + 1/host). Pipelined: the slowest of host, nic and memory / 2.
    """
    pipelined = min(host, nic) if memory is None else min(host, nic, memory / 2)
    return Bounce(1 / (2 / host + 1 / nic), pipelined)


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
    The direct path and the two kinds of bounce, for one copy to another node.

    ``host_bytes_per_s`` and ``network_bytes_per_s`` replace the levels' rates, which may be shown
    in both directions; ``memory_bytes_per_s`` is the CPU's memory, written and read once by a bounce.
    """
    link = host_bytes_per_s or host.bytes_per_s
    nic = network_bytes_per_s or network.bytes_per_s
    through_host = bounce(link, nic, memory_bytes_per_s)
    direct_s = network.latency_s
    bounced_s = network.latency_s + 2 * host.latency_s

    def path(name: str, rate: float, latency_s: float, crossings: int, formula: str) -> Path:
        return Path(name, rate, transfer_time_s(size_bytes, latency_s, rate), crossings, formula)

    return (
        path("direct", min(link, nic), direct_s, 2, r"\min(B_{host}, B_{nic})"),
        path(
            "bounce, pipelined",
            through_host.pipelined_bytes_per_s,
            bounced_s,
            4,
            r"\min(B_{host}, B_{nic}, B_{memory}/2)",
        ),
        path(
            "bounce",
            through_host.serial_bytes_per_s,
            bounced_s,
            4,
            r"\frac{1}{1/B_{host} + 1/B_{nic} + 1/B_{host}}",
        ),
    )
