"""What the lines of a log say about a machine, put together: nothing guessed, each with its line."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from core.measurement import Observation, Run
from core.units import GB

_NUMBERED = re.compile(r"(?!mlx\d$)[\w.-]*\d")
"""An adapter by its number; ``mlx5`` alone stands for all."""

_NEARNESS = ("PIX", "PXB", "PHB", "NODE", "SYS")
_FAR = ("NODE", "SYS")
"""Across the links of a CPU, or between two."""

_DIGITS = 9
_BOND = "bond"
"""In the name of an adapter: a link aggregate of one port or two."""


@dataclass(frozen=True)
class Evidence:
    """
    The observations and settings of a run, in the words of hypotheses.

    Attributes:
        observations: As the readers give them.
        settings: ``NCCL_*`` and ``RCCL_*`` variables of the log.
        version: Of NCCL or RCCL; None where the log names none.
    """

    observations: tuple[Observation, ...] = ()
    settings: Mapping[str, str] | None = None
    version: str | None = None

    def values(self, kind: str) -> list[str]:
        """Every different value of a kind, in the order of the log."""
        return list(dict.fromkeys(item.value for item in self.observations if item.kind == kind))

    def quote(self, kind: str, containing: str = "") -> tuple[str, ...]:
        """The lines that say a thing, as ``line 12: via NET/IB staged receive (hostb)``; at most two."""
        said = [item for item in self.observations if item.kind == kind and containing in item.value]
        return tuple(_quoted(item) for item in said[:2])

    def quote_of(self, kind: str, values: Collection[str]) -> tuple[str, ...]:
        """The lines of a kind with one of these values, as ``quote``; at most two."""
        said = (item for item in self.observations if item.kind == kind and item.value in values)
        return tuple(_quoted(item) for item in islice(said, 2))

    def warned(self, pattern: re.Pattern[str]) -> tuple[str, ...]:
        """The warnings of NCCL that a pattern is found in, as ``quote``; at most two."""
        said = (item for item in self.observations if item.kind == "warning" and pattern.search(item.value))
        return tuple(_quoted(item) for item in islice(said, 2))

    @cached_property
    def nodes(self) -> int | None:
        """Hosts that NCCL counts in its largest communicator; None where no line counts them."""
        return max(self._numbers("nodes"), default=None)

    @cached_property
    def far_adapters(self) -> tuple[str, ...]:
        """The lines by which no GPU has a NIC on its side of the CPU; empty where one has, or none tells."""
        nearest = {
            item: min(
                (word for word in item.value.split() if word in _NEARNESS), key=_NEARNESS.index, default=""
            )
            for item in self.observations
            if item.kind in ("nic_path", "nic_distance")
        }
        told = [word for word in nearest.values() if word]
        if not told or not all(word in _FAR for word in told):
            return ()
        return tuple(dict.fromkeys(_quoted(item) for item, word in nearest.items() if word))[:2]

    def setting(self, name: str) -> str:
        """The value of a variable; empty where it is not set."""
        return (self.settings or {}).get(name, "").strip()

    def stated(self, word: str) -> tuple[str, ...]:
        """Where prose beside the measurement says a thing, as ``quote``; at most two."""
        return self.quote_of("stated", (word,))

    @cached_property
    def references(self) -> list[float]:
        """Bytes/s that other machines of the asker reach, or this one did, as words tell."""
        return [float(value.split()[0]) * GB for value in self.values("reference")]

    @cached_property
    def network(self) -> str:
        """``Socket``, ``IB`` or a plugin; empty where no line says so."""
        used = self.values("network") + [text.split()[0].removeprefix("NET/") for text in self._between_nodes]
        return next((name for name in used if name), "")

    @cached_property
    def over_sockets(self) -> bool:
        """Whether lines say that traffic between nodes goes over TCP."""
        return self.network == "Socket" or any("Socket" in text for text in self._between_nodes)

    @cached_property
    def staged(self) -> tuple[str, ...]:
        """Transports between nodes through host memory: received so, or sent so where none is direct."""
        if self.over_sockets:
            return ()
        staged = [text for text in self._between_nodes if " staged" in text]
        received = [text for text in staged if "send" not in text]
        return tuple(received or (staged if not self.direct else ()))

    @cached_property
    def direct(self) -> bool:
        """Whether lines say that GPUDirect RDMA is used in some direction."""
        return any("GDRDMA" in text for text in self._between_nodes)

    @cached_property
    def direct_one_way(self) -> bool:
        """Whether lines show GPUDirect RDMA in one direction and nothing of the other."""
        direct = [text for text in self._between_nodes if "GDRDMA" in text]
        sides = {text.split()[-1] for text in self._between_nodes if text.split()[-1] in ("send", "receive")}
        return bool(direct) and len(sides) == 1 and all(text.split()[-1] in sides for text in direct)

    @property
    def shown_adapters(self) -> int | None:
        """NICs that ``topo -m`` shows, those of management among them; None where no matrix shows any."""
        return max(self._numbers("nic_columns"), default=None)

    @property
    def over_network(self) -> bool:
        """Whether lines show channels over a network, or words beside the run say so."""
        return bool(self._between_nodes) or "over the network" in self.values("stated")

    @cached_property
    def _between_nodes(self) -> list[str]:
        return [text for text in self.values("transport") if text.startswith("NET/")]

    @cached_property
    def adapters(self) -> int | None:
        """RDMA adapters that NCCL uses on the host with fewest; None where no line tells, or of a bond."""
        return min(self.adapters_by_host.values(), default=None)

    @cached_property
    def adapters_by_host(self) -> dict[str, int]:
        """RDMA adapters that NCCL uses on each host; empty where no line tells, or of a bond."""
        by_host: dict[str, int] = {}
        for item in self.observations:
            if item.kind == "nics" and _BOND in item.value:
                return {}
            number = None
            if item.kind == "nics":
                number = len(item.value.split())
            elif item.kind == "nic_count":
                number = whole(item.value)
            if number is not None:
                by_host[item.host] = max(by_host.get(item.host, 0), number)
        return by_host

    @cached_property
    def chosen_adapters(self) -> int | None:
        """How many adapters ``NCCL_IB_HCA`` names; None where it names none one by one, or a bond."""
        names = self._chosen
        return len(names) if names and not any(_BOND in name for name in names) else None

    @cached_property
    def adapter_names(self) -> frozenset[str]:
        """Adapters that NCCL or ``NCCL_IB_HCA`` names one by one."""
        used = [name for text in self.values("nics") for name in text.split()]
        return frozenset(name.partition(":")[0] for name in (*used, *self._chosen))

    @cached_property
    def _chosen(self) -> tuple[str, ...]:
        """The list of ``NCCL_IB_HCA``; empty where it excludes adapters or names a kind of them."""
        value = self.setting("NCCL_IB_HCA")
        names = tuple(name.strip().lstrip("=") for name in value.split(",") if name.strip())
        one_by_one = all(_NUMBERED.fullmatch(name.partition(":")[0]) for name in names)
        return names if one_by_one and not value.startswith("^") else ()

    @cached_property
    def channels(self) -> int | None:
        """Channels of collectives; None where no line counts them."""
        return min(self._numbers("channels"), default=None)

    @property
    def tells_channels(self) -> bool:
        """Whether lines tell how NCCL joined its ranks: a fallback of its search would stand among them."""
        return bool(self.values("graph") or self.values("transport")) and self.channels is not None

    @property
    def tells_network(self) -> bool:
        """Whether NCCL's lines stand in the log whole: adapters between nodes, transports, channels."""
        return self.tells_channels and (not self._between_nodes or bool(self.adapters or self.over_sockets))

    def _numbers(self, kind: str) -> list[int]:
        numbers = map(whole, self.values(kind))
        return [number for number in numbers if number is not None]

    def paths(self, *words: str) -> list[str]:
        """Pairs of GPUs that ran whose path is one of these, such as ``GPU0 GPU2 NODE``."""
        return [text for text in self.values("path") if (text.split() or [""])[-1] in words]


