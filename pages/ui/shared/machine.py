"""The system a question is about: one of the catalog, your own figures, or your own file."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.calculators.comparison.facts import fabric_text
from core.catalog import GPUS, LINKS, SYSTEMS, visible
from core.hardware import Architecture, Gpu, System, Topology
from core.parallel.grow import domains_needed
from core.systems import (
    NETWORKS,
    CustomSystem,
    DomainSpec,
    NetworkSpec,
    configure,
    custom_gpu,
    custom_system,
    read_system,
    system_json,
)
from core.units import GB, TERA, US, converted
from db.files import file_id
from pages.ui.shared import bound, fields, names, uploads
from pages.ui.shared.messages import plain

YOURS, FILE, CATALOG = "yours", "file", "catalog"
OWN_NAMES = {YOURS: "Your own system: type its figures", FILE: "Your own system file"}
KINDS = (
    Topology.SWITCH,
    Topology.FULL_MESH,
    Topology.BRIDGE,
    Topology.PCIE_SWITCH,
    Topology.PCIE_HOST,
)
"""Scale-up kinds that figures alone describe: a cube mesh needs its wiring, from a system file."""

UPLOAD = uploads.Upload("system_file", "system", "system", "system file", 100_000)


@dataclass(frozen=True, slots=True)
class Configuration:
    """
    How many domains of a system take part, over which network; None keeps the system's own.

    Attributes:
        network: Catalog id of the scale-out link.
        oversubscription: Down over up capacity of a leaf; 1 is non-blocking.
        in_network_reduction: The switches of the network add.
    """

    domains: int
    network: str | None
    nics_per_domain: int | None
    oversubscription: float
    in_network_reduction: bool | None

    @property
    def replaces_fabric(self) -> bool:
        """Whether NICs or oversubscription are not the system's own."""
        return bool(self.nics_per_domain) or self.oversubscription != 1

    def applied_to(self, system: System) -> System:
        """The system rebuilt; InputError naming what cannot be built."""
        return configure(
            system,
            domains=self.domains,
            network=self.network,
            nics_per_domain=self.nics_per_domain,
            oversubscription=self.oversubscription,
            in_network_reduction=self.in_network_reduction,
        )


@dataclass(slots=True)
class SystemChoice:
    """
    What the system's widgets say; the system is built when a page first asks for it.

    Attributes:
        option: Catalog id, ``yours``, ``file``, or a choice of the page's own.
        base: Builds the system before domains and network are set.
        configuration: Its domains and network.
        place: Where the system is described.
    """

    option: str
    base: Callable[[], System]
    configuration: Configuration
    place: DeltaGenerator
    _built: System | None = None

    def system(self) -> System:
        """The configured system, described once under its widget; InputError where it cannot be built."""
        if self._built is None:
            self._built = self.configuration.applied_to(self.base())
            with self.place:
                st.caption(plain(describe(self._built)))
                if self._built.yours:
                    _download(self._built)
        return self._built

    def with_gpus(self, gpus: int) -> System:
        """The system with the domains that a job of so many GPUs needs; InputError where it cannot be built."""
        base = self.base()
        domains = domains_needed(base, gpus)
        return replace(self.configuration, domains=domains).applied_to(base)


def choose(default: str) -> SystemChoice:
    """The widgets of the system, its domains and its network."""
    place = st.container()
    configuration = _configuration(bool(st.session_state.get("unverified")))
    with place:
        unverified = bool(st.session_state.get("unverified"))
        listed = names.by_generation(visible(SYSTEMS, unverified))
        option = bound.choice(
            "System", "system", [*listed, YOURS, FILE], default, names=names.catalog() | OWN_NAMES
        )
        base = {YOURS: _custom, FILE: _uploaded}.get(option, lambda: lambda: SYSTEMS[option])()
    bound.toggle(
        "Show unverified", "unverified", help="Parts whose figures are low in confidence or rumoured."
    )
    return SystemChoice(option, base, configuration, place)


def _configuration(unverified: bool) -> Configuration:
    """How many domains over which network."""
    domains = fields.count("Domains (nodes or racks)", "domains", 1)
    links = visible(LINKS, unverified)
    networks = [key for key in NETWORKS if key in links]
    network = bound.choice(
        "Scale-out network",
        "network",
        [CATALOG, *networks],
        names=names.catalog() | {CATALOG: "The system's own"},
    )
    nics = fields.count("NICs per domain", "nics", help="Empty: the catalog's.")
    ratio = bound.number(
        "Oversubscription of a leaf", "oversubscription", 1.0, low=1.0, step=0.5, help="1 is non-blocking."
    )
    adds = bound.toggle(
        "In-network reduction (SHARP)",
        "sharp",
        help="SHARP: the network's switches reduce; InfiniBand from HDR on, where it is enabled.",
    )
    return Configuration(
        domains=domains,
        network=None if network == CATALOG else network,
        nics_per_domain=nics,
        oversubscription=ratio,
        in_network_reduction=True if adds else None,
    )


