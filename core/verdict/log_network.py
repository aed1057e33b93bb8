"""Which network of the catalog a log names, and what of it had to be assumed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.catalog import GPUS, LINKS, SYSTEMS, link_name
from core.catalog.instances import INSTANCES
from core.catalog.networks import USUAL
from core.hardware import System
from core.measurement import Run
from core.provenance import Scope
from core.verdict.evidence import evidence_of, whole
from core.verdict.log_gpu import alike, instance_of

CHOOSE = "choose it if it is another"
_RATES = {"ib-qdr": 40, "ib-fdr": 56, "ib-edr": 100, "ib-hdr": 200, "ib-ndr": 400, "ib-xdr": 800}
"""Gb/s of InfiniBand's kinds that a log's rates name."""
_SLOT_RATES = {"pcie3-x16": 100, "pcie4-x16": 200, "pcie5-x16": 400}
"""Gb/s of the Ethernet NICs of a generation of slots."""
_FIGURE = re.compile(r"\d{1,4}(?:\.\d{1,3})?")
_USUAL_WORDS = (
    *("ib", "gib", "socket", "rdma", "verbs", "tcp", "udp", "ucx", "sharp", "nccl"),
    *("aws", "ofi", "libfabric", "spcx", "spectrum"),
)
"""How names of networks begin that tell no more than the adapters do."""


@dataclass(frozen=True, slots=True)
class NetworkMatch:
    """
    The network that a log names.

    Attributes:
        link: Catalog id; None where the log names none.
        remark: What of it was assumed; empty for nothing.
        unknown: A kind of network that the catalog lacks.
    """

    link: str | None
    remark: str = ""
    unknown: str = ""


def network_of(run: Run) -> str | None:
    """Catalog id of the network that the run's NCCL settings or instance type give away; None without."""
    if instance := instance_of(run):
        return instance.network or None
    settings = " ".join(run.machine.env.values())
    return next((link.id for link in LINKS.values() if _names_instance(settings, link.instances)), None)


def _names_instance(settings: str, instances: Iterable[str]) -> bool:
    """Whether settings name one of these instance types, as the path of its topology file does."""
    return any(re.search(rf"\b{re.escape(name)}[.-]", settings) for name in instances)


def by_port(link: str) -> bool:
    """Whether a link is quoted per port, so that the number of NICs decides its rate."""
    rate = LINKS[link].rate if link in LINKS else None
    return rate is not None and rate.scope is Scope.PORT


def stated_nics(run: Run) -> tuple[int | None, str | None]:
    """NICs of a node and their network as a sentence states them, such as 4 x 200G."""
    stated = next((item.value.split() for item in run.observations if item.kind == "nics_stated"), [])
    if len(stated) != 3:  # noqa: PLR2004 (number, rate, kind)
        return None, None
    count, rate, kind = whole(stated[0]), whole(stated[1]), stated[2]
    infiniband = next((link for link, known in _RATES.items() if known == rate), None)
    named = f"{kind.lower()}-{rate}"
    link = named if named in LINKS else infiniband
    return (count or None, link) if link else (None, None)


def network_in_words(run: Run, by_lines: NetworkMatch) -> NetworkMatch:
    """The network as lines name it; what they leave open as words state the rate of a port."""
    count, link = stated_nics(run)
    if by_lines.unknown or (by_lines.link and not by_lines.remark) or count is not None:
        return by_lines
    if link:
        return NetworkMatch(link)
    stated = next((item.value.split() for item in run.observations if item.kind == "nics_stated"), [])
    is_slow = stated[:1] == ["0"] and by_lines.link is None
    return NetworkMatch(None, unknown=f"{stated[1]} Gb/s Ethernet") if is_slow else by_lines


def is_usual_rate(system: System) -> bool:
    """Whether a system's network has the rate of those of the catalog that hold such GPUs."""
    members = alike(system.gpu.id)
    usual = {item.network for item in SYSTEMS.values() if item.gpu.id in members and item.network}
    own = LINKS[system.network].rate if system.network in LINKS else None
    rates = [LINKS[network].rate for network in usual if network in LINKS]
    return own is not None and own.bytes_per_s in {rate.bytes_per_s for rate in rates if rate is not None}