def whole(text: str) -> int | None:
    """A count in a line or setting as a number; None where it is none, or longer than any count is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def evidence_of(run: Run) -> Evidence:
    """The evidence of a run."""
    return Evidence(run.observations, dict(_settings(run)), run.machine.nccl)


def _settings(run: Run) -> Iterator[tuple[str, str]]:
    yield from run.machine.env.items()
    for item in run.observations:
        if item.kind == "setting":
            name, _, value = item.value.partition("=")
            yield name, value


_WORDS = {
    "transport": "via {}",
    "network": "Using network {}",
    "nics": "NET/IB : Using {}",
    "nic_count": "found {} nics",
    "provider": "NET/OFI Selected Provider is {}",
    "nic_distance": "NIC distance : {}",
    "sockets": "NET/Socket : Using {}",
    "nodes": "nNodes {}",
    "fewer_nodes": "the run on {} nodes is as expected",
    "as_many_nodes": "another run on {} nodes is as expected",
    "stated": "the words beside it: {}",
    "perftest_stated": "perftest reaches {} Gb/s",
    "warning": "NCCL WARN {}",
    "no_adapter": "NET/IB : No device found",
    "nvls": "NVLS multicast support is {}",
    "channels": "{} coll channels",
    "gpudirect": "GPU Direct RDMA {}",
    "peer_access": "P2P {}",
    "acs": "ACSCtl: {}",
    "pcie_link": "LnkSta: {}",
    "pcie_speed": "LnkSta: {}",
    "xid": "Xid {}",
    "iommu": "IOMMU {}",
    "aer": "{}",
    "gpu_fault": "{}",
    "power_cap": "{} active",
    "clock": "clock {} under load",
    "path": "topo -m: {}",
    "nic_path": "topo -m: {}",
    "nic_columns": "topo -m: {} NICs",
    "nic_state": "port {}",
    "nic_rate": "port {} Gb/s",
}


def _quoted(item: Observation) -> str:
    text = _WORDS.get(item.kind, "{}").format(item.value)
    where = f"line {item.line}: " if item.line else ""
    host = f" ({item.host})" if item.host else ""
    return f"{where}{text}{host}"