def _custom() -> Callable[[], System]:
    """A system from a GPU, a scale-up kind, a rate and NICs; empty fields take the catalog's figures."""
    with st.container(border=True):
        card = bound.choice(
            "GPU",
            "own_gpu",
            [YOURS, *GPUS],
            "h100-sxm",
            names=names.catalog() | {YOURS: "Another GPU: type its figures"},
        )
        gpu = _custom_gpu() if card == YOURS else lambda: GPUS[card]
        gpus = fields.count("GPUs in a domain", "own_gpus", 8)
        kind = bound.choice(
            "Scale-up kind",
            "own_kind",
            [CATALOG, *map(str, KINDS)],
            help="Catalog: as servers with these GPUs connect them. Switch: NVLink through switches. Full mesh: links "
            "to each other GPU. Bridge: pairs, PCIe between them. PCIe switch or host: PCIe alone.",
        )
        sharing = fields.count("GPUs behind one PCIe switch or host bridge", "own_uplink", 1, help=_SHARING)
        rate, latency = _scale_up()
        _tell_pcie(card, kind, rate)
        nic = bound.number("NIC bandwidth, unidirectional (GB/s)", "own_nic_gbps", 50.0, low=0.001, step=12.5)
        nics = fields.count("NICs in a domain", "own_nics", 8)
    domain = DomainSpec(
        gpus,
        topology=None if kind == CATALOG else kind,
        bytes_per_s=converted(rate, GB),
        latency_s=converted(latency, US),
        gpus_per_uplink=sharing,
    )
    network = NetworkSpec(nics_per_domain=nics, nic_bytes_per_s=nic * GB)
    return lambda: custom_system(CustomSystem(gpu(), domain, network))


def _scale_up() -> tuple[float | None, float | None]:
    """GB/s and microseconds of the scale-up link; None for the GPU's and the link's own."""
    rate = bound.number(
        "Scale-up bandwidth per GPU, unidirectional (GB/s)",
        "own_gbps",
        None,
        low=0.001,
        help="With all GPUs taking part; of the bridge for bridge pairs. Empty: the GPU's own.",
    )
    latency = bound.number(
        "Scale-up latency per step (µs)", "own_latency_us", None, low=0.0, help="Empty: the link's own."
    )
    return rate, latency


def _tell_pcie(card: str, kind: str, rate: float | None) -> None:
    """Where a typed rate is what the slot carries, yet the GPU's own links are kept: how to ask for PCIe."""
    gpu = GPUS.get(card)
    if gpu is None or rate is None or gpu.scale_up_link is None or gpu.pcie_link is None:
        return
    own, slot = LINKS[gpu.scale_up_link], LINKS[gpu.pcie_link]
    pcie = kind in (str(Topology.PCIE_SWITCH), str(Topology.PCIE_HOST))
    if pcie or slot.rate is None or rate * GB > slot.rate.bytes_per_s:
        return
    st.caption(
        plain(
            f"{rate:g} GB/s is taken as a slower {own.name}. If you mean {slot.name}, choose {Topology.PCIE_SWITCH} or "
            f"{Topology.PCIE_HOST} as scale-up kind."
        )
    )


_SHARING = "They share its uplink: 1 where each GPU has its own slot at the CPU. Only PCIe traffic sees it."


def _custom_gpu() -> Callable[[], Gpu]:
    """A GPU that the catalog does not list."""
    memory = bound.number("Memory (GB)", "own_memory_gb", 80.0, low=0.001, step=8.0)
    memory_rate = bound.number("Memory bandwidth (GB/s)", "own_memory_gbps", 3350.0, low=0.001, step=100.0)
    peak = bound.number("BF16 peak, dense (TFLOP/s)", "own_tflops", 989.0, low=0.001, step=100.0)
    architecture = bound.choice(
        "Architecture",
        "own_architecture",
        map(str, Architecture),
        str(Architecture.UNKNOWN),
        help="The generation whose measurements calibrated rates are taken from.",
    )
    return lambda: custom_gpu(
        "your GPU",
        memory_bytes=memory * GB,
        memory_bytes_per_s=memory_rate * GB,
        bf16_flop_per_s=peak * TERA,
        scale_up_bytes_per_s=450 * GB,
        architecture=architecture,
    )


def hand_over(text: str) -> None:
    """Make a system file the system of the calculators, as if it had been uploaded there."""
    st.session_state[UPLOAD.key] = uploads.keep(UPLOAD, "topology.json", text.encode())
    st.session_state["system"] = FILE


def handed_over(text: str) -> bool:
    """Whether this system file is the system of the calculators."""
    return st.session_state.get("system") == FILE and uploads.requested(UPLOAD) == file_id(text.encode())


def _uploaded() -> Callable[[], System]:
    """A system from a JSON file; its template is the default system's own file."""
    with st.container(border=True):
        uploads.ask(UPLOAD, "System file (JSON)")
        template = json.dumps(system_json(SYSTEMS["dgx-h100"]), indent=2)
        st.download_button("Template", template, "system.json", "application/json", key="_template")
        uploads.describe(UPLOAD)
    return lambda: read_system(uploads.read(UPLOAD).data.decode("utf-8", "replace"))


def _download(system: System) -> None:
    """A custom system as a file that shell and page read back."""
    text = json.dumps(system_json(system), indent=2)
    st.download_button("Save as system file", text, "system.json", "application/json", key="_system_save")


def describe(system: System) -> str:
    """One line: what the system is made of, unidirectional bandwidth per GPU."""
    parts = [f"{system.domain_gpus} × {system.gpu.name}"]
    if system.bridge is not None:
        parts.append(f"pairs on {fabric_text(system.bridge)}")
    parts.append(f"{fabric_text(system.scale_up)} ({system.scale_up.topology})")
    leaf = system.scale_out
    if leaf is not None:
        parts.append(f"{system.nics_per_domain} × {fabric_text(leaf)} per GPU")
    if system.domains > 1:
        parts.insert(0, f"{system.domains:,} domains, {system.gpus:,} GPUs")
    return f"{system.name}: {'; '.join(parts)}. Unidirectional."