def port_link(run: Run) -> str | None:
    """
    Catalog id of the network of perftest's port; None without.

    By the generation that the words beside it name, else by ibstat's rate, else by a rate in those words.
    """
    stated = [item.value.split() for item in run.observations if item.kind == "port_stated"]
    generation = [words for words in stated if words and words[0] != "port"]
    lines = [item.value.split() for item in run.observations if item.kind == "nic_rate"]
    told = generation or lines or stated
    rates = {round(float(words[1])) for words in told if len(words) > 1 and _FIGURE.fullmatch(words[1])}
    ethernet = any("Link type Ethernet" in notice.message for notice in run.warnings)
    return _of_kind("roce" if ethernet else "ib", rates.pop()) if len(rates) == 1 else None


def adapters_of(run: Run) -> int | None:
    """NICs of a node as the log names them, of the host with most; None where it does not, or of bonds."""
    evidence = evidence_of(run)
    return max(evidence.adapters_by_host.values(), default=evidence.chosen_adapters)


def network_by_lines(run: Run, gpu: str) -> NetworkMatch:
    """The network by its plugin, or by kind and rate; of the kind alone at the rate usual for such GPUs."""
    evidence = evidence_of(run)
    words = [word.lower() for word in (*evidence.values("provider"), evidence.network) if word]
    plugin = next((match for word in words if (match := _by_plugin(word, gpu))), None)
    if plugin is not None:
        return plugin
    named = " ".join(evidence.values("nics"))
    kind = "roce" if "/RoCE" in named or "gib" in words else "ib" if "/IB" in named else ""
    rates = [int(float(text.split()[-1])) for text in evidence.values("nic_rate") if " " in text]
    rate = max(rates, default=0)
    link = _of_kind(kind, rate or _usual_rate(gpu, kind)) if kind or rate else None
    if link is None:
        return NetworkMatch(None, f"the log does not name the network, {CHOOSE}")
    if kind and rate:
        return NetworkMatch(link)
    lacking = "the rate of the NICs" if kind else "whether they are InfiniBand or RoCE"
    return NetworkMatch(link, f"the log does not tell {lacking}, {CHOOSE}")


def _by_plugin(word: str, gpu: str) -> NetworkMatch | None:
    """The network of a plugin or libfabric provider; None where it tells no more than the adapters do."""
    link: str | None = None
    if word == "efa":
        clouds = (item for item in INSTANCES if item.network.startswith("efa") and item.gpu in alike(gpu))
        link = next((item.network for item in clouds), None)
    elif word == "cxi":
        link = "slingshot-200"
    elif "fastrak" in word or "tcpxo" in word:
        link = "tcpxo-200"
    elif "tcpx" in word:
        link = "tcpx-100"
    elif word.startswith(_USUAL_WORDS):
        return None
    return NetworkMatch(link) if link in LINKS else NetworkMatch(None, unknown=word)


def _of_kind(kind: str, rate: int) -> str | None:
    if kind == "roce":
        return f"roce-{rate}" if f"roce-{rate}" in LINKS else None
    return next((link for link, known in _RATES.items() if known == rate), None)


def _usual_rate(gpu: str, kind: str) -> int:
    """Gb/s of the NICs beside such GPUs; 0 where nothing tells."""
    usual = next((item.network for item in SYSTEMS.values() if item.gpu.id in alike(gpu)), None)
    return _RATES.get(usual or "", _SLOT_RATES.get(GPUS[gpu].pcie_link or "", 0) if kind == "roce" else 0)


def assumed(gpu: str) -> NetworkMatch:
    """The network between hosts whose log names none: what slots of such GPUs carry, at most the usual."""
    slot = _SLOT_RATES.get(GPUS[gpu].pcie_link or "")
    link = next((link for link, rate in _RATES.items() if rate == slot), USUAL)
    return NetworkMatch(link, f"the log does not name the network: {link_name(link)} assumed, {CHOOSE}")
