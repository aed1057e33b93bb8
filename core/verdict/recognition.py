"""Which system a log describes, as far as it tells, and what had to be assumed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.catalog import GPUS, LINKS, SYSTEMS
from core.catalog.networks import USUAL
from core.hardware import System
from core.measurement import Run
from core.systems import CustomSystem, NetworkSpec, configure, custom_system
from core.verdict.evidence import evidence_of, whole

_CHOOSE = "choose it if it is another"
_RACK_GPUS = 16
"""A scale-up domain of more GPUs than a node holds spans hosts."""
_RATES = {"ib-edr": 100, "ib-hdr": 200, "ib-ndr": 400, "ib-xdr": 800}
"""Gb/s of InfiniBand's kinds that a log's rates name."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance type of a cloud: part of its name, its GPU and network in the catalog."""

    name: str
    gpu: str
    network: str


_INSTANCES = (
    Instance("p3dn.24xlarge", "v100-sxm", "efa-100"),
    Instance("p4d.24xlarge", "a100-sxm-40gb", "efa-400"),
    Instance("p4de.24xlarge", "a100-sxm-80gb", "efa-400"),
    Instance("p5.48xlarge", "h100-sxm", "efa-3200"),
    Instance("p5en.48xlarge", "h200-sxm", "efa-3200"),
    Instance("ND96isr_H100_v5", "h100-sxm", "ib-ndr"),
    Instance("ND96asr_v4", "a100-sxm-40gb", "ib-hdr"),
    Instance("ND96amsr_A100_v4", "a100-sxm-80gb", "ib-hdr"),
    Instance("a3-megagpu-8g", "h100-sxm", "tcpxo-200"),
    Instance("a3-highgpu-8g", "h100-sxm", "tcpx-100"),
    Instance("BM.GPU.H100.8", "h100-sxm", "roce-400"),
    Instance("BM.GPU4.8", "a100-sxm-40gb", "roce-200"),
)
"""Shapes that people name in place of a machine."""


@dataclass(frozen=True, slots=True)
class SystemMatch:
    """The system that a log describes, and what had to be assumed; None with the reason."""

    system: System | None
    remark: str


def instance_of(run: Run) -> Instance | None:
    """The instance type that a line of the log names, as ``p4d.24xlarge``; None where none does."""
    named = " ".join(item.value for item in run.observations if item.kind == "instance")
    return next((item for item in _INSTANCES if item.name.lower() in named.lower()), None)


def gpu_id(run: Run) -> str | None:
    """Catalog id of the run's GPU by the words of its name; None if nothing fits."""
    if not run.machine.gpus:
        instance = instance_of(run)
        return instance.gpu if instance else None
    printed = set(re.split(r"[^a-z0-9]+", run.machine.gpus[0].name.lower()))
    best, most = None, 0
    for key in GPUS:
        tokens = key.split("-")
        series = tokens[1] if tokens[0] == "rtx" and len(tokens) > 1 else tokens[0]
        if series not in printed:
            continue
        score = 2 + sum(token in printed for token in tokens) + ("sxm" in tokens and "pcie" not in printed)
        if score > most:
            best, most = key, score
    return best


def network_of(run: Run) -> str | None:
    """Catalog id of the network that the run's NCCL settings or instance type give away; None without."""
    if instance := instance_of(run):
        return instance.network
    settings = " ".join(run.machine.env.values())
    return next((link.id for link in LINKS.values() if _names_instance(settings, link.instances)), None)


def _names_instance(settings: str, instances: Iterable[str]) -> bool:
    """Whether settings name one of these instance types, as the path of its topology file does."""
    return any(re.search(rf"\b{re.escape(name)}[.-]", settings) for name in instances)


def system_of(run: Run, network: str | None = None) -> SystemMatch:
    """
    The system as far as the log tells, and what had to be assumed.

    Args:
        run: A run whose ranks are known.
        network: Catalog id; None: as the log's settings tell.
    """
    network = network or network_of(run)
    gpu, ranks = gpu_id(run), run.ranks or _devices(run)
    if gpu is None or not ranks:
        named = (
            f"names {run.machine.gpus[0].name}, which is not in the catalog"
            if run.machine.gpus
            else "names no GPU"
        )
        return SystemMatch(None, f"the log {named}")
    hosts = max(1, len(run.machine.hosts), evidence_of(run).nodes or 0)
    hosts = max(hosts, _nodes_of(gpu, ranks)) if hosts == 1 else hosts
    local = ranks // hosts if ranks % hosts == 0 else ranks
    nics, by_lines = _stated_nics(run)
    by_lines = network or by_lines or _network_by_lines(run, gpu)
    match = (
        _rack(gpu, local, hosts)
        or _catalogued(gpu, local, hosts, by_lines)
        or _assembled(gpu, local, hosts, by_lines)
    )
    if nics and match.system is not None and match.system.network is not None:
        system = configure(match.system, domains=match.system.domains, nics_per_domain=nics)
        return SystemMatch(system, f"{match.remark}, {nics} NICs a node as stated")
    return match


def _nodes_of(gpu: str, ranks: int) -> int:
    """Nodes that hold so many ranks where the largest of the catalog holds fewer: one host named twice."""
    alike = _alike(gpu)
    largest = max((item.domain_gpus for item in SYSTEMS.values() if item.gpu.id in alike), default=0)
    return ranks // largest if largest and ranks > largest and ranks % largest == 0 else 1


def _stated_nics(run: Run) -> tuple[int | None, str | None]:
    """NICs of a node and their network as a sentence states them, such as 4 x 200G."""
    stated = next((item.value.split() for item in run.observations if item.kind == "nics_stated"), [])
    if len(stated) != 3:  # noqa: PLR2004 (number, rate, kind)
        return None, None
    count, rate, kind = whole(stated[0]), whole(stated[1]), stated[2]
    infiniband = next((link for link, known in _RATES.items() if known == rate), None)
    link = f"roce-{rate}" if kind == "RoCE" and f"roce-{rate}" in LINKS else infiniband
    return (count or None, link) if link else (None, None)


def system_of_file(runs: Sequence[Run], network: str | None = None) -> SystemMatch:
    """The system that the runs of one file describe: of the run with most ranks that names one."""
    largest_first = sorted(runs, key=lambda run: -(run.ranks or 0))
    matches = [system_of(_by_its_rates(run), network) for run in largest_first]
    return next((match for match in matches if match.system is not None), matches[0])


def _by_its_rates(run: Run) -> Run:
    return run if run.ranks else replace(run, ranks=run.ranks_guess)


def _devices(run: Run) -> int:
    """GPUs of a run without ranks: those that it names, or the rows of its matrices."""
    named = sum(gpu.count for gpu in run.machine.gpus)
    return max([named, *(len(matrix.columns) for matrix in run.matrices if matrix.kind == "bandwidth")])


def _network_by_lines(run: Run, gpu: str) -> str | None:
    """The network by its kind and rate in the log; of the kind alone at the rate usual for such GPUs."""
    evidence = evidence_of(run)
    named = " ".join(evidence.values("nics"))
    kind = "roce" if "/RoCE" in named else "ib" if "/IB" in named else ""
    rates = [int(float(text.split()[-1])) for text in evidence.values("nic_rate") if " " in text]
    usual = next((item.network for item in SYSTEMS.values() if item.gpu.id in _alike(gpu)), None)
    rate = max(rates, default=_RATES.get(usual or "", 0))
    infiniband = next((link for link, known in _RATES.items() if known == rate), None)
    if kind == "roce" and rate:
        return f"roce-{rate}" if f"roce-{rate}" in LINKS else None
    return infiniband if kind == "ib" or (rates and not kind) else None


def _alike(gpu: str) -> list[str]:
    """The GPU and those of its series on the same link, such as both memory sizes of A100 SXM4."""
    series = gpu.partition("-")[0]
    return [gpu] + [
        key
        for key, item in GPUS.items()
        if key != gpu
        and key.partition("-")[0] == series
        and _form(key) == _form(gpu)
        and item.scale_up is not None
        and item.scale_up == GPUS[gpu].scale_up
    ]


def _form(gpu: str) -> set[str]:
    """``pcie`` or ``nvl`` of a card's id; empty of a module's."""
    return {"pcie", "nvl"} & set(gpu.split("-"))


def _rack(gpu: str, local: int, hosts: int) -> SystemMatch | None:
    """A rack whose scale-up domain spans hosts; None for a GPU of nodes."""
    racks = [item for item in SYSTEMS.values() if item.gpu.id == gpu and item.domain_gpus > _RACK_GPUS]
    nodes = [item for item in SYSTEMS.values() if item.gpu.id == gpu and item.domain_gpus <= _RACK_GPUS]
    if not racks or (nodes and local <= _RACK_GPUS):
        return None
    rack = min(racks, key=lambda item: item.domain_gpus)
    domains = -(-local * hosts // rack.domain_gpus)
    return SystemMatch(configure(rack, domains=domains), f"{local * hosts} GPUs, taken as {rack.name}")


def _link_name(key: str | None) -> str:
    return LINKS[key].name if key in LINKS else key or ""


def _catalogued(gpu: str, local: int, hosts: int, network: str | None) -> SystemMatch | None:
    """The smallest system of the catalog with so many of these GPUs in a domain."""
    alike = _alike(gpu)
    known = [item for item in SYSTEMS.values() if item.gpu.id in alike and item.domain_gpus >= local]
    known.sort(key=lambda item: (item.gpu.id != gpu, item.domain_gpus))
    if not known or (hosts > 1 and known[0].domain_gpus != local):
        return None
    if hosts > 1 and not (known[0].network or network):
        return None
    system = configure(known[0], domains=hosts, network=network)
    remark = f"{hosts} × {local} GPUs, taken as {system.name}"
    if hosts > 1:
        remark += f" with {system.nics_per_domain} × {_link_name(system.network)}"
        remark += "" if network else f": the log does not name the network, {_CHOOSE}"
    return SystemMatch(system, remark)


def _assembled(gpu: str, local: int, hosts: int, network: str | None) -> SystemMatch:
    """A system of these GPUs, with a NIC each where there are several hosts."""
    link = network or (USUAL if hosts > 1 else None)
    name = f"{local} × {GPUS[gpu].name}"
    remark = f"{hosts} × {name}"
    network_spec = NetworkSpec(link, nics_per_domain=local) if link else None
    if hosts > 1 and network is None:
        remark += f"; the log does not name the network: {_link_name(link)} assumed, {_CHOOSE}"
    system = custom_system(CustomSystem(gpu, local, network_spec, name=name, domains=hosts))
    return SystemMatch(system, remark)
